//! Steady motions: where nothing on which the motion depends changes.
//!
//! ```text
//! r(y) = (ẋ of the relevant coordinates, v̇, φ, A v + b) = 0        q ← q + S ξ,  v ← v + η,  u ← u + ν
//! ```
//!
//! Newton's method with the least step: where steady motions form a family (all places on a table, all speeds of a
//! wheel) the nearest one is found. Entries that are held stay as they are. To a multiple root the steps come as a geometric
//! sequence, whose limit is taken (`multiple`).

mod multiple;
pub(crate) mod symmetry;
pub(crate) mod units;

use crate::error::AnalysisError;
use crate::names::list;
use crate::space::{Local, StateSpace};
use eom_core::State;
use eom_core::info::SystemInfo;
use eom_core::span::{kernel, least};
use multiple::{Limit, Sequence};
use nalgebra::{DMatrix, DVector};
use units::{Units, even_moves};

/// What of a residual is still zero, relative to its terms.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// Steps of Newton's method, and halvings of one.
const STEPS_MAX: usize = 60;
const HALVINGS_MAX: usize = 30;

/// A step below this relative size is rounding.
const CONVERGED: f64 = 1e-13;

/// What Newton's method may change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SteadyOptions<'n> {
    /// Entries of the state, by name, that stay as they are in the guess: the speed of a vehicle.
    pub hold: Vec<&'n str>,
    /// Inputs, by name, that are unknown too: the force that holds a load.
    pub free_inputs: Vec<&'n str>,
}

/// A steady motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Steady {
    /// Its state.
    pub state: State,
    /// Its inputs.
    pub inputs: Vec<f64>,
    /// The largest residual that is left, in the units of the declaration.
    pub residual: f64,
    /// The steps of Newton's method.
    pub steps: usize,
    /// Of a multiple root how far each entry of (q, v, u) is known: the motion is degenerate there.
    pub uncertainty: Option<Vec<f64>>,
}

/// How far Newton's method has come.
struct Come {
    state: State,
    inputs: Vec<f64>,
    local: Local,
    steps: usize,
    /// The longest step, and the last one that was none of rounding.
    lengths: [f64; 2],
    sequence: Sequence,
}

/// A search by Newton's method: the units in which is measured what a state misses of being steady, and what is held.
struct Search<'s> {
    space: &'s StateSpace<'s>,
    units: Option<Units>,
    held: DMatrix<f64>,
}

/// A search whose last steps, of so many, are still this part of the longest has not arrived: what is missed falls toward
/// infinity, too. Steps of this part of the state are rounding, and so is what is missed below this.
const FEW: usize = 3;
const ARRIVED: f64 = 0.1;
const ROUNDING: f64 = 1e-6;
const SOLVED: f64 = 1e-13;

impl StateSpace<'_> {
    /// The steady motion near a guess, which need not be on the constraints: in the mode of the guess, with contacts closed
    /// that touch there.
    ///
    /// # Errors
    /// Where there is none near, or none in that mode; a value is not a number on the way, or a name is not there.
    pub fn steady(
        &self,
        guess: &State,
        inputs: &[f64],
        options: &SteadyOptions<'_>,
    ) -> Result<Steady, AnalysisError> {
        self.check(guess, inputs)?;
        let space = self.in_mode_of(guess, inputs)?;
        let found = space.steady_in_mode(guess, inputs, options)?;
        // What slid to the steady motion may stick there.
        let (there, inputs) = (&found.state, &found.inputs[..]);
        let space = self.in_mode_of(there, inputs)?;
        let units = space.units(there, inputs);
        space.check_steady(units.as_ref(), there, &space.local(there, inputs)?)?;
        space.parts(there, inputs)?;
        Ok(found)
    }

    /// The same in the mode of this space.
    fn steady_in_mode(
        &self,
        guess: &State,
        inputs: &[f64],
        options: &SteadyOptions<'_>,
    ) -> Result<Steady, AnalysisError> {
        let held = self.held_rows(options)?;
        let (mut state, mut inputs) = (guess.clone(), inputs.to_vec());
        self.normalise(&mut state);
        let mut local = self.local(&state, &inputs)?;
        let search = Search { space: self, units: self.units(&state, &inputs), held };
        let (mut steps, mut lengths, mut sequence) = (0, [0.0_f64; 2], Sequence::default());
        while steps < STEPS_MAX {
            let step = search.newton(&local)?;
            let Some((next, next_inputs, next_local, factor)) =
                search.damped((&state, &inputs, &local), &step)
            else {
                break;
            };
            (state, inputs, local, steps) = (next, next_inputs, next_local, steps + 1);
            let scale = size(&state.q).max(size(&state.v)).max(size(&inputs));
            let is_rounding = factor == 1.0 && size(step.as_slice()) <= CONVERGED * scale;
            let length = factor * size(step.as_slice());
            let last = if length > ROUNDING * scale { length } else { lengths[1] };
            lengths = [lengths[0].max(length), last];
            sequence.add(step, factor);
            if search.missed(&local) == 0.0 || is_rounding {
                break;
            }
        }
        search.concluded(Come { state, inputs, local, steps, lengths, sequence })
    }

    /// The rows of (ξ, η, ν) that may not change.
    fn held_rows(&self, options: &SteadyOptions<'_>) -> Result<DMatrix<f64>, AnalysisError> {
        let (n, m, r) = (
            self.programs.info.positions(),
            self.programs.info.speeds(),
            self.programs.info.inputs.len(),
        );
        let held: Vec<usize> =
            options.hold.iter().map(|name| self.place(name)).collect::<Result<_, _>>()?;
        let mut free = Vec::with_capacity(options.free_inputs.len());
        for name in &options.free_inputs {
            let found = self
                .programs
                .info
                .inputs
                .iter()
                .position(|input| input.name == *name || input.ascii == *name);
            let input = found.ok_or_else(|| AnalysisError::NoSuchEntry {
                name: (*name).to_owned(),
                known: list(self.programs.info.inputs.iter().map(|input| input.name)),
            })?;
            // One that is named twice is one unknown.
            if !free.contains(&input) {
                free.push(input);
            }
        }
        let mut held_rows = DMatrix::zeros(held.len() + r - free.len(), n + m + r);
        for (row, place) in held.iter().enumerate() {
            held_rows[(row, *place)] = 1.0;
        }
        let fixed = (0..r).filter(|input| !free.contains(input)).enumerate();
        fixed.for_each(|(row, input)| held_rows[(held.len() + row, n + m + input)] = 1.0);
        Ok(held_rows)
    }

    /// r(y).
    pub(crate) fn residual(&self, local: &Local) -> DVector<f64> {
        let rates = self.relevant.iter().map(|place| local.field[*place]);
        let all =
            rates.chain(local.holonomic.iter().copied()).chain(local.residual.iter().copied());
        DVector::from_iterator(
            self.relevant.len() + local.holonomic.len() + local.residual.len(),
            all,
        )
    }

    /// ∂r/∂(ξ, η, ν).
    pub(crate) fn steady_matrix(&self, local: &Local) -> DMatrix<f64> {
        let (m, r) = (self.programs.info.speeds(), self.programs.info.inputs.len());
        let (first, conditions) = (self.relevant.len(), self.conditions(local));
        let mut matrix = DMatrix::zeros(first + conditions.nrows(), 2 * m + r);
        let by_moves = local.by_state.select_rows(&self.relevant) * self.displacement(local);
        matrix.view_mut((0, 0), (first, 2 * m)).copy_from(&by_moves);
        let by_input = local.by_input.select_rows(&self.relevant);
        matrix.view_mut((0, 2 * m), (first, r)).copy_from(&by_input);
        matrix.view_mut((first, 0), conditions.shape()).copy_from(&conditions);
        matrix
    }

    /// A state and inputs after a step.
    pub(crate) fn moved(
        &self,
        state: &State,
        inputs: &[f64],
        step: &DVector<f64>,
    ) -> (State, Vec<f64>) {
        let mut next = state.clone();
        self.displace(&mut next, step);
        let of_inputs = step.iter().skip(state.q.len() + state.v.len());
        (next, inputs.iter().zip(of_inputs).map(|(x, step)| x + step).collect())
    }

    /// Adds δy.
    pub(crate) fn displace(&self, state: &mut State, step: &DVector<f64>) {
        displace(self.programs.info, state, step);
    }

    /// Unit quaternions.
    pub(crate) fn normalise(&self, state: &mut State) {
        normalise(self.programs.info, state);
    }

    /// Refuses a state off its constraints.
    pub(crate) fn check_constraints(
        &self,
        units: Option<&Units>,
        state: &State,
        local: &Local,
    ) -> Result<(), AnalysisError> {
        let (k, h) = (local.rows.nrows(), local.holonomic.len());
        let speed = DVector::from_column_slice(&state.v).norm();
        let reach = state.q.iter().fold(1.0, |size: f64, q| size.max(q.abs()));
        let sizes = units.map(|units| self.condition_sizes(units, local));
        let size = |row: usize, none: f64| sizes.as_ref().map_or(none, |sizes| sizes[row]);
        let mut found = Vec::new();
        for (row, (name, residual)) in local.names.iter().zip(local.residual.iter()).enumerate() {
            if residual.abs() > TOLERANCE * size(h + row, 1.0 + speed) {
                found.push(format!("{name} = {residual:.3e}"));
            }
        }
        for (row, (name, φ)) in local.names[k - h..].iter().zip(local.holonomic.iter()).enumerate()
        {
            if φ.abs() > TOLERANCE * size(row, reach * reach) {
                found.push(format!("φ of {name} = {φ:.3e}"));
            }
        }
        if found.is_empty() {
            Ok(())
        } else {
            Err(AnalysisError::OffConstraints { residuals: found.join(", ") })
        }
    }

    /// Whether nothing is missed, and rates vanish beside their terms: no units, which take far longer to be found, make that
    /// less.
    pub(crate) fn is_steady_in_any_units(&self, state: &State, local: &Local) -> bool {
        let mut missed = local.residual.iter().chain(&local.holonomic);
        missed.all(|missed| *missed == 0.0)
            && self.relevant.iter().all(|place| {
                local.field[*place].abs() <= TOLERANCE * rate_terms(state, local, *place)
            })
    }

    /// Refuses a state whose relevant entries change.
    pub(crate) fn check_steady(
        &self,
        units: Option<&Units>,
        state: &State,
        local: &Local,
    ) -> Result<(), AnalysisError> {
        let mut found: Vec<(f64, String)> = Vec::new();
        for (row, place) in self.relevant.iter().enumerate() {
            let rate = local.field[*place];
            let unit = units.map_or(1.0, |units| units.rates[row]);
            let scale = unit + rate_terms(state, local, *place);
            if rate.abs() > TOLERANCE * scale {
                found
                    .push((rate.abs(), format!("d/dt {} = {rate:.3e}", self.entries[*place].name)));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        if found.is_empty() {
            return Ok(());
        }
        Err(AnalysisError::NotSteady { rates: list(found.iter().map(|(_, text)| text.as_str())) })
    }
}

/// Σ |Aᵢⱼ yⱼ| of a rate.
fn rate_terms(state: &State, local: &Local, place: usize) -> f64 {
    let terms = local.by_state.row(place);
    terms.iter().zip(state.q.iter().chain(&state.v)).map(|(a, y)| (a * y).abs()).sum()
}

impl Search<'_> {
    /// r(y) in its units, and its size.
    fn residual(&self, local: &Local) -> DVector<f64> {
        let mut residual = self.space.residual(local);
        if let Some(units) = &self.units {
            self.space.rows_in_units(units, local, (&mut residual, None));
        }
        residual
    }

    fn missed(&self, local: &Local) -> f64 {
        self.residual(local).norm()
    }

    /// The least (δy, δu) that makes the linear residual least, with what is held at rest.
    fn newton(&self, local: &Local) -> Result<DVector<f64>, AnalysisError> {
        let (n, m, r) = (
            self.space.programs.info.positions(),
            self.space.programs.info.speeds(),
            self.space.programs.info.inputs.len(),
        );
        let mut map = DMatrix::zeros(n + m + r, 2 * m + r);
        map.view_mut((0, 0), (n + m, 2 * m)).copy_from(&self.space.displacement(local));
        map.view_mut((n + m, 2 * m), (r, r)).fill_with_identity();
        let (mut residual, mut matrix) =
            (self.space.residual(local), self.space.steady_matrix(local));
        if let Some(units) = &self.units {
            self.space.rows_in_units(units, local, (&mut residual, Some(&mut matrix)));
            let mut moves = map.view((0, 0), (n + m, 2 * m)).into_owned();
            let lengths = even_moves(&units.entries, &mut moves, &mut matrix);
            map.column_iter_mut().zip(lengths).for_each(|(mut column, length)| column /= length);
        }
        let free = kernel(&(&self.held * &map));
        let reduced = &matrix * &free;
        if free.ncols() == 0 {
            return Ok(DVector::zeros(n + m + r));
        }
        let solved = least(&reduced, &-residual);
        let solved = solved.ok_or_else(|| AnalysisError::NotFinite {
            what: "a step of Newton's method".to_owned(),
        })?;
        Ok(map * (free * solved))
    }

    /// The state after a step, or after so much of it that the residual falls; none where it does not.
    fn damped(
        &self,
        (state, inputs, local): (&State, &[f64], &Local),
        step: &DVector<f64>,
    ) -> Option<(State, Vec<f64>, Local, f64)> {
        let before = self.missed(local);
        let mut factor = 1.0;
        for _ in 0..HALVINGS_MAX {
            let (next, next_inputs) = self.space.moved(state, inputs, &(step * factor));
            if let Ok(local) = self.space.local(&next, &next_inputs)
                && self.missed(&local) < before
            {
                return Some((next, next_inputs, local, factor));
            }
            factor *= 0.5;
        }
        None
    }

    /// What was found, at the limit of the steps where they have one.
    fn concluded(&self, come: Come) -> Result<Steady, AnalysisError> {
        let Come { mut state, mut inputs, mut local, steps, lengths, sequence } = come;
        let mut uncertainty = None;
        if let Some(limit) = sequence.limit() {
            let there = self.at_limit((&state, &inputs, &local), limit);
            let known = if there.is_some() { &limit.uncertainty } else { &limit.beyond.abs() };
            uncertainty = Some(known.iter().copied().collect());
            if let Some(there) = there {
                (state, inputs, local) = there;
            }
        }
        if sequence.limit().is_none() {
            let [longest, last] = lengths;
            if steps >= FEW && last > ARRIVED * longest && self.missed(&local) > SOLVED {
                let residuals = format!("steps of {last:.1e} that become no shorter");
                return Err(AnalysisError::NotFound { steps, residuals });
            }
        }
        let units = self.space.units(&state, &inputs);
        if steps > 0 {
            still(units.as_ref(), &mut state);
            local = self.space.local(&state, &inputs)?;
        }
        let off = self.space.check_constraints(units.as_ref(), &state, &local);
        let off = off.and_then(|()| self.space.check_steady(units.as_ref(), &state, &local));
        match off {
            Ok(()) => {
                let residual = self.space.residual(&local).amax();
                Ok(Steady { state, inputs, residual, steps, uncertainty })
            }
            Err(
                AnalysisError::NotSteady { rates: residuals }
                | AnalysisError::OffConstraints { residuals },
            ) => Err(AnalysisError::NotFound { steps, residuals }),
            Err(other) => Err(other),
        }
    }

    /// The limit of the steps, and from there to what has to hold beside it; none where more is missed there.
    fn at_limit(
        &self,
        (state, inputs, local): (&State, &[f64], &Local),
        limit: &Limit,
    ) -> Option<(State, Vec<f64>, Local)> {
        let known = self.missed(local).max(CONVERGED);
        let (mut state, mut inputs) = self.space.moved(state, inputs, &limit.beyond);
        // What is not told from 0 is 0: a symmetric motion, as a rule.
        let entries = state.q.iter_mut().chain(&mut state.v).chain(&mut inputs);
        for (entry, uncertainty) in entries.zip(limit.uncertainty.iter()) {
            if entry.abs() <= *uncertainty {
                *entry = 0.0;
            }
        }
        let local = self.space.local(&state, &inputs).ok()?;
        let step = self.newton(&local).ok()?;
        let there = match self.damped((&state, &inputs, &local), &step) {
            Some((state, inputs, local, _)) => (state, inputs, local),
            None => (state, inputs, local),
        };
        (self.missed(&there.2) <= known).then_some(there)
    }
}

/// Takes speeds for 0 that are rounding beside their units: a run that begins there would be told off its rows by them.
fn still(units: Option<&Units>, state: &mut State) {
    let n = state.q.len();
    for (speed, v) in state.v.iter_mut().enumerate() {
        if v.abs() <= f64::EPSILON * units.map_or(1.0, |units| units.entries[n + speed]) {
            *v = 0.0;
        }
    }
}

/// The largest of numbers.
fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0_f64, |size, x| size.max(x.abs()))
}

/// Adds δy to a state of a system.
pub(crate) fn displace(info: &SystemInfo, state: &mut State, step: &DVector<f64>) {
    let entries = state.q.iter_mut().chain(&mut state.v);
    entries.zip(step.iter()).for_each(|(entry, step)| *entry += step);
    normalise(info, state);
}

/// Makes quaternions those of unit length.
fn normalise(info: &SystemInfo, state: &mut State) {
    for quaternion in state.q[info.coordinates.len()..].chunks_exact_mut(4) {
        let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.0 {
            for x in quaternion {
                *x /= length;
            }
        }
    }
}
