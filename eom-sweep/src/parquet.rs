//! Apache Parquet: columns in row groups, without compression; the footer has what the declaration says of each
//! column as pairs of a key and a value, and of a chunk which one it is.

use crate::table::{Cell, Column, Kind};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows in a group.
const GROUP: usize = 1 << 16;

/// A Parquet file that is being written.
pub struct Parquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<(Kind, bool)>,
    rows: Vec<Vec<Cell>>,
}

impl<W: Write + Send> fmt::Debug for Parquet<W> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Parquet").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl<W: Write + Send> Parquet<W> {
    /// Begins a file, with pairs of its own in the footer.
    ///
    /// # Errors
    /// What is below cannot be written.
    pub fn new(title: &str, columns: &[Column], own: &[(&str, String)], to: W) -> io::Result<Self> {
        let docs = columns.iter().filter(|column| !column.doc.is_empty());
        let mut pairs = vec![KeyValue::new("model".to_owned(), title.to_owned())];
        pairs
            .extend(own.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone())));
        pairs.extend(docs.map(|column| KeyValue::new(column.name.clone(), column.doc.clone())));
        let schema = Arc::new(schema(columns).map_err(error)?);
        let writer = SerializedFileWriter::new(to, schema, Arc::new(properties(pairs)));
        let columns = columns.iter().map(|column| (column.kind, column.optional)).collect();
        Ok(Self { writer: writer.map_err(error)?, columns, rows: Vec::new() })
    }

    /// Adds a row, a cell for each column.
    ///
    /// # Errors
    /// What is below cannot be written.
    pub fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        self.rows.push(cells);
        if self.rows.len() < GROUP { Ok(()) } else { self.flush().map_err(error) }
    }

    /// Writes the last group and the footer, without which nothing can be read; then `end` is done to what is below.
    ///
    /// # Errors
    /// What is below cannot be written.
    pub fn finish(mut self, end: impl FnOnce(&mut W) -> io::Result<()>) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.flush().map_err(error)?;
        }
        self.writer.finish().map_err(error)?;
        end(self.writer.inner_mut())
    }

    /// Writes the rows so far as a group.
    fn flush(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for (index, &(kind, optional)) in self.columns.iter().enumerate() {
            let Some(column) = group.next_column()? else { break };
            write(column, kind, optional, self.rows.iter().map(|row| &row[index]))?;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

/// Writes the cells of a column; where some may be missing, with the level of each: 1 for a value.
fn write<'c>(
    mut column: SerializedColumnWriter<'_>,
    kind: Kind,
    optional: bool,
    cells: impl Iterator<Item = &'c Cell> + Clone,
) -> Result<(), ParquetError> {
    let levels: Option<Vec<i16>> =
        optional.then(|| cells.clone().map(|cell| i16::from(*cell != Cell::Missing)).collect());
    let levels = levels.as_deref();
    match kind {
        Kind::Number => {
            let values: Vec<f64> = cells.filter_map(number).collect();
            column.typed::<DoubleType>().write_batch(&values, levels, None)?;
        }
        Kind::Count => {
            let values: Vec<i64> = cells.filter_map(count).collect();
            column.typed::<Int64Type>().write_batch(&values, levels, None)?;
        }
        Kind::Text => {
            let values: Vec<ByteArray> = cells.filter_map(text).collect();
            column.typed::<ByteArrayType>().write_batch(&values, levels, None)?;
        }
    }
    column.close()
}

fn number(cell: &Cell) -> Option<f64> {
    if let Cell::Number(value) | Cell::Digits(value, _) = cell { Some(*value) } else { None }
}

fn count(cell: &Cell) -> Option<i64> {
    if let Cell::Count(value) = cell { i64::try_from(*value).ok() } else { None }
}

fn text(cell: &Cell) -> Option<ByteArray> {
    if let Cell::Text(text) = cell { Some(text.as_bytes().to_vec().into()) } else { None }
}

fn schema(columns: &[Column]) -> Result<Type, ParquetError> {
    let field = |column: &Column| {
        let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let (physical, logical) = match column.kind {
            Kind::Number => (Physical::DOUBLE, None),
            Kind::Count => (Physical::INT64, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let builder = Type::primitive_type_builder(&column.name, physical);
        let field = builder.with_repetition(repetition).with_logical_type(logical).build();
        field.map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("schema").with_fields(fields).build()
}

pub(crate) fn properties(pairs: Vec<KeyValue>) -> WriterProperties {
    WriterProperties::builder()
        .set_created_by(concat!("eom ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(pairs))
        // Numbers of a motion hardly repeat: a dictionary of them would only take room.
        .set_dictionary_enabled(false)
        .build()
}

/// What the footer of a chunk says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) digest: Option<String>,
    pub(crate) chunk: Option<u64>,
    pub(crate) rows: u64,
}

impl Footer {
    /// The key of the digest of the sweep.
    pub(crate) const DIGEST: &str = "eom sweep";
    /// The key of the number of the chunk.
    pub(crate) const CHUNK: &str = "eom chunk";
    /// The key of the numbers of its runs.
    pub(crate) const RUNS: &str = "eom runs";
}

/// The footer of a chunk; nothing where a file has none.
pub(crate) fn footer(file: File) -> Option<Footer> {
    let reader = SerializedFileReader::new(file).ok()?;
    let data = reader.metadata().file_metadata();
    let value = |key: &str| {
        let pairs = data.key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone())
    };
    let rows = u64::try_from(data.num_rows()).ok()?;
    let chunk = value(Footer::CHUNK).and_then(|number| number.parse().ok());
    Some(Footer { digest: value(Footer::DIGEST), chunk, rows })
}

/// What the system says where a write failed, else what the format does.
pub(crate) fn error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
