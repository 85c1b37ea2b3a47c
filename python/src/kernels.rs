//! The functions of a system at one state or at many: arrays in, arrays out.
//!
//! ```text
//! t (), q (n,), v (m,), u (r,)            → (k,)          on the caller's thread
//! t (N,), q (N,n), v (N,m), u (N,r)       → (N,k)         GIL released, on all cores; any of them may be one for all
//! ```
//!
//! Of each state the result is to the bit that of the state alone. Where states are taken in lanes, arrays in Fortran's order,
//! each number of all states together, are read as they are, and so is written what comes of them.

use crate::fault::{defect, guarded, value_error};
use crate::operands::{Operand, Order, Rows, with_numpy};
use crate::system::System;
use eom_core::contact::open_accelerations;
use eom_core::info::{FrictionKind, SystemInfo};
use eom_core::{Contacts as _, Events as _, System as _, total_energy};
use eom_interpreter::names::speeds;
use eom_interpreter::{Interpreted, Lists, Origin, Table, Wanted};
use numpy::{IntoPyArray, PyArrayDyn, PyArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// So many states are computed one function after the other, and the first of them on the caller's thread.
const CHUNK: usize = 256;

/// Work that is worth a thread, which takes some ten microseconds to begin and to end.
const WORTH: Duration = Duration::from_micros(50);

/// A thread takes so many shares of its part, one after another, and at most so many states at a time.
const SHARES: usize = 4;
const SHARE_MAX: usize = 32 * CHUNK;

/// A state as a kernel sees it; what was not asked for is empty.
struct At<'a> {
    t: f64,
    q: &'a [f64],
    v: &'a [f64],
    u: &'a [f64],
}

/// What a kernel is given: t, q, and v and u where it depends on them.
struct Asked<'a, 'py> {
    system: &'a System,
    t: &'a Bound<'py, PyAny>,
    q: &'a Bound<'py, PyAny>,
    v: Option<&'a Bound<'py, PyAny>>,
    u: Option<&'a Bound<'py, PyAny>>,
}

/// A kernel: a state, its results, room to compute in.
trait Kernel: Fn(&Interpreted, &At<'_>, &mut [f64], &mut [f64]) + Sync {}
impl<F: Fn(&Interpreted, &At<'_>, &mut [f64], &mut [f64]) + Sync> Kernel for F {}

/// States y = (q, v) with their times and inputs.
pub(crate) struct States<'py> {
    t: Operand<'py>,
    y: Operand<'py>,
    u: Option<Operand<'py>>,
    zeros: Vec<f64>,
    /// How many; `None` for one.
    pub(crate) count: Option<usize>,
}

impl<'py> States<'py> {
    pub(crate) fn new(
        info: &SystemInfo,
        t: &Bound<'py, PyAny>,
        y: &Bound<'py, PyAny>,
        u: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let states = Self::unchecked(info, t, (y, Order::Rows), u)?;
        states.check(info)?;
        Ok(states)
    }

    /// The same with y in one of some orders, which is not checked.
    fn unchecked(
        info: &SystemInfo,
        t: &Bound<'py, PyAny>,
        (y, order): (&Bound<'py, PyAny>, Order),
        u: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let n = info.positions();
        let t = Operand::times(t)?;
        let entry = |i: usize| entry_of_state(info, i);
        let y = Operand::unchecked(y, "y", (n + info.speeds(), order), &entry)?;
        let input = |i: usize| info.inputs[i].name.to_owned();
        let u = u.map(|u| Operand::new(u, "u", info.inputs.len(), &input)).transpose()?;
        let counted = [("t", Some(&t)), ("y", Some(&y)), ("u", u.as_ref())];
        let count = agreed(&counted)?;
        Ok(Self { t, y, u, zeros: vec![0.0; info.inputs.len()], count })
    }

    /// Refuses numbers of y that are not finite.
    fn check(&self, info: &SystemInfo) -> PyResult<()> {
        self.y.check("y", &|i| entry_of_state(info, i))
    }

    /// t, q, v and u of all, where n numbers of y are q.
    fn lists(&self, n: usize) -> [Lists<'_>; 4] {
        [self.t.lists(0), self.y.lists(0), self.y.lists(n), lists(self.u.as_ref(), &self.zeros)]
    }

    /// t, y and u of each state, for threads without Python.
    pub(crate) fn at<'s>(&'s self) -> impl Fn(usize) -> (f64, &'s [f64], &'s [f64]) + Sync {
        let (t, y) = (self.t.rows(), self.y.rows());
        let u = self.u.as_ref().map_or(Rows::one(&self.zeros), Operand::rows);
        move |j| (t.first(j), y.row(j), u.row(j))
    }
}

/// What a number of (q, v) is called.
fn entry_of_state(info: &SystemInfo, i: usize) -> String {
    match i.checked_sub(info.positions()) {
        None => info.position_name(i),
        Some(speed) => speeds(info)[speed].clone(),
    }
}

/// The lists of an operand; of one that there is not, one for all.
fn lists<'a>(operand: Option<&'a Operand<'_>>, otherwise: &'a [f64]) -> Lists<'a> {
    let one = Lists { numbers: otherwise, first: 0, step: 0, between: 1 };
    operand.map_or(one, |operand| operand.lists(0))
}

impl<'py> Asked<'_, 'py> {
    /// The results, of the shape `tail` for each state.
    fn evaluate(
        &self,
        py: Python<'py>,
        tail: &[usize],
        scratch: usize,
        kernel: impl Kernel,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.evaluate_or(py, tail, None, scratch, kernel)
    }

    /// The same, where the results are those of the dynamics from a place on: of many states in lanes, where there are some.
    fn evaluate_or(
        &self,
        py: Python<'py>,
        tail: &[usize],
        place: Option<usize>,
        scratch: usize,
        kernel: impl Kernel,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.system.check_values(py)?;
        let (info, system) = (self.system.info(), &self.system.inner);
        let width = tail.iter().product::<usize>();
        let place = place.filter(|_| width > 0 && runs_in_lanes(system));
        let order = if place.is_some() { Order::Any } else { Order::Rows };
        let t = Operand::times(self.t)?;
        let (n, m) = (info.positions(), info.speeds());
        let position = |i: usize| info.position_name(i);
        let q = Operand::unchecked(self.q, "q", (n, order), &position)?;
        let speed = |i: usize| speeds(info)[i].clone();
        let v = self.v.map(|v| Operand::unchecked(v, "v", (m, order), &speed)).transpose()?;
        let check = || -> PyResult<()> {
            q.check("q", &position)?;
            v.as_ref().map_or(Ok(()), |v| v.check("v", &speed))
        };
        let input = |i: usize| info.inputs[i].name.to_owned();
        let u = self.u.map(|u| Operand::new(u, "u", info.inputs.len(), &input)).transpose()?;
        let counted = [("t", Some(&t)), ("q", Some(&q)), ("v", v.as_ref()), ("u", u.as_ref())];
        let count = agreed(&counted)?;
        let zeros = vec![0.0; info.inputs.len()];
        if let (Some(place), Some(count)) = (place, count) {
            let lists = [t.lists(0), q.lists(0), lists(v.as_ref(), &[]), lists(u.as_ref(), &zeros)];
            let wanted = [Wanted { from: Origin::Results(place), count: width, column: 0 }];
            let some = |first: usize, table: &mut Table<'_>| {
                let states = first..first + table.states();
                let dynamics = system.dynamics_in_lanes();
                dynamics.is_some_and(|mut it| it.evaluate(states, lists, &wanted, (table, 0)))
            };
            return fill_table(py, (count, width, q.by_columns), some, check);
        }
        check()?;
        let (t, q) = (t.rows(), q.rows());
        let v = v.as_ref().map_or(Rows::one(&[]), Operand::rows);
        let u = u.as_ref().map_or(Rows::one(&zeros), Operand::rows);
        let at = |j: usize| At { t: t.first(j), q: q.row(j), v: v.row(j), u: u.row(j) };
        let room = || vec![0.0; scratch];
        fill(py, count, tail, room, |j, out, room| kernel(system, &at(j), out, room))
    }
}

/// Whether many states are worth being computed in lanes, and can be.
fn runs_in_lanes(system: &Interpreted) -> bool {
    let borne = system.info().frictions.iter().any(|term| term.kind == FrictionKind::Row);
    !borne && system.dynamics_in_lanes().is_some()
}

/// What a function writes for each state j, of the shape `tail`: of many on all cores, each with room of its own.
pub(crate) fn fill<'py, R>(
    py: Python<'py>,
    count: Option<usize>,
    tail: &[usize],
    room: impl Fn() -> R + Sync,
    write: impl Fn(usize, &mut [f64], &mut R) + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let width = tail.iter().product::<usize>();
    fill_some(py, count, tail, |first, out| {
        let mut room = room();
        for (j, out) in out.chunks_exact_mut(width).enumerate() {
            write(first + j, out, &mut room);
        }
    })
}

/// What a function writes for the states from the first on, of the shape `tail` for each: of many on all cores.
fn fill_some<'py>(
    py: Python<'py>,
    count: Option<usize>,
    tail: &[usize],
    some: impl Fn(usize, &mut [f64]) + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let width = tail.iter().product::<usize>();
    let Some(count) = count else {
        let mut out = vec![0.0; width];
        if width > 0 {
            guarded(|| some(0, &mut out))?;
        }
        return shaped(py, out, tail);
    };
    let mut out = vec![0.0; count * width];
    if width > 0 {
        let write = |first: usize, table: &mut Table<'_>| match table {
            Table::Rows(out, _) => some(first, out),
            Table::Columns(_) => {}
        };
        py.detach(|| on_threads(Table::Rows(&mut out, width), write))?;
    }
    shaped(py, out, &[&[count], tail].concat())
}

/// Rows of numbers of so many states, or, where arguments are, columns, of which all are written: on all cores. What writes
/// them says whether all that it has read is finite; if not, that is checked.
fn fill_table(
    py: Python<'_>,
    (count, width, by_columns): (usize, usize, bool),
    some: impl Fn(usize, &mut Table<'_>) -> bool + Sync,
    check: impl Fn() -> PyResult<()>,
) -> PyResult<Bound<'_, PyAny>> {
    let shape = if by_columns { [width, count] } else { [count, width] };
    // Pages that are not cleared first.
    let numpy = py.import(intern!(py, "numpy"))?;
    let made = numpy.call_method1(intern!(py, "empty"), (PyTuple::new(py, shape)?,))?;
    let array = made.cast_into::<PyArrayDyn<f64>>()?;
    if count > 0 {
        let mut held = array.readwrite();
        let out = held.as_slice_mut()?;
        let table = if by_columns {
            Table::Columns(out.chunks_exact_mut(count).collect())
        } else {
            Table::Rows(out, width)
        };
        let is_to_be_checked = AtomicBool::new(false);
        let fill = |first: usize, table: &mut Table<'_>| {
            if !some(first, table) {
                is_to_be_checked.store(true, Ordering::Relaxed);
            }
        };
        py.detach(|| on_threads(table, fill))?;
        if is_to_be_checked.into_inner() {
            check()?;
        }
    }
    if by_columns { array.getattr(intern!(py, "T")) } else { Ok(array.into_any()) }
}

/// Lets threads fill the rows of some states after others, where the first ones tell that it is worth a thread: one that is
/// kept from its work leaves more to the others. They live no longer than the call: a pool would not outlive a fork of the
/// process, and Python forks.
fn on_threads(table: Table<'_>, fill: impl Fn(usize, &mut Table<'_>) + Sync) -> PyResult<()> {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| available_parallelism().map_or(1, NonZero::get));
    let count = table.states();
    let (mut head, mut rest) = table.split_at(CHUNK.min(count));
    let begun = Instant::now();
    guarded(|| fill(0, &mut head))?;
    let left = count.saturating_sub(CHUNK);
    if left == 0 {
        return Ok(());
    }
    let expected = begun.elapsed().as_nanos() * left as u128 / CHUNK as u128;
    let threads = usize::try_from(expected / WORTH.as_nanos()).map_or(cores, |n| cores.min(n));
    if threads <= 1 {
        return guarded(|| fill(CHUNK, &mut rest));
    }
    let some = (left / (threads * SHARES)).next_multiple_of(CHUNK).clamp(CHUNK, SHARE_MAX);
    let waiting = Mutex::new(Waiting { first: CHUNK, rest });
    let work = || -> PyResult<()> {
        while let Some((first, mut part)) = waiting.lock().ok().and_then(|mut it| it.next(some)) {
            guarded(|| fill(first, &mut part))?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let made: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        work()?;
        made.into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| Err(defect(&*panic))))
    })
}

/// What is still to be filled, from a state on.
struct Waiting<'o> {
    first: usize,
    rest: Table<'o>,
}

impl<'o> Waiting<'o> {
    /// The next so many states, or those that are left.
    fn next(&mut self, some: usize) -> Option<(usize, Table<'o>)> {
        let rest = std::mem::replace(&mut self.rest, Table::Columns(Vec::new()));
        let first = self.first;
        let taken = some.min(rest.states());
        let (part, rest) = rest.split_at(taken);
        (self.first, self.rest) = (first + taken, rest);
        (taken > 0).then_some((first, part))
    }
}

/// The number of states that the operands agree on.
fn agreed(operands: &[(&str, Option<&Operand<'_>>)]) -> PyResult<Option<usize>> {
    let mut found: Option<(&str, usize)> = None;
    for (name, operand) in operands {
        let Some(count) = operand.and_then(|operand| operand.count) else { continue };
        match found {
            Some((first, other)) if other != count => {
                return Err(value_error(format!(
                    "{first} has {other} states and {name} has {count}: give the same number, or one for all"
                )));
            }
            _ => found = found.or(Some((name, count))),
        }
    }
    Ok(found.map(|(_, count)| count))
}

pub(crate) fn shaped<'py>(
    py: Python<'py>,
    out: Vec<f64>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    with_numpy(py)?;
    let array = out.into_pyarray(py);
    Ok(if let [_] = shape { array.into_any() } else { array.reshape(shape)?.into_any() })
}

type Any<'a, 'py> = &'a Bound<'py, PyAny>;

#[pymethods]
impl System {
    /// The rates of the speeds, with the constraints in force; contacts and what sticks are not.
    ///
    /// Parameters
    /// ----------
    /// t : float or array_like
    ///     The time, or N times.
    /// q, v : array_like
    ///     Coordinates (n,) and speeds (m,) of one state, or (N, n) and (N, m) of many.
    /// u : array_like, optional
    ///     Inputs (r,) or (N, r); without them they are zero.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     (m,), or (N, m): of each state the bits of the state alone. Of many the GIL is released and all cores work. Where
    ///     the mass matrix is singular, and where constraints depend on one another, the numbers are NaN.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a shape that does not fit, and for a number that is not finite.
    /// StartError
    ///     Where a parameter has no value.
    #[pyo3(signature = (t, q, v, u=None))]
    fn accelerations<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        q: Any<'_, 'py>,
        v: Any<'_, 'py>,
        u: Option<Any<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (m, k) = (self.info().speeds(), self.info().rows.len());
        let asked = Asked { system: self, t, q, v: Some(v), u };
        asked.evaluate_or(py, &[m], Some(0), k, |s, at, a, λ| {
            open_accelerations(s, (at.t, at.q, at.v, at.u), a, λ);
        })
    }

    /// The multipliers of the constraints, (k,) or (N, k), NaN where the accelerations are; for the rest see `accelerations`.
    #[pyo3(signature = (t, q, v, u=None))]
    fn multipliers<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        q: Any<'_, 'py>,
        v: Any<'_, 'py>,
        u: Option<Any<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (m, k) = (self.info().speeds(), self.info().rows.len());
        let asked = Asked { system: self, t, q, v: Some(v), u };
        asked.evaluate_or(py, &[k], Some(m), m, |s, at, λ, a| {
            open_accelerations(s, (at.t, at.q, at.v, at.u), a, λ);
        })
    }

    /// M, (m, m) or (N, m, m), at v where it depends on it, as that of a general Lagrangian may; for the rest see `accelerations`.
    #[pyo3(signature = (t, q, v=None))]
    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        q: Any<'_, 'py>,
        v: Option<Any<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (m, needs) = (self.info().speeds(), self.info().has_mass_at_velocities());
        if needs && v.is_none() {
            return Err(value_error(
                "v: the mass matrix depends on it: give it as the third argument",
            ));
        }
        let asked = Asked { system: self, t, q, v, u: None };
        asked.evaluate(py, &[m, m], 0, move |s, at, out, _| {
            if needs {
                s.mass_matrix_at(at.t, at.q, at.v, out);
            } else {
                s.mass_matrix(at.t, at.q, out);
            }
        })
    }

    /// Kinetic, potential, T + V, Jacobi.
    fn _energies<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        q: Any<'_, 'py>,
        v: Any<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = Asked { system: self, t, q, v: Some(v), u: None };
        asked.evaluate(py, &[4], 0, |s, at, out, _| {
            let energy = s.energy(at.t, at.q, at.v);
            let total = total_energy(s, at.t, at.q, at.v);
            out.copy_from_slice(&[energy.kinetic, energy.potential, total, energy.jacobi]);
        })
    }

    /// The gaps of the contacts, (c,) or (N, c); for the rest see `accelerations`.
    fn gaps<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        q: Any<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = Asked { system: self, t, q, v: None, u: None };
        let contacts = self.info().contacts.len();
        asked.evaluate(py, &[contacts], 0, |s, at, out, _| s.gaps(at.t, at.q, out))
    }

    /// The declared outputs, (o,) or (N, o); for the rest see `accelerations`.
    #[pyo3(signature = (t, q, v, u=None))]
    fn outputs<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        q: Any<'_, 'py>,
        v: Any<'_, 'py>,
        u: Option<Any<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = Asked { system: self, t, q, v: Some(v), u };
        let outputs = self.info().outputs.len();
        asked.evaluate(py, &[outputs], 0, |s, at, out, _| {
            s.outputs(at.t, at.q, at.v, at.u, out);
        })
    }

    /// The guards of the declared events, (s,) or (N, s); for the rest see `accelerations`.
    #[pyo3(signature = (t, q, v, u=None))]
    fn guards<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        q: Any<'_, 'py>,
        v: Any<'_, 'py>,
        u: Option<Any<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = Asked { system: self, t, q, v: Some(v), u };
        let events = self.info().events.len();
        asked.evaluate(py, &[events], 0, |s, at, out, _| s.guards(at.t, at.q, at.v, at.u, out))
    }

    /// A v + b of each constraint row, (k,) or (N, k); for the rest see `accelerations`.
    fn residuals<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        q: Any<'_, 'py>,
        v: Any<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (m, k) = (self.info().speeds(), self.info().rows.len());
        let asked = Asked { system: self, t, q, v: Some(v), u: None };
        asked.evaluate(py, &[k], k * m, |s, at, out, a| {
            s.constraint_rows_at(at.t, at.q, at.v, a, out);
            for (out, row) in out.iter_mut().zip(a.chunks_exact(m)) {
                *out += row.iter().zip(at.v).map(|(a, v)| a * v).sum::<f64>();
            }
        })
    }

    /// (q̇, v̇) at y = (q, v), (n + m,) or (N, n + m): the right-hand side for `scipy.integrate.solve_ivp`.
    ///
    /// Of many states the result is in the order of the array y: one in Fortran's order, as `solve_ivp` with `vectorized` and
    /// other tools have after `.T`, is read and answered without being turned over, in half the time.
    ///
    /// Contacts and what sticks are not in it; `run` makes runs with them. Where the accelerations are NaN, so are theirs.
    #[pyo3(signature = (t, y, u=None))]
    fn rhs<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        y: Any<'_, 'py>,
        u: Option<Any<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_values(py)?;
        let info = self.info();
        let (n, m, k) = (info.positions(), info.speeds(), info.rows.len());
        let system = &self.inner;
        let in_lanes = runs_in_lanes(system);
        let has_rates = system.info().is_plain() || system.rates_in_lanes().is_some();
        let order = if in_lanes && has_rates { Order::Any } else { Order::Rows };
        let states = States::unchecked(info, t, (y, order), u)?;
        if let Some(count) = states.count.filter(|_| in_lanes) {
            let lists = states.lists(n);
            let size = (count, n + m, states.y.by_columns);
            let some =
                |first: usize, table: &mut Table<'_>| rhs_in_lanes(system, first, lists, table);
            return fill_table(py, size, some, || states.check(info));
        }
        states.check(info)?;
        let at = states.at();
        fill(
            py,
            states.count,
            &[n + m],
            || vec![0.0; k],
            |j, out, λ| {
                let (t, y, u) = at(j);
                let (q, v) = y.split_at(n);
                let (rates, a) = out.split_at_mut(n);
                system.rates(t, q, v, rates);
                open_accelerations(system, (t, q, v, u), a, λ);
            },
        )
    }
}

/// (q̇, v̇) of the states from the first on, and whether these are finite; where q̇ is not v, both of some of them, while these
/// are at hand.
fn rhs_in_lanes(
    system: &Interpreted,
    first: usize,
    lists: [Lists<'_>; 4],
    table: &mut Table<'_>,
) -> bool {
    let Some(mut dynamics) = system.dynamics_in_lanes() else { return false };
    let (n, m) = (system.info().positions(), system.info().speeds());
    let accelerations = Wanted { from: Origin::Results(0), count: m, column: n };
    let count = table.states();
    if system.info().is_plain() {
        let rates = Wanted { from: Origin::Speeds, count: n, column: 0 };
        return dynamics.evaluate(first..first + count, lists, &[rates, accelerations], (table, 0));
    }
    let [t, q, v, _] = lists;
    let (mut rates, mut are_finite) = (system.rates_in_lanes(), true);
    for row in (0..count).step_by(CHUNK) {
        let states = first + row..first + count.min(row + CHUNK);
        are_finite &= dynamics.evaluate(states.clone(), lists, &[accelerations], (table, row));
        if let Some(rates) = &mut rates {
            let wanted = [Wanted { from: Origin::Results(0), count: n, column: 0 }];
            rates.evaluate(states, lists, &wanted, (table, row));
        } else if let Table::Rows(rows, width) = table {
            for (j, out) in states.zip(rows.chunks_exact_mut(*width).skip(row)) {
                system.rates(t.of(j, 1)[0], q.of(j, n), v.of(j, m), &mut out[..n]);
            }
        }
    }
    are_finite
}
