//! The start of a run: what must hold of a state, and what is solved from the constraints.

use super::options::{Options, StartPolicy};
use crate::constraints::{Failure, Manifold, scale_of};
use crate::error::{Residual, ResidualKind, StartError};
use crate::info::indices::check_indices;
use crate::info::{SystemInfo, Unknown};
use crate::linear::span::{basis, least};
use crate::moreau;
use crate::state::State;
use crate::system::System;
use crate::system::kinematics::{check_unit, displacement_scales, frame, normalise};
use nalgebra::{DMatrix, DVector};

/// Checks parameters, lengths, numbers, options and laws: what a run asks before it looks at its start.
///
/// # Errors
/// What no run can begin with.
pub fn check(
    system: &dyn System,
    state: &State,
    inputs: &[f64],
    options: &Options,
) -> Result<(), StartError> {
    check_since(system, state, inputs, options, state.t)
}

/// The same of a run that began at t₀, where it is at a state.
pub(crate) fn check_since(
    system: &dyn System,
    state: &State,
    inputs: &[f64],
    options: &Options,
    t0: f64,
) -> Result<(), StartError> {
    let info = system.info();
    check_indices(system)?;
    system.check_parameters()?;
    check_numbers(info, state, inputs)?;
    options.check(info, t0)?;
    moreau::check(system, options)?;
    for (index, contact) in info.contacts.iter().enumerate() {
        let law = options.law.unwrap_or_else(|| system.law(index));
        law.check().map_err(|error| StartError::Law { contact: contact.name, error })?;
    }
    Ok(())
}

/// Checks the constraints of a state that [`check`] let pass; with [`StartPolicy::Project`] moves it to
/// them.
pub(crate) fn admit(
    system: &dyn System,
    manifold: &mut Manifold,
    state: &mut State,
    inputs: &[f64],
    options: &Options,
) -> Result<(), StartError> {
    let (info, floors) = (system.info(), options.floors(system.info()));
    if options.start == StartPolicy::Refuse {
        check_unit(info, &state.q, options.start_tolerance)?;
    }
    normalise(info, &mut state.q);
    if options.start == StartPolicy::Project {
        project(system, manifold, state, options)?;
    }
    let State { t, q, v } = &*state;
    let mut residuals = manifold.violations(system, *t, q, v, options.start_tolerance)?;
    if let Some(row) = manifold.first_dependent_row() {
        return Err(StartError::DependentRows { t: *t, rows: dependence(system, state, row) });
    }
    residuals.extend(penetrations(system, state, inputs, &floors, options.start_tolerance));
    if !residuals.is_empty() {
        return Err(StartError::Inconsistent { residuals });
    }
    check_energy(system, state)?;
    check_lateness(system, state, inputs, options)?;
    check_guards(system, state, inputs)
}

/// Outside of the domain of an energy the forces that its formula has are those of nothing: ln x has the slope 1/x at
/// x < 0 too.
fn check_energy(system: &dyn System, State { t, q, v }: &State) -> Result<(), StartError> {
    match system.energy(*t, q, v).lost(system.info()) {
        Some((part, value)) => Err(StartError::NoEnergy { t: *t, part, value }),
        None => Ok(()),
    }
}

/// Times below this are told well enough for every tolerance.
const EARLY: f64 = 1e5;

/// What acts may change by so many relative tolerances within the rounding of t.
const LATE: f64 = 1e4;

/// A guard may change by this part of its size within the rounding of t.
const RAPID: f64 = 1e-2;

/// Times, each 8 times as far ahead as the one before, in which what acts shows its size.
const AHEAD: usize = 14;

/// Accelerations that depend on t may not change by much within the rounding of t: a sum t + h carries what
/// is left of it, a system only sees t.
fn check_lateness(
    system: &dyn System,
    state: &State,
    inputs: &[f64],
    options: &Options,
) -> Result<(), StartError> {
    let (State { t, q, v }, tolerance) = (state, options.relative_tolerance);
    if t.abs() < EARLY {
        return Ok(());
    }
    let info = system.info();
    // What acts behind the end of the run does not act.
    let end = options.until_time.unwrap_or(f64::INFINITY);
    let seen = Ahead::of(*t, end, |t| {
        let (mut a, mut λ) = (vec![0.0; info.speeds()], vec![0.0; info.rows.len()]);
        system.accelerations(t, q, v, inputs, &mut a, &mut λ);
        a
    });
    let largest = seen.largest.iter().fold(0.0_f64, |largest, a| largest.max(*a));
    for (i, change) in seen.changes.iter().enumerate() {
        // What changes a velocity by nothing to the end of the run tells nothing of it: a pulse long before it comes.
        let is_nothing = change * (end - t) <= LATE * tolerance * v[i].abs();
        let change = change / largest;
        if change > LATE * tolerance && !is_nothing {
            let (name, rounding) = (info.speed_name(i), seen.rounding);
            return Err(StartError::LateTime { t: *t, rounding, name, change, tolerance });
        }
    }
    Ok(())
}

/// When gaps and guards that depend on t are zero is told as well as t is: one that comes and goes within its rounding
/// would be passed unseen.
fn check_guards(system: &dyn System, state: &State, inputs: &[f64]) -> Result<(), StartError> {
    let (State { t, q, v }, info) = (state, system.info());
    let contacts = info.contacts.len();
    if t.abs() < EARLY || contacts + info.events.len() == 0 {
        return Ok(());
    }
    let seen = Ahead::of(*t, f64::INFINITY, |t| {
        let mut values = vec![0.0; contacts + info.events.len()];
        let (gaps, guards) = values.split_at_mut(contacts);
        if !gaps.is_empty() {
            system.gaps(t, q, gaps);
        }
        if !guards.is_empty() {
            system.guards(t, q, v, inputs, guards);
        }
        values
    });
    let names = info.contacts.iter().map(|c| c.name).chain(info.events.iter().map(|e| e.name));
    for (guard, (change, largest)) in names.zip(seen.changes.iter().zip(&seen.largest)) {
        let change = change / largest;
        if change > RAPID {
            return Err(StartError::LateGuard { t: *t, rounding: seen.rounding, guard, change });
        }
    }
    Ok(())
}

/// How much numbers that depend on t change within its rounding, and the sizes that they show ahead.
struct Ahead {
    rounding: f64,
    changes: Vec<f64>,
    largest: Vec<f64>,
}

impl Ahead {
    fn of(t: f64, end: f64, at: impl Fn(f64) -> Vec<f64>) -> Self {
        let rounding = t.abs().next_up() - t.abs();
        let (now, next) = (at(t), at(t + rounding));
        let changes = now.iter().zip(&next).map(|(now, next)| (next - now).abs()).collect();
        let (mut largest, mut ahead) = (vec![0.0_f64; now.len()], rounding);
        for _ in 0..AHEAD {
            let values = at((t + ahead).min(end));
            largest.iter_mut().zip(values).for_each(|(largest, x)| *largest = largest.max(x.abs()));
            ahead *= 8.0;
        }
        Self { rounding, changes, largest }
    }
}

/// Lengths nq, m, r and finite numbers.
fn check_numbers(info: &SystemInfo, state: &State, inputs: &[f64]) -> Result<(), StartError> {
    if info.positions() == 0 {
        return Err(StartError::NoCoordinates);
    }
    check_state(info, state)?;
    check_inputs(info, inputs)
}

/// Lengths nq, m and finite numbers.
pub(crate) fn check_state(info: &SystemInfo, state: &State) -> Result<(), StartError> {
    StartError::check_length("coordinates", info.positions(), state.q.len())?;
    StartError::check_length("velocities", info.speeds(), state.v.len())?;
    let mut numbers = vec![("t".to_string(), state.t)];
    numbers.extend(state.q.iter().enumerate().map(|(i, q)| (info.position_name(i), *q)));
    numbers.extend(state.v.iter().enumerate().map(|(i, v)| (info.speed_name(i), *v)));
    match numbers.into_iter().find(|(_, value)| !value.is_finite()) {
        Some((name, value)) => Err(StartError::NotFinite { name, value }),
        None => Ok(()),
    }
}

/// Parts of a combination of rows below this are not told.
const PART_MIN: f64 = 1e-6;

/// The combination of a row and those before it that is zero, the part of that row 1. Rows are those of
/// velocities with unit inertia each, so that units do not decide.
fn dependence(system: &dyn System, state: &State, row: usize) -> Vec<(&'static str, f64)> {
    let info = system.info();
    let (m, (rows, _)) = (info.speeds(), rows(system, state));
    let mut mass = vec![0.0; m * m];
    system.mass_matrix_at(state.t, &state.q, &state.v, &mut mass);
    let scaled = |i: usize, j: usize| rows[(i, j)] / mass[j * m + j].sqrt();
    let before = DMatrix::from_fn(m, row, |j, i| scaled(i, j));
    // The first row is zero by itself; of what is not finite no combination is told.
    if row == 0 || !before.iter().all(|part| part.is_finite()) {
        return vec![(info.rows[row].name, 1.0)];
    }
    let right = DVector::from_fn(m, |j, _| -scaled(row, j));
    let parts = least(&before, &right).unwrap_or(DVector::zeros(row));
    let parts = parts.iter().copied().chain([1.0]).enumerate();
    let told = parts.filter(|(_, part)| part.abs() >= PART_MIN);
    told.map(|(i, part)| (info.rows[i].name, part)).collect()
}

/// Length r and finite numbers.
pub(crate) fn check_inputs(info: &SystemInfo, inputs: &[f64]) -> Result<(), StartError> {
    StartError::check_length("inputs", info.inputs.len(), inputs.len())?;
    match info.inputs.iter().zip(inputs).find(|(_, value)| !value.is_finite()) {
        Some((input, &value)) => Err(StartError::NotFinite { name: input.name.to_string(), value }),
        None => Ok(()),
    }
}

/// q to φ = 0, then v to A v + b = 0.
fn project(
    system: &dyn System,
    manifold: &mut Manifold,
    state: &mut State,
    options: &Options,
) -> Result<(), StartError> {
    let State { t, q, v } = state;
    if manifold.has_holonomic() {
        match manifold.project_coordinates(system, *t, q, f64::INFINITY) {
            Ok(()) => {}
            Err(Failure::Metric(error)) => return Err(error.into()),
            Err(Failure::Diverged) => {
                let mut residuals =
                    manifold.violations(system, *t, q, v, options.start_tolerance)?;
                residuals.retain(|residual| residual.kind == ResidualKind::Holonomic);
                return Err(StartError::NotProjected { residuals });
            }
        }
    }
    if let Ok(change) = manifold.velocity_change(system, *t, q, v) {
        for (v, change) in v.iter_mut().zip(change) {
            *v += change;
        }
    }
    Ok(())
}

/// The contacts that are armed and whose gap is below −tolerance·scale, or is not a number.
fn penetrations(
    system: &dyn System,
    State { t, q, v }: &State,
    inputs: &[f64],
    floors: &[f64],
    tolerance: f64,
) -> Vec<Residual> {
    let (info, t) = (system.info(), *t);
    let (n, contacts) = (info.speeds(), info.contacts.len());
    let mut gaps = vec![0.0; contacts];
    let (mut gradients, mut rates) = (vec![0.0; contacts * n], vec![0.0; contacts]);
    system.gaps(t, q, &mut gaps);
    system.gap_rows(t, q, &mut gradients, &mut rates);
    let scales = displacement_scales(system, t, q, floors);
    let residual = |i: usize| Residual {
        name: info.contacts[i].name,
        kind: ResidualKind::Gap,
        value: gaps[i],
        tolerance: tolerance * scale_of(&gradients[i * n..][..n], &scales),
    };
    let armed =
        |i: &usize| !info.contacts[*i].is_conditional() || system.armed(*i, t, q, v, inputs);
    (0..contacts)
        .filter(armed)
        .map(residual)
        .filter(|r| r.value.is_nan() || r.value < -r.tolerance)
        .collect()
}

/// Steps of Newton's method for unknown coordinates, and the relative change that ends it.
const NEWTON_STEPS_MAX: usize = 50;
const NEWTON_TOLERANCE: f64 = 1e-14;

/// Solves the unknowns of a scenario from the constraints, in place: coordinates from φ(t,q) = 0
/// by Newton's method from the values given, then velocities from A v + b = 0, which is linear, or again
/// by Newton's method from the values given where a row is not affine in them.
///
/// With more equations than unknowns it is the least-squares solution; whether all constraints
/// hold then is checked when a run starts.
///
/// # Errors
/// Where the equations do not determine the unknowns, or Newton's method does not converge.
pub fn solve_unknowns(
    system: &dyn System,
    unknowns: &[Unknown],
    state: &mut State,
) -> Result<(), StartError> {
    let info = system.info();
    check_numbers(info, state, &vec![0.0; info.inputs.len()])?;
    let (mut coordinates, mut velocities) = (Vec::new(), Vec::new());
    for unknown in unknowns {
        let (list, index, count) = match *unknown {
            Unknown::Coordinate(index) => (&mut coordinates, index, info.coordinates.len()),
            Unknown::Velocity(index) => (&mut velocities, index, info.speeds()),
        };
        if index >= count {
            return Err(StartError::NoSuchCoordinate { index });
        }
        list.push(index);
    }
    solve_coordinates(system, &coordinates, state)?;
    solve_velocities(system, &velocities, state)
}

/// Adds a change of Newton's method to some numbers. The largest part of their size, at least 1, that one changes by; ∞ where
/// that is not finite.
fn add(to: &mut [f64], unknowns: &[usize], change: &DVector<f64>) -> f64 {
    let mut largest: f64 = 0.0;
    for (&index, change) in unknowns.iter().zip(change.iter()) {
        to[index] += change;
        let relative = change.abs() / to[index].abs().max(1.0);
        largest = if relative.is_finite() { largest.max(relative) } else { f64::INFINITY };
    }
    largest
}

/// Newton: ∂φ/∂q_U δq_U = −φ.
fn solve_coordinates(
    system: &dyn System,
    unknowns: &[usize],
    state: &mut State,
) -> Result<(), StartError> {
    if unknowns.is_empty() {
        return Ok(());
    }
    let info = system.info();
    let rows = info.holonomic_count();
    let names = || unknowns.iter().map(|&i| info.position_name(i)).collect();
    let mut φ = vec![0.0; rows];
    for _ in 0..NEWTON_STEPS_MAX {
        system.holonomic(state.t, &state.q, &mut φ);
        let matrix = coordinate_columns(system, state, unknowns, info.rows.len() - rows);
        let change = least_squares(&matrix, &DVector::from_iterator(rows, φ.iter().map(|φ| -φ)))
            .map_err(|rank| {
                let from = unknowns.iter().map(|&i| state.q[i]).collect();
                StartError::Undetermined { names: names(), rank, from }
            })?;
        let largest = add(&mut state.q, unknowns, &change);
        if largest <= NEWTON_TOLERANCE {
            return Ok(());
        }
        if !largest.is_finite() {
            break;
        }
    }
    system.holonomic(state.t, &state.q, &mut φ);
    let first = info.rows.len() - rows;
    let residuals = (info.rows[first..].iter().zip(&φ))
        .map(|(row, &value)| Residual {
            name: row.name,
            kind: ResidualKind::Holonomic,
            value,
            tolerance: 0.0,
        })
        .collect();
    Err(StartError::Unsolved { names: names(), residuals })
}

/// A_U v_U = −(A v + b) with v_U = 0 on the right.
fn solve_velocities(
    system: &dyn System,
    unknowns: &[usize],
    state: &mut State,
) -> Result<(), StartError> {
    if unknowns.is_empty() {
        return Ok(());
    }
    if system.info().has_nonlinear_rows() {
        return solve_nonlinear(system, unknowns, state);
    }
    for &index in unknowns {
        state.v[index] = 0.0;
    }
    for (&index, value) in unknowns.iter().zip(velocity_change(system, unknowns, state)?.iter()) {
        state.v[index] = *value;
    }
    Ok(())
}

/// Newton, A_U δv_U = −(A v + b), from the values given, for rows that are not affine in v.
fn solve_nonlinear(
    system: &dyn System,
    unknowns: &[usize],
    state: &mut State,
) -> Result<(), StartError> {
    for _ in 0..NEWTON_STEPS_MAX {
        let change = velocity_change(system, unknowns, state)?;
        let largest = add(&mut state.v, unknowns, &change);
        if largest <= NEWTON_TOLERANCE {
            return Ok(());
        }
        if !largest.is_finite() {
            break;
        }
    }
    let info = system.info();
    let (_, residual) = rows(system, state);
    let residuals = (info.rows.iter().zip(residual.iter()))
        .map(|(row, &value)| Residual {
            name: row.name,
            kind: ResidualKind::Velocity,
            value,
            tolerance: 0.0,
        })
        .collect();
    let names = unknowns.iter().map(|&i| info.speed_name(i)).collect();
    Err(StartError::Unsolved { names, residuals })
}

/// x with A_U x = −(A v + b), or nearest to that.
fn velocity_change(
    system: &dyn System,
    unknowns: &[usize],
    state: &State,
) -> Result<DVector<f64>, StartError> {
    let (rows, residual) = rows(system, state);
    let matrix = rows.select_columns(unknowns);
    least_squares(&matrix, &-residual).map_err(|rank| StartError::Undetermined {
        names: unknowns.iter().map(|&i| system.info().speed_name(i)).collect(),
        rank,
        from: if system.info().has_nonlinear_rows() {
            unknowns.iter().map(|&i| state.v[i]).collect()
        } else {
            Vec::new()
        },
    })
}

/// A, k×m, and A v + b.
fn rows(system: &dyn System, state: &State) -> (DMatrix<f64>, DVector<f64>) {
    let info = system.info();
    let (n, k) = (info.speeds(), info.rows.len());
    let (mut a, mut b) = (vec![0.0; k * n], vec![0.0; k]);
    system.constraint_rows_at(state.t, &state.q, &state.v, &mut a, &mut b);
    let residual =
        DVector::from_fn(k, |i, _| crate::linear::linalg::dot(&a[i * n..][..n], &state.v) + b[i]);
    (DMatrix::from_row_slice(k, n, &a), residual)
}

/// The columns ∂φ/∂qᵢ of unknown coordinates, from the rows from `first` on. Rows are derivatives
/// along the speeds, so a column is A v where v moves that coordinate alone: S v = eᵢ.
fn coordinate_columns(
    system: &dyn System,
    state: &State,
    unknowns: &[usize],
    first: usize,
) -> DMatrix<f64> {
    let info = system.info();
    let (rows, _) = rows(system, state);
    let rows = rows.rows_range(first..);
    if info.is_plain() {
        return rows.select_columns(unknowns);
    }
    let n = info.coordinates.len();
    let s = frame(system, state.t, &state.q).view((0, 0), (n, n)).into_owned();
    let unit = DMatrix::from_fn(n, unknowns.len(), |i, j| f64::from(u8::from(i == unknowns[j])));
    // Where S is singular no displacement is known: zero columns do not determine the unknowns.
    let moves = s.lu().solve(&unit).unwrap_or_else(|| DMatrix::zeros(n, unknowns.len()));
    rows.columns_range(..n) * moves
}

/// The x that minimises ‖M x − r‖, or the rank of M where that is less than its columns.
/// Columns are scaled to unit length first, so that units do not decide.
fn least_squares(matrix: &DMatrix<f64>, right: &DVector<f64>) -> Result<DVector<f64>, usize> {
    let scales: Vec<f64> = matrix.column_iter().map(|c| c.norm()).collect();
    if matrix.nrows() == 0 || !scales.iter().all(|s| s.is_finite()) {
        return Err(0);
    }
    let scaled = DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| {
        if scales[j] > 0.0 { matrix[(i, j)] / scales[j] } else { 0.0 }
    });
    let q = basis(&scaled);
    let rank = q.ncols();
    if rank < matrix.ncols() || rank == 0 {
        return Err(rank);
    }
    let mut solution = q.tr_mul(&scaled).lu().solve(&q.tr_mul(right)).ok_or(rank)?;
    for (x, scale) in solution.iter_mut().zip(&scales) {
        *x /= scale;
    }
    Ok(solution)
}
