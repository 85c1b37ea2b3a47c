//! Numbers that come from Python: one state or many, without a copy where they are arrays of float64 in C order, or, where a
//! function reads either, in Fortran's.

use crate::fault::{guarded, unknown_name, value_error};
use eom_interpreter::Lists;
use eom_symbolic::name::Name;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::sync::atomic::{AtomicBool, Ordering};

/// Loads NumPy where it is not loaded yet, before an array is looked at or made: where it cannot be, or is interrupted, that is
/// raised here, and would be a panic there.
pub(crate) fn with_numpy(py: Python<'_>) -> PyResult<()> {
    static IS_LOADED: AtomicBool = AtomicBool::new(false);
    if !IS_LOADED.load(Ordering::Relaxed) {
        py.import(intern!(py, "numpy"))?;
        guarded(|| drop(PyArray1::from_slice(py, &[0.0]).readonly()))?;
        IS_LOADED.store(true, Ordering::Relaxed);
    }
    Ok(())
}

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
    /// Whether each number of all states stands together, in place of all numbers of a state.
    pub(crate) by_columns: bool,
}

/// The orders of arrays that a function reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// C's, state by state.
    Rows,
    /// C's, or Fortran's where an array has that.
    Any,
}

impl<'py> Operand<'py> {
    /// The numbers of a value, state by state; `name` is what they are called, `entry` what each of them is.
    pub(crate) fn new(
        value: &Bound<'py, PyAny>,
        name: &str,
        width: usize,
        entry: Entry<'_>,
    ) -> PyResult<Self> {
        let operand = Self::unchecked(value, name, (width, Order::Rows), entry)?;
        operand.check(name, entry)?;
        Ok(operand)
    }

    /// The same in one of some orders, where whoever reads the numbers sees whether they are finite, and checks them if they
    /// are not.
    pub(crate) fn unchecked(
        value: &Bound<'py, PyAny>,
        name: &str,
        (width, order): (usize, Order),
        entry: Entry<'_>,
    ) -> PyResult<Self> {
        if let Some(list) = list(value).filter(|list| list.len() == width) {
            return Ok(Self {
                numbers: Numbers::List(list),
                width,
                count: None,
                by_columns: false,
            });
        }
        with_numpy(value.py())?;
        let labelled = labelled(value, name, width, entry)?;
        let array = array(labelled.as_ref().unwrap_or(value), name, order)?;
        let count = match *array.shape() {
            [found] if found == width => None,
            // A number stands for a list of one.
            [] if width == 1 => None,
            [count, found] if found == width => Some(count),
            ref shape => return Err(misshapen(name, width, shape, entry)),
        };
        let by_columns = count.is_some() && !array.is_c_contiguous();
        Ok(Self { numbers: Numbers::Array(array), width, count, by_columns })
    }

    /// A time, or one for each state.
    pub(crate) fn times(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(t) = value.cast::<PyFloat>() {
            let numbers = Numbers::One([t.value()]);
            let operand = Self { numbers, width: 1, count: None, by_columns: false };
            operand.check("t", &|_| "t".to_owned())?;
            return Ok(operand);
        }
        with_numpy(value.py())?;
        let array = array(value, "t", Order::Rows)?;
        let count = match *array.shape() {
            [] => None,
            [count] => Some(count),
            ref shape => {
                let message = format!("t has the shape {shape:?}: give a number, or one a state");
                return Err(value_error(message));
            }
        };
        let numbers = Numbers::Array(array);
        let operand = Self { numbers, width: 1, count, by_columns: false };
        operand.check("t", &|_| "t".to_owned())?;
        Ok(operand)
    }

    /// The list of each state, for threads without Python; its numbers stand state by state.
    pub(crate) fn rows(&self) -> Rows<'_> {
        debug_assert!(!self.by_columns, "rows are asked for of columns");
        Rows { numbers: self.numbers(), width: self.width, is_one: self.count.is_none() }
    }

    /// The list of each state from its number `place` on, where states are taken many at once.
    pub(crate) fn lists(&self, place: usize) -> Lists<'_> {
        let (step, between) = match self.count {
            None => (0, 1),
            Some(count) if self.by_columns => (1, count),
            Some(_) => (self.width, 1),
        };
        Lists { numbers: self.numbers(), first: place * between, step, between }
    }

    /// All numbers in their order.
    pub(crate) fn numbers(&self) -> &[f64] {
        match &self.numbers {
            Numbers::One(number) => number,
            Numbers::List(list) => list,
            // It was made contiguous.
            Numbers::Array(array) => array.as_slice().unwrap_or_default(),
        }
    }

    /// Refuses a number that is not finite.
    pub(crate) fn check(&self, name: &str, entry: Entry<'_>) -> PyResult<()> {
        if are_finite(self.numbers()) {
            return Ok(());
        }
        let Some(at) = self.numbers().iter().position(|number| !number.is_finite()) else {
            return Ok(());
        };
        let value = self.numbers()[at];
        let (row, column) = match self.count {
            Some(count) if self.by_columns => (at % count, at / count),
            _ => (at / self.width, at % self.width),
        };
        let place = if self.count.is_some() { format!("{name}[{row}]") } else { name.to_owned() };
        let what = entry(column);
        Err(value_error(format!("{what} = {value} in {place} is not a finite number")))
    }
}

/// Whether all are finite: 0·x is 0 of those that are, in sums that do not wait for one another.
fn are_finite(numbers: &[f64]) -> bool {
    let (whole, rest) = numbers.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for some in whole {
        sums.iter_mut().zip(some).for_each(|(sum, x)| *sum += 0.0 * x);
    }
    sums.iter().all(|sum| *sum == 0.0) && rest.iter().all(|x| x.is_finite())
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

/// A data frame or a table of Arrow by the names of its columns, or a series by those of its entries, in the order of what they are here.
fn labelled<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    width: usize,
    entry: Entry<'_>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    if value.cast_exact::<PyArrayDyn<f64>>().is_ok() {
        return Ok(None);
    }
    let texts = |of: &Bound<'py, PyString>| -> Option<Vec<String>> {
        let labels = value.getattr(of).ok()?.try_iter().ok()?;
        labels.map(|label| label?.extract()).collect::<PyResult<_>>().ok()
    };
    let [columns, arrow, index] =
        [intern!(py, "columns"), intern!(py, "column_names"), intern!(py, "index")];
    let is_table = value.hasattr(columns)?;
    let (is_arrow, texts) = match (texts(columns), texts(arrow)) {
        (Some(texts), _) => (false, texts),
        (None, Some(texts)) => (true, texts),
        // Those of most have numbers, or none.
        (None, None) => (false, texts(index).filter(|_| !is_table).unwrap_or_default()),
    };
    if texts.is_empty() {
        return Ok(None);
    }
    let found = |i: usize| {
        let wanted = entry(i);
        let is_it = |text: &&String| Name::parse(text).ascii() == Name::parse(&wanted).ascii();
        let mut those = texts.iter().filter(is_it);
        match (those.next(), those.next()) {
            (Some(text), None) => Ok(text),
            (Some(text), Some(other)) => {
                let said = format!("{name} has `{wanted}` twice: `{text}` and `{other}`");
                Err(value_error(said))
            }
            (None, _) => {
                let all = texts.join(", ");
                Err(unknown_name(py, format!("{name} has no `{wanted}`\n  names: {all}")))
            }
        }
    };
    let order: Vec<&String> = (0..width).map(found).collect::<PyResult<_>>()?;
    if is_arrow {
        return value.call_method1(intern!(py, "select"), (order,)).map(Some);
    }
    value.get_item(order).map(Some)
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

/// An array of float64 in one of some orders; the value itself where it is one.
fn array<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    order: Order,
) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    let fits = |array: &Bound<'py, PyArrayDyn<f64>>| {
        let is_ordered =
            array.is_c_contiguous() || order == Order::Any && array.is_fortran_contiguous();
        // A field of packed records, as of a file, may begin at any byte.
        is_ordered && array.data().is_aligned()
    };
    if value.cast_exact::<PyArrayDyn<f64>>().is_err() {
        unmasked(value, name)?;
    }
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && fits(array)
        && let Ok(array) = array.try_readonly()
    {
        return Ok(array);
    }
    let py = value.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    // Of an array NumPy drops what is imaginary, and warns.
    if is_complex(value) {
        return Err(no_numbers(value, name));
    }
    let keywords = PyDict::new(py);
    keywords.set_item("dtype", "float64")?;
    keywords.set_item("order", if order == Order::Any { "A" } else { "C" })?;
    let made = numpy.call_method(intern!(py, "array"), (value,), Some(&keywords));
    // NumPy takes None for a number that is none.
    let made = made.ok().filter(|_| !value.is_none()).ok_or_else(|| no_numbers(value, name))?;
    Ok(made.cast_into::<PyArrayDyn<f64>>()?.readonly())
}

/// Whether it is a number or an array of NumPy of complex numbers.
pub(crate) fn is_complex(value: &Bound<'_, PyAny>) -> bool {
    if value.is_exact_instance_of::<PyFloat>() || value.is_exact_instance_of::<PyInt>() {
        return false;
    }
    let py = value.py();
    let kind = value.getattr(intern!(py, "dtype")).and_then(|it| it.getattr(intern!(py, "kind")));
    kind.is_ok_and(|kind| kind.eq("c").unwrap_or(false))
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
