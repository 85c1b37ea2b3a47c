//! Tables for other libraries, by the PyCapsule interface of Arrow, whose columns they take over without a copy: of what
//! is in memory a stream of one batch, of chunks one of a batch for each of their row groups, read when it is asked for.

use crate::fault::value_error;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, RecordBatchReader,
    StringArray,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use eom_sweep::table::{Column, Kind};
use eom_sweep::{Groups, Values};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::sync::Arc;

/// A capsule `arrow_array_stream` of columns by name: arrays of numbers, lists of texts, and last so many of whole numbers.
/// What is not a number has no value, as in the files of a sweep.
#[pyfunction]
#[pyo3(signature = (columns, counts = 0))]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    columns: &Bound<'py, PyDict>,
    counts: usize,
) -> PyResult<Bound<'py, PyCapsule>> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (place, (name, values)) in columns.iter().enumerate() {
        let array = array(&values, place + counts >= columns.len())?;
        fields.push(Field::new(name.extract::<String>()?, array.data_type().clone(), true));
        arrays.push(array);
    }
    let failure = |error: ArrowError| value_error(error.to_string());
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(failure)?;
    capsule(py, Box::new(RecordBatchIterator::new([Ok(batch)], schema)))
}

fn capsule(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
}

/// A capsule `arrow_array_stream` of the rows of chunks.
pub(crate) fn stream_of(py: Python<'_>, groups: Groups) -> PyResult<Bound<'_, PyCapsule>> {
    let field = |column: &Column| {
        let kind = match column.kind {
            Kind::Number => DataType::Float64,
            Kind::Count => DataType::Int64,
            Kind::Text => DataType::Utf8,
        };
        Field::new(&column.name, kind, column.optional)
    };
    let schema = Arc::new(Schema::new(groups.columns().iter().map(field).collect::<Vec<_>>()));
    let kept = Arc::clone(&schema);
    let batches = groups.map(move |group| {
        let group = group.map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        let columns = group.into_iter().map(|values| -> ArrayRef {
            match values {
                Values::Numbers(values) => Arc::new(Float64Array::from(values)),
                Values::Counts(values) => Arc::new(Int64Array::from(values)),
                Values::Texts(values) => Arc::new(StringArray::from(values)),
            }
        });
        RecordBatch::try_new(Arc::clone(&kept), columns.collect())
    });
    capsule(py, Box::new(RecordBatchIterator::new(batches, schema)))
}

fn array(values: &Bound<'_, PyAny>, is_count: bool) -> PyResult<ArrayRef> {
    if let Ok(numbers) = values.cast::<PyArray1<f64>>() {
        let numbers = numbers.to_vec()?;
        if is_count {
            let whole = |number: f64| (!number.is_nan()).then_some(number as i64);
            let counts: Vec<Option<i64>> = numbers.into_iter().map(whole).collect();
            return Ok(Arc::new(Int64Array::from(counts)));
        }
        return Ok(if numbers.iter().any(|number| number.is_nan()) {
            let kept = numbers.into_iter().map(|number| (!number.is_nan()).then_some(number));
            Arc::new(kept.collect::<Float64Array>())
        } else {
            Arc::new(Float64Array::from(numbers))
        });
    }
    if let Ok(counts) = values.cast::<PyArray1<i64>>() {
        return Ok(Arc::new(Int64Array::from(counts.to_vec()?)));
    }
    Ok(Arc::new(StringArray::from(values.extract::<Vec<String>>()?)))
}
