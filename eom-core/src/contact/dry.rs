//! Dry friction among the forces: what slides pushes, what sticks is a row in force.
//!
//! Rows in their order: A, ∇g of the closed contacts, their own rows, J of the terms that stick.

use super::{ContactForces, add_damping};
use crate::friction::slip_state::{UNDONE, norm};
use crate::friction::{FrictionError, Held, Load, Onset, Problem};
use crate::impact::STOPPED;
use crate::linear::linalg::dot;
use crate::system::{Bearer, System};

/// Units of rounding of a drift.
const ROUNDINGS: f64 = 8.0;

impl ContactForces {
    /// As [`ContactForces::close`], with friction.
    pub(super) fn close_with_friction(&mut self, closed: &[usize]) -> bool {
        if self.slip_state.presses.is_empty() && self.terms.has_rows() {
            return self.close_as_it_presses(closed);
        }
        self.fits = true;
        if !self.slip_state.presses.is_empty() {
            self.presses.clone_from(&self.slip_state.presses);
        }
        self.close_pressed(closed)
    }

    /// The same with every σ known.
    pub(super) fn close_pressed(&mut self, closed: &[usize]) -> bool {
        self.forces.fill(0.0);
        self.row_forces.fill(0.0);
        self.reactions.fill(0.0);
        self.λ.copy_from_slice(&self.λ_free);
        let independent = self.rows.close(closed);
        self.push_what_sticks();
        self.slide(closed);
        self.fill_residuals(closed);
        self.couple_rows(closed);
        self.a.iter_mut().zip(&self.coupled.change).for_each(|(a, change)| *a += change);
        let multipliers = std::mem::take(&mut self.coupled.multipliers);
        self.take_multipliers(closed, &multipliers);
        self.coupled.multipliers = multipliers;
        if self.whole {
            self.a.fill(0.0);
        } else if self.rows.rank() > 0 {
            self.meet_rows(closed);
        }
        independent
    }

    /// Takes the rows of what sticks into B, but those that depend on others.
    fn push_what_sticks(&mut self) {
        let Self { rows, terms, sticking, dependent, keeps_dependent, .. } = self;
        if !*keeps_dependent {
            dependent.clear();
        }
        for component in sticking.iter().flat_map(|term| terms.components(*term)) {
            if *keeps_dependent && dependent.contains(&component) {
                rows.leave_out();
            } else if !rows.push(terms.row(component).0) && !*keeps_dependent {
                dependent.push(component);
            }
        }
        self.redundant = !dependent.is_empty();
    }

    /// Whether rows that stick and depend on others at the last state are left out at others, too, where they may not: beside the
    /// manifold of the constraints, by what an iteration is off it, they would be of another motion.
    pub(crate) fn keep_dependent(&mut self, keeps: bool) {
        self.keeps_dependent = keeps;
    }

    /// Takes the multipliers of the rows in force as λ, forces and reactions.
    pub(super) fn take_multipliers(&mut self, closed: &[usize], multipliers: &[f64]) {
        let Self { rows, row_forces: of_rows, .. } = self;
        let own = || closed.iter().flat_map(|&contact| rows.own().of(contact));
        let (constraints, others) = multipliers.split_at(self.λ.len());
        let (normal, others) = others.split_at(closed.len());
        let (row_forces, reactions) = others.split_at(own().count());
        for (row, ν) in own().zip(row_forces) {
            of_rows[row] = *ν;
        }
        let free = self.λ_free.iter().zip(constraints);
        self.λ.iter_mut().zip(free).for_each(|(λ, (free, change))| *λ = free + change);
        for (&contact, μ) in closed.iter().zip(normal) {
            self.forces[contact] = *μ;
        }
        let stuck = self.sticking.iter().flat_map(|term| self.terms.components(*term));
        for (component, μ) in stuck.zip(reactions) {
            self.reactions[component] = -μ;
        }
    }

    /// a = a₀ with the friction of what slides, −Σ c Jᵀu, and with that of the contacts.
    fn slide(&mut self, closed: &[usize]) {
        let Self { terms, slip_state, sticking, presses, push, λ_free, .. } = self;
        let Self { free, a, rows, t, launch, launching, spare, .. } = self;
        let mut u = spare.list();
        push.fill(0.0);
        if *launching {
            push.copy_from_slice(launch);
        }
        add_damping(closed, &self.damping, push);
        let always = |term: &usize| terms.contact(*term).is_none();
        let slides = |term: &usize| !*launching && !sticking.contains(term) && always(term);
        for term in (0..terms.count()).filter(slides) {
            slip_state.write_direction(term, *t, terms.w(term), &mut u);
            // What a row adds to λ₀ pushes with it (`at_rows`).
            let force = match terms.bearer(term) {
                Some(Bearer::Row(row)) => presses[term] * λ_free[row],
                // Their length is solved for (`lengths`).
                Some(Bearer::Rows { .. }) => continue,
                Some(Bearer::Contact(_)) | None => 1.0,
            };
            terms.add_push(term, terms.coefficient(term) * force, &u, push);
        }
        spare.put(u);
        let response = rows.acceleration(push);
        push.copy_from_slice(response);
        a.iter_mut().zip(free.iter().zip(&*push)).for_each(|(a, (free, push))| *a = free + push);
    }

    /// A (a − a₀), C a + γ, J a + γ at a = a₀ with the friction of what slides.
    fn fill_residuals(&mut self, closed: &[usize]) {
        let Self { rows, drift, own_drift, push, a, terms, sticking, .. } = self;
        let residuals = &mut self.residuals_in_force;
        residuals.clear();
        residuals.extend((0..rows.constraints()).map(|row| dot(rows.constraint(row).0, push)));
        residuals.extend(closed.iter().map(|&c| dot(rows.gap(c).0, a) + drift[c]));
        let own = closed.iter().flat_map(|&contact| rows.own().of(contact));
        residuals.extend(own.map(|row| dot(rows.own().row(row).0, a) + own_drift[row]));
        for term in sticking {
            residuals.extend(terms.rates(*term, a));
        }
    }

    /// B a + γ = 0 once more, with what a has become: rounding of the forces is left in it, which is all that there is of an
    /// acceleration of what is held, and no step sees that as small where its speed is zero. Where the rows alone
    /// determine a, it is theirs.
    pub(super) fn meet_rows(&mut self, closed: &[usize]) {
        let mut residuals = std::mem::take(&mut self.residuals_in_force);
        residuals.clear();
        self.add_drifts(closed, &mut residuals);
        for term in &self.sticking {
            residuals.extend_from_slice(self.terms.drift(*term));
        }
        let Self { rows, a, terms, sticking, .. } = self;
        if rows.rank() == a.len() {
            a.copy_from_slice(rows.change_of(&residuals));
        } else {
            let constraints = (0..rows.constraints()).map(|row| rows.constraint(row).0);
            let gaps = closed.iter().map(|&contact| rows.gap(contact).0);
            let own = closed.iter().flat_map(|&contact| rows.own().of(contact));
            let own = own.map(|row| rows.own().row(row).0);
            let stuck = sticking.iter().flat_map(|term| terms.components(*term));
            let all = constraints.chain(gaps).chain(own).chain(stuck.map(|i| terms.row(i).0));
            residuals.iter_mut().zip(all).for_each(|(residual, row)| *residual += dot(row, a));
            let change = rows.change_of(&residuals);
            a.iter_mut().zip(change).for_each(|(a, change)| *a += change);
        }
        self.residuals_in_force = residuals;
    }

    /// γ of a constraint, A a₀ = −γ; zero where that is rounding of a₀, and of the forces λ₀ that have made it.
    fn constraint_drift(&mut self, constraint: usize) -> f64 {
        let mobility = self.rows.constraint_mobility(constraint);
        let row = self.rows.constraint(constraint).0;
        let size: f64 = row.iter().zip(&self.free).map(|(a, free)| (a * free).abs()).sum();
        let size = size + mobility * self.λ_free[constraint].abs();
        let drift = -dot(row, &self.free);
        if drift.abs() <= ROUNDINGS * f64::EPSILON * size { 0.0 } else { drift }
    }

    /// Adds γ of the constraints, of these contacts and of their own rows to a list.
    fn add_drifts(&mut self, closed: &[usize], to: &mut Vec<f64>) {
        for constraint in 0..self.rows.constraints() {
            to.push(self.constraint_drift(constraint));
        }
        to.extend(closed.iter().map(|&contact| self.drift[contact]));
        let own = closed.iter().flat_map(|&contact| self.rows.own().of(contact));
        to.extend(own.map(|row| self.own_drift[row]));
    }

    fn drifts(&mut self, closed: &[usize]) -> Vec<f64> {
        let mut drifts = Vec::new();
        self.add_drifts(closed, &mut drifts);
        drifts
    }

    /// What the terms that are held do at the state loaded last, with these contacts closed.
    pub(crate) fn onset(&mut self, closed: &[usize]) -> Result<Onset, FrictionError> {
        self.rows.close(closed);
        self.slide(closed);
        let force = self.rows.momentum(&self.a).to_vec();
        let drifts = self.drifts(closed);
        let (rows, terms) = (self.held_rows(closed), self.held_terms());
        let metric = self.rows.metric();
        Problem { metric, force: &force, rows: &rows, drift: &drifts, terms: &terms }.solve()
    }

    /// How near the terms that stick are to sliding: the load of their reactions, after
    /// [`ContactForces::close`].
    pub(crate) fn load_ratio(&mut self, closed: &[usize]) -> Result<Load, FrictionError> {
        // As the sum of what the rows hold: of free + push − a nothing holds what rounding leaves beside them.
        let mut force = vec![0.0; self.a.len()];
        for term in &self.sticking {
            let reactions = &self.reactions[self.terms.components(*term)];
            self.terms.add_push(*term, -1.0, reactions, &mut force);
        }
        let drifts = vec![0.0; self.drifts(closed).len()];
        let (rows, terms) = (self.held_rows(closed), self.held_terms());
        let metric = self.rows.metric();
        Problem { metric, force: &force, rows: &rows, drift: &drifts, terms: &terms }.load()
    }

    /// The terms that stick.
    fn held_terms(&self) -> Vec<Held<'_>> {
        let terms = &self.terms;
        let held = |term: &usize| Held {
            coefficient: terms.coefficient(*term),
            rows: terms.rows(*term),
            drift: terms.drift(*term),
        };
        self.sticking.iter().map(held).collect()
    }

    /// A, then ∇g of these contacts, then their own rows.
    pub(super) fn held_rows(&self, closed: &[usize]) -> Vec<f64> {
        let mut rows = Vec::new();
        self.add_held_rows(closed, &mut rows);
        rows
    }

    /// Adds them to a list.
    pub(super) fn add_held_rows(&self, closed: &[usize], to: &mut Vec<f64>) {
        let constraints = (0..self.rows.constraints()).map(|row| self.rows.constraint(row).0);
        let gaps = closed.iter().map(|&contact| self.rows.gap(contact).0);
        let own = closed.iter().flat_map(|&contact| self.rows.own().of(contact));
        let own = own.map(|row| self.rows.own().row(row).0);
        constraints.chain(gaps).chain(own).for_each(|row| to.extend_from_slice(row));
    }

    /// ‖v‖ in the metric, and v·M a for the accelerations of the flow.
    pub(crate) fn speed_and_rate(&mut self, v: &[f64], a: &[f64]) -> (f64, f64) {
        let rate = dot(self.rows.momentum(a), v);
        (self.rows.norm(v), rate)
    }

    /// w of a term at v that is rounding: of its own parts, and of speeds as large as this.
    pub(crate) fn slip_rounding(&mut self, term: usize, v: &[f64], speed: f64) -> f64 {
        let own = self.terms.rounding(term, v, self.terms.w(term));
        let rows = self.terms.components(term).map(|component| self.terms.row(component).0);
        let norms = rows.map(|row| self.rows.row_mobility(row).sqrt());
        own.max(STOPPED * f64::EPSILON * speed * norms.fold(0.0, f64::max))
    }

    /// |w| of a term in units of that; where friction differs by direction that of the component that is farthest from zero, each in
    /// units of its own: the weaker one slides on where it is no more than rounding of the other.
    pub(crate) fn slip_size(&mut self, term: usize, v: &[f64], speed: f64) -> f64 {
        let w = self.terms.w(term);
        if !self.terms.is_weighted(term) {
            return norm(w) / self.slip_rounding(term, v, speed);
        }
        let own: Vec<f64> = self.terms.roundings(term, v, w).collect();
        let sizes = self.terms.components(term).zip(own).map(|(component, own)| {
            let mobility = self.rows.row_mobility(self.terms.row(component).0);
            let rounding = own.max(STOPPED * f64::EPSILON * speed * mobility.sqrt());
            self.terms.offset(component).abs() / rounding
        });
        sizes.fold(0.0, f64::max)
    }

    /// Metric, forces without friction, and the rows in force, for friction that is an integral.
    pub(crate) fn whole(&mut self, closed: &[usize]) -> (&[f64], Vec<f64>, Vec<f64>) {
        let rows = self.held_rows(closed);
        let force = self.rows.momentum(&self.free).to_vec();
        (self.rows.metric(), force, rows)
    }

    /// Changes accelerations least so that every term in a plane leaves w = 0 along its direction u,
    /// (1 − u uᵀ)(J a + γ) = 0, and a launch along its own.
    pub(crate) fn align(&mut self, a: &mut [f64]) {
        if let Some(launch) = &self.slip_state.launch {
            let d = &launch.direction;
            let along = dot(self.rows.momentum(a), d) / dot(self.rows.momentum(d), d);
            a.iter_mut().zip(d).for_each(|(a, d)| *a = along * d);
            return;
        }
        let Self { rows, terms, slip_state, sticking, t, residuals_in_force: residuals, .. } = self;
        rows.close(&[]);
        residuals.clear();
        residuals.resize(rows.constraints(), 0.0);
        for component in sticking.iter().flat_map(|term| terms.components(*term)) {
            rows.push(terms.row(component).0);
            residuals.push(0.0);
        }
        for (term, slide) in slip_state.slides.iter().enumerate() {
            let Some(slide) = slide.as_ref().filter(|slide| slide.direction.len() > 1) else {
                continue;
            };
            let (u, rate) = (slide.at(*t), terms.rate(term, a));
            // What turns slides by w = s u from its limit on, with s ∝ t²: dw/dt = ṡ (u + u̇ t/2).
            let along = dot(&u, &rate);
            let lead = 0.5 * (*t - slide.since) * along;
            for (i, component) in terms.components(term).enumerate() {
                let mut row = terms.row(component).0.to_vec();
                for (u_j, other) in u.iter().zip(terms.components(term)) {
                    let other = terms.row(other).0;
                    row.iter_mut().zip(other).for_each(|(row, j)| *row -= u[i] * u_j * j);
                }
                rows.push(&row);
                let aside = slide.turning.get(i).map_or(0.0, |turning| lead * turning);
                residuals.push(rate[i] - u[i] * along - aside);
            }
        }
        let change = rows.change_of(residuals);
        a.iter_mut().zip(change).for_each(|(a, change)| *a += change);
    }

    /// The smallest ‖w‖/‖J‖ of the terms in planes that slide, and ‖v‖ of a launch, at the state
    /// loaded last: the velocity over which the friction changes.
    pub(crate) fn smallest_slip(&mut self, v: &[f64]) -> f64 {
        let mut smallest = norm(v);
        for term in (0..self.terms.count()).filter(|term| !self.sticking.contains(term)) {
            let w = self.terms.w(term);
            if w.len() > 1 {
                let size = norm(self.terms.rows(term));
                smallest = smallest.min(norm(w) / size.max(f64::MIN_POSITIVE));
            }
        }
        smallest
    }

    /// Accelerations without contacts and without friction.
    pub(crate) fn free(&self) -> &[f64] {
        &self.free
    }

    /// Whether the rows of what sticks, and the constraints, hold at v = 0.
    pub(crate) fn rests(&mut self, system: &dyn System, t: f64, q: &[f64]) -> bool {
        self.push.fill(0.0);
        self.terms.load(system, t, q, &self.push);
        let fixed = self.sticking.iter().all(|term| self.terms.w(*term).iter().all(|w| *w == 0.0));
        fixed && self.rows.are_fixed(&[])
    }

    /// The rows that stick depend on others: their reactions are not determined.
    pub(crate) fn is_redundant(&self) -> bool {
        self.redundant
    }

    /// Whether the rows in force leave no motion.
    pub(crate) fn is_pinned(&self) -> bool {
        self.rows.rank() == self.a.len()
    }

    /// Whether nothing holds the slip of a term (`Terms::is_undone`).
    pub(crate) fn is_undone(&mut self, term: usize) -> bool {
        self.terms.is_undone(&mut self.rows, term)
    }

    /// ‖λ‖ that rounding makes of the reaction of a term.
    pub(crate) fn reaction_rounding(&mut self, term: usize) -> f64 {
        let mut largest: f64 = 0.0;
        for component in self.terms.components(term) {
            let (row, γ) = self.terms.row(component);
            let parts = row.iter().zip(self.free.iter().zip(&self.push));
            let size: f64 =
                parts.map(|(j, (free, push))| j.abs() * (free.abs() + push.abs())).sum();
            let own = self.rows.row_mobility(row);
            let moved = self.terms.mobility_beside(&mut self.rows, component);
            // What declared forces take from the response makes the reaction larger; where all of it is gone, nothing holds.
            let left = (own + moved).abs();
            let is_told = left > UNDONE * f64::EPSILON * (own + moved.abs());
            largest = largest.max((size + γ.abs()) / if is_told { left } else { own });
        }
        ROUNDINGS * f64::EPSILON * largest
    }
}
