//! Friction of closed contacts, −μ λ Jᵀs/‖s‖ where it slides, ‖f‖ ≤ μ_s λ where it sticks.
//!
//! What slides is a push in proportion to the multiplier λ of the contact's row (`coupling`). What sticks is a row in
//! force like any other friction; its cone grows with λ. Where the rows that stick depend on others, their forces, and
//! with them normal forces, are not determined by the motion: then those are taken that lie deepest in the cones
//! (`cones`), so that friction holds as long as it can.
//!
//! A force that holds f is a push as well: beside what slides with the multiplier λ of the contact, beside what sticks with that of
//! its own row, which is f.

use super::lengths::Answer;
use super::{Cone, ContactForces, Push, Pushes, Spare, couple, deepest, deepest_by_turns};
use crate::friction::slip_state::{norm, unit};
use crate::linear::linalg::dot;
use crate::linear::metric::UNFELT;
use crate::system::Bearer;

/// Units of rounding of a normal force, in the magnitudes that it is summed from.
pub(super) const FORCE_ROUNDINGS: f64 = 4.0;

/// Units of rounding of ‖f‖ and L.
const CONE_ROUNDINGS: f64 = 8.0;

/// Units of rounding of how deep forces lie in their cones.
const MARGIN_ROUNDINGS: f64 = 4.0;

/// Units of rounding of dw/dt of what sticks.
const STILL_ROUNDINGS: f64 = 1e4;

/// A cone is left beyond this part of it.
const AT_THE_CONE: f64 = 1e-9;

/// What forces say of one term that sticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Determined {
    /// L² − ‖f‖²: smooth where L passes zero, as a part of L² it would have a pole there.
    pub(crate) guard: f64,
    /// What of the guard is rounding.
    pub(crate) rounding: f64,
    /// ‖f‖ ≤ L up to rounding.
    pub(crate) holds: bool,
    /// ‖f‖ = L up to what cannot be told.
    pub(crate) is_at_limit: bool,
}

/// Contacts at rest whose normal forces depend on nothing else.
#[derive(Debug, Clone, Default)]
pub(crate) struct Told {
    /// Each with whether it is closed.
    pub(crate) contacts: Vec<(usize, bool)>,
    /// All contacts with friction are among them, which holds by as much as it brakes: what else there is follows from a convex
    /// problem, and there is one motion.
    pub(crate) decide: bool,
}

impl ContactForces {
    /// δ and the multipliers of the rows in force, with the friction of contacts and rows that slides.
    pub(super) fn couple_rows(&mut self, closed: &[usize]) {
        let (mut spare, mut pushes) =
            (std::mem::take(&mut self.spare), std::mem::take(&mut self.pushes));
        self.add_pushes(closed, &mut pushes, &mut spare);
        let mut in_force = spare.list();
        if !pushes.is_empty() {
            self.add_rows_in_force(closed, &mut in_force);
        }
        let given = (&in_force[..], &self.residuals_in_force[..]);
        couple(&mut self.rows, given, &pushes, &mut self.coupled, &mut spare);
        spare.put(in_force);
        pushes.clear(&mut spare);
        (self.spare, self.pushes) = (spare, pushes);
        // Where the rows leave no motion, what slides does not: it is no slide, whatever its forces are.
        let mut lengths = self.terms.of_lengths();
        let rests = self.is_pinned() && lengths.all(|term| norm(self.terms.w(term)) == 0.0);
        self.undecided |= self.coupled.answer == Answer::Undecided && !rests;
    }

    /// ∂Q/∂λ and −μ Jᵀu of what slides at every closed contact, ∂Q/∂λ and −μ σ Jᵀu of every row.
    fn add_pushes(&self, closed: &[usize], all: &mut Pushes, spare: &mut Spare) {
        let Self { terms, slip_state, sticking, t, rows, .. } = self;
        if !terms.has_bearers() {
            return;
        }
        self.add_pushes_of_rows(all, spare);
        let pushes = &mut all.linear;
        self.add_beside_what_sticks(closed, pushes, spare);
        // The motion without contacts has what acts with λ₀: this is of what they add to it.
        let of_rows = terms.borne_by_rows();
        pushes.extend(of_rows.map(|(normal, force)| Push { normal, force: spare.copy(force) }));
        let mut u = spare.list();
        for (place, &contact) in closed.iter().enumerate() {
            let mut force = spare.zeros(self.a.len());
            if let Some(borne) = terms.borne(contact) {
                force.copy_from_slice(borne);
            }
            for term in terms.of_contact(contact).filter(|term| !sticking.contains(term)) {
                slip_state.write_direction(term, *t, terms.w(term), &mut u);
                terms.add_push(term, terms.coefficient(term), &u, &mut force);
            }
            if force.iter().any(|force| *force != 0.0) {
                pushes.push(Push { normal: rows.constraints() + place, force });
            } else {
                spare.put(force);
            }
        }
        spare.put(u);
    }

    /// ∂Q/∂f of what sticks, which acts with the multipliers of its rows.
    fn add_beside_what_sticks(&self, closed: &[usize], to: &mut Vec<Push>, spare: &mut Spare) {
        let Self { terms, sticking, rows, .. } = self;
        if !terms.some_term_bears() {
            return;
        }
        let own = closed.iter().map(|contact| rows.own().of(*contact).len());
        let first = rows.constraints() + closed.len() + own.sum::<usize>();
        let components = sticking.iter().flat_map(|term| terms.components(*term));
        let push = |(normal, component): (usize, usize)| {
            Some(Push { normal, force: spare.copy(terms.beside(component)?) })
        };
        to.extend((first..).zip(components).filter_map(push));
    }

    /// Adds the rows in force: A, ∇g, own rows, J of what sticks.
    fn add_rows_in_force(&self, closed: &[usize], to: &mut Vec<f64>) {
        self.add_held_rows(closed, to);
        self.sticking.iter().for_each(|term| to.extend_from_slice(self.terms.rows(*term)));
    }

    /// [`ContactForces::close`], with forces that are determined by the cones of friction where they are not by the
    /// motion.
    pub(crate) fn close_determined(&mut self, closed: &[usize]) -> bool {
        let independent = self.close(closed);
        self.determine(closed);
        independent
    }

    /// Whether forces lie in cones together: friction grows with those of contacts or rows, or bears what they bear.
    pub(crate) fn goes_by_cones(&self) -> bool {
        self.terms.has_bearers() || self.slip_state.shares
    }

    /// Whether these terms, sticking, and these contacts, closed, would hold the same rates, at the state loaded last, and leave
    /// a motion that both take part in. Where they leave none, contacts bear first what they can.
    pub(crate) fn would_share(&mut self, held: &[usize], closed: &[usize]) -> bool {
        let mut dependent = |closed: &[usize]| {
            self.rows.close(closed);
            let components = held.iter().flat_map(|term| self.terms.components(*term));
            components.filter(|component| !self.rows.push(self.terms.row(*component).0)).count()
        };
        let alone = dependent(&[]);
        dependent(closed) > alone && !self.is_pinned()
    }

    /// Of contacts at rest those whose gaps no force changes but their own normal one, each with whether it is closed: where it
    /// would fall without. What touches zero is not told.
    pub(crate) fn told_alone(&mut self, contacts: &[usize], zero: f64) -> Told {
        let terms = &self.terms;
        let is_damped = self.damping.iter().any(|damping| *damping != 0.0);
        if is_damped || terms.has_constant() || terms.has_rows() || terms.has_borne() {
            return Told::default();
        }
        self.close(&[]);
        let mut told = Vec::new();
        for &contact in contacts {
            let (acceleration, size) = self.gap_acceleration(contact);
            if acceleration.abs() > zero * size {
                told.push((contact, acceleration < 0.0));
            }
        }
        // Where nothing is pressed or falls, no rows are asked for.
        if !told.is_empty() {
            let rows = self.rows_of_contacts();
            told.retain(|(contact, _)| self.stands_alone(*contact, &rows));
        }
        let terms = &self.terms;
        let is_even = |term| terms.at_rest(term) == terms.coefficient(term);
        let decide = contacts.iter().all(|contact| {
            let is_told = told.iter().any(|(alone, _)| alone == contact);
            terms.of_contact(*contact).all(|t| is_told && is_even(t) || !terms.holds_by_some(t))
        });
        Told { contacts: told, decide }
    }

    /// ∇g of every contact, in their order, then their own rows and those of slips; each with its mobility r M⁻¹rᵀ.
    fn rows_of_contacts(&mut self) -> Vec<(Vec<f64>, f64)> {
        let contacts = self.forces.len();
        let Self { rows, terms, .. } = self;
        let gaps = (0..contacts).map(|contact| rows.gap(contact).0);
        let owns = (0..rows.own().count()).map(|row| rows.own().row(row).0);
        let slips = (0..terms.all_components()).map(|component| terms.row(component).0);
        let all: Vec<Vec<f64>> = gaps.chain(owns).chain(slips).map(<[f64]>::to_vec).collect();
        let with_mobility = |row: Vec<f64>| {
            let mobility = rows.row_mobility(&row);
            (row, mobility)
        };
        all.into_iter().map(with_mobility).collect()
    }

    /// Whether no other contact, and no friction, is in the way of the normal force of a contact: r N ∇gᵀ = 0 for all their rows.
    fn stands_alone(&mut self, contact: usize, all: &[(Vec<f64>, f64)]) -> bool {
        let rows = &mut self.rows;
        rows.close(&[]);
        let gradient = &all[contact].0;
        let mut response = rows.acceleration(gradient).to_vec();
        rows.constrain(&mut response, &mut vec![0.0; rows.constraints()]);
        let own = dot(gradient, &response).sqrt();
        let mut others = all.iter().enumerate().filter(|(other, _)| *other != contact);
        others
            .all(|(_, (row, mobility))| dot(row, &response).abs() <= UNFELT * own * mobility.sqrt())
    }

    /// Whether contacts that are closed tell all of their slips.
    pub(crate) fn tell_slips(&mut self, closed: &[usize]) -> bool {
        let Self { rows, terms, .. } = self;
        rows.close(closed);
        let of_contacts = closed.iter().flat_map(|contact| terms.of_contact(*contact));
        let mut components = of_contacts.flat_map(|term| terms.components(term));
        components.all(|component| !rows.push(terms.row(component).0))
    }

    /// Whether the rows in force, with these contacts closed, hold the slip of a term that is not among them.
    pub(crate) fn is_held(&mut self, term: usize, closed: &[usize]) -> bool {
        let Self { rows, terms, sticking, .. } = self;
        rows.close(closed);
        let others = sticking.iter().flat_map(|term| terms.components(*term));
        others.for_each(|component| _ = rows.push(terms.row(component).0));
        let is_held = !terms.components(term).any(|component| rows.push(terms.row(component).0));
        self.close_determined(closed);
        is_held
    }

    /// After [`ContactForces::close`]: of forces that the motion does not determine those deepest in the cones.
    pub(crate) fn determine(&mut self, closed: &[usize]) {
        self.deepest = None;
        if !self.redundant || !self.goes_by_cones() {
            return;
        }
        let (mut rows, mut pushes) = (Vec::new(), Pushes::default());
        self.add_rows_in_force(closed, &mut rows);
        self.add_pushes(closed, &mut pushes, &mut Spare::default());
        let m = self.a.len().max(1);
        let mut columns: Vec<Vec<f64>> = rows.chunks_exact(m).map(<[f64]>::to_vec).collect();
        for push in pushes.linear {
            let column = &mut columns[push.normal];
            column.iter_mut().zip(&push.force).for_each(|(column, force)| *column += force);
        }
        let k = self.rows.constraints();
        let normals: Vec<usize> = (k..k + closed.len()).collect();
        let mut place = columns.len();
        let components = self.sticking.iter().map(|term| self.terms.components(*term).len());
        place -= components.sum::<usize>();
        let first = place;
        let cones = |y: &[f64]| self.cones(closed, first, y);
        let y = &self.coupled.multipliers;
        let deepest = match self.terms.of_lengths().next() {
            None => deepest(&columns, y, &normals, &cones(y)),
            Some(_) => deepest_by_turns((&columns, y, &normals), cones),
        };
        self.take_multipliers(closed, &deepest.forces);
        self.coupled.multipliers.clone_from(&deepest.forces);
        self.deepest = Some(deepest);
    }

    /// The cones of what sticks, the first component of which stands here among the forces y; of several rows with the
    /// direction that these have.
    fn cones(&self, closed: &[usize], mut place: usize, y: &[f64]) -> Vec<Cone> {
        let k = self.rows.constraints();
        let mut cones = Vec::with_capacity(self.sticking.len());
        for &term in &self.sticking {
            let count = self.terms.components(term).len();
            let at_rest = self.terms.at_rest(term);
            let (normals, limit) = match self.terms.bearer(term) {
                None => (Vec::new(), self.terms.coefficient(term)),
                Some(Bearer::Contact(contact)) => {
                    let place = closed.iter().position(|c| *c == contact);
                    (place.map(|place| (k + place, at_rest)).into_iter().collect(), 0.0)
                }
                Some(Bearer::Row(row)) => {
                    let pressed = at_rest * self.presses[term];
                    (vec![(row, pressed)], pressed * self.λ_free[row])
                }
                Some(Bearer::Rows { .. }) => {
                    let rows = self.terms.rows_of(term);
                    let λ: Vec<f64> = rows.clone().map(|row| self.λ_free[row] + y[row]).collect();
                    let n = unit(&λ);
                    let limit = at_rest * dot(&n, &self.λ_free[rows.clone()]);
                    (rows.zip(n.iter().map(|n| at_rest * n)).collect(), limit)
                }
            };
            cones.push(Cone { normals, limit, components: (place..place + count).collect() });
            place += count;
        }
        cones
    }

    /// How deep in the cones the forces lie where they are not determined by the motion, and what of that is rounding.
    pub(crate) fn margin(&mut self) -> Option<(f64, f64)> {
        let margin = self.deepest.as_ref()?.margin;
        let mut rounding: f64 = 0.0;
        for term in self.sticking.clone() {
            rounding = rounding.max(self.cone_rounding(term));
        }
        Some((margin, MARGIN_ROUNDINGS * rounding))
    }

    /// Forces that the motion leaves open, by the places of their rows among those in force, as they lie deepest in the cones: none
    /// where it leaves some that are not known.
    pub(crate) fn given(&self) -> Option<&[(usize, f64)]> {
        if !self.redundant {
            return Some(&[]);
        }
        let given = &self.deepest.as_ref()?.given;
        // λ of constraints is told beside that of the free motion, and own rows stand in another order.
        let first = self.λ.len();
        let is_told = self.rows.own().count() == 0 && given.iter().all(|(row, _)| *row >= first);
        (is_told && !given.is_empty()).then_some(given)
    }

    /// Whether the normal force of a closed contact is determined by the motion.
    pub(crate) fn is_determined(&self, closed: &[usize], contact: usize) -> bool {
        let Some(deepest) = &self.deepest else { return true };
        let place = closed.iter().position(|c| *c == contact);
        place.is_none_or(|place| !deepest.is_free[self.rows.constraints() + place])
    }

    /// c of a term that slides: that of a contact times its normal force, that of a row times σλ.
    pub(crate) fn strength(&self, term: usize) -> f64 {
        let c = self.terms.coefficient(term);
        match self.terms.bearer(term) {
            None => c,
            Some(Bearer::Contact(contact)) => c * self.forces[contact],
            Some(Bearer::Row(_) | Bearer::Rows { .. }) => c * self.pressing(term),
        }
    }

    /// L, the most with which a term sticks.
    fn limit(&self, term: usize) -> f64 {
        let c = self.terms.at_rest(term);
        match self.terms.bearer(term) {
            None => c,
            Some(Bearer::Contact(contact)) => c * self.forces[contact],
            // What sticks may do so while λ passes zero.
            Some(Bearer::Row(_) | Bearer::Rows { .. }) => c * self.pressing(term).abs(),
        }
    }

    /// What the forces say of a term that sticks.
    pub(crate) fn determined(&mut self, term: usize) -> Determined {
        let f = norm(&self.reactions[self.terms.components(term)]);
        let (limit, rounding) = (self.limit(term), self.cone_rounding(term));
        let slack = CONE_ROUNDINGS * f64::EPSILON * f + rounding;
        Determined {
            guard: (limit - f) * (limit + f),
            rounding: rounding * (2.0 * f.max(limit.abs()) + rounding),
            holds: f.is_finite() && f <= limit + slack,
            is_at_limit: f >= limit * (1.0 - AT_THE_CONE) - slack,
        }
    }

    /// The rounding of ‖f‖ of a term that sticks, with that of L.
    fn cone_rounding(&mut self, term: usize) -> f64 {
        let at_rest = self.terms.at_rest(term);
        let of_limit = match self.terms.bearer(term) {
            None => 0.0,
            Some(Bearer::Contact(contact)) => at_rest * self.normal_rounding(contact),
            Some(Bearer::Row(_) | Bearer::Rows { .. }) => at_rest * self.pressing_rounding(term),
        };
        self.reaction_rounding(term) + of_limit
    }

    /// The rounding of the normal force of a closed contact.
    pub(crate) fn normal_rounding(&mut self, contact: usize) -> f64 {
        let (_, size) = self.gap_acceleration(contact);
        FORCE_ROUNDINGS * f64::EPSILON * size * self.stiffness(contact)
    }

    /// dw/dt of a term along a direction, and what of it is rounding. Of a body without forces of its own, the lower one of two
    /// of which the upper one is pulled, it is that of the forces of others that cancel in it: they are as large as ‖a‖ of all.
    pub(crate) fn slip_rate(&mut self, term: usize, u: &[f64]) -> (f64, f64) {
        let rate = self.terms.rate(term, &self.a);
        let sizes: Vec<f64> =
            self.a.iter().zip(&self.free).map(|(a, free)| free.abs() + (a - free).abs()).collect();
        let along = dot(&rate, u);
        let rounding = self.terms.rounding(term, &sizes, self.terms.drift(term));
        let size = self.rows.norm(&self.free) / self.slip_inertia(term).sqrt();
        (along, rounding.max(f64::EPSILON * size))
    }

    /// det(1 − K), not positive where the friction that slides overcomes the normal forces.
    pub(crate) fn coupling(&self) -> f64 {
        self.coupled.determinant
    }

    /// Whether that is zero to its rounding: forces that the normal forces would make without end.
    pub(crate) fn is_singular(&self) -> bool {
        self.coupled.determinant.abs() <= self.coupled.rounding
    }

    /// Whether w of a term that sticks stays zero. Where its row depends on others it may not: a slip that passes zero since
    /// the motion turns back there, as of a ladder's end at the top of its way.
    pub(crate) fn keeps_still(&mut self, term: usize) -> bool {
        let rate = norm(&self.terms.rate(term, &self.a));
        let (_, rounding) = self.slip_rate(term, &vec![0.0; self.terms.components(term).len()]);
        rate <= STILL_ROUNDINGS * rounding
    }

    /// The terms that stick.
    pub(crate) fn sticking(&self) -> &[usize] {
        &self.sticking
    }

    /// 1/(J M⁻¹Jᵀ) of a term, its largest direction.
    pub(crate) fn slip_inertia(&mut self, term: usize) -> f64 {
        let rows = self.terms.components(term).map(|component| self.terms.row(component).0);
        let sum: f64 = rows.map(|row| self.rows.row_mobility(row)).sum();
        sum.recip()
    }

    /// 1/tr J M⁻¹Cᵀ of a term, of what acts with its force as well; 1/tr J M⁻¹Jᵀ where that drives the slip on.
    pub(crate) fn pushed_inertia(&mut self, term: usize) -> f64 {
        self.terms.pushed_inertia(&mut self.rows, term).unwrap_or_else(|| self.slip_inertia(term))
    }
}
