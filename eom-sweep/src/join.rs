//! One Parquet file of many: their row groups as they stand, nothing decoded.

use crate::error::SweepError;
use crate::parquet::{Footer, error, properties};
use crate::seal;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Writes files of one schema as one; with no file nothing is written.
pub(crate) fn join<W: Write + Send>(files: &[PathBuf], to: W) -> Result<(), SweepError> {
    let (mut to, mut writer) = (Some(to), None);
    for path in files {
        let broken = |of: ParquetError| SweepError::unread(path)(error(of));
        let file = File::open(path).map_err(SweepError::unread(path))?;
        let again = file.try_clone().map_err(SweepError::unread(path))?;
        let reader = SerializedFileReader::new(again).map_err(broken)?;
        if let Some(to) = to.take() {
            writer = Some(begin(&reader, to).map_err(broken)?);
        }
        let Some(writer) = &mut writer else { break };
        for group in reader.metadata().row_groups() {
            append(&file, group, writer).map_err(broken)?;
        }
    }
    match writer {
        Some(mut writer) => {
            let finished = writer.finish().map_err(error);
            let ended = finished.and_then(|_| writer.inner_mut().flush());
            ended.map_err(SweepError::file("the joined file"))
        }
        None => Ok(()),
    }
}

/// A file with the schema of another, and with its pairs but for those of a chunk.
fn begin<W: Write + Send>(
    reader: &SerializedFileReader<File>,
    to: W,
) -> Result<SerializedFileWriter<W>, ParquetError> {
    let data = reader.metadata().file_metadata();
    let schema = data.schema_descr().root_schema_ptr();
    let pairs = data.key_value_metadata().cloned().unwrap_or_default();
    let own = [Footer::CHUNK, Footer::RUNS, seal::KEY];
    let kept = pairs.into_iter().filter(|pair| !own.contains(&pair.key.as_str()));
    SerializedFileWriter::new(to, schema, Arc::new(properties(kept.collect())))
}

/// Appends the columns of a row group.
fn append<W: Write + Send>(
    file: &File,
    group: &RowGroupMetaData,
    writer: &mut SerializedFileWriter<W>,
) -> Result<(), ParquetError> {
    let mut next = writer.next_row_group()?;
    for column in group.columns() {
        let close = ColumnCloseResult {
            bytes_written: u64::try_from(column.compressed_size()).unwrap_or_default(),
            rows_written: u64::try_from(group.num_rows()).unwrap_or_default(),
            metadata: column.clone(),
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        next.append_column(file, close)?;
    }
    next.close().map(drop)
}
