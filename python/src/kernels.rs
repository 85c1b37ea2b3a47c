//! The functions of a system at one state or at many: arrays in, arrays out.
//!
//! ```text
//! t (), q (n,), v (m,), u (r,)            → (k,)          on the caller's thread
//! t (N,), q (N,n), v (N,m), u (N,r)       → (N,k)         GIL released, on all cores; any of them may be one for all
//! ```
//!
//! Of each state the result is to the bit that of the state alone.

use crate::fault::{defect, guarded, value_error};
use crate::operands::{Operand, Rows};
use crate::system::System;
use eom_core::contact::open_accelerations;
use eom_core::info::{FrictionKind, SystemInfo};
use eom_core::{Contacts as _, Events as _, System as _};
use eom_interpreter::names::speeds;
use eom_interpreter::{Columns, Interpreted, Lists};
use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use std::num::NonZero;
use std::sync::OnceLock;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// So many states are computed one function after the other, and the first of them on the caller's thread.
const CHUNK: usize = 256;

/// Work that is worth a thread, which takes some ten microseconds to begin and to end.
const WORTH: Duration = Duration::from_micros(50);

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
        let n = info.positions();
        let t = Operand::times(t)?;
        let entry =
            |i: usize| if i < n { info.position_name(i) } else { speeds(info)[i - n].clone() };
        let y = Operand::new(y, "y", n + info.speeds(), &entry)?;
        let input = |i: usize| info.inputs[i].name.to_owned();
        let u = u.map(|u| Operand::new(u, "u", info.inputs.len(), &input)).transpose()?;
        let counted = [("t", Some(&t)), ("y", Some(&y)), ("u", u.as_ref())];
        let count = agreed(&counted)?;
        Ok(Self { t, y, u, zeros: vec![0.0; info.inputs.len()], count })
    }

    /// t, q, v and u of all, where n numbers of y are q.
    fn lists(&self, n: usize) -> [Lists<'_>; 4] {
        let (t, y) = (self.t.rows(), self.y.rows());
        let u = self.u.as_ref().map_or(Rows::one(&self.zeros), Operand::rows);
        [t.lists(0), y.lists(0), y.lists(n), u.lists(0)]
    }

    /// t, y and u of each state, for threads without Python.
    pub(crate) fn at<'s>(&'s self) -> impl Fn(usize) -> (f64, &'s [f64], &'s [f64]) + Sync {
        let (t, y) = (self.t.rows(), self.y.rows());
        let u = self.u.as_ref().map_or(Rows::one(&self.zeros), Operand::rows);
        move |j| (t.first(j), y.row(j), u.row(j))
    }
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
        let info = self.system.info();
        let t = Operand::times(self.t)?;
        let q = Operand::new(self.q, "q", info.positions(), &|i| info.position_name(i))?;
        let v = self.v.map(|v| Operand::new(v, "v", info.speeds(), &|i| speeds(info)[i].clone()));
        let v = v.transpose()?;
        let input = |i: usize| info.inputs[i].name.to_owned();
        let u = self.u.map(|u| Operand::new(u, "u", info.inputs.len(), &input)).transpose()?;
        let counted = [("t", Some(&t)), ("q", Some(&q)), ("v", v.as_ref()), ("u", u.as_ref())];
        let count = agreed(&counted)?;
        let zeros = vec![0.0; info.inputs.len()];
        let (t, q) = (t.rows(), q.rows());
        let v = v.as_ref().map_or(Rows::one(&[]), Operand::rows);
        let u = u.as_ref().map_or(Rows::one(&zeros), Operand::rows);
        let at = |j: usize| At { t: t.first(j), q: q.row(j), v: v.row(j), u: u.row(j) };
        let system = &self.system.inner;
        if let Some(place) = place.filter(|_| count.is_some() && runs_in_lanes(system)) {
            let width = tail.iter().product::<usize>();
            let lists = [t.lists(0), q.lists(0), v.lists(0), u.lists(0)];
            let columns = Columns { place, count: width, column: 0, width };
            return fill_some(py, count, tail, |first, out| {
                if let Some(mut dynamics) = system.dynamics_in_lanes() {
                    dynamics.evaluate(first..first + out.len() / width, lists, columns, out);
                }
            });
        }
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
        py.detach(|| on_threads(&mut out, count, width, &some))?;
    }
    shaped(py, out, &[&[count], tail].concat())
}

/// Lets each thread fill the rows of some states, where the first ones tell that it is worth a thread. The threads live no
/// longer than the call: a pool would not outlive a fork of the process, and Python forks.
fn on_threads(
    out: &mut [f64],
    count: usize,
    width: usize,
    fill: impl Fn(usize, &mut [f64]) + Sync,
) -> PyResult<()> {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| available_parallelism().map_or(1, NonZero::get));
    let (head, out) = out.split_at_mut(CHUNK.min(count) * width);
    let begun = Instant::now();
    guarded(|| fill(0, head))?;
    let left = count.saturating_sub(CHUNK);
    if left == 0 {
        return Ok(());
    }
    let expected = begun.elapsed().as_nanos() * left as u128 / CHUNK as u128;
    let threads = usize::try_from(expected / WORTH.as_nanos()).map_or(cores, |n| cores.min(n));
    if threads <= 1 {
        return guarded(|| fill(CHUNK, out));
    }
    let rows = left.div_ceil(threads);
    let fill = &fill;
    std::thread::scope(|scope| {
        let mut parts = out.chunks_mut(rows * width).enumerate();
        let own = parts.next();
        let part = |i: usize, part: &mut [f64]| guarded(|| fill(CHUNK + i * rows, part));
        let made: Vec<_> = parts.map(|(i, out)| scope.spawn(move || part(i, out))).collect();
        own.map_or(Ok(()), |(i, out)| part(i, out))?;
        made.into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| Err(defect(&*panic))))
    })
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
    let array = out.into_pyarray(py);
    if let [_] = shape {
        return Ok(array.into_any());
    }
    Ok(array.reshape(shape)?.into_any())
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
    ///     (m,), or (N, m): of each state the bits of the state alone. Of many the GIL is released and all cores work.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a shape that does not fit, and for a number that is not finite.
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

    /// The multipliers of the constraints, (k,) or (N, k); for the rest see `accelerations`.
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

    /// M, (m, m) or (N, m, m); for the rest see `accelerations`.
    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        q: Any<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let m = self.info().speeds();
        let asked = Asked { system: self, t, q, v: None, u: None };
        asked.evaluate(py, &[m, m], 0, |s, at, out, _| s.mass_matrix(at.t, at.q, out))
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
            out.copy_from_slice(&[energy.kinetic, energy.potential, energy.total(), energy.jacobi]);
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
    /// Contacts and what sticks are not in it; `run` makes runs with them.
    #[pyo3(signature = (t, y, u=None))]
    fn rhs<'py>(
        &self,
        py: Python<'py>,
        t: Any<'_, 'py>,
        y: Any<'_, 'py>,
        u: Option<Any<'_, 'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let info = self.info();
        let (n, m, k) = (info.positions(), info.speeds(), info.rows.len());
        let states = States::new(info, t, y, u)?;
        let (at, system) = (states.at(), &self.inner);
        if states.count.is_some() && runs_in_lanes(system) {
            let lists = states.lists(n);
            return fill_some(py, states.count, &[n + m], |first, out| {
                rhs_in_lanes(system, first, lists, out);
            });
        }
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

/// (q̇, v̇) of the states from the first on: both of some of them, while these are at hand.
fn rhs_in_lanes(system: &Interpreted, first: usize, lists: [Lists<'_>; 4], out: &mut [f64]) {
    let Some(mut dynamics) = system.dynamics_in_lanes() else { return };
    let is_plain = system.info().is_plain();
    let mut rates = (!is_plain).then(|| system.rates_in_lanes()).flatten();
    let (n, m) = (system.info().positions(), system.info().speeds());
    let width = n + m;
    let [t, q, v, _] = lists;
    for (block, out) in out.chunks_mut(CHUNK * width).enumerate() {
        let first = first + CHUNK * block;
        let states = first..first + out.len() / width;
        let columns = Columns { place: 0, count: m, column: n, width };
        dynamics.evaluate(states.clone(), lists, columns, out);
        if let Some(rates) = &mut rates {
            let columns = Columns { place: 0, count: n, column: 0, width };
            rates.evaluate(states, lists, columns, out);
            continue;
        }
        for (j, out) in states.zip(out.chunks_exact_mut(width)) {
            let (rates, v) = (&mut out[..n], v.of(j, m));
            if is_plain {
                // q̇ = v.
                rates.iter_mut().zip(v).for_each(|(to, v)| *to = *v);
            } else {
                system.rates(t.of(j, 1)[0], q.of(j, n), v, rates);
            }
        }
    }
}
