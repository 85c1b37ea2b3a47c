//! Impacts of contacts with friction: Newton's law along the normals, Coulomb's along the surfaces.
//!
//! Of the contacts that touch without separating, S takes impulses Λ along the normals and Φ along the slips s = J v + b,
//!
//! ```text
//! M (v⁺ − v⁻) = AᵀΛ_A + Σ_S (∇gᵢᵀΛᵢ − JᵢᵀΦᵢ)      A v⁺ + b = 0
//!
//! ġᵢ⁺ = −eᵢ ġᵢ⁻,  Λᵢ ≥ 0                             i ∈ S         ġⱼ⁺ ≥ −eⱼ ġⱼ⁻    j ∉ S
//! sᵢ⁺ = 0,  ‖Φᵢ‖ ≤ μᵢ Λᵢ        or   Φᵢ = μᵢ Λᵢ u,  u = s⁺/‖s⁺‖
//! ```
//!
//! A constraint row with friction takes part in every impact with its impulse Λ, of either sign: |Φ| ≤ μ |Λ|, or
//! Φ = μ σΛ u with σΛ ≥ 0.
//!
//! with the rows of their own of those that have some (Moreau 1988; Glocker, Set-Valued Force Laws, 2001). All combinations are tried in the order of `frictional`, each solved
//! with the impulses coupled (`contact::coupling`). An impulse that slides first one way and then the other is told by
//! the slip after it. Newton's law with friction can add energy where slips and normals are coupled (Kane, Levinson 1985):
//! where nothing moves by itself that is looked at, and such an impact refused.

use super::active_contacts::ActiveContacts;
use super::admissible::{FEW, NoSet, subsets};
use super::automaton::{Automaton, no_metric};
use super::contact::GapRate;
use super::frictional::{DIRECTIONS_MAX, Steps, combination, step};
use super::stick_slip::unit;
use crate::contact::{Cone, Coupled, Push, couple, deepest};
use crate::end::End;
use crate::error::{ImpactError, NotPositiveDefinite};
use crate::event::Hit;
use crate::impact::{RATE_TOLERANCE, STOPPED};
use crate::linalg::dot;
use crate::rows::Rows;
use crate::slip_state::{Bearer, Terms, norm};
use crate::system::System;

/// An energy that grows by more than this part has grown.
const GAIN_TOLERANCE: f64 = 1e-12;

/// Combinations that are tried.
const COMBINATIONS_MAX: usize = 500_000;

/// With more combinations than this the first that is admissible is taken.
const ALL_COMBINATIONS_MAX: usize = 20_000;

/// Velocities after an impact are the same where they differ by less than this part.
const SAME_VELOCITY: f64 = 1e-6;

/// A contact that may take an impulse.
#[derive(Debug, Clone, Copy)]
pub(super) struct Struck {
    pub(super) contact: usize,
    pub(super) gap: GapRate,
    /// −e ġ⁻.
    target: f64,
    /// e_t of its own rows.
    tangential: f64,
}

/// What a contact of S does along its surface, or a row along its own.
#[derive(Debug, Clone, PartialEq)]
enum Along {
    Sticks,
    /// s⁺ has this direction, and the bearer presses with this sign.
    Slides(Vec<f64>, f64),
    /// In a direction that is sought.
    Turns,
}

/// A term that slides: its number, its direction, σ.
type Sliding = (usize, Vec<f64>, f64);

/// An outcome.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    pub(super) velocity: Vec<f64>,
    /// Λ of each contact that is struck, in their order; 0 for those not in S.
    pub(super) impulses: Vec<f64>,
}

/// Workspace of one impact.
pub(super) struct RoughImpact<'i> {
    pub(super) rows: Rows,
    pub(super) terms: Terms,
    pub(super) before: &'i [f64],
    pub(super) struck: &'i [Struck],
    /// ‖v⁻‖ in the metric.
    pub(super) speed: f64,
}

/// Why there is no outcome.
enum NoOutcome {
    Several,
    None,
    TooMany,
}

impl Automaton<'_> {
    /// Whether a contact among these has friction.
    pub(super) fn has_friction_among(
        &self,
        closing: &[(usize, GapRate)],
        resting: &[(usize, GapRate)],
    ) -> bool {
        let terms = || &self.laws.forces.terms;
        let rough = |contact: usize| terms().of_contact(contact).next().is_some();
        self.has_row_friction()
            || self.has_contact_friction() && closing.iter().chain(resting).any(|(c, _)| rough(*c))
    }

    /// The impact of all contacts that touch without separating, some of which have friction.
    pub(super) fn collide_with_friction(
        &mut self,
        closing: &[(usize, GapRate)],
        resting: &[(usize, GapRate)],
        active: &mut ActiveContacts,
    ) -> Result<(), End> {
        let (t, before) = (self.t(), self.flow.base.state());
        let mut struck = Vec::with_capacity(closing.len() + resting.len());
        for &(contact, gap) in closing {
            let law = self.law(contact);
            let name = self.system.info().contacts[contact].name;
            law.check().map_err(|error| End::ImpossibleImpact { t, contact: name, error })?;
            let law = law.restitutions().filter(|_| !active.collapses);
            let [_, e, tangential] = law.unwrap_or([0.0; 3]);
            struck.push(Struck { contact, gap, target: -e * gap.rate, tangential });
        }
        struck.extend(resting.iter().map(|&(contact, gap)| Struck::bearing(contact, gap)));
        struck.sort_by_key(|struck| struck.contact);
        let impact = RoughImpact::new(self.system, (t, &before.q, &before.v), &struck);
        let mut impact = impact.map_err(|error| no_metric(t, error))?;
        let contacts: Vec<usize> = struck.iter().map(|struck| struck.contact).collect();
        let outcome = match self.restitution_of(closing, &contacts, active)? {
            Some(law) => impact.process(law).ok_or_else(|| {
                let contact = self.system.info().contacts[contacts[0]].name;
                End::ImpossibleImpact { t, contact, error: ImpactError::Endless }
            })?,
            None => impact.solve().map_err(|why| match why {
                NoOutcome::TooMany => self.impossible(contacts.iter().copied(), NoSet::NotFound),
                NoOutcome::Several => self.paradox_of(&contacts, true),
                NoOutcome::None => self.paradox_of(&contacts, false),
            })?,
        };
        if let Some(factor) = impact.gain(&outcome.velocity) {
            return Err(self.adds_energy(contacts[0], factor));
        }
        let hits = impact.hits(&outcome);
        self.take_hits(hits, &outcome.velocity, active)
    }

    /// An impact of this contact would multiply the kinetic energy by a factor above 1.
    pub(super) fn adds_energy(&self, contact: usize, factor: f64) -> End {
        let contact = self.system.info().contacts[contact].name;
        End::ImpossibleImpact { t: self.t(), contact, error: ImpactError::AddsEnergy { factor } }
    }
}

impl Struck {
    /// A contact that only bears: its gap does not close.
    pub(super) fn bearing(contact: usize, gap: GapRate) -> Self {
        Self { contact, gap, target: 0.0, tangential: 0.0 }
    }
}

impl<'i> RoughImpact<'i> {
    pub(super) fn new(
        system: &dyn System,
        (t, q, v): (f64, &[f64], &'i [f64]),
        struck: &'i [Struck],
    ) -> Result<Self, NotPositiveDefinite> {
        let (mut rows, mut terms) = (Rows::new(system), Terms::new(system));
        rows.load(system, t, q)?;
        terms.load(system, t, q, v);
        let speed = rows.norm(v);
        Ok(Self { rows, terms, before: v, struck, speed })
    }

    /// The first outcome, where there is no other.
    fn solve(&mut self) -> Result<Outcome, NoOutcome> {
        let contacts: Vec<usize> = self.struck.iter().map(|struck| struck.contact).collect();
        if contacts.len() > FEW {
            return Err(NoOutcome::TooMany);
        }
        let (mut first, mut tried): (Option<Outcome>, usize) = (None, 0);
        for set in subsets(&contacts) {
            let options = self.options(&set);
            let count = options.iter().map(|(_, along)| along.len()).product::<usize>();
            tried = tried.saturating_add(count);
            if tried > ALL_COMBINATIONS_MAX && first.is_some() {
                break;
            }
            if tried > COMBINATIONS_MAX {
                return Err(NoOutcome::TooMany);
            }
            for number in 0..count {
                let Some(outcome) = self.attempt(&set, &combination(&options, number)) else {
                    continue;
                };
                match &first {
                    None => first = Some(outcome),
                    Some(known) if self.differ(known, &outcome) => return Err(NoOutcome::Several),
                    Some(_) => {}
                }
            }
        }
        first.ok_or(NoOutcome::None)
    }

    /// What the terms of a set may do.
    fn options(&self, set: &[usize]) -> Vec<(usize, Vec<Along>)> {
        let terms = set.iter().flat_map(|contact| self.terms.of_contact(*contact));
        let slides = |u: f64, σ: f64| Along::Slides(vec![u], σ);
        let options = terms.chain(self.terms.of_rows()).map(|term| {
            let mut along = vec![Along::Sticks];
            if self.terms.components(term).len() > 1 {
                along.push(Along::Turns);
            } else {
                along.extend([slides(1.0, 1.0), slides(-1.0, 1.0)]);
            }
            if self.terms.row_of(term).is_some() {
                along.extend([slides(1.0, -1.0), slides(-1.0, -1.0)]);
            }
            (term, along)
        });
        options.collect()
    }

    /// The outcome of a combination, if it is admissible.
    fn attempt(&mut self, set: &[usize], along: &[(usize, Along)]) -> Option<Outcome> {
        let mut directions: Vec<Sliding> = Vec::new();
        let mut sticking = Vec::new();
        for (term, along) in along {
            match along {
                Along::Sticks => sticking.push(*term),
                Along::Slides(u, σ) => directions.push((*term, u.clone(), *σ)),
                Along::Turns => directions.push((*term, unit(self.terms.w(*term)), 1.0)),
            }
        }
        let turns = |(_, along): &(usize, Along)| *along == Along::Turns;
        let (velocity, multipliers) = if along.iter().any(turns) {
            self.with_directions(set, &sticking, &mut directions)?
        } else {
            self.with_impulses(set, &sticking, &directions)?
        };
        self.is_admissible(set, &sticking, &directions, (&velocity, &multipliers))
            .then(|| self.outcome(set, velocity, &multipliers))
    }

    /// v⁺ and the impulses of all rows in force: A, ∇g of the set, J of what sticks.
    fn with_impulses(
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
        let pushes = self.pushes(set, directions);
        let mut velocity = self.before.to_vec();
        let mut impulses = vec![0.0; in_force.len()];
        let mut coupled = Coupled::none();
        // The second pass takes away what rounding left.
        for _ in 0..2 {
            let residuals = self.residuals(set, sticking, &velocity);
            couple(&mut self.rows, &in_force, &residuals, &pushes, &mut coupled);
            velocity.iter_mut().zip(&coupled.change).for_each(|(v, change)| *v += change);
            impulses.iter_mut().zip(&coupled.multipliers).for_each(|(sum, part)| *sum += part);
        }
        velocity.iter().all(|v| v.is_finite()).then_some((velocity, impulses))
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
            Bearer::Contact(contact) => {
                let place = set.iter().position(|c| *c == contact)?;
                Some(self.rows.constraints() + place)
            }
        }
    }

    /// −μ σ Jᵀu of what slides.
    fn pushes(&self, set: &[usize], directions: &[Sliding]) -> Vec<Push> {
        let push = |(term, u, σ): &Sliding| {
            let normal = self.bearer(*term, set)?;
            let (μ, mut force) = (self.terms.coefficient(*term), vec![0.0; self.before.len()]);
            self.terms.add_push(*term, μ * σ, u, &mut force);
            (μ != 0.0).then_some(Push { normal, force })
        };
        directions.iter().filter_map(push).collect()
    }

    /// A v + b, ġ + e ġ⁻, s of the rows in force.
    fn residuals(&self, set: &[usize], sticking: &[usize], v: &[f64]) -> Vec<f64> {
        let constraints = (0..self.rows.constraints()).map(|row| {
            let (a, b) = self.rows.constraint(row);
            dot(a, v) + b
        });
        let of_set = self.struck.iter().filter(|struck| set.contains(&struck.contact));
        let gaps = of_set.map(|struck| self.rows.gap_rate(struck.contact, v) - struck.target);
        let own = self.struck.iter().filter(|struck| set.contains(&struck.contact));
        let own = own.flat_map(|struck| {
            let rows = self.rows.own().of(struck.contact);
            rows.map(|row| {
                self.rows.own_rate(row, v)
                    + struck.tangential * self.rows.own_rate(row, self.before)
            })
        });
        let slips = sticking.iter().flat_map(|term| self.slip(*term, v));
        constraints.chain(gaps).chain(own).chain(slips).collect()
    }

    /// s at v.
    fn slip(&self, term: usize, v: &[f64]) -> Vec<f64> {
        let components = self.terms.components(term);
        let changed = components.map(|component| {
            let row = self.terms.row(component).0;
            let change: f64 =
                row.iter().zip(v.iter().zip(self.before)).map(|(j, (v, w))| j * (v - w)).sum();
            self.terms.offset(component) + change
        });
        changed.collect()
    }

    /// The same with the directions of planes that are those of s⁺.
    fn with_directions(
        &mut self,
        set: &[usize],
        sticking: &[usize],
        directions: &mut [Sliding],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut steps = Steps::new();
        for _ in 0..DIRECTIONS_MAX {
            let made = self.with_impulses(set, sticking, directions)?;
            let mut change: f64 = 0.0;
            for (term, u, _) in directions.iter_mut().filter(|(_, u, _)| u.len() > 1) {
                let normal = self.bearer(*term, set)?;
                let strength = self.terms.coefficient(*term) * made.1[normal];
                let inertia = self.inertia(*term);
                let slip = self.slip(*term, &made.0);
                change = change.max(step(u, (strength, inertia), &slip));
            }
            if steps.have_ended(change)? {
                return Some(made);
            }
        }
        let made = self.with_impulses(set, sticking, directions)?;
        steps.have_come_near().then_some(made)
    }

    /// 1/tr J M⁻¹Jᵀ.
    fn inertia(&mut self, term: usize) -> f64 {
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
        let impulses = self.determined(set, sticking, directions, impulses);
        for struck in self.struck {
            let tolerance = struck.gap.tolerance;
            let admissible = match set.iter().position(|c| *c == struck.contact) {
                Some(place) => {
                    impulses[k + place] >= -tolerance / self.rows.mobility(struck.contact)
                }
                None => self.rows.gap_rate(struck.contact, velocity) >= struck.target - tolerance,
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
            let normal = self.bearer(term, set).map_or(0.0, |place| impulses[place]);
            let is_row = self.terms.row_of(term).is_some();
            let normal = if is_row { normal.abs() } else { normal };
            let limit = self.terms.coefficient(term) * normal;
            let rounding = self.slip_rounding(term);
            let is_still = norm(&self.slip(term, velocity)) <= rounding;
            if !is_still || f > limit + rounding * self.inertia(term) {
                return false;
            }
        }
        directions.iter().all(|(term, u, σ)| {
            let pressed = self.terms.row_of(*term).map_or(0.0, |row| σ * impulses[row]);
            let slips = dot(u, &self.slip(*term, velocity)) >= -self.slip_rounding(*term);
            slips && pressed >= -self.impulse_rounding(*term)
        })
    }

    /// What of the impulse of a row is rounding.
    fn impulse_rounding(&mut self, term: usize) -> f64 {
        let Some(row) = self.terms.row_of(term) else { return 0.0 };
        let row = self.rows.constraint(row).0.to_vec();
        RATE_TOLERANCE * self.speed / self.rows.row_mobility(&row).sqrt()
    }

    /// What of a slip is rounding.
    pub(super) fn slip_rounding(&mut self, term: usize) -> f64 {
        RATE_TOLERANCE * self.speed * self.inertia(term).sqrt().recip()
    }

    /// Impulses as they are, or those deepest in the cones where the rows that stick depend on others.
    fn determined(
        &mut self,
        set: &[usize],
        sticking: &[usize],
        directions: &[Sliding],
        impulses: &[f64],
    ) -> Vec<f64> {
        let mut columns = self.in_force(set, sticking);
        if self.rows.rank() == columns.len() || sticking.is_empty() {
            return impulses.to_vec();
        }
        for push in self.pushes(set, directions) {
            let column = &mut columns[push.normal];
            column.iter_mut().zip(&push.force).for_each(|(column, force)| *column += force);
        }
        let k = self.rows.constraints();
        let normals: Vec<usize> = (k..k + set.len()).collect();
        let mut place = self.first_slip(set);
        let cones = sticking.iter().map(|term| {
            let count = self.terms.components(*term).len();
            let normal = self.bearer(*term, set);
            let presses = |normal: usize| {
                let of_row = self.terms.row_of(*term).is_some();
                let σ = if of_row { 1.0_f64.copysign(impulses[normal]) } else { 1.0 };
                (normal, σ * self.terms.coefficient(*term))
            };
            place += count;
            Cone {
                normal: normal.map(presses),
                limit: 0.0,
                components: (place - count..place).collect(),
            }
        });
        let cones: Vec<Cone> = cones.collect();
        deepest(&columns, impulses, &normals, &cones).forces
    }

    fn outcome(&mut self, set: &[usize], velocity: Vec<f64>, impulses: &[f64]) -> Outcome {
        let k = self.rows.constraints();
        let of = |struck: &Struck| set.iter().position(|c| *c == struck.contact);
        let impulses =
            self.struck.iter().map(|s| of(s).map_or(0.0, |place| impulses[k + place])).collect();
        Outcome { velocity: self.at_rest_or(velocity), impulses }
    }

    /// A velocity, or zero where it is rounding and nothing moves by itself.
    pub(super) fn at_rest_or(&mut self, velocity: Vec<f64>) -> Vec<f64> {
        let small = self.rows.norm(&velocity) <= STOPPED * f64::EPSILON * self.speed;
        let rest = small && self.is_fixed();
        if rest { vec![0.0; velocity.len()] } else { velocity }
    }

    /// Whether neither constraints, nor gaps, nor surfaces move by themselves.
    fn is_fixed(&self) -> bool {
        let contacts: Vec<usize> = self.struck.iter().map(|struck| struck.contact).collect();
        let still = |term: usize| {
            let slips = self.slip(term, &vec![0.0; self.before.len()]);
            slips
                .iter()
                .all(|s| s.abs() <= self.terms.rounding(term, self.before, self.terms.w(term)))
        };
        let terms = contacts.iter().flat_map(|contact| self.terms.of_contact(*contact));
        let mut terms = terms.chain(self.terms.of_rows());
        self.rows.are_fixed(&contacts) && terms.all(still)
    }

    fn differ(&mut self, one: &Outcome, other: &Outcome) -> bool {
        let change = one.velocity.iter().zip(&other.velocity).map(|(a, b)| a - b);
        let change: Vec<f64> = change.collect();
        self.rows.norm(&change) > SAME_VELOCITY * self.speed
    }

    /// T⁺/T⁻ where that is more than 1 though nothing moves by itself.
    pub(super) fn gain(&mut self, velocity: &[f64]) -> Option<f64> {
        let after = self.rows.norm(velocity);
        let gains = self.is_fixed() && after > (1.0 + GAIN_TOLERANCE) * self.speed;
        gains.then(|| (after / self.speed).powi(2))
    }

    /// The contacts that take part.
    fn hits(&mut self, outcome: &Outcome) -> Vec<Hit> {
        let mut hits = Vec::with_capacity(self.struck.len());
        for (struck, impulse) in self.struck.iter().zip(&outcome.impulses) {
            let Struck { contact, gap, .. } = *struck;
            let is_struck = gap.rate < -gap.tolerance && *impulse != 0.0;
            // What only rested takes part where it bears more than rounding.
            if is_struck || *impulse > gap.tolerance / self.rows.mobility(contact) {
                let rate_plus = self.rows.gap_rate(contact, &outcome.velocity);
                let (rate_minus, impulse) = (gap.rate, *impulse);
                hits.push(Hit { contact, is_struck, rate_minus, rate_plus, impulse });
            }
        }
        hits
    }
}
