//! What an impact with friction, or of a contact beside others that rest, does to variations: by which law it is made, as
//! `hybrid::frictional_impact` of the core says.
//!
//! ```text
//! Newton               one phase                           `one_phase`
//! Poisson, Stronge     a process, of a contact alone       `process`
//! Poisson              two phases, beside others           `two_phases`
//! Stronge              a process in all, by works          `works`
//! ```
//!
//! Where these do not give the v⁺ of the run, its law is another one, and there is no derivative here.

use super::one_phase::{Begin, OnePhase, at_impact, restitutions};
use super::{Passage, Saltation, law_slopes, permutation};
use super::{process, two_phases, works};
use crate::error::AnalysisError;
use crate::tapes::friction::Terms;
use crate::tapes::{Tapes, clear_rate};
use eom_core::impact::struck_together;
use eom_core::system::Restitution;
use eom_core::{Event, EventKind, Mode, State};
use nalgebra::{DMatrix, DVector};

impl Saltation {
    /// That of an impact of one contact with friction, or beside others that rest, from the mode before.
    pub(crate) fn of_rough_impact(
        of: &Tapes<'_>,
        terms: &Terms,
        event: &Event,
        (inputs, seeds): (&[f64], &DMatrix<f64>),
        ([before, behind], mode): ([&DVector<f64>; 2], &Mode),
    ) -> Result<Self, AnalysisError> {
        let EventKind::Impact { contact, others, .. } = &event.kind else {
            return Err(AnalysisError::NotFinite { what: "an impact".to_owned() });
        };
        let (contact, (n, m)) = (*contact, (of.info.positions(), of.info.speeds()));
        let [(q, minus), (after, plus)] = event.sides();
        let refused = |why: &str| {
            let why = format!(
                "at t = {}, the impact of `{}` {why}",
                event.t, of.info.contacts[contact].name
            );
            AnalysisError::NotSmooth { why }
        };
        let state = State::new(event.t, q, minus);
        let (_, gaps) = of.along((of.system.programs().gaps, "gaps"), &state, inputs)?;
        let gap = gaps.view((contact, 0), (1, 1 + n)).into_owned();
        let rate = clear_rate(&gap, before).ok_or_else(|| refused("grazes"))?;
        let (mut exchanged, mut v_plus) = (after.to_vec(), plus.to_vec());
        of.system.relabel(contact, &mut exchanged, &mut v_plus);
        let others: Vec<usize> = others.iter().map(|hit| hit.contact).collect();
        let given = (inputs, seeds);
        let told = |why| match why {
            AnalysisError::NotSmooth { why } => refused(&why),
            other => other,
        };
        let together = struck_together(of.system, (&state, inputs), contact, mode.closed());
        let together = together.ok_or_else(|| refused("has no metric"))?;
        let alone = together.len() == 1 && of.row_friction().is_none();
        let process = if alone {
            process::changes(of, terms, contact, (&state, &v_plus), given).map_err(told)?
        } else {
            None
        };
        let changes = match process {
            Some(changes) => changes,
            None if is_in_one_phase(of, contact, &together, seeds)? => {
                in_one_phase(of, terms, (contact, &others), (&state, &v_plus), given)
                    .map_err(told)?
            }
            None if works::are_of(of, &together) => {
                let impact = (contact, &together[..], mode);
                works::changes(of, terms, impact, (&state, &v_plus), given).map_err(told)?
            }
            None => two_phases::changes(of, terms, (contact, &together), (&state, &v_plus), given)
                .map_err(told)?,
        };
        let count = 1 + n + m;
        let mut by_all = DMatrix::zeros(n + m, count + seeds.ncols());
        by_all.view_mut((0, 1), (n, n)).fill_with_identity();
        by_all.rows_mut(n, m).copy_from(&changes);
        let gaps = of.with_seeds((of.system.programs().gaps, "gaps"), &state, (inputs, seeds))?;
        let changed = by_all.columns(count, seeds.ncols()).into_owned();
        let map = [by_all.columns(0, count).into_owned(), changed];
        let guard = [gap, gaps.rows(contact, 1).into_owned()];
        let passage = Passage { map, guard, rate };
        let found = passage.saltation([before, behind], &permutation(of, contact));
        found.ok_or_else(|| refused("has no derivative"))
    }
}

/// Whether the law of an impact, and of what is beside it, is that of one phase: Newton's; Poisson's without restitution; Stronge's
/// of what only bears, beside a restitution by Newton's.
fn is_in_one_phase(
    of: &Tapes<'_>,
    contact: usize,
    together: &[usize],
    seeds: &DMatrix<f64>,
) -> Result<bool, AnalysisError> {
    let e = |of_contact: usize| of.system.law(of_contact).restitutions().map_or(0.0, |[_, e, _]| e);
    let newtons = of.system.restitution(contact) == Restitution::Newton && e(contact) != 0.0;
    for &one in together {
        let is_plain = match of.system.restitution(one) {
            Restitution::Newton => true,
            Restitution::Poisson => {
                e(one) == 0.0
                    && law_slopes(of, one, seeds)?.row(1).iter().all(|slope| *slope == 0.0)
            }
            Restitution::Stronge => one != contact && newtons,
        };
        if !is_plain {
            return Ok(false);
        }
    }
    Ok(true)
}

/// δv⁺ by (t, q, v⁻) and the seeds, of an impact in one phase.
fn in_one_phase(
    of: &Tapes<'_>,
    terms: &Terms,
    (contact, others): (usize, &[usize]),
    (state, plus): (&State, &[f64]),
    given: (&[f64], &DMatrix<f64>),
) -> Result<DMatrix<f64>, AnalysisError> {
    let bearing: Vec<usize> = others.iter().copied().chain([contact]).collect();
    let (e, slopes) = restitutions(of, contact, given.1)?;
    let (velocity, by) = at_impact(state, given.1);
    let begin = Begin { contact, bearing: &bearing, returned: &[], velocity, by, e, slopes };
    OnePhase::new(of, terms, &begin, (state, plus), given)?.changes(of).map(|ended| ended.by)
}
