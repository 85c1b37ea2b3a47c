//! Tables for other libraries, by the PyCapsule interface of Arrow: a stream of one batch, whose columns they take over
//! without a copy.

use crate::fault::value_error;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::{ArrowError, Field, Schema};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::sync::Arc;

/// A capsule `arrow_array_stream` of columns by name: arrays of numbers, lists of texts. What is not a number has no
/// value, as in the files of a sweep.
#[pyfunction]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    columns: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (name, values) in columns {
        let array = array(&values)?;
        fields.push(Field::new(name.extract::<String>()?, array.data_type().clone(), true));
        arrays.push(array);
    }
    let failure = |error: ArrowError| value_error(error.to_string());
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(failure)?;
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    PyCapsule::new_with_value(
        py,
        FFI_ArrowArrayStream::new(Box::new(reader)),
        c"arrow_array_stream",
    )
}

fn array(values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if let Ok(numbers) = values.cast::<PyArray1<f64>>() {
        let numbers = numbers.to_vec()?;
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
