//! A system with variations of its motion, as a system of its own.
//!
//! ```text
//! (q, δq₁, …, δq_k)˙ = (S v, ∂(S v)/∂q δqᵢ + S δvᵢ)          (v, δv₁, …)˙ = (v̇, ∂v̇/∂q δqᵢ + ∂v̇/∂v δvᵢ + ∂v̇/∂(u, p) δ(u, p)ᵢ)
//! ```

use super::held::{Along, Held};
use crate::error::AnalysisError;
use crate::tapes::Tapes;
use crate::tapes::sides::OnSides;
use eom_core::enclosure::Derivative;
use eom_core::info::{Direction, EventInfo, NameInfo, SystemInfo};
use eom_core::system::{Contacts, Events, Friction, Specialised};
use eom_core::{Energy, State, System};
use nalgebra::DMatrix;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most coordinates with their variations.
const ENTRIES_MAX: usize = 4096;

static NAMES: [NameInfo; ENTRIES_MAX] =
    [NameInfo { name: "δ", ascii: "delta", doc: "" }; ENTRIES_MAX];

/// The descriptions by numbers of coordinates, speeds, inputs and guards, which are static data of systems.
static KNOWN: Mutex<BTreeMap<[usize; 4], &'static SystemInfo>> = Mutex::new(BTreeMap::new());

/// What gives v̇ and its variations.
pub(crate) enum Field<'s> {
    /// Free motion.
    Free(Derivative<'s>),
    /// Free motion on one side of each jump of its forces; arguments that pass zero are events.
    OnSides(Box<OnSides<'s>>),
    /// Motion along a course, and why it had no accelerations where it had none.
    Held(Box<Held<'s>>, Option<AnalysisError>),
}

impl<'s> Field<'s> {
    /// Of free motion.
    pub(crate) fn free(of: &Tapes<'s>) -> Self {
        Self::Free(Derivative::new(of.accelerations))
    }

    /// Along a course.
    pub(crate) fn held(held: Held<'s>) -> Self {
        Self::Held(Box::new(held), None)
    }

    /// v̇ at x, and its variations along directions, one after another.
    fn along(&mut self, x: &[f64], directions: &[f64], values: &mut [f64], variations: &mut [f64]) {
        let (held, refused) = match self {
            Self::Free(tape) => return tape.along(x, directions, values, variations),
            Self::OnSides(on) => return on.accelerations((x, directions), (values, variations)),
            Self::Held(held, refused) => (held, refused),
        };
        let count = directions.len() / x.len().max(1);
        match held.along(x, &DMatrix::from_column_slice(x.len(), count, directions)) {
            Ok(Along { solved, .. }) => {
                values.copy_from_slice(solved.accelerations.values.as_slice());
                variations.copy_from_slice(solved.accelerations.by.as_slice());
            }
            Err(error) => {
                values.fill(f64::NAN);
                variations.fill(f64::NAN);
                *refused = Some(error);
            }
        }
    }
}

/// A system with k variations of its motion.
pub(crate) struct Extended<'v, 's> {
    of: &'v Tapes<'s>,
    info: &'static SystemInfo,
    count: usize,
    /// How inputs and parameters change with each variation, where they do.
    seeds: &'v DMatrix<f64>,
    work: Mutex<Work<'s>>,
}

/// What an evaluation writes to before it is read.
struct Work<'s> {
    accelerations: Field<'s>,
    rates: Option<Derivative<'s>>,
    given: Vec<f64>,
    directions: Vec<f64>,
    parameters: Vec<f64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The description of a system of so many entries that has the inputs of another one.
pub(crate) fn described(
    of: &SystemInfo,
    (positions, speeds): (usize, usize),
    guards: usize,
) -> &'static SystemInfo {
    let sizes = [positions, speeds, of.inputs.len(), guards].map(|size| size.min(ENTRIES_MAX));
    lock(&KNOWN).entry(sizes).or_insert_with(|| {
        let [coordinates, velocities, inputs, _] = sizes.map(|size| &NAMES[..size]);
        let guard = |_| EventInfo {
            name: "σ",
            ascii: "sigma",
            doc: "",
            direction: Direction::Both,
            resets: false,
            gap: None,
        };
        let events: Vec<EventInfo> = (0..guards).map(guard).collect();
        Box::leak(Box::new(SystemInfo {
            name: "variations",
            coordinates,
            velocities,
            inputs,
            events: Vec::leak(events),
            ..SystemInfo::EMPTY
        }))
    })
}

impl<'v, 's> Extended<'v, 's> {
    pub(crate) fn new(
        of: &'v Tapes<'s>,
        field: Field<'s>,
        count: usize,
        seeds: &'v DMatrix<f64>,
    ) -> Self {
        let (n, m) = (of.info.positions(), of.info.speeds());
        let work = Work {
            accelerations: field,
            rates: of.rates.map(Derivative::new),
            given: Vec::new(),
            directions: Vec::new(),
            parameters: of.parameters(),
        };
        let guards = if let Field::OnSides(on) = &work.accelerations { on.count() } else { 0 };
        let info = described(of.info, (n * (1 + count), m * (1 + count)), guards);
        Self { of, info, count, seeds, work: Mutex::new(work) }
    }

    /// A state with its variations, the columns of `matrix`.
    pub(crate) fn state(from: &State, matrix: &DMatrix<f64>) -> State {
        let n = from.q.len();
        let (mut q, mut v) = (from.q.clone(), from.v.clone());
        for column in matrix.column_iter() {
            q.extend(column.iter().take(n));
            v.extend(column.iter().skip(n));
        }
        State { t: from.t, q, v }
    }

    /// Why there were no accelerations.
    pub(crate) fn refused(self) -> Option<AnalysisError> {
        let work = self.work.into_inner().unwrap_or_else(PoisonError::into_inner);
        match work.accelerations {
            Field::Free(_) | Field::OnSides(_) => None,
            Field::Held(_, refused) => refused,
        }
    }

    /// The variations of a state.
    pub(crate) fn read(&self, state: &State, matrix: &mut DMatrix<f64>) {
        let (n, m) = (self.of.info.positions(), self.of.info.speeds());
        for (i, mut column) in matrix.column_iter_mut().enumerate() {
            let parts =
                state.q[n * (i + 1)..n * (i + 2)].iter().chain(&state.v[m * (i + 1)..m * (i + 2)]);
            column.iter_mut().zip(parts).for_each(|(entry, part)| *entry = *part);
        }
    }
}

impl Work<'_> {
    /// Writes (t, q, v, u, p), and directions (0, δq, δv, δu, δp).
    fn load(
        &mut self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        u: &[f64],
        ((n, m), seeds): ((usize, usize), &DMatrix<f64>),
    ) {
        self.given.clear();
        self.given.push(t);
        for part in [&q[..n], &v[..m], u, &self.parameters] {
            self.given.extend_from_slice(part);
        }
        self.directions.clear();
        let rest = self.given.len() - 1 - n - m;
        let variations = q[n..].chunks_exact(n).zip(v[m..].chunks_exact(m));
        for (column, (δq, δv)) in variations.enumerate() {
            self.directions.push(0.0);
            self.directions.extend_from_slice(δq);
            self.directions.extend_from_slice(δv);
            if seeds.is_empty() {
                self.directions.extend(std::iter::repeat_n(0.0, rest));
            } else {
                self.directions.extend(seeds.column(column).iter());
            }
        }
    }
}

/// What is made of rates alone has none.
pub(super) const NO_ENERGY: Energy = Energy { kinetic: 0.0, potential: 0.0, jacobi: 0.0 };

/// Writes the mass matrix of what is made of rates alone, 1 of n rows.
pub(super) fn write_unit_mass(m: &mut [f64], n: usize) {
    m.fill(0.0);
    (0..n).for_each(|i| m[i * n + i] = 1.0);
}

impl System for Extended<'_, '_> {
    fn info(&self) -> &'static SystemInfo {
        self.info
    }

    fn accelerations(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        u: &[f64],
        a: &mut [f64],
        _λ: &mut [f64],
    ) {
        let (n, m) = (self.of.info.positions(), self.of.info.speeds());
        let mut work = lock(&self.work);
        work.load(t, (q, v), u, ((n, m), self.seeds));
        let Work { accelerations, given, directions, .. } = &mut *work;
        let (values, variations) = a.split_at_mut(m);
        accelerations.along(given, directions, values, variations);
    }

    fn rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        let (n, m) = (self.of.info.positions(), self.of.info.speeds());
        let mut work = lock(&self.work);
        if work.rates.is_none() {
            rates.copy_from_slice(v);
            return;
        }
        let u = vec![0.0; self.of.info.inputs.len()];
        work.load(t, (q, v), &u, ((n, m), self.seeds));
        let Work { rates: Some(derivative), given, directions, .. } = &mut *work else { return };
        let (values, variations) = rates.split_at_mut(n);
        derivative.along(given, directions, values, variations);
    }

    fn mass_matrix(&self, _t: f64, _q: &[f64], m: &mut [f64]) {
        write_unit_mass(m, self.of.info.speeds() * (1 + self.count));
    }

    fn energy(&self, _t: f64, _q: &[f64], _v: &[f64]) -> Energy {
        NO_ENERGY
    }
}

impl Contacts for Extended<'_, '_> {}

impl Events for Extended<'_, '_> {
    fn guards(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], guards: &mut [f64]) {
        let (n, m) = (self.of.info.positions(), self.of.info.speeds());
        let mut work = lock(&self.work);
        work.load(t, (&q[..n], &v[..m]), u, ((n, m), self.seeds));
        let Work { accelerations: Field::OnSides(on), given, .. } = &mut *work else { return };
        on.arguments((given, &[]), (guards, &mut []));
    }
}

impl Friction for Extended<'_, '_> {}
impl Specialised for Extended<'_, '_> {}
