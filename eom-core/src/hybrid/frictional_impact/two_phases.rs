//! Poisson's restitution of contacts that are struck together: compression, then expansion (Pfeiffer and Glocker, Multibody
//! Dynamics with Unilateral Contacts, 1996, chapter 8).
//!
//! Of all contacts that touch without separating and feel the impact, each phase being a complementarity of impulses with
//! Coulomb's friction (`rough_impact`),
//!
//! ```text
//! compression    from v⁻ to v_C      ġ ≥ 0,  Λ_C ≥ 0,  ġ Λ_C = 0
//! expansion      from v_C to v⁺      ġ ≥ 0,  Λ_E ≥ e Λ_C,  ġ (Λ_E − e Λ_C) = 0
//! ```
//!
//! so that a contact gives back e times what compressed it, and more where it would be penetrated otherwise. A contact that
//! only rests, ġ⁻ = 0, and bears in compression gives back as well: by this it may be lifted off. Friction is told in each phase by
//! the slip at its end, |Φ_E| ≤ μ Λ_E as |Φ_C| ≤ μ Λ_C. Of a contact with Newton's law e Λ_C is 0, and expansion ends with
//! ġ ≥ −e ġ⁻.
//!
//! Where what sticks leaves the impulses of compression undetermined, as in a groove, those come back that lie deepest in the cones
//! (`contact::cones`), as forces do. Where other sets lead to one v_C, expansion is made from each of them: other
//! velocities are other outcomes.
//!
//! For equal e without friction T⁺ − T⁻ = −½ (1 − e²) Λ_CᵀG Λ_C; other e, and friction, may add energy, which is looked at.
//!
//! **Stronge's** law compares works along the way: contacts that are struck by it together are a process (`work_process`). Where
//! it only bears, beside contacts with restitution by another law, ġ = 0 throughout compression, its work is 0, and so is what it gives back.
//!
//! **Alone** is a contact that is struck while no other one feels its impulse, however many touch: with N = M⁻¹ on the
//! constraints, all of r N r′ᵀ are 0 for its rows r = ∇g, J, what acts with its friction, and the rows r′ of the others. What does not
//! feel an impact is left to the next one.

use super::phase::{Phase, Struck};
use super::rough_impact::{NoOutcome, Outcome, RoughImpact};
use crate::hybrid::mode::contact::Probe;
use crate::linear::linalg::dot;
use crate::linear::metric::UNFELT;
use crate::state::State;
use crate::system::System;

/// The contacts that take part in the impact of one that is struck at a state while these rest, in their order, as a run has them.
pub fn struck_together(
    system: &dyn System,
    given: (&State, &[f64]),
    struck: usize,
    resting: &[usize],
) -> Option<Vec<usize>> {
    let touching = touching(system, given.0, struck, resting)?;
    let mut impact = RoughImpact::new(system, given, &touching).ok()?;
    let together = impact.terms.of_rows().next().is_some();
    let reached = if together { touching.clone() } else { impact.reached_from(struck) };
    Some(reached.iter().map(|struck| struck.contact).collect())
}

/// v_C of contacts that are struck together at a state. None where compression has no outcome, several, or impulses that what
/// sticks leaves undetermined.
pub fn compressed(
    system: &dyn System,
    given: (&State, &[f64]),
    together: &[usize],
) -> Option<Vec<f64>> {
    let (last, others) = together.split_last()?;
    let touching = touching(system, given.0, *last, others)?;
    let mut impact = RoughImpact::new(system, given, &touching).ok()?;
    impact.phase = impact.compression();
    let found = impact.solve().ok()?;
    match &found[..] {
        [only] if !only.is_shared && !impact.undecided => Some(only.velocity.clone()),
        _ => None,
    }
}

/// Contacts that touch at a state, in their order.
fn touching(
    system: &dyn System,
    state: &State,
    struck: usize,
    resting: &[usize],
) -> Option<Vec<Struck>> {
    let (mut probe, y) = (Probe::new(system), [&state.q[..], &state.v].concat());
    let mut all = resting.to_vec();
    all.push(struck);
    all.sort_unstable();
    let of = |contact: usize| {
        let gap = probe.rate(system, contact, state.t, &y).ok()?;
        Some(Struck::bearing(contact, gap))
    };
    all.into_iter().map(of).collect()
}

impl RoughImpact<'_> {
    /// The outcome of both phases, where there is no other.
    pub(super) fn in_two_phases(&mut self) -> Result<Outcome, NoOutcome> {
        let compression = self.compression();
        let restitution = std::mem::replace(&mut self.phase, compression);
        let mut first: Option<Outcome> = None;
        let mut compressions = self.solve()?;
        if compressions[0].is_shared {
            compressions.truncate(1);
        }
        for compressed in compressions {
            self.phase = self.expansion(&restitution, &compressed);
            if self.phase.is_over() {
                return Ok(compressed);
            }
            for expanded in self.solve()? {
                match &first {
                    None => first = Some(compressed.followed_by(expanded)),
                    Some(known) if self.differ(known, &expanded) => return Err(NoOutcome::Several),
                    Some(_) => {}
                }
            }
        }
        first.ok_or(NoOutcome::None)
    }

    /// No gap closes at the end of compression, and no own row slips.
    fn compression(&self) -> Phase {
        let zeros = vec![0.0; self.struck.len()];
        let [returned, targets, tangential] = [zeros.clone(), zeros.clone(), zeros];
        Phase { start: self.before.to_vec(), returned, targets, tangential }
    }

    /// What follows a compression, with the rates that Newton's laws ask for.
    fn expansion(&self, newtons: &Phase, compressed: &Outcome) -> Phase {
        let compressing = self.struck.iter().zip(&compressed.impulses);
        Phase {
            start: compressed.velocity.clone(),
            returned: compressing.map(|(s, impulse)| s.returns * impulse.max(0.0)).collect(),
            ..newtons.clone()
        }
    }

    /// The contacts that feel an impulse of this one, with those that feel theirs.
    pub(super) fn reached_from(&mut self, contact: usize) -> Vec<Struck> {
        self.reached(|struck| struck.contact == contact, usize::MAX)
    }

    /// Those whose gaps or own rows feel an impulse of what is struck, with those that feel theirs: one whose slip alone does has
    /// Λ = 0, and no friction.
    pub(in crate::hybrid) fn pressed(&mut self) -> Vec<Struck> {
        self.reached(Struck::closes, 1)
    }

    /// The contacts that feel an impulse of the first ones by their own rows and so many of the others, with those that feel theirs.
    fn reached(&mut self, first: impl Fn(&Struck) -> bool, others: usize) -> Vec<Struck> {
        let rows: Vec<Vec<Vec<f64>>> =
            self.struck.iter().map(|struck| self.rows_of(struck.contact)).collect();
        let mut acting = rows.clone();
        for (acting, struck) in acting.iter_mut().zip(self.struck) {
            let terms = self.terms.of_contact(struck.contact);
            let components = terms.flat_map(|term| self.terms.components(term));
            let beside = components.filter_map(|component| self.terms.beside(component));
            acting.extend(beside.map(<[f64]>::to_vec));
        }
        self.rows.close(&[]);
        let responses: Vec<Vec<Vec<f64>>> = acting
            .iter()
            .map(|acting| acting.iter().map(|force| self.on_constraints(force)).collect())
            .collect();
        let felt = |j: usize| {
            let own = self.rows.own().of(self.struck[j].contact).len();
            rows[j].iter().zip(&responses[j]).take(own.saturating_add(others))
        };
        let feels = |i: usize, j: usize| {
            let mut pairs = acting[i]
                .iter()
                .zip(&responses[i])
                .flat_map(|one| felt(j).map(move |other| (one, other)));
            pairs.any(|((row, moved), (other, response))| {
                let sizes = dot(row, moved) * dot(other, response);
                dot(other, moved).abs() > UNFELT * sizes.max(0.0).sqrt()
            })
        };
        let mut reached: Vec<bool> = self.struck.iter().map(first).collect();
        loop {
            let count = reached.len();
            let new = |j: &usize| !reached[*j] && (0..count).any(|i| reached[i] && feels(i, *j));
            let Some(next) = (0..count).find(new) else { break };
            reached[next] = true;
        }
        let struck = self.struck.iter().zip(reached);
        struck.filter(|(_, reached)| *reached).map(|(struck, _)| *struck).collect()
    }

    /// ∇g, the own rows and J of a contact.
    fn rows_of(&self, contact: usize) -> Vec<Vec<f64>> {
        let own = self.rows.own().of(contact).map(|row| self.rows.own().row(row).0);
        let slips = self.terms.of_contact(contact).flat_map(|term| self.terms.components(term));
        let slips = slips.map(|component| self.terms.row(component).0);
        let gap = std::iter::once(self.rows.gap(contact).0);
        gap.chain(own).chain(slips).map(<[f64]>::to_vec).collect()
    }
}

impl Outcome {
    /// Impulses of both, and the velocity of the second.
    fn followed_by(&self, other: Self) -> Self {
        let impulses = self.impulses.iter().zip(&other.impulses);
        Self { impulses: impulses.map(|(one, more)| one + more).collect(), ..other }
    }
}
