//! Numbers that come from Python: one state or many, without a copy where they are arrays of float64 in C order.

use crate::fault::value_error;
use eom_interpreter::Lists;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyTuple};

/// One entry of a list of numbers: what messages call it.
pub(crate) type Entry<'a> = &'a dyn Fn(usize) -> String;

enum Numbers<'py> {
    One([f64; 1]),
    List(Vec<f64>),
    Array(PyReadonlyArrayDyn<'py, f64>),
}

/// A list of so many numbers a state, for one state or for each of many.
pub(crate) struct Operand<'py> {
    numbers: Numbers<'py>,
    width: usize,
    /// How many states; `None` where one list serves all.
    pub(crate) count: Option<usize>,
}

impl<'py> Operand<'py> {
    /// The numbers of a value; `name` is what they are called, `entry` what each of them is.
    pub(crate) fn new(
        value: &Bound<'py, PyAny>,
        name: &str,
        width: usize,
        entry: Entry<'_>,
    ) -> PyResult<Self> {
        if let Some(list) = list(value).filter(|list| list.len() == width) {
            let operand = Self { numbers: Numbers::List(list), width, count: None };
            operand.check(name, entry)?;
            return Ok(operand);
        }
        let array = array(value, name)?;
        let count = match *array.shape() {
            [found] if found == width => None,
            // A number stands for a list of one.
            [] if width == 1 => None,
            [count, found] if found == width => Some(count),
            ref shape => return Err(misshapen(name, width, shape, entry)),
        };
        let operand = Self { numbers: Numbers::Array(array), width, count };
        operand.check(name, entry)?;
        Ok(operand)
    }

    /// A time, or one for each state.
    pub(crate) fn times(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(t) = value.cast::<PyFloat>() {
            let operand = Self { numbers: Numbers::One([t.value()]), width: 1, count: None };
            operand.check("t", &|_| "t".to_owned())?;
            return Ok(operand);
        }
        let array = array(value, "t")?;
        let count = match *array.shape() {
            [] => None,
            [count] => Some(count),
            ref shape => {
                let message = format!("t has the shape {shape:?}: give a number, or one a state");
                return Err(value_error(message));
            }
        };
        let operand = Self { numbers: Numbers::Array(array), width: 1, count };
        operand.check("t", &|_| "t".to_owned())?;
        Ok(operand)
    }

    /// The list of each state, for threads without Python.
    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows { numbers: self.numbers(), width: self.width, is_one: self.count.is_none() }
    }

    /// All numbers in C order.
    pub(crate) fn numbers(&self) -> &[f64] {
        match &self.numbers {
            Numbers::One(number) => number,
            Numbers::List(list) => list,
            // It was made contiguous.
            Numbers::Array(array) => array.as_slice().unwrap_or_default(),
        }
    }

    fn check(&self, name: &str, entry: Entry<'_>) -> PyResult<()> {
        // Whole pieces, so that many numbers are looked at together.
        let are_finite = |some: &[f64]| some.iter().fold(true, |all, x| all & x.is_finite());
        if self.numbers().chunks(256).all(are_finite) {
            return Ok(());
        }
        let Some(at) = self.numbers().iter().position(|number| !number.is_finite()) else {
            return Ok(());
        };
        let value = self.numbers()[at];
        let (row, column) = (at / self.width, at % self.width);
        let place = if self.count.is_some() { format!("{name}[{row}]") } else { name.to_owned() };
        let what = entry(column);
        Err(value_error(format!("{what} = {value} in {place} is not a finite number")))
    }
}

/// A list of so many numbers for each state, or one for all.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    numbers: &'a [f64],
    width: usize,
    is_one: bool,
}

impl<'a> Rows<'a> {
    /// One list for all.
    pub(crate) fn one(numbers: &'a [f64]) -> Self {
        Self { numbers, width: numbers.len(), is_one: true }
    }

    /// That of state j.
    pub(crate) fn row(self, j: usize) -> &'a [f64] {
        let first = if self.is_one { 0 } else { j * self.width };
        &self.numbers[first..first + self.width]
    }

    /// The same where states are taken many at once, from a place of each list on.
    pub(crate) fn lists(self, place: usize) -> Lists<'a> {
        let step = if self.is_one { 0 } else { self.width };
        Lists { numbers: self.numbers, first: place, step }
    }

    /// Its first number.
    pub(crate) fn first(self, j: usize) -> f64 {
        self.row(j).first().copied().unwrap_or(f64::NAN)
    }
}

/// The numbers of a list or tuple of them, which NumPy would take longer to look at than a short run takes.
fn list(value: &Bound<'_, PyAny>) -> Option<Vec<f64>> {
    let number = |item: Bound<'_, PyAny>| match item.cast_exact::<PyFloat>() {
        Ok(number) => Some(number.value()),
        Err(_) => item.cast_exact::<PyInt>().ok()?.extract().ok(),
    };
    match value.cast_exact::<PyList>() {
        Ok(list) => list.iter().map(number).collect(),
        Err(_) => value.cast_exact::<PyTuple>().ok()?.iter().map(number).collect(),
    }
}

/// Refuses numbers that a mask hides: what stands behind it means nothing.
fn unmasked(value: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    let Ok(mask) = value.getattr(intern!(value.py(), "mask")) else { return Ok(()) };
    let hides = mask.call_method0(intern!(value.py(), "any")).and_then(|any| any.is_truthy());
    if hides.unwrap_or(false) {
        return Err(value_error(format!("{name} has masked entries: give numbers for them")));
    }
    Ok(())
}

/// An array of float64 in C order; the value itself where it is one.
fn array<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    if value.cast_exact::<PyArrayDyn<f64>>().is_err() {
        unmasked(value, name)?;
    }
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && array.is_c_contiguous()
        && let Ok(array) = array.try_readonly()
    {
        return Ok(array);
    }
    let py = value.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    // Of an array NumPy drops what is imaginary, and warns.
    let kind = value.getattr(intern!(py, "dtype")).and_then(|it| it.getattr(intern!(py, "kind")));
    if kind.is_ok_and(|kind| kind.eq("c").unwrap_or(false)) {
        return Err(no_numbers(value, name));
    }
    let keywords = PyDict::new(py);
    keywords.set_item("dtype", "float64")?;
    keywords.set_item("order", "C")?;
    let made = numpy.call_method(intern!(py, "array"), (value,), Some(&keywords));
    // NumPy takes None for a number that is none.
    let made = made.ok().filter(|_| !value.is_none()).ok_or_else(|| no_numbers(value, name))?;
    Ok(made.cast_into::<PyArrayDyn<f64>>()?.readonly())
}

fn no_numbers(value: &Bound<'_, PyAny>, name: &str) -> PyErr {
    let shown = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    PyTypeError::new_err(format!("{name} must be numbers; it is {shown}"))
}

fn misshapen(name: &str, width: usize, shape: &[usize], entry: Entry<'_>) -> PyErr {
    let found = match shape {
        [] => "a single number".to_owned(),
        [1] => "one number".to_owned(),
        [count] => format!("{count} numbers"),
        _ => format!("the shape {shape:?}"),
    };
    if width == 0 {
        return value_error(format!("{name} has {found}, and the system has none"));
    }
    let names: Vec<String> = (0..width).map(entry).collect();
    let names = names.join(", ");
    let numbers = if width == 1 { "number" } else { "numbers" };
    value_error(format!(
        "{name} has {found}; give {width} {numbers} for a state in this order: {names}; or an array (N, {width}) for \
         N states"
    ))
}
