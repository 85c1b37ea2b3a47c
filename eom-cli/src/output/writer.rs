//! Tables as CSV, JSON lines or Parquet. Numbers have as many digits as it takes to read the same
//! value back.

use eom_sweep::parquet::Parquet;
use eom_sweep::table::{Cell, Column};
use std::ffi::OsStr;
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::Path;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Comma-separated values under a line of names; an empty field is a missing value.
    Csv,
    /// One JSON object a line; null is a missing value.
    JsonLines,
    /// Apache Parquet, without compression.
    Parquet,
}

impl Format {
    /// The format that the name of a file asks for; CSV where it says nothing.
    pub(crate) fn of(path: &Path) -> Self {
        let extension = path.extension().map(OsStr::to_ascii_lowercase);
        match extension.as_deref().and_then(OsStr::to_str) {
            Some("jsonl" | "ndjson" | "json") => Self::JsonLines,
            Some("parquet" | "pq") => Self::Parquet,
            _ => Self::Csv,
        }
    }
}

/// A table that is being written.
pub(crate) enum Writer<W: Write + Send> {
    /// As CSV.
    Csv(Box<csv::Writer<W>>),
    /// As JSON lines; the names are quoted already.
    JsonLines {
        /// Where to.
        to: BufWriter<W>,
        /// `"x":` for each column.
        keys: Vec<String>,
    },
    /// As Parquet.
    Parquet(Box<Parquet<W>>),
}

impl<W: Write + Send> Writer<W> {
    /// Begins a table of a title.
    pub(crate) fn new(format: Format, title: &str, columns: &[Column], to: W) -> io::Result<Self> {
        match format {
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(to);
                let names = columns.iter().map(|column| &column.name);
                writer.write_record(names).map_err(error)?;
                Ok(Self::Csv(Box::new(writer)))
            }
            Format::JsonLines => {
                let keys = columns.iter().map(|column| format!("{}:", quoted(&column.name)));
                Ok(Self::JsonLines { to: BufWriter::new(to), keys: keys.collect() })
            }
            Format::Parquet => Ok(Self::Parquet(Box::new(Parquet::new(title, columns, &[], to)?))),
        }
    }

    /// Writes a row, a cell a column.
    pub(crate) fn row(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        match self {
            Self::Csv(writer) => writer.write_record(cells.iter().map(field)).map_err(error),
            Self::JsonLines { to, keys } => {
                let members: Vec<String> =
                    keys.iter().zip(&cells).map(|(key, cell)| key.clone() + &json(cell)).collect();
                writeln!(to, "{{{}}}", members.join(","))
            }
            Self::Parquet(writer) => writer.row(cells),
        }
    }

    /// Writes what is left; then `end` is done to what it was written to.
    pub(crate) fn finish(self, end: impl FnOnce(&mut W) -> io::Result<()>) -> io::Result<()> {
        match self {
            Self::Csv(writer) => {
                end(&mut writer.into_inner().map_err(csv::IntoInnerError::into_error)?)
            }
            Self::JsonLines { to, .. } => {
                end(&mut to.into_inner().map_err(IntoInnerError::into_error)?)
            }
            Self::Parquet(writer) => writer.finish(end),
        }
    }
}

/// What the system says where a write failed.
fn error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A cell as a field of CSV.
fn field(cell: &Cell) -> String {
    match cell {
        Cell::Number(value) => format!("{value:?}"),
        Cell::Digits(_, digits) => digits.clone(),
        Cell::Count(value) => value.to_string(),
        Cell::Text(text) => text.clone(),
        Cell::Missing => String::new(),
    }
}

/// A cell as JSON.
pub(crate) fn json(cell: &Cell) -> String {
    match cell {
        Cell::Number(value) => format!("{value:?}"),
        Cell::Digits(_, digits) => digits.clone(),
        Cell::Count(value) => value.to_string(),
        Cell::Text(text) => quoted(text),
        Cell::Missing => "null".to_owned(),
    }
}

/// A text in the quotes of JSON.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use eom_sweep::table::Kind;

    fn written(format: Format) -> Vec<u8> {
        let columns = [
            Column::new("t", Kind::Number, "time, s"),
            Column::new("what", Kind::Text, ""),
            Column::new("n", Kind::Count, ""),
            Column::new("e", Kind::Number, "").optional(),
        ];
        let mut bytes = Vec::new();
        let mut writer = Writer::new(format, "a title", &columns, &mut bytes).unwrap();
        let rows = [
            [Cell::number(0.1 + 0.2), Cell::Text("a, \"b\"".into()), Cell::Count(7), Cell::Missing],
            [Cell::number(-1e-300), Cell::Text("é".into()), Cell::Count(0), Cell::number(f64::NAN)],
            [Cell::number(5.0), Cell::Text(String::new()), Cell::Count(1), Cell::number(2.5)],
        ];
        for row in rows {
            writer.row(row.to_vec()).unwrap();
        }
        writer.finish(|_| Ok(())).unwrap();
        bytes
    }

    #[test]
    fn texts_have_all_digits() {
        let table = [
            (
                Format::Csv,
                "t,what,n,e\n0.30000000000000004,\"a, \"\"b\"\"\",7,\n-1e-300,é,0,\n5.0,,1,2.5\n",
            ),
            (
                Format::JsonLines,
                "{\"t\":0.30000000000000004,\"what\":\"a, \\\"b\\\"\",\"n\":7,\"e\":null}\n\
                 {\"t\":-1e-300,\"what\":\"é\",\"n\":0,\"e\":null}\n\
                 {\"t\":5.0,\"what\":\"\",\"n\":1,\"e\":2.5}\n",
            ),
        ];
        for (format, text) in table {
            assert_eq!(String::from_utf8(written(format)).unwrap(), text);
        }
    }

    #[test]
    fn names_of_files_tell_the_format() {
        let table = [
            ("a.csv", Format::Csv),
            ("a.txt", Format::Csv),
            ("-", Format::Csv),
            ("a.JSONL", Format::JsonLines),
            ("a/b.parquet", Format::Parquet),
        ];
        for (path, format) in table {
            assert_eq!(Format::of(Path::new(path)), format, "{path}");
        }
    }
}
