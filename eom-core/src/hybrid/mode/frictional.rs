//! The mode after an instant where contacts have friction: which of them are closed, which stick, and whither the others
//! slide.
//!
//! With λᵢ the normal force of contact i, fᵢ the friction on its slip sᵢ = Jᵢv + bᵢ, and sᵢ = 0 for those that are *held*:
//!
//! ```text
//! open       λ = 0, f = 0                        g̈ ≥ 0
//! sticks     g̈ = 0, ṡ = 0                        λ ≥ 0, ‖f‖ ≤ μ_s λ
//! slides     g̈ = 0, f = μ λ u (force −Jᵀf)       λ ≥ 0, u = s/‖s‖; where held ṡ = ‖ṡ‖ u
//! ```
//!
//! All modes of the contacts that touch without separating are tried, larger sets of closed contacts first, more that
//! stick first, each solved with the normal forces coupled to the friction (`contact::coupling`). Terms c‖w‖ of the
//! dissipation take part with a number for μ λ. A direction u in a plane that a held contact leaves in is sought by
//!
//! ```text
//! u ← unit(μ λ u + ρ ṡ)        ρ = 1/tr J M⁻¹Cᵀ,  C = J + (∂Q/∂f)ᵀ
//! ```
//!
//! whose fixed points are the u with ṡ along u. Tolerances of λ and g̈ are those of `select_mode`, those of cones and slips are
//! rounding: what holds holds to the last digit.
//!
//! **Uniqueness.** With friction there may be no mode, or several with other accelerations: the run ends with what is known
//! as Painlevé's paradox. What sticks by μ_s > μ while a slide would do as well is none: it sticks. A slide without a rate,
//! of what others hold, is no slide.
//!
//! **Friction that begins with zero**, as μ = b x from x = 0, sticks where no force is asked of it: it stays at rest from before
//! there is something to hold by. Where others hold its slip, its force would be that of nothing, and it passes.
//!
//! **Giving way.** What sticks gives way where ‖f‖ rises through μ_s λ, and with it all that are at their limit then: they may
//! not stick in the mode that follows, unless no such mode is admissible: then not all of them.
//!
//! **Constraint rows** with friction act in every mode, with the sign σ of their multiplier: each mode is tried with all
//! σ, and is admissible where σλ ≥ 0 for each of them. Where σλ of what slides has just fallen through zero the other
//! sign follows; the friction −μ σλ u is continuous there. Of rows whose friction goes by the length of their multipliers σ says
//! which of two lengths is meant (`contact::lengths`).

use super::active_contacts::ActiveContacts;
use super::admissible::{FEW, NoSet, combination, subsets_with};
use crate::contact::Told;
use crate::friction::FrictionError;
use crate::friction::slip_state::{Slide, SlipState, Terms, norm, unit};
use crate::hybrid::automaton::Automaton;
use crate::hybrid::frictional_impact::to_direction::{DIRECTIONS_MAX, Steps};
use crate::hybrid::stick_slip::ROOT;
use crate::impact::RATE_TOLERANCE;
use crate::mode::Mode;
use crate::trajectory::end::End;

/// With more modes than this the first that is admissible is taken: others are not looked for.
const ALL_MODES_MAX: usize = 20_000;

/// Modes that are tried.
const MODES_MAX: usize = 500_000;

/// Accelerations of one motion differ by less than this part of those without contacts.
const SAME_MOTION: f64 = 1e-6;

/// det(1 − K) below which steps that fail do so for it.
const JAMMED: f64 = 1e-3;

/// How a term of friction acts in a mode.
#[derive(Debug, Clone, PartialEq)]
enum Action {
    Sticks,
    /// In this direction.
    Slides(Vec<f64>),
    /// In a plane, in a direction that is sought; from this one where one is known.
    Leaves(Option<Vec<f64>>),
    /// Without friction, and without a rate: others hold it.
    Passes,
}

/// A mode that is admissible.
#[derive(Debug, Clone)]
struct Found {
    closed: Vec<usize>,
    sticking: Vec<usize>,
    /// What slides without a rate: what sticks holds it, too.
    still: Vec<usize>,
    state: SlipState,
    acceleration: Vec<f64>,
}

/// What the modes of an instant are tried with.
struct Instant<'i> {
    resting: &'i [usize],
    held: &'i [usize],
    active: &'i ActiveContacts,
    /// Slides of what moves.
    moving: Vec<Option<Slide>>,
    /// What more than a part of magnitudes counts as zero.
    rounding: f64,
    /// What has come to its limit may not stick; else only some of it must not.
    all_leave: bool,
    /// σ of all terms, one list for each way in which rows may press.
    presses: &'i [Vec<f64>],
    told: &'i Told,
}

impl Automaton<'_> {
    /// Whether some friction grows with a force: that of a contact, or of a constraint row.
    pub(in crate::hybrid) fn has_contact_friction(&self) -> bool {
        self.has_friction() && self.laws.forces.terms.has_bearers()
    }

    /// Whether the forces of the present mode lie in cones together.
    pub(in crate::hybrid) fn goes_by_cones(&self) -> bool {
        self.has_contact_friction() || self.slip.state.shares
    }

    /// Whether friction that may hold and contacts that touch would hold the same rates: as a joint's friction does, and its
    /// stop. Each bears what the other does not, and neither is looked at without the other.
    pub(super) fn may_share(&mut self, held: &[usize], active: &ActiveContacts) -> bool {
        let touching: Vec<usize> = active.contacts().collect();
        let nothing = touching.is_empty() || held.is_empty() || self.has_integral();
        !nothing && self.laws.forces.would_share(held, &touching)
    }

    /// Whether a constraint row has friction.
    pub(in crate::hybrid) fn has_row_friction(&self) -> bool {
        self.has_friction() && self.laws.forces.terms.has_rows()
    }

    /// The ways in which rows may press: all signs, but of those that have turned the other one.
    fn ways_to_press(&self, turning: &[usize]) -> Vec<Vec<f64>> {
        let terms = &self.laws.forces.terms;
        let mut ways = vec![vec![1.0; terms.count()]];
        for term in terms.of_rows() {
            let before = self.slip.state.presses.get(term);
            let turned = before.filter(|_| turning.contains(&term)).map(|σ| -σ);
            let signs = turned.map_or(vec![1.0, -1.0], |σ| vec![σ]);
            let mut with_signs = Vec::with_capacity(2 * ways.len());
            for way in &ways {
                for σ in &signs {
                    let mut way: Vec<f64> = way.clone();
                    way[term] = *σ;
                    with_signs.push(way);
                }
            }
            ways = with_signs;
        }
        ways
    }

    /// Whether friction acts in a mode.
    pub(in crate::hybrid) fn acts(&self, friction: usize, mode: &Mode) -> bool {
        let terms = &self.laws.forces.terms;
        friction >= terms.count() || terms.acts(friction, mode.closed())
    }

    /// Enters the mode that follows an instant of a system whose contacts have friction. Whether contacts are closed in it.
    pub(super) fn select_mode_at_contacts(
        &mut self,
        held: Vec<usize>,
        active: &ActiveContacts,
        jumped: bool,
    ) -> Result<bool, End> {
        let (halted, held) = self.halt_all(held, active)?;
        let jumped = halted || jumped;
        self.laws.forces.set_slip_state(&[], &SlipState::default());
        let active = ActiveContacts { held: Some(held), ..active.clone() };
        let (closed, flights) = self.closed_contacts(&active)?;
        let sticking = self.laws.forces.sticking().to_vec();
        self.slip.since = self.t();
        let mode = Mode::new(closed).with_sticking(sticking);
        self.enter(&mode, &flights, &active, jumped)?;
        Ok(!mode.closed().is_empty())
    }

    /// The terms that stick and are at the limit of their cones, this one among them, each with the direction of its
    /// force; after forces have been solved with these contacts closed. What bears nothing has no direction in which it could
    /// give way.
    pub(in crate::hybrid) fn leaving_cones(
        &mut self,
        closed: &[usize],
        first: usize,
    ) -> Vec<(usize, Vec<f64>)> {
        let forces = &mut *self.laws.forces;
        forces.determine(closed);
        let mut leaving = Vec::new();
        for term in forces.sticking().to_vec() {
            let is_at_limit = forces.determined(term).is_at_limit;
            let f = unit(&forces.reactions()[forces.terms.components(term)]);
            let fires = term == first && forces.margin().is_none();
            if (fires || is_at_limit) && f.iter().any(|f| *f != 0.0) {
                leaving.push((term, f));
            }
        }
        leaving
    }

    /// Of the contacts with ġ ≈ 0 those that are closed from here on; forces and slips are those of that mode.
    pub(super) fn with_friction(
        &mut self,
        resting: &[usize],
        held: &[usize],
        active: &ActiveContacts,
    ) -> Result<Vec<usize>, End> {
        let rows = self.laws.forces.terms.of_rows().count();
        if resting.len() + rows > FEW {
            return Err(self.too_many(resting));
        }
        if rows > 0 && !self.laws.forces.bearers_are_independent() {
            let terms = self.laws.forces.terms.of_rows();
            let rows = terms.map(|term| self.system.info().frictions[term].name).collect();
            return Err(End::DependentRows { t: self.t(), rows });
        }
        let moving = self.slides(active, held, None);
        let rounding = RATE_TOLERANCE * self.laws.forces.scale();
        let zero = self.zero();
        let told = self.laws.forces.told_alone(resting, zero);
        self.laws.forces.take_undecided();
        let found = self.first_found((resting, held, active), (&moving, &told), rounding)?;
        if self.laws.forces.take_undecided() {
            return Err(self.undecided_forces(resting));
        }
        let Some(found) = found else { return Err(self.no_mode(resting)) };
        let Found { closed, sticking, state, .. } = found;
        self.laws.forces.set_slip_state(&sticking, &state);
        self.laws.forces.close_determined(&closed);
        self.slip.state = state;
        Ok(closed)
    }

    /// The first admissible mode: what has turned does so if it can, what comes to its limit gives way, and zero is first
    /// told to the last digit.
    fn first_found(
        &mut self,
        (resting, held, active): (&[usize], &[usize], &ActiveContacts),
        (moving, told): (&[Option<Slide>], &Told),
        rounding: f64,
    ) -> Result<Option<Found>, End> {
        let turned = (!active.turning.is_empty()).then(|| self.ways_to_press(&active.turning));
        for presses in turned.into_iter().chain([self.ways_to_press(&[])]) {
            for (rounding, all_leave) in [(0.0, true), (0.0, false), (rounding, true)] {
                if !all_leave && active.breaking.is_empty() {
                    continue;
                }
                let (moving, presses) = (moving.to_vec(), presses.as_slice());
                let instant =
                    Instant { resting, held, active, moving, rounding, all_leave, presses, told };
                if let Some(found) = self.search(&instant)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// The first admissible mode; an end where there is another with other accelerations.
    fn search(&mut self, instant: &Instant<'_>) -> Result<Option<Found>, End> {
        let (mut first, mut tried): (Option<Found>, usize) = (None, 0);
        for closed in subsets_with(instant.resting, &instant.told.contacts) {
            let options = self.possible_actions(&closed, instant);
            let count = options.iter().map(|(_, actions)| actions.len()).product::<usize>();
            let count = count.saturating_mul(instant.presses.len());
            tried = tried.saturating_add(count);
            if tried > MODES_MAX {
                return match first {
                    None => Err(self.impossible(instant.resting.iter().copied(), NoSet::NotFound)),
                    found => Ok(found),
                };
            }
            if tried > ALL_MODES_MAX && first.is_some() {
                return Ok(first);
            }
            for number in 0..count {
                let actions = combination(&options, number / instant.presses.len());
                let presses = &instant.presses[number % instant.presses.len()];
                let found = self.try_mode((&closed, presses), &actions, instant);
                let Some(found) = found else { continue };
                match &first {
                    None if instant.told.decide => return Ok(Some(found)),
                    None => first = Some(found),
                    Some(known) => {
                        if self.is_other_motion(known, &found) {
                            let known = known.closed.clone();
                            return Err(self.several([&found.closed, &known]));
                        }
                    }
                }
            }
        }
        Ok(first)
    }

    /// What each term may do with these contacts closed.
    fn possible_actions(
        &self,
        closed: &[usize],
        instant: &Instant<'_>,
    ) -> Vec<(usize, Vec<Action>)> {
        let terms = &self.laws.forces.terms;
        let mut options = Vec::new();
        for term in (0..terms.count()).filter(|term| terms.acts(*term, closed)) {
            let is_plane = terms.components(term).len() > 1;
            let breaking = instant.active.breaking.iter().find(|(breaking, _)| *breaking == term);
            let mut actions = match breaking {
                Some((_, u)) if is_plane => vec![Action::Leaves(Some(u.clone()))],
                Some((_, u)) => {
                    let back = u.iter().map(|u| -u).collect();
                    vec![Action::Slides(u.clone()), Action::Slides(back)]
                }
                None if !instant.held.contains(&term) => continue,
                None if is_plane => vec![Action::Sticks, Action::Leaves(None)],
                None => vec![Action::Sticks, Action::Slides(vec![1.0]), Action::Slides(vec![-1.0])],
            };
            if breaking.is_some() && !instant.all_leave {
                actions.insert(0, Action::Sticks);
            }
            if breaking.is_none() && !terms.holds_by_some(term) {
                actions.insert(1, Action::Passes);
            }
            options.push((term, actions));
        }
        options
    }

    /// A mode, if it is admissible.
    fn try_mode(
        &mut self,
        (closed, presses): (&[usize], &[f64]),
        actions: &[(usize, Action)],
        instant: &Instant<'_>,
    ) -> Option<Found> {
        let sticks =
            |(term, action): &(usize, Action)| (*action == Action::Sticks).then_some(*term);
        let sticking: Vec<usize> = actions.iter().filter_map(sticks).collect();
        let breaking = &instant.active.breaking;
        if !breaking.is_empty() && breaking.iter().all(|(term, _)| sticking.contains(term)) {
            return None;
        }
        let slides = instant.moving.iter().enumerate().map(|(term, slide)| {
            slide.clone().filter(|_| self.laws.forces.terms.acts(term, closed))
        });
        let slides = slides.collect();
        let shares = !self.laws.forces.terms.has_bearers();
        let mut state = SlipState { slides, launch: None, presses: presses.to_vec(), shares };
        for (term, action) in actions {
            state.slides[*term] = match action {
                Action::Slides(u) => Some(self.slide_along(*term, u.clone())),
                Action::Sticks | Action::Leaves(_) | Action::Passes => None,
            };
        }
        self.seek_directions(closed, actions, &sticking, &mut state)?;
        self.laws.forces.set_slip_state(&sticking, &state);
        let solved = self.laws.forces.close_determined(closed) && !self.laws.forces.is_singular();
        if !solved || !self.touches_rightly(closed, instant) || !self.rows_press_rightly(instant) {
            return None;
        }
        let forces = &mut *self.laws.forces;
        if !sticking.iter().all(|term| forces.determined(*term).holds && forces.keeps_still(*term))
        {
            return None;
        }
        let by_nothing = |term: &usize| !forces.terms.holds_by_some(*term);
        if forces.is_redundant() && sticking.iter().any(by_nothing) {
            return None;
        }
        let mut passing = actions.iter().filter(|(_, action)| *action == Action::Passes);
        if !passing.all(|(term, _)| forces.keeps_still(*term) && forces.is_held(*term, closed)) {
            return None;
        }
        let slides = actions.iter().filter(|(_, a)| !matches!(a, Action::Sticks | Action::Passes));
        let mut still = Vec::new();
        for (term, _) in slides {
            let u = state.slides[*term].as_ref().map(|slide| &slide.direction)?;
            let (along, rounding) = forces.slip_rate(*term, u);
            let gives_way = instant.active.breaking.iter().any(|(breaking, _)| breaking == term);
            // What nothing brakes goes whither it goes, by however little.
            let told = if forces.terms.holds_by_some(*term) { 1.0 } else { 0.0 };
            if along < -rounding * if gives_way { ROOT } else { told } || along.is_nan() {
                return None;
            }
            if along <= rounding {
                still.push(*term);
            }
        }
        let acceleration = forces.accelerations().to_vec();
        Some(Found { closed: closed.to_vec(), sticking, still, state, acceleration })
    }

    /// Whether no closed contact pulls and no other is driven into its surface.
    fn touches_rightly(&mut self, closed: &[usize], instant: &Instant<'_>) -> bool {
        let zero = self.zero();
        let forces = &mut *self.laws.forces;
        instant.resting.iter().all(|&contact| {
            let (acceleration, size) = forces.gap_acceleration(contact);
            let stiffness = forces.stiffness(contact);
            let rest =
                if instant.rounding == 0.0 { 0.0 } else { instant.rounding / stiffness.sqrt() };
            let zero = zero * size + rest;
            if closed.contains(&contact) {
                forces.forces()[contact] >= -zero * stiffness
            } else {
                acceleration >= -zero
            }
        })
    }

    /// Whether every row with friction presses with its σ.
    fn rows_press_rightly(&mut self, instant: &Instant<'_>) -> bool {
        let zero = if instant.rounding == 0.0 { 0.0 } else { self.zero() };
        let terms: Vec<usize> = self.laws.forces.terms.of_rows().collect();
        terms.into_iter().all(|term| self.laws.forces.presses_rightly(term, zero))
    }

    /// Finds the directions of what leaves w = 0 in planes. None where there are none.
    fn seek_directions(
        &mut self,
        closed: &[usize],
        actions: &[(usize, Action)],
        sticking: &[usize],
        state: &mut SlipState,
    ) -> Option<()> {
        let leaves = |(term, action): &(usize, Action)| match action {
            Action::Leaves(from) => Some((*term, from.clone())),
            Action::Sticks | Action::Slides(_) | Action::Passes => None,
        };
        let leaving: Vec<(usize, Option<Vec<f64>>)> = actions.iter().filter_map(leaves).collect();
        if leaving.is_empty() {
            return Some(());
        }
        // Where they stuck they would be held by forces in about these directions.
        let all: Vec<usize> =
            sticking.iter().chain(leaving.iter().map(|(t, _)| t)).copied().collect();
        self.laws.forces.set_slip_state(&all, state);
        self.laws.forces.close_determined(closed);
        for (term, from) in &leaving {
            let forces = &self.laws.forces;
            let held = unit(&forces.reactions()[forces.terms.components(*term)]);
            let is_told = held.iter().all(|u| u.is_finite());
            let held = if is_told { held } else { axis(held.len()) };
            state.slides[*term] = Some(self.slide_along(*term, from.clone().unwrap_or(held)));
            // What nothing holds leaves as it would without friction.
            if !is_told && from.is_none() {
                self.laws.forces.set_slip_state(sticking, state);
                self.laws.forces.close(closed);
                let rate = self.laws.forces.terms.rate(*term, self.laws.forces.accelerations());
                state.slides[*term] = Some(self.slide_along(*term, unit(&rate)));
                self.laws.forces.set_slip_state(&all, state);
                self.laws.forces.close_determined(closed);
            }
        }
        let mut steps = Steps::new();
        for _ in 0..DIRECTIONS_MAX {
            self.laws.forces.set_slip_state(sticking, state);
            self.laws.forces.close(closed);
            for (term, _) in &leaving {
                let forces = &mut *self.laws.forces;
                let slide = state.slides[*term].as_mut()?;
                let (strength, inertia) = (forces.strength(*term), forces.pushed_inertia(*term));
                let rate = forces.terms.rate(*term, forces.accelerations());
                steps.turn(&mut slide.direction, (strength, inertia), &rate);
            }
            if steps.have_ended()? {
                return Some(());
            }
        }
        steps.have_come_near().then_some(())
    }

    /// A term that slides in a direction from here on, where w is what rounding makes of zero: that of the velocities
    /// before they came to rest, too.
    fn slide_along(&self, term: usize, direction: Vec<f64>) -> Slide {
        let (terms, v) = (&self.laws.forces.terms, self.flow.base.parts().1);
        let w = terms.w(term);
        let floor = terms.rounding(term, v, w).max(norm(w));
        let growth = terms.rounding(term, self.laws.forces.free(), terms.drift(term));
        Slide { direction, turning: Vec::new(), since: self.t(), floor, growth }
    }

    /// Whether two admissible modes are motions of their own.
    fn is_other_motion(&mut self, known: &Found, other: &Found) -> bool {
        let terms = &self.laws.forces.terms;
        let held_by_more = |term: &usize| {
            let slides = !other.sticking.contains(term) && !other.still.contains(term);
            slides && terms.at_rest(*term) > terms.coefficient(*term)
        };
        if known.sticking.iter().any(held_by_more) {
            return false;
        }
        let difference: Vec<f64> =
            known.acceleration.iter().zip(&other.acceleration).map(|(a, b)| a - b).collect();
        let forces = &mut *self.laws.forces;
        let free = forces.free().to_vec();
        let size = [&free, &known.acceleration, &other.acceleration].map(|a| forces.norm(a));
        forces.norm(&difference) > SAME_MOTION * size.into_iter().fold(0.0, f64::max)
    }

    /// More than can be sorted out.
    fn too_many(&self, resting: &[usize]) -> End {
        if !self.laws.forces.terms.has_rows() {
            return self.impossible(resting.iter().copied(), NoSet::NotFound);
        }
        self.undecided_forces(resting)
    }

    /// What the forces of these contacts and of the rows with friction are cannot be told.
    pub(in crate::hybrid) fn undecided_forces(&self, resting: &[usize]) -> End {
        let (info, terms) = (self.system.info(), &self.laws.forces.terms);
        let rows = terms.of_rows().map(|term| info.frictions[term].name);
        let contacts = resting.iter().map(|contact| info.contacts[*contact].name).chain(rows);
        End::UndecidedMode { t: self.t(), contacts: contacts.collect() }
    }

    /// No mode is admissible.
    fn no_mode(&self, resting: &[usize]) -> End {
        let terms = &self.laws.forces.terms;
        let mut acting = (0..terms.count()).filter(|term| terms.acts(*term, resting));
        if let Some(term) = acting.find(|term| terms.at_rest(*term) < terms.coefficient(*term)) {
            let (at_rest, sliding) = (terms.at_rest(term), terms.coefficient(term));
            return self.impossible_friction(FrictionError::AtRest { term, at_rest, sliding });
        }
        let rough = |contact: &usize| {
            let rubs = terms.of_contact(*contact).any(|t| terms.coefficient(t) > 0.0);
            rubs || terms.bears(*contact)
        };
        if !resting.iter().any(rough) && !terms.of_rows().any(|t| terms.coefficient(t) > 0.0) {
            return self.impossible(resting.iter().copied(), NoSet::Impossible);
        }
        self.paradox_of(resting, false)
    }

    /// Two modes are admissible: of contacts whose rows depend on each other, since their forces are not determined.
    fn several(&mut self, [one, other]: [&[usize]; 2]) -> End {
        let mut contacts: Vec<usize> = one.iter().chain(other).copied().collect();
        contacts.sort_unstable();
        contacts.dedup();
        self.laws.forces.set_slip_state(&[], &SlipState::default());
        if contacts.len() == one.len() || self.laws.forces.close(&contacts) {
            return self.paradox_of(&contacts, true);
        }
        let info = self.system.info();
        let contacts = contacts.iter().map(|contact| info.contacts[*contact].name).collect();
        End::UndeterminedForces { t: self.t(), contacts }
    }

    fn paradox_of(&self, contacts: &[usize], several: bool) -> End {
        self.paradox_by(&self.laws.forces.terms, contacts, several)
    }

    /// That Coulomb's law with these coefficients has no answer, or several.
    pub(in crate::hybrid) fn paradox_by(
        &self,
        terms: &Terms,
        contacts: &[usize],
        several: bool,
    ) -> End {
        // That of the slip, which stands first, where there is one.
        let μ = |contact: usize| {
            let of = |term| terms.largest_coefficient(term);
            terms.of_contact(contact).next().map_or(0.0, of)
        };
        let info = self.system.info();
        let touching = contacts.iter().map(|contact| (info.contacts[*contact].name, μ(*contact)));
        let rows = terms.of_rows().map(|t| (info.frictions[t].name, terms.coefficient(t)));
        let (mut rough, coefficients): (Vec<_>, Vec<_>) =
            touching.chain(rows).filter(|(_, μ)| *μ > 0.0).unzip();
        if rough.is_empty() {
            let bearing = contacts.iter().filter(|contact| terms.bears(**contact));
            rough = bearing.map(|contact| info.contacts[*contact].name).collect();
        }
        End::FrictionParadox { t: self.t(), contacts: rough, coefficients, several }
    }

    /// The end of a run whose steps fail: a paradox where the friction of what slides has overcome its normal forces.
    pub(in crate::hybrid) fn jammed(&mut self, end: End) -> End {
        if !matches!(end, End::StepUnderflow { .. } | End::NonFinite { .. })
            || !self.has_contact_friction()
        {
            return end;
        }
        let closed = self.mode.closed().to_vec();
        self.laws.forces.set_slip_state(self.mode.sticking(), &self.slip.state);
        if self.load_forces(0.0, &[]).is_err() {
            return end;
        }
        self.laws.forces.take_undecided();
        self.laws.forces.close(&closed);
        if self.laws.forces.take_undecided() {
            return self.undecided_forces(&closed);
        }
        if self.laws.forces.coupling() < JAMMED { self.paradox_of(&closed, false) } else { end }
    }
}

/// A direction, where nothing tells one.
fn axis(components: usize) -> Vec<f64> {
    (0..components).map(|i| f64::from(u8::from(i == 0))).collect()
}
