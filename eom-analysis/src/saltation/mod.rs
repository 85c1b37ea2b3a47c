//! What an impact does to variations of a motion: where the map y⁺ = R(t, y⁻) is made at σ(t, y⁻) = 0,
//!
//! ```text
//! δy⁺ = ∂R/∂y δy⁻ + (∂R/∂y f⁻ + ∂R/∂t − f⁺) δt*          δt* = −(∂σ/∂y δy⁻)/σ̇
//! ```
//!
//! R of one contact without friction is in `simple`, others in files of their own. A reset says R itself, and the run brings
//! that to the constraints (`brought`).

mod at_once;
mod brought;
mod one_phase;
mod process;
mod rough;
mod simple;
mod stopped;
mod struck;
mod two_phases;
mod works;

use crate::error::AnalysisError;
use crate::tapes::{Tapes, clear_rate, directions};
use brought::Moving;
use eom_core::impact::has_friction;
use eom_core::{Event, State};
use nalgebra::{DMatrix, DVector};

/// The v⁺ of a reset is that of the run within this part of the state.
const ALIKE: f64 = 1e-9;

/// What an impact makes of variations, the columns of a matrix.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Saltation {
    /// δy⁺ at fixed times.
    pub(crate) fixed: DMatrix<f64>,
    /// δy⁺ of the state at the event, whenever that is.
    pub(crate) at_event: DMatrix<f64>,
    /// What changes of inputs and parameters add to δy⁺ at fixed times, the columns of their own.
    pub(crate) more: DMatrix<f64>,
    /// By how much later the event is, by the same.
    pub(crate) later: DMatrix<f64>,
}

impl Saltation {
    /// Carries variations through.
    pub(crate) fn apply(&self, matrix: &mut DMatrix<f64>) {
        *matrix = &self.fixed * &*matrix;
        if self.more.ncols() == matrix.ncols() {
            *matrix += &self.more;
        }
    }

    /// That of an impact of one contact.
    pub(crate) fn of_impact(
        of: &Tapes<'_>,
        contact: usize,
        event: &Event,
        (inputs, seeds): (&[f64], &DMatrix<f64>),
        [before, behind]: [&DVector<f64>; 2],
    ) -> Result<Self, AnalysisError> {
        let n = of.info.positions();
        let [(q, minus), (after, plus)] = event.sides();
        let refused = |why: &str| {
            let name = of.info.contacts[contact].name;
            let why = format!("at t = {}, the impact of `{name}` {why}", event.t);
            AnalysisError::NotSmooth { why }
        };
        if has_friction(of.system, contact) {
            return Err(refused("has friction"));
        }
        let state = State::new(event.t, q, minus);
        let (_, gaps) = of.along((of.system.programs().gaps, "gaps"), &state, inputs)?;
        let gap = gaps.view((contact, 0), (1, 1 + n)).into_owned();
        let rate = clear_rate(&gap, before).ok_or_else(|| refused("grazes"))?;
        // Exchanging names undoes itself.
        let (mut exchanged, mut v_plus) = (after.to_vec(), plus.to_vec());
        of.system.relabel(contact, &mut exchanged, &mut v_plus);
        let map = simple::changes(of, contact, (&state, &v_plus), (inputs, seeds));
        let map = map.map_err(|why| match why {
            AnalysisError::NotSmooth { why } => refused(&why),
            other => other,
        })?;
        let gaps = of.with_seeds((of.system.programs().gaps, "gaps"), &state, (inputs, seeds))?;
        let guard = [gap, gaps.rows(contact, 1).into_owned()];
        let passage = Passage { map, guard, rate };
        let found = passage.saltation([before, behind], &permutation(of, contact));
        found.ok_or_else(|| refused("has no derivative"))
    }
}

/// A map y⁺ = R(t, y) where a guard meets zero, with the derivatives of both by (t, y), of the guard by its first entries at
/// least, and by the seeds.
pub(crate) struct Passage {
    pub(crate) map: [DMatrix<f64>; 2],
    pub(crate) guard: [DMatrix<f64>; 2],
    /// How fast the guard changes along the motion before.
    pub(crate) rate: f64,
}

impl Passage {
    /// What it does to variations between these slopes, with the entries of R in an order; none where that is not finite.
    pub(crate) fn saltation(
        self,
        [before, behind]: [&DVector<f64>; 2],
        order: &[usize],
    ) -> Option<Saltation> {
        let ([by_all, by_seeds], [row, later]) = (self.map, self.guard);
        let (size, told, sooner) = (before.len(), row.ncols() - 1, -1.0 / self.rate);
        let by_state = by_all.columns(1, size);
        let mut delay = DMatrix::zeros(1, size);
        delay.columns_mut(0, told).copy_from(&(row.columns(1, told) * sooner));
        let carried = by_state * before + by_all.column(0);
        let at_event = (by_state + &carried * &delay).select_rows(order);
        let fixed = &at_event - behind * &delay;
        let later = later * sooner;
        let more = (by_seeds + carried * &later).select_rows(order) - behind * &later;
        let is_finite = fixed.iter().chain(more.iter()).all(|entry| entry.is_finite());
        is_finite.then_some(Saltation { fixed, at_event, more, later })
    }
}

impl Saltation {
    /// That of an event that resets.
    pub(crate) fn of_reset(
        of: &Tapes<'_>,
        index: usize,
        event: &Event,
        (inputs, seeds): (&[f64], &DMatrix<f64>),
        [before, behind]: [&DVector<f64>; 2],
    ) -> Result<Self, AnalysisError> {
        let [(q, minus), (_, plus)] = event.sides();
        let refused = |why: &str| {
            let why =
                format!("at t = {}, the reset of `{}` {why}", event.t, of.info.events[index].name);
            AnalysisError::NotSmooth { why }
        };
        let state = State::new(event.t, q, minus);
        let guards = of.system.programs().guards;
        let (_, guard) = of.along((guards, "guards"), &state, inputs)?;
        let guard = guard.rows(index, 1).into_owned();
        let rate = clear_rate(&guard, before).ok_or_else(|| refused("grazes"))?;
        let guards = of.with_seeds((guards, "guards"), &state, (inputs, seeds))?;
        let moving = behind_reset(of, index, &state, (inputs, seeds))?;
        let moving = moving
            .ok_or_else(|| refused("has no derivative where it is brought to the constraints"))?;
        let (n, places) = (before.len(), 1 + before.len());
        let size = minus.iter().chain(plus).fold(0.0, |size: f64, v| size.max(v.abs()));
        let leads = |(v, plus): (&f64, &f64)| (v - plus).abs() <= ALIKE * size;
        if !moving.x[1 + q.len()..places].iter().zip(plus).all(leads) {
            return Err(refused("is not brought to the constraints alone"));
        }
        let part = |first, count| moving.by.view((1, first), (n, count)).into_owned();
        let map = [part(0, places), part(places, seeds.ncols())];
        let guard = [guard, guards.rows(index, 1).into_owned()];
        let order: Vec<usize> = (0..n).collect();
        let found = Passage { map, guard, rate }.saltation([before, behind], &order);
        found.ok_or_else(|| refused("has no derivative"))
    }
}

/// x = (t, q, v, u, p) behind a reset, on the constraints, along (t, y) before it and the seeds; none where that has no
/// derivative.
fn behind_reset(
    of: &Tapes<'_>,
    index: usize,
    state: &State,
    (inputs, seeds): (&[f64], &DMatrix<f64>),
) -> Result<Option<Moving>, AnalysisError> {
    let n = state.q.len() + state.v.len();
    let resets = (of.system.programs().resets, "resets");
    let earlier = of.info.events[..index].iter().filter(|event| event.resets).count();
    let (values, by_all) = of.along(resets, state, inputs)?;
    let changed = of.with_seeds(resets, state, (inputs, seeds))?;
    let mut x = of.given(state, inputs);
    x[1..=n].copy_from_slice(values.rows(earlier * n, n).as_slice());
    let mut by = directions(x.len(), 1 + n, seeds);
    by.view_mut((1, 0), (n, 1 + n)).copy_from(&by_all.rows(earlier * n, n));
    by.view_mut((1, 1 + n), (n, seeds.ncols())).copy_from(&changed.rows(earlier * n, n));
    let mut moving = Moving { x, by };
    Ok(brought::bring(of, &mut moving).map(|()| moving))
}

/// Where each entry of y comes from after names are exchanged.
pub(crate) fn permutation(of: &Tapes<'_>, contact: usize) -> Vec<usize> {
    let (n, m) = (of.info.positions(), of.info.speeds());
    let mut q: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let mut v: Vec<f64> = (n..n + m).map(|i| i as f64).collect();
    of.system.relabel(contact, &mut q, &mut v);
    let place = |mark: &f64| (0..n + m).find(|i| *i as f64 == *mark);
    q.iter().chain(&v).filter_map(place).collect()
}

/// How e on the rows of A, on ∇g and on own rows changes with changes of (u, p): as the law is declared, each restitution a
/// parameter, or without those that change.
///
/// Where e = 0 and the contact is closed and pressed behind, nothing does. A little e has flights of 2 e |ġ⁻|/|g̈| first, which lack the
/// force |g̈|/n of the contact, n = ∇g M⁻¹∇gᵀ, and strike again: of first order are
///
/// ```text
/// e|ġ⁻|/n − (|g̈|/n) (2 e|ġ⁻|/|g̈|) + e|ġ⁻|/n = 0
/// ```
pub(crate) fn law_slopes(
    of: &Tapes<'_>,
    contact: usize,
    seeds: &DMatrix<f64>,
) -> Result<DMatrix<f64>, AnalysisError> {
    let info = &of.info.contacts[contact];
    let inside = info.law.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')'));
    let texts: Vec<&str> = inside.map_or(Vec::new(), |(inside, _)| inside.split(',').collect());
    let first = of.info.inputs.len();
    let slope = |text: &str, j: usize| {
        let mut sum = 0.0;
        for (index, parameter) in of.info.parameters.iter().enumerate() {
            let seed = seeds[(first + index, j)];
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let mut words = text.split(|c| !is_name(c));
            if seed == 0.0 || !words.any(|word| word == parameter.name) {
                continue;
            }
            if text.trim() != parameter.name {
                let why = format!(
                    "how `{}` of the contact `{}` changes with `{}` is not known",
                    info.law, info.name, parameter.name
                );
                return Err(AnalysisError::NotSmooth { why });
            }
            sum += seed;
        }
        Ok(sum)
    };
    let mut slopes = DMatrix::zeros(3, seeds.ncols());
    let e = of.system.law(contact).restitutions();
    let stays = of.pressed.contains(&contact) && e.is_some_and(|[_, e, _]| e == 0.0);
    for j in 0..seeds.ncols() {
        let of_law = match texts[..] {
            [] => [0.0; 3],
            [_] if stays => [0.0; 3],
            [_, tangential, ..] if stays => [0.0, 0.0, slope(tangential, j)?],
            [e] => [slope(e, j)?; 3],
            [normal, tangential, ..] => [0.0, slope(normal, j)?, slope(tangential, j)?],
        };
        slopes.set_column(j, &DVector::from_row_slice(&of_law));
    }
    Ok(slopes)
}
