//! Motions that are steady but for a turn that is a symmetry: a top asleep, a conical pendulum.
//!
//! ```text
//! E f(y) = Df(y) (E y + e) at all y        E y + e a turn: its flow brings motions to motions
//! f(y₀) = E y₀ + e                         that of y₀ is a motion; along it δẏ = (Df − E) δy, as it turns
//! ```
//!
//! It is a sum of turns of a body about axes in space, q ← a ∘ q, of the planes of two coordinates, of shifts e of one, as of a
//! heading that turns with the plane, and, where these do not suffice, of a body about axes of its own, q ← q ∘ a. The speeds turn with them, so that q̇ = S v does:
//!
//! ```text
//! S E_v v = E_q S v − ∂(S v)/∂q (E_q q + e_q)
//! ```
//!
//! Which sums are symmetries is asked at states about the motion, of f, of the rows and of φ: the kernel of all that is not.

use crate::error::AnalysisError;
use crate::space::{Local, StateSpace};
use crate::tapes::derivatives;
use eom_core::State;
use eom_core::span::{kernel, least};
use nalgebra::{DMatrix, DVector};

/// Planes of more coordinates are not looked at.
const COORDINATES_MAX: usize = 12;

/// States at which symmetries are asked for, of so many that are drawn.
const STATES: usize = 5;
const DRAWN_MAX: usize = 40;

/// What is drawn is so far about the motion, beside its size.
const REACH: f64 = 0.5;

/// Below this part of its terms what a turn changes is rounding.
const NOTHING: f64 = 1e-10;

/// A turn with no more part in sums of length 1 may be rounding.
const SMALL: f64 = 1e-6;

/// A rate below this part of the largest is rounding, and a shift that is this part of the motion.
const STILL: f64 = 1e-12;

/// A turn along which a motion is steady.
#[derive(Debug, Clone, PartialEq)]
pub struct Turning {
    /// What turns: `R about axis 3 in space`, `the plane of x, y`.
    pub what: String,
    /// How fast, in rad/time.
    pub rate: f64,
}

/// A turn that may be a part of a symmetry.
#[derive(Clone)]
struct Turn {
    what: String,
    /// E, of y.
    matrix: DMatrix<f64>,
    /// e, of y.
    shift: DVector<f64>,
}

impl Turn {
    /// E y + e.
    fn at(&self, y: &DVector<f64>) -> DVector<f64> {
        &self.matrix * y + &self.shift
    }
}

/// A motion that is steady as it turns.
pub(crate) struct Relative {
    /// Df − E.
    pub(crate) by_state: DMatrix<f64>,
    /// |Df| + max |E|, of which roundings are left there: E is a sum of turns with rates that are told to those of the largest.
    pub(crate) terms: DMatrix<f64>,
    pub(crate) turns: Vec<Turning>,
    /// The sum of turns.
    whole: Turn,
    /// The states at which it was seen to be a symmetry.
    samples: Vec<(State, Vec<f64>)>,
}

/// f − E y − e with its derivatives, the sum of turns, and what it is the sum of.
type Turned = (Local, Turn, Vec<Turning>);

impl StateSpace<'_> {
    /// The symmetry along which a state moves, with what is left of the motion; none where there is none.
    pub(crate) fn relative(
        &self,
        state: &State,
        inputs: &[f64],
    ) -> Result<Option<Relative>, AnalysisError> {
        let samples = self.samples(state, inputs);
        if samples.len() < STATES {
            return Ok(None);
        }
        let (outer, own) = self.turns(state, inputs);
        let all = [outer.as_slice(), own.as_slice()].concat();
        // As few as suffice: without forces every plane turns as well.
        let is_shift = |turn: &&Turn| turn.matrix.amax() == 0.0;
        let shifts: Vec<Turn> = outer.iter().filter(is_shift).cloned().collect();
        for turns in [&shifts, &outer, &all] {
            let local = self.local(state, inputs)?;
            let found = self.along(turns, (state, inputs), local, &samples)?;
            if let Some((Local { by_state, .. }, whole, turns)) = found {
                let terms = (&by_state + &whole.matrix).abs().add_scalar(whole.matrix.amax());
                return Ok(Some(Relative { by_state, terms, turns, whole, samples }));
            }
        }
        Ok(None)
    }

    /// f − E y − e for the sum of turns that is a symmetry and moves the state as f does.
    fn along(
        &self,
        turns: &[Turn],
        (state, inputs): (&State, &[f64]),
        mut local: Local,
        samples: &[(State, Vec<f64>)],
    ) -> Result<Option<Turned>, AnalysisError> {
        if turns.is_empty() {
            return Ok(None);
        }
        let sums = self.symmetries(turns, samples)?;
        if sums.ncols() == 0 {
            return Ok(None);
        }
        let y = entries(state);
        let moves: Vec<DVector<f64>> =
            turns.iter().map(|turn| turn.at(&y).select_rows(&self.relevant)).collect();
        let motion = local.field.select_rows(&self.relevant);
        let Some(parts) = least(&(DMatrix::from_columns(&moves) * &sums), &motion) else {
            return Ok(None);
        };
        let rates = sums * parts;
        let (matrix, shift) = (DMatrix::zeros(y.len(), y.len()), DVector::zeros(y.len()));
        let mut whole = Turn { what: String::new(), matrix, shift };
        for (turn, rate) in turns.iter().zip(rates.iter()) {
            whole.matrix += &turn.matrix * *rate;
            whole.shift += &turn.shift * *rate;
        }
        local.field -= whole.at(&y);
        local.by_state -= &whole.matrix;
        if self.check_steady(self.units(state, inputs).as_ref(), state, &local).is_err() {
            return Ok(None);
        }
        // Turns and shifts have units of their own; a turn about where the state is moves it nowhere.
        let told = |((turn, rate), moves): ((&Turn, &f64), &DVector<f64>)| {
            let is_shift = turn.matrix.amax() == 0.0;
            let is_told = if is_shift {
                rate.abs() * moves.amax() > STILL * motion.amax()
            } else {
                rate.abs() > STILL * rates.amax()
            };
            is_told.then(|| Turning { what: turn.what.clone(), rate: *rate })
        };
        let turning = turns.iter().zip(rates.iter()).zip(&moves).filter_map(told).collect();
        Ok(Some((local, whole, turning)))
    }

    /// The turns about axes in space, of planes, and shifts, and those about axes of bodies.
    fn turns(&self, state: &State, inputs: &[f64]) -> (Vec<Turn>, Vec<Turn>) {
        let info = self.programs.info;
        let (count, n) = (info.coordinates.len(), info.positions());
        let (mut outer, mut own) = (Vec::new(), Vec::new());
        let planes = if count > COORDINATES_MAX { 0 } else { count };
        for (i, j) in (0..planes).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let mut turn = DMatrix::zeros(n, n);
            (turn[(i, j)], turn[(j, i)]) = (-1.0, 1.0);
            let [x, y] = [i, j].map(|k| info.coordinates[k].name);
            outer.push((format!("the plane of {x}, {y}"), turn, DVector::zeros(n)));
        }
        for i in 0..planes {
            let shift = DVector::from_fn(n, |row, _| f64::from(u8::from(row == i)));
            outer.push((info.coordinates[i].name.to_owned(), DMatrix::zeros(n, n), shift));
        }
        for (body, rotation) in info.rotations.iter().enumerate() {
            let first = count + 4 * body;
            for axis in 0..3 {
                for (is_own, found) in [(false, &mut outer), (true, &mut own)] {
                    let mut turn = DMatrix::zeros(n, n);
                    turn.view_mut((first, first), (4, 4)).copy_from(&quaternion(axis, is_own));
                    let whose = if is_own { "of its own" } else { "in space" };
                    let what = format!("{} about axis {} {whose}", rotation.name, axis + 1);
                    found.push((what, turn, DVector::zeros(n)));
                }
            }
        }
        let m = info.speeds();
        let of = |turns: Vec<(String, DMatrix<f64>, DVector<f64>)>| {
            let whole = |(what, turn, shift): (_, _, DVector<f64>)| {
                let matrix = self.prolonged((&turn, &shift), state, inputs)?;
                Some(Turn { what, matrix, shift: shift.resize_vertically(n + m, 0.0) })
            };
            turns.into_iter().filter_map(whole).collect()
        };
        (of(outer), of(own))
    }

    /// diag(E_q, E_v) with E_v at a state.
    fn prolonged(
        &self,
        (turn, shift): (&DMatrix<f64>, &DVector<f64>),
        state: &State,
        inputs: &[f64],
    ) -> Option<DMatrix<f64>> {
        let (n, m) = (turn.nrows(), state.v.len());
        let turned = turn * DVector::from_column_slice(&state.q) + shift;
        let mut whole = DMatrix::zeros(n + m, n + m);
        whole.view_mut((0, 0), (n, n)).copy_from(turn);
        let mut unit = state.clone();
        for j in 0..m {
            unit.v.fill(0.0);
            unit.v[j] = 1.0;
            let given = self.programs.given(&unit, inputs);
            let (_, by) = self.kinematics(&unit, &given, inputs.len());
            let frame = by.columns(n, m).into_owned();
            let right = turn * frame.column(j) - by.columns(0, n) * &turned;
            whole.view_mut((n, n + j), (m, 1)).copy_from(&least(&frame, &right)?);
        }
        Some(whole)
    }

    /// The sums of turns, columns, that are symmetries of f, of the rows and of φ.
    fn symmetries(
        &self,
        turns: &[Turn],
        samples: &[(State, Vec<f64>)],
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let mut rows: Vec<DVector<f64>> = Vec::new();
        for (sample, inputs) in samples {
            let local = self.local(sample, inputs)?;
            let y = entries(sample);
            let n = sample.q.len();
            let moved: Vec<DVector<f64>> = turns.iter().map(|turn| turn.at(&y)).collect();
            let moved = DMatrix::from_columns(&moved);
            let turned: Vec<DVector<f64>> =
                turns.iter().map(|turn| &turn.matrix * &local.field).collect();
            let changes = DMatrix::from_columns(&turned) - &local.by_state * &moved;
            for place in &self.relevant {
                let slopes = local.by_state.row(*place).abs();
                let terms = &slopes * y.abs();
                let of_moves = (slopes * moved.abs()).amax();
                let of_turns: f64 =
                    turned.iter().map(|turned| turned[*place].abs()).fold(0.0, f64::max);
                push(&mut rows, &changes.row(*place).transpose(), terms[0] + of_turns + of_moves);
            }
            let (k, reach) = (local.rows.nrows(), y.norm() + moved.amax());
            let mut by = DMatrix::zeros(k, n + sample.v.len());
            by.columns_mut(0, n).copy_from(&local.residual_by_position);
            by.columns_mut(n, sample.v.len()).copy_from(&local.rows);
            let h = local.holonomic.len();
            for (i, row) in by.row_iter().enumerate() {
                let size = row.norm() * reach;
                push(&mut rows, &(row * &moved).transpose(), size);
                if i >= k - h {
                    let of_position = local.rows.row(i) * along_frame(&local, &moved);
                    push(&mut rows, &of_position.transpose(), local.rows.row(i).norm() * reach);
                }
            }
        }
        if rows.is_empty() {
            return Ok(DMatrix::identity(turns.len(), turns.len()));
        }
        Ok(pruned(&DMatrix::from_columns(&rows).transpose()))
    }

    /// States about one, on the rows of their velocities, with inputs about these.
    fn samples(&self, state: &State, inputs: &[f64]) -> Vec<(State, Vec<f64>)> {
        let mut place = 0.5_f64;
        let mut drawn = |value: f64| {
            place = (place + 0.618_033_988_749_894_9).fract();
            value + REACH * (1.0 + value.abs()) * (2.0 * place - 1.0)
        };
        let mut found = Vec::new();
        for _ in 0..DRAWN_MAX {
            let mut sample = state.clone();
            let all = sample.q.iter_mut().chain(&mut sample.v);
            all.for_each(|entry| *entry = drawn(*entry));
            let inputs: Vec<f64> = inputs.iter().map(|input| drawn(*input)).collect();
            self.normalise(&mut sample);
            let Ok(local) = self.local(&sample, &inputs) else { continue };
            let Some(off) = least(&local.rows, &local.residual) else { continue };
            sample.v.iter_mut().zip(off.iter()).for_each(|(v, off)| *v -= off);
            if self.local(&sample, &inputs).is_ok() {
                found.push((sample, inputs));
            }
            if found.len() == STATES {
                break;
            }
        }
        found
    }

    /// Whether the outputs stay as the motion turns, each.
    pub(crate) fn outputs_stay(&self, relative: &Relative) -> Vec<bool> {
        let Some(tape) = self.programs.outputs else { return Vec::new() };
        let count = tape.results();
        let mut stays = vec![true; count];
        for (sample, inputs) in &relative.samples {
            let y = entries(sample);
            // Of forces it is not told.
            let forces = vec![f64::NAN; self.programs.forces_of_outputs()];
            let given = self.programs.given_with(sample, inputs, &forces);
            let (_, by) = derivatives(tape, &given, 1..1 + y.len());
            let turned = relative.whole.at(&y);
            for (stays, row) in stays.iter_mut().zip(by.row_iter()) {
                *stays &= (row * &turned)[0].abs() <= NOTHING * row.norm() * turned.norm();
            }
        }
        stays
    }
}

/// y.
fn entries(state: &State) -> DVector<f64> {
    DVector::from_iterator(state.q.len() + state.v.len(), state.q.iter().chain(&state.v).copied())
}

/// A condition on sums of turns, unless what each turn changes is rounding beside its terms.
fn push(rows: &mut Vec<DVector<f64>>, row: &DVector<f64>, size: f64) {
    if row.amax() > NOTHING * size {
        rows.push(row.map(|entry| if entry.abs() > NOTHING * size { entry } else { 0.0 }));
    }
}

/// The turn q̇ = ½ a ∘ q about an axis of space, or ½ q ∘ a about one of the body's own.
fn quaternion(axis: usize, is_own: bool) -> DMatrix<f64> {
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    // (e × v) of the vector part, with the sign of v × e where it is the body's own.
    let sign = if is_own { -0.5 } else { 0.5 };
    let mut turn = DMatrix::zeros(4, 4);
    (turn[(0, 1 + axis)], turn[(1 + axis, 0)]) = (-0.5, 0.5);
    (turn[(1 + last, 1 + next)], turn[(1 + next, 1 + last)]) = (sign, -sign);
    turn
}

/// The kernel, of the turns that have part in it: one with a small part, without which as many sums are symmetries, has that of
/// the rounding of the others' conditions.
fn pruned(conditions: &DMatrix<f64>) -> DMatrix<f64> {
    let count = conditions.ncols();
    let mut taken: Vec<usize> = (0..count).collect();
    let mut sums = kernel(conditions);
    let mut row = 0;
    while row < taken.len() {
        let mut left = taken.clone();
        left.remove(row);
        let is_small = sums.row(row).norm() <= SMALL;
        let fewer = is_small.then(|| kernel(&conditions.select_columns(&left)));
        match fewer.filter(|fewer| fewer.ncols() == sums.ncols()) {
            Some(fewer) => (taken, sums, row) = (left, fewer, 0),
            None => row += 1,
        }
    }
    let mut whole = DMatrix::zeros(count, sums.ncols());
    taken.iter().zip(sums.row_iter()).for_each(|(row, sum)| whole.row_mut(*row).copy_from(&sum));
    whole
}

/// ξ with S ξ = δq, of each column of δy.
fn along_frame(local: &Local, moved: &DMatrix<f64>) -> DMatrix<f64> {
    let (n, m) = local.frame.shape();
    let none = || DVector::zeros(m);
    let of = |column: DVector<f64>| least(&local.frame, &column).unwrap_or_else(none);
    let columns: Vec<DVector<f64>> =
        moved.column_iter().map(|column| of(column.rows(0, n).into_owned())).collect();
    DMatrix::from_columns(&columns)
}
