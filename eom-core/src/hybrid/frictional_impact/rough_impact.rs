//! One phase of an impact with friction: the complementarity of impulses along the normals and along the surfaces.
//!
//! From the velocity v₀ with which the phase begins, S of the contacts that touch without separating take impulses Λ along
//! the normals beside those that come back to them in any case, Λ⁰, and Φ along the slips s = J v + b,
//!
//! ```text
//! M (v₁ − v₀) = AᵀΛ_A + Σ (∇gᵢᵀ(Λ⁰ᵢ + Λᵢ) − JᵢᵀΦᵢ)      A v₁ + b = 0
//!
//! ġᵢ = γᵢ,  Λᵢ ≥ 0                                   i ∈ S         ġⱼ ≥ γⱼ,  Λⱼ = 0    j ∉ S
//! sᵢ = 0,  ‖Φᵢ‖ ≤ μᵢ (Λ⁰ᵢ + Λᵢ)        or   Φᵢ = μᵢ (Λ⁰ᵢ + Λᵢ) u,  u = s/‖s‖
//! ```
//!
//! with the rows of their own of those that have some (Moreau 1988; Glocker, Set-Valued Force Laws, 2001). A constraint row
//! with friction takes part in every phase with its impulse Λ, of either sign: |Φ| ≤ μ |Λ|, or Φ = μ σΛ u with σΛ ≥ 0.
//!
//! A force that acts with λ of a contact acts with its impulse, with a friction f with Φ, as it is at v₁ (`borne_impact`).
//!
//! All combinations are tried in the order of `frictional`, each solved with the impulses coupled (`contact::coupling`). An
//! impulse that slides first one way and then the other is told by the slip after the phase.

use super::phase::{Phase, Struck};
use crate::contact::rows::Rows;
use crate::contact::{
    Answer, Cone, Coupled, LengthPush, Push, Pushes, Spare, couple, deepest, deepest_by_turns,
};
use crate::error::NotPositiveDefinite;
use crate::friction::slip_state::{Terms, norm, unit};
use crate::hybrid::mode::admissible::{FEW, combination, subsets};
use crate::impact::RATE_TOLERANCE;
use crate::linear::linalg::dot;
use crate::state::State;
use crate::system::{Bearer, System};

/// Combinations that are tried.
const COMBINATIONS_MAX: usize = 500_000;

/// With more combinations than this the first that is admissible is taken.
const ALL_COMBINATIONS_MAX: usize = 20_000;

/// What a contact of S does along its surface, or a row along its own.
#[derive(Debug, Clone, PartialEq)]
enum Along {
    Sticks,
    /// s⁺ has this direction, and the bearer presses with this sign.
    Slides(Vec<f64>, f64),
    /// In a direction that is sought, and the bearer presses with this sign.
    Turns(f64),
}

/// A term that slides: its number, its direction, σ.
pub(in crate::hybrid) type Sliding = (usize, Vec<f64>, f64);

/// Workspace of one impact.
pub(in crate::hybrid) struct RoughImpact<'i> {
    pub(in crate::hybrid) system: &'i dyn System,
    /// t, q and the inputs.
    pub(in crate::hybrid) place: (f64, &'i [f64], &'i [f64]),
    pub(in crate::hybrid) rows: Rows,
    pub(in crate::hybrid) terms: Terms,
    pub(in crate::hybrid) before: &'i [f64],
    pub(in crate::hybrid) struck: &'i [Struck],
    pub(in crate::hybrid) phase: Phase,
    /// ‖v⁻‖ in the metric.
    pub(in crate::hybrid) speed: f64,
    /// Some impulses cannot be decided.
    pub(in crate::hybrid) undecided: bool,
    /// Directions in planes are looked for all round: steps to them have led nowhere.
    looks_round: bool,
}

/// An outcome.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Outcome {
    pub(in crate::hybrid) velocity: Vec<f64>,
    /// Λ of each contact that is struck, in their order; 0 for those not in S.
    pub(in crate::hybrid) impulses: Vec<f64>,
    /// Rows that stick depend on others: these are the impulses deepest in the cones.
    pub(in crate::hybrid) is_shared: bool,
}

/// Why there is no outcome.
pub(in crate::hybrid) enum NoOutcome {
    Several,
    None,
    TooMany,
}

impl<'i> RoughImpact<'i> {
    pub(in crate::hybrid) fn new(
        system: &'i dyn System,
        (state, u): (&'i State, &'i [f64]),
        struck: &'i [Struck],
    ) -> Result<Self, NotPositiveDefinite> {
        let State { t, q, v } = state;
        let t = *t;
        let (mut rows, mut terms) = (Rows::new(system), Terms::new(system));
        rows.load(system, (t, q, v))?;
        terms.load(system, t, q, v);
        terms.load_borne(system, (t, q, v, u));
        let speed = rows.norm(v);
        let (phase, place) = (Phase::newtons(v, struck), (t, q.as_slice(), u));
        let (undecided, looks_round) = (false, false);
        let before = v;
        Ok(Self {
            system,
            place,
            rows,
            terms,
            before,
            struck,
            phase,
            speed,
            undecided,
            looks_round,
        })
    }

    /// The same of these contacts alone.
    pub(in crate::hybrid) fn of(self, struck: &'i [Struck]) -> Self {
        let phase = Phase::newtons(self.before, struck);
        Self { struck, phase, ..self }
    }

    /// The outcomes of a phase that share one velocity, and differ in impulses.
    pub(in crate::hybrid) fn solve(&mut self) -> Result<Vec<Outcome>, NoOutcome> {
        let contacts: Vec<usize> = self.struck.iter().map(|struck| struck.contact).collect();
        if contacts.len() > FEW {
            return Err(NoOutcome::TooMany);
        }
        let (mut found, mut tried): (Vec<Outcome>, usize) = (Vec::new(), 0);
        for set in subsets(&contacts) {
            let options = self.options(&set);
            let count = options.iter().map(|(_, along)| along.len()).product::<usize>();
            tried = tried.saturating_add(count);
            if tried > ALL_COMBINATIONS_MAX && !found.is_empty() {
                break;
            }
            if tried > COMBINATIONS_MAX {
                return Err(NoOutcome::TooMany);
            }
            for number in 0..count {
                let Some(outcome) = self.attempt(&set, &combination(&options, number)) else {
                    continue;
                };
                if found.first().is_some_and(|known| self.differ(known, &outcome)) {
                    return Err(NoOutcome::Several);
                }
                if found.iter().all(|known| self.press_otherwise(known, &outcome)) {
                    found.push(outcome);
                }
            }
        }
        if found.is_empty() && !self.looks_round && self.has_planes() {
            self.looks_round = true;
            let round = self.solve();
            self.looks_round = false;
            return round;
        }
        if found.is_empty() { Err(NoOutcome::None) } else { Ok(found) }
    }

    /// Whether some term slides in a plane.
    fn has_planes(&self) -> bool {
        let of_contacts = self.struck.iter().flat_map(|s| self.terms.of_contact(s.contact));
        let mut terms = of_contacts.chain(self.terms.of_rows());
        terms.any(|term| self.terms.components(term).len() > 1)
    }

    /// What the terms of a set may do.
    fn options(&self, set: &[usize]) -> Vec<(usize, Vec<Along>)> {
        let pressed = set.iter().copied().chain(self.pressed_beside(set));
        let terms = pressed.flat_map(|contact| self.terms.of_contact(contact));
        let slides = |u: f64, σ: f64| Along::Slides(vec![u], σ);
        let options = terms.chain(self.terms.of_rows()).map(|term| {
            let mut along = vec![Along::Sticks];
            let signs = if self.terms.rows_of(term).is_empty() { &[1.0][..] } else { &[1.0, -1.0] };
            for &σ in signs {
                if self.terms.components(term).len() > 1 {
                    along.push(Along::Turns(σ));
                } else {
                    along.extend([slides(1.0, σ), slides(-1.0, σ)]);
                }
            }
            (term, along)
        });
        options.collect()
    }

    /// The contacts that are not of the set, and to which an impulse comes back.
    fn pressed_beside(&self, set: &[usize]) -> impl Iterator<Item = usize> {
        let returned = self.struck.iter().zip(&self.phase.returned);
        let beside = returned.filter(|(s, back)| **back != 0.0 && !set.contains(&s.contact));
        beside.map(|(struck, _)| struck.contact)
    }

    /// The impulse with which what bears a term presses, when the rows in force take these; of several rows its length.
    pub(super) fn pressed_by(&self, term: usize, set: &[usize], impulses: &[f64]) -> f64 {
        let rows = self.terms.rows_of(term);
        if rows.is_empty() {
            let place = self.bearer(term, set);
            place.map_or(0.0, |place| impulses[place]) + self.returned_at(term)
        } else {
            norm(&impulses[rows])
        }
    }

    /// Λ⁰ of what bears a term.
    fn returned_at(&self, term: usize) -> f64 {
        let contact = self.terms.contact(term);
        let place = self.struck.iter().position(|struck| Some(struck.contact) == contact);
        place.map_or(0.0, |place| self.phase.returned[place])
    }

    /// The outcome of a combination, if it is admissible.
    fn attempt(&mut self, set: &[usize], along: &[(usize, Along)]) -> Option<Outcome> {
        let mut directions: Vec<Sliding> = Vec::new();
        let mut sticking = Vec::new();
        for (term, along) in along {
            match along {
                Along::Sticks => sticking.push(*term),
                Along::Slides(u, σ) => directions.push((*term, u.clone(), *σ)),
                Along::Turns(σ) => directions.push((*term, unit(self.terms.w(*term)), *σ)),
            }
        }
        let turns = |(_, along): &(usize, Along)| matches!(along, Along::Turns(_));
        let turns = along.iter().any(turns);
        let (velocity, multipliers) = self.with_borne(set, &mut |impact| {
            if turns && impact.looks_round {
                impact.by_angle(set, &sticking, &mut directions)
            } else if turns {
                impact.with_directions(set, &sticking, &mut directions)
            } else {
                impact.with_impulses(set, &sticking, &directions)
            }
        })?;
        let is_shared = !sticking.is_empty() && !self.are_independent(set, &sticking);
        let impulses = if is_shared {
            self.deepest(set, &sticking, &directions, &multipliers)
        } else {
            multipliers
        };
        let admissible = self.is_admissible(set, &sticking, &directions, (&velocity, &impulses));
        admissible.then(|| self.outcome(set, velocity, (&impulses, is_shared)))
    }

    /// Whether no row in force depends on others.
    fn are_independent(&self, set: &[usize], sticking: &[usize]) -> bool {
        let slips = sticking.iter().map(|term| self.terms.components(*term).len());
        self.rows.rank() == self.first_slip(set) + slips.sum::<usize>()
    }

    /// v⁺ and the impulses of all rows in force: A, ∇g of the set, J of what sticks.
    pub(super) fn with_impulses(
        &mut self,
        set: &[usize],
        sticking: &[usize],
        directions: &[Sliding],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        if !self.rows.close(set) {
            return None;
        }
        let in_force = self.in_force(set, sticking);
        let first = self.first_slip(set);
        in_force[first..].iter().for_each(|row| {
            self.rows.push(row);
        });
        let mut pushes = self.pushes(set, sticking, directions);
        let mut velocity = self.after_return(directions);
        let mut impulses = vec![0.0; in_force.len()];
        let (mut coupled, mut spare, flat) = (Coupled::none(), Spare::default(), in_force.concat());
        // The second pass takes away what rounding left.
        for _ in 0..2 {
            let residuals = self.residuals(set, sticking, &velocity);
            couple(&mut self.rows, (&flat, &residuals), &pushes, &mut coupled, &mut spare);
            velocity.iter_mut().zip(&coupled.change).for_each(|(v, change)| *v += change);
            impulses.iter_mut().zip(&coupled.multipliers).for_each(|(sum, part)| *sum += part);
            if coupled.answer == Answer::Undecided {
                if self.is_refuted(&residuals, &velocity, directions) {
                    return None;
                }
                self.undecided = true;
            }
            // The length of all is known; it has no part in what rounding left.
            pushes.lengths.clear();
        }
        velocity.iter().all(|v| v.is_finite()).then_some((velocity, impulses))
    }

    /// v₀ and what Λ⁰ makes of it, with the friction of what slides under it.
    fn after_return(&mut self, directions: &[Sliding]) -> Vec<f64> {
        let mut velocity = self.phase.start.clone();
        if self.phase.returned.iter().all(|back| *back == 0.0) {
            return velocity;
        }
        let mut force = vec![0.0; velocity.len()];
        for (struck, back) in self.struck.iter().zip(&self.phase.returned) {
            let row = self.rows.gap(struck.contact).0;
            force.iter_mut().zip(row).for_each(|(f, g)| *f += back * g);
        }
        for (term, u, _) in directions {
            let friction = self.terms.coefficient(*term) * self.returned_at(*term);
            self.terms.add_push(*term, friction, u, &mut force);
        }
        let change = self.rows.acceleration(&force);
        velocity.iter_mut().zip(change).for_each(|(v, change)| *v += change);
        velocity
    }

    /// The velocity with ġ = γ of all contacts, where these terms stick and those slide, whatever the signs of impulses.
    pub(in crate::hybrid) fn closed_by(
        &mut self,
        sticking: &[usize],
        directions: &[(usize, Vec<f64>, f64)],
    ) -> Option<Vec<f64>> {
        let set: Vec<usize> = self.struck.iter().map(|struck| struck.contact).collect();
        self.with_impulses(&set, sticking, directions).map(|(velocity, _)| velocity)
    }

    /// The rows in force with a set.
    fn in_force(&self, set: &[usize], sticking: &[usize]) -> Vec<Vec<f64>> {
        let constraints = (0..self.rows.constraints()).map(|row| self.rows.constraint(row).0);
        let gaps = set.iter().map(|contact| self.rows.gap(*contact).0);
        let own = self.own(set).map(|row| self.rows.own().row(row).0);
        let slips = sticking.iter().flat_map(|term| self.terms.components(*term));
        let slips = slips.map(|component| self.terms.row(component).0);
        constraints.chain(gaps).chain(own).chain(slips).map(<[f64]>::to_vec).collect()
    }

    /// The own rows of a set, by their places among those of all contacts.
    fn own(&self, set: &[usize]) -> impl Iterator<Item = usize> {
        set.iter().flat_map(|contact| self.rows.own().of(*contact))
    }

    /// The place of the first row that sticks among those in force.
    fn first_slip(&self, set: &[usize]) -> usize {
        self.rows.constraints() + set.len() + self.own(set).count()
    }

    /// The place among the rows in force of that which bears a term.
    fn bearer(&self, term: usize, set: &[usize]) -> Option<usize> {
        match self.terms.bearer(term)? {
            Bearer::Row(row) => Some(row),
            Bearer::Rows { .. } => None,
            Bearer::Contact(contact) => {
                let place = set.iter().position(|c| *c == contact)?;
                Some(self.rows.constraints() + place)
            }
        }
    }

    /// −μ σ Cᵀu of what slides, ∂Q/∂λ of what bears forces, ∂Q/∂f of what sticks.
    fn pushes(&self, set: &[usize], sticking: &[usize], directions: &[Sliding]) -> Pushes {
        let mut pushes = Pushes::default();
        let of_rows = self.terms.borne_by_rows();
        pushes.linear.extend(of_rows.map(|(normal, force)| Push { normal, force: force.to_vec() }));
        for (place, contact) in set.iter().enumerate() {
            let normal = self.rows.constraints() + place;
            let force = self.terms.borne(*contact).map(<[f64]>::to_vec);
            pushes.linear.extend(force.map(|force| Push { normal, force }));
        }
        if self.terms.some_term_bears() {
            let slips = sticking.iter().flat_map(|term| self.terms.components(*term));
            for (normal, component) in (self.first_slip(set)..).zip(slips) {
                let force = self.terms.beside(component).map(<[f64]>::to_vec);
                pushes.linear.extend(force.map(|force| Push { normal, force }));
            }
        }
        for (term, u, σ) in directions {
            let (μ, mut force) = (self.terms.coefficient(*term), vec![0.0; self.before.len()]);
            if μ == 0.0 {
                continue;
            }
            if let Some(normal) = self.bearer(*term, set) {
                self.terms.add_push(*term, μ * σ, u, &mut force);
                pushes.linear.push(Push { normal, force });
            } else if let Some(Bearer::Rows { .. }) = self.terms.bearer(*term) {
                self.terms.add_push(*term, μ, u, &mut force);
                let rows = self.terms.rows_of(*term);
                let (free, branch) = (vec![0.0; rows.len()], *σ);
                pushes.lengths.push(LengthPush { rows, free, force, branch });
            }
        }
        pushes
    }

    /// A v + b, ġ − γ, s of the rows in force.
    pub(in crate::hybrid) fn residuals(
        &self,
        set: &[usize],
        sticking: &[usize],
        v: &[f64],
    ) -> Vec<f64> {
        let constraints = (0..self.rows.constraints()).map(|row| {
            let (a, b) = self.rows.constraint(row);
            dot(a, v) + b
        });
        let Phase { targets, tangential, .. } = &self.phase;
        let of_set = self.struck.iter().zip(targets.iter().zip(tangential));
        let of_set = of_set.filter(|(struck, _)| set.contains(&struck.contact));
        let gaps = of_set.clone();
        let gaps = gaps.map(|(s, (target, _))| self.rows.gap_rate(s.contact, v) - target);
        let own = of_set.flat_map(|(struck, (_, tangential))| {
            let rows = self.rows.own().of(struck.contact);
            rows.map(move |row| {
                self.rows.own_rate(row, v) + tangential * self.rows.own_rate(row, self.before)
            })
        });
        let slips = sticking.iter().flat_map(|term| self.slip(*term, v));
        constraints.chain(gaps).chain(own).chain(slips).collect()
    }

    /// s at v.
    pub(in crate::hybrid) fn slip(&self, term: usize, v: &[f64]) -> Vec<f64> {
        let components = self.terms.components(term);
        let changed = components.map(|component| {
            let row = self.terms.row(component).0;
            let change: f64 =
                row.iter().zip(v.iter().zip(self.before)).map(|(j, (v, w))| j * (v - w)).sum();
            self.terms.offset(component) + change
        });
        changed.collect()
    }

    /// 1/tr J M⁻¹Jᵀ.
    pub(in crate::hybrid) fn inertia(&mut self, term: usize) -> f64 {
        let rows = self.terms.components(term).map(|component| self.terms.row(component).0);
        rows.map(|row| self.rows.row_mobility(row)).sum::<f64>().recip()
    }

    /// Whether impulses lie in their cones, slips along their directions, and no other gap closes too fast.
    fn is_admissible(
        &mut self,
        set: &[usize],
        sticking: &[usize],
        directions: &[Sliding],
        (velocity, impulses): (&[f64], &[f64]),
    ) -> bool {
        let k = self.rows.constraints();
        for (struck, target) in self.struck.iter().zip(self.phase.targets.clone()) {
            let tolerance = struck.gap.tolerance;
            let admissible = match set.iter().position(|c| *c == struck.contact) {
                Some(place) => {
                    impulses[k + place] >= -tolerance / self.rows.mobility(struck.contact)
                }
                None => self.rows.gap_rate(struck.contact, velocity) >= target - tolerance,
            };
            if !admissible {
                return false;
            }
        }
        let mut place = self.first_slip(set);
        for &term in sticking {
            let count = self.terms.components(term).len();
            let f = norm(&impulses[place..place + count]);
            place += count;
            let limit = self.terms.coefficient(term) * self.pressed_by(term, set, impulses);
            let rounding = self.slip_rounding(term);
            let is_still = norm(&self.slip(term, velocity)) <= rounding;
            if !is_still || f > limit + rounding * self.inertia(term) {
                return false;
            }
        }
        directions.iter().all(|(term, u, σ)| {
            let pressed = self.terms.row_of(*term).map_or(0.0, |row| σ * impulses[row]);
            self.slips_along(*term, u, velocity) && pressed >= -self.impulse_rounding(*term)
        })
    }

    /// What of a slip is rounding.
    pub(in crate::hybrid) fn slip_rounding(&mut self, term: usize) -> f64 {
        RATE_TOLERANCE * self.speed * self.inertia(term).sqrt().recip()
    }

    /// The impulses deepest in the cones, where rows that stick depend on others.
    fn deepest(
        &mut self,
        set: &[usize],
        sticking: &[usize],
        directions: &[Sliding],
        impulses: &[f64],
    ) -> Vec<f64> {
        let mut columns = self.in_force(set, sticking);
        for push in self.pushes(set, sticking, directions).linear {
            let column = &mut columns[push.normal];
            column.iter_mut().zip(&push.force).for_each(|(column, force)| *column += force);
        }
        let k = self.rows.constraints();
        let normals: Vec<usize> = (k..k + set.len()).collect();
        let first = self.first_slip(set);
        let cones = |impulses: &[f64]| self.cones(set, (sticking, first), impulses);
        match self.terms.of_lengths().next() {
            None => deepest(&columns, impulses, &normals, &cones(impulses)).forces,
            Some(_) => deepest_by_turns((&columns, impulses, &normals), cones).forces,
        }
    }

    /// The cones of what sticks, the first component of which stands here among the impulses; of several rows with the
    /// direction that these have.
    fn cones(
        &self,
        set: &[usize],
        (sticking, mut place): (&[usize], usize),
        impulses: &[f64],
    ) -> Vec<Cone> {
        let cone = |term: &usize| {
            let (count, μ) = (self.terms.components(*term).len(), self.terms.coefficient(*term));
            let (rows, one) = (self.terms.rows_of(*term), self.bearer(*term, set));
            let normals = match one {
                Some(normal) if rows.is_empty() => vec![(normal, μ)],
                Some(row) => vec![(row, μ * 1.0_f64.copysign(impulses[row]))],
                None => {
                    let n = unit(&impulses[rows.clone()]);
                    rows.zip(n.iter().map(|n| μ * n)).collect()
                }
            };
            place += count;
            let components = (place - count..place).collect();
            Cone { normals, limit: μ * self.returned_at(*term), components }
        };
        sticking.iter().map(cone).collect()
    }

    fn outcome(
        &mut self,
        set: &[usize],
        velocity: Vec<f64>,
        (impulses, is_shared): (&[f64], bool),
    ) -> Outcome {
        let k = self.rows.constraints();
        let of = |struck: &Struck| set.iter().position(|c| *c == struck.contact);
        let impulses = (self.struck.iter().zip(&self.phase.returned))
            .map(|(s, returned)| of(s).map_or(0.0, |place| impulses[k + place]) + returned)
            .collect();
        Outcome { velocity: self.at_rest_or(velocity), impulses, is_shared }
    }
}
