//! Apache Parquet: columns in row groups, without compression; the schema has what the declaration
//! says of each column as key-value metadata.

use crate::output::table::{Cell, Column, Kind};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows in a group.
const GROUP: usize = 1 << 16;

/// A Parquet file that is being written.
pub(crate) struct Parquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<(Kind, bool)>,
    rows: Vec<Vec<Cell>>,
}

impl<W: Write + Send> Parquet<W> {
    /// Begins a file.
    pub(crate) fn new(title: &str, columns: &[Column], to: W) -> io::Result<Self> {
        let docs = columns.iter().filter(|column| !column.doc.is_empty());
        let mut pairs = vec![KeyValue::new("model".to_owned(), title.to_owned())];
        pairs.extend(docs.map(|column| KeyValue::new(column.name.clone(), column.doc.clone())));
        let properties = WriterProperties::builder()
            .set_created_by(concat!("eom ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(pairs))
            // Numbers of a motion hardly repeat: a dictionary of them would only take room.
            .set_dictionary_enabled(false)
            .build();
        let schema = schema(columns).map_err(error)?;
        let writer = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties));
        let columns = columns.iter().map(|column| (column.kind, column.optional)).collect();
        Ok(Self { writer: writer.map_err(error)?, columns, rows: Vec::new() })
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        self.rows.push(cells);
        if self.rows.len() < GROUP { Ok(()) } else { self.flush().map_err(error) }
    }

    /// Writes the last group and the footer, without which nothing can be read.
    pub(crate) fn finish(mut self, end: impl FnOnce(&mut W) -> io::Result<()>) -> io::Result<()> {
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
    if let Cell::Number(value) = cell { Some(*value) } else { None }
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

/// What the system says where a write failed, else what the format does.
fn error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
