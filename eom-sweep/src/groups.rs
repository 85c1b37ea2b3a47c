//! The rows of a table, a row group at a time: no more of it is in memory, however many chunks there are.

use crate::error::SweepError;
use crate::parquet::error;
use crate::table::{Column, Kind};
use parquet::basic::{Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The cells of a column in a row group; nothing where one is missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers.
    Numbers(Vec<Option<f64>>),
    /// Counts.
    Counts(Vec<Option<i64>>),
    /// Texts.
    Texts(Vec<Option<String>>),
}

/// The row groups of files of one schema, in their order. A file is opened when its turn comes.
pub struct Groups {
    columns: Vec<Column>,
    files: std::vec::IntoIter<PathBuf>,
    open: Option<Open>,
}

/// A file, and the row group that is next.
struct Open {
    path: PathBuf,
    reader: SerializedFileReader<File>,
    next: usize,
}

impl std::fmt::Debug for Groups {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Groups").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl Groups {
    /// Of these files; the first says which columns there are.
    pub(crate) fn of(files: Vec<PathBuf>) -> Result<Self, SweepError> {
        let mut files = files.into_iter();
        let open = files.next().map(Open::new).transpose()?;
        let columns = open.as_ref().map_or(Ok(Vec::new()), Open::columns)?;
        Ok(Self { columns, files, open })
    }

    /// The columns, without what the declaration says of them.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn step(&mut self) -> Result<Option<Vec<Values>>, SweepError> {
        loop {
            let Some(open) = &mut self.open else { return Ok(None) };
            if open.next < open.reader.num_row_groups() {
                open.next += 1;
                let group = read(&open.reader, open.next - 1);
                return group.map(Some).map_err(broken(&open.path));
            }
            self.open = self.files.next().map(Open::new).transpose()?;
        }
    }
}

/// The columns of each group, or why there are no more.
impl Iterator for Groups {
    type Item = Result<Vec<Values>, SweepError>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        if step.is_err() {
            (self.open, self.files) = (None, Vec::new().into_iter());
        }
        step.transpose()
    }
}

fn broken(path: &Path) -> impl FnOnce(ParquetError) -> SweepError + use<> {
    let file = SweepError::unread(path.to_path_buf());
    |of| file(error(of))
}

impl Open {
    fn new(path: PathBuf) -> Result<Self, SweepError> {
        let file = File::open(&path).map_err(SweepError::unread(&path))?;
        let reader = SerializedFileReader::new(file).map_err(broken(&path))?;
        Ok(Self { path, reader, next: 0 })
    }

    fn columns(&self) -> Result<Vec<Column>, SweepError> {
        let fields = self.reader.metadata().file_metadata().schema_descr().columns();
        let column = |field: &parquet::schema::types::ColumnDescPtr| {
            let kind = match field.physical_type() {
                Physical::DOUBLE => Kind::Number,
                Physical::INT64 => Kind::Count,
                Physical::BYTE_ARRAY => Kind::Text,
                _ => return Err(another(field.name())),
            };
            let column = Column::new(field.name(), kind, "");
            let is_optional =
                field.self_type().get_basic_info().repetition() == Repetition::OPTIONAL;
            Ok(if is_optional { column.optional() } else { column })
        };
        let columns = fields.iter().map(column).collect::<Result<_, _>>();
        columns.map_err(broken(&self.path))
    }
}

fn another(column: &str) -> ParquetError {
    ParquetError::General(format!("`{column}` is no column of a sweep"))
}

fn read(reader: &SerializedFileReader<File>, group: usize) -> Result<Vec<Values>, ParquetError> {
    let group = reader.get_row_group(group)?;
    let rows = usize::try_from(group.metadata().num_rows()).unwrap_or_default();
    let column = |index| match group.get_column_reader(index)? {
        ColumnReader::DoubleColumnReader(column) => values(column, rows).map(Values::Numbers),
        ColumnReader::Int64ColumnReader(column) => values(column, rows).map(Values::Counts),
        ColumnReader::ByteArrayColumnReader(column) => {
            let text = |bytes: parquet::data_type::ByteArray| bytes.as_utf8().map(str::to_owned);
            let texts = values(column, rows)?.into_iter().map(|bytes| bytes.map(text).transpose());
            texts.collect::<Result<_, _>>().map(Values::Texts)
        }
        _ => Err(another(group.metadata().column(index).column_path().string().as_str())),
    };
    (0..group.num_columns()).map(column).collect()
}

/// The cells of a column: a value for each level that is not 0, or, where none may be missing and there are no levels, all.
fn values<T: DataType>(
    mut column: ColumnReaderImpl<T>,
    rows: usize,
) -> Result<Vec<Option<T::T>>, ParquetError> {
    let (mut found, mut levels, mut done) = (Vec::with_capacity(rows), Vec::new(), 0);
    while done < rows {
        let (more, ..) = column.read_records(rows - done, Some(&mut levels), None, &mut found)?;
        if more == 0 {
            return Err(ParquetError::General(format!("{done} of {rows} rows are there")));
        }
        done += more;
    }
    let mut found = found.into_iter();
    if levels.is_empty() {
        return Ok(found.map(Some).collect());
    }
    Ok(levels.into_iter().map(|level| if level == 0 { None } else { found.next() }).collect())
}
