//! The terms of dry friction at a state, and how each of them acts.
//!
//! A term c‖w‖ that slides pushes with −c Jᵀu. Its direction u is w/‖w‖, but
//!
//! ```text
//! r = 1               u is the sign with which the arc began: w falls through zero at its end
//! ‖w‖ ≤ ρ             u is the direction in which it started, and turns as what held it would: ρ is what rounding makes of w
//! ```
//!
//! so that the flow is smooth up to the instant at which w is zero, and from it on.
//!
//! Of a term that grows with a force, c is μ σλ: of a contact σ = 1 and λ ≥ 0 its normal force; of a constraint row λ is
//! its multiplier, and σ the sign with which it presses, σλ ≥ 0 along the arc, so that |λ| is smooth there, too; of several
//! rows c is μ times the length of their multipliers.
//!
//! Where a declared force holds the force f of a term, the speeds answer to C = J + (∂Q/∂f)ᵀ: what slides pushes with −c Cᵀu, what
//! sticks with Cᵀ times its reaction, and w is still told by J. The problem of the forces is not symmetric then.

use crate::contact::rows::Rows;
use crate::info::FrictionKind;
use crate::linear::linalg::dot;
use crate::snapshot::words::{part, value};
use crate::system::{Bearer, System};
use std::ops::Range;

/// What rounding may leave of a coefficient that is zero.
const NEGATIVE: f64 = 1e-12;

/// Units of rounding of w.
const ROUNDINGS: f64 = 64.0;

/// Units of rounding of a response that declared forces undo.
pub(crate) const UNDONE: f64 = 64.0;

/// The point terms of a system, evaluated at a state. All memory is taken by [`Terms::new`].
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    m: usize,
    /// The first component of each term, then their number.
    starts: Vec<usize>,
    /// The bearer of each term whose strength is c times a force.
    bearers: Vec<Option<Bearer>>,
    kinds: Vec<FrictionKind>,
    /// Where the factors of a term's components begin, where it is weighted.
    weights: Vec<Option<usize>>,
    /// Whether forces act with the normal force of each contact; none where that is so of no contact.
    bears: Vec<bool>,
    /// Of each row likewise.
    rows_bear: Vec<bool>,
    /// Whether forces act with the force of each term.
    acts_with: Vec<bool>,
    /// Whether c_s of each term changes along a motion.
    varies: Vec<bool>,
    /// ∂Q/∂λ of the contacts, c×m, then of the rows where one of them bears forces, k×m, then ∂Q/∂f of all components where
    /// some term bears forces.
    borne: Vec<f64>,
    /// Where the components begin there, by lists of m.
    first_component: usize,
    /// c of each term, c_s of those with a bearer, then the factors of weighted components.
    c: Vec<f64>,
    w: Vec<f64>,
    rows: Vec<f64>,
    drift: Vec<f64>,
}

impl Terms {
    pub(crate) fn new(system: &dyn System) -> Self {
        let info = system.info();
        let mut starts = vec![0];
        for friction in info.frictions.iter().filter(|friction| friction.components > 0) {
            starts.push(starts[starts.len() - 1] + friction.components);
        }
        let (m, terms, components) = (info.speeds(), starts.len() - 1, starts[starts.len() - 1]);
        let bearers: Vec<Option<Bearer>> =
            (0..terms).map(|term| Bearer::of(system, term)).collect();
        let points = || info.frictions.iter().filter(|friction| friction.components > 0);
        let mut coefficients = terms + bearers.iter().flatten().count();
        let weights = points().map(|friction| {
            let start = friction.weighted.then_some(coefficients)?;
            coefficients += friction.components;
            Some(start)
        });
        let weights = weights.collect();
        let bearing = info.contacts.iter().filter(|_| info.has_borne_forces());
        let bears: Vec<bool> = bearing.map(|contact| contact.bears).collect();
        Self {
            borne: vec![0.0; info.bearers() * m],
            bears,
            rows_bear: info.rows.iter().map(|row| row.bears).collect(),
            acts_with: points().map(|friction| friction.bears).collect(),
            varies: points().map(|friction| friction.varies).collect(),
            first_component: info.first_component(),
            m,
            starts,
            bearers,
            kinds: points().map(|friction| friction.kind).collect(),
            weights,
            c: vec![0.0; coefficients],
            w: vec![0.0; components],
            rows: vec![0.0; components * m],
            drift: vec![0.0; components],
        }
    }

    /// Evaluates c, w, J, γ.
    pub(crate) fn load(&mut self, system: &dyn System, t: f64, q: &[f64], v: &[f64]) {
        if !self.is_empty() {
            system.frictions(t, q, v, &mut self.c, &mut self.w, &mut self.rows, &mut self.drift);
        }
    }

    /// Evaluates ∂Q/∂λ and ∂Q/∂f.
    pub(crate) fn load_borne(
        &mut self,
        system: &dyn System,
        (t, q, v, u): (f64, &[f64], &[f64], &[f64]),
    ) {
        if !self.borne.is_empty() {
            system.borne_forces(t, q, v, u, &mut self.borne);
        }
    }

    /// Whether some force acts with a normal force or a friction.
    pub(crate) fn has_borne(&self) -> bool {
        !self.borne.is_empty()
    }

    /// Whether forces act with the normal force of a contact.
    pub(crate) fn bears(&self, contact: usize) -> bool {
        self.bears.get(contact).is_some_and(|bears| *bears)
    }

    /// ∂Q/∂λ of a contact, m, where it bears forces.
    pub(crate) fn borne(&self, contact: usize) -> Option<&[f64]> {
        self.bears(contact).then(|| &self.borne[contact * self.m..][..self.m])
    }

    /// The rows with whose multipliers forces act, with ∂Q/∂λ.
    pub(crate) fn borne_by_rows(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let first = self.bears.len() * self.m;
        // What acts with rows is listed beside contacts only.
        let bearing = self.rows_bear.iter().enumerate().filter(|(_, bears)| **bears);
        bearing.map(move |(row, _)| (row, &self.borne[first + row * self.m..][..self.m]))
    }

    /// Whether forces act with the force of a term.
    pub(crate) fn term_bears(&self, term: usize) -> bool {
        self.acts_with[term]
    }

    /// Whether they do with that of some term.
    pub(crate) fn some_term_bears(&self) -> bool {
        self.acts_with.contains(&true)
    }

    /// ∂Q/∂f of a component, m, where forces act with its term.
    pub(crate) fn beside(&self, component: usize) -> Option<&[f64]> {
        let place = (self.first_component + component) * self.m;
        self.acts_with[self.term(component)].then(|| &self.borne[place..][..self.m])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.c.is_empty()
    }

    /// The number of terms.
    pub(crate) fn count(&self) -> usize {
        self.bearers.len()
    }

    /// What bears the force that a term grows with.
    pub(crate) fn bearer(&self, term: usize) -> Option<Bearer> {
        self.bearers[term]
    }

    /// The contact with whose normal force a term grows.
    pub(crate) fn contact(&self, term: usize) -> Option<usize> {
        match self.bearers[term] {
            Some(Bearer::Contact(contact)) => Some(contact),
            Some(Bearer::Row(_) | Bearer::Rows { .. }) | None => None,
        }
    }

    /// The constraint row with whose multiplier a term grows.
    pub(crate) fn row_of(&self, term: usize) -> Option<usize> {
        match self.bearers[term] {
            Some(Bearer::Row(row)) => Some(row),
            Some(Bearer::Contact(_) | Bearer::Rows { .. }) | None => None,
        }
    }

    /// The constraint rows with the length of whose multipliers a term grows, of one its size.
    pub(crate) fn rows_of(&self, term: usize) -> Range<usize> {
        match self.bearers[term] {
            Some(Bearer::Row(row)) => row..row + 1,
            Some(Bearer::Rows { first, count }) => first..first + count,
            Some(Bearer::Contact(_)) | None => 0..0,
        }
    }

    /// The terms of a contact.
    pub(crate) fn of_contact(&self, contact: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).filter(move |term| self.bearers[*term] == Some(Bearer::Contact(contact)))
    }

    /// The terms of constraint rows, and of several together.
    pub(crate) fn of_rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).filter(|term| !self.rows_of(*term).is_empty())
    }

    /// Those of one row, which presses with a sign.
    pub(crate) fn of_signs(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).filter(|term| self.row_of(*term).is_some())
    }

    /// Those of several rows, which press with a length.
    pub(crate) fn of_lengths(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).filter(|term| matches!(self.bearers[*term], Some(Bearer::Rows { .. })))
    }

    /// Whether some term, or a force of its own, grows with a force.
    pub(crate) fn has_bearers(&self) -> bool {
        !self.bears.is_empty() || self.bearers.iter().any(Option::is_some)
    }

    /// Whether some term is one of a constraint row.
    pub(crate) fn has_rows(&self) -> bool {
        self.of_rows().next().is_some()
    }

    /// Whether some term has a strength of its own.
    pub(crate) fn has_constant(&self) -> bool {
        self.bearers.iter().any(Option::is_none)
    }

    /// Whether a term acts with these contacts closed.
    pub(crate) fn acts(&self, term: usize, closed: &[usize]) -> bool {
        self.contact(term).is_none_or(|contact| closed.contains(&contact))
    }

    /// c_s of a term, which is c where nothing bears it.
    pub(crate) fn at_rest(&self, term: usize) -> f64 {
        self.c[self.place_at_rest(term)]
    }

    /// The place of c_s of a term in the list of its coefficients.
    pub(crate) fn place_at_rest(&self, term: usize) -> usize {
        match self.bearers[term] {
            None => term,
            Some(_) => self.count() + self.bearers[..term].iter().flatten().count(),
        }
    }

    /// How many coefficients there are.
    pub(crate) fn all_coefficients(&self) -> usize {
        self.c.len()
    }

    /// The number of components of all terms.
    pub(crate) fn all_components(&self) -> usize {
        self.w.len()
    }

    /// The components of a term.
    pub(crate) fn components(&self, term: usize) -> Range<usize> {
        self.starts[term]..self.starts[term + 1]
    }

    /// The term of a component.
    pub(crate) fn term(&self, component: usize) -> usize {
        self.starts.partition_point(|start| *start <= component) - 1
    }

    /// c of a term.
    pub(crate) fn coefficient(&self, term: usize) -> f64 {
        self.c[term]
    }

    /// Whether c of a term is negative by more than rounding, of which friction makes a motor.
    pub(crate) fn is_negative(&self, term: usize) -> bool {
        self.c[term] < -NEGATIVE
    }

    /// The coefficient that messages tell: the largest of its directions.
    pub(crate) fn largest_coefficient(&self, term: usize) -> f64 {
        self.c[term] * self.largest_factor(term)
    }

    fn largest_factor(&self, term: usize) -> f64 {
        let count = self.components(term).len();
        let factors = self.weights[term].map_or(&[1.0][..], |start| &self.c[start..start + count]);
        factors.iter().copied().fold(0.0, f64::max)
    }

    /// Whether a term holds by something at rest, in some direction.
    pub(crate) fn holds_by_some(&self, term: usize) -> bool {
        self.at_rest(term).max(self.c[term]) * self.largest_factor(term) != 0.0
    }

    /// Whether a term may hold: it does here, or has something to hold by elsewhere. Where that begins with zero, rest begins
    /// before it, with forces that are zero themselves.
    pub(crate) fn may_hold(&self, term: usize) -> bool {
        self.varies[term] || self.holds_by_some(term)
    }

    /// The place of the first component of a term among the forces of its contact.
    pub(crate) fn place(&self, term: usize) -> usize {
        self.kinds[term].place()
    }

    /// Makes forces on the components of w those on the slip itself.
    pub(crate) fn to_slip(&self, term: usize, forces: &mut [f64]) {
        if let Some(start) = self.weights[term] {
            forces.iter_mut().zip(&self.c[start..]).for_each(|(force, factor)| *force *= factor);
        }
    }

    /// Whether each component of a term has its own coefficient.
    pub(crate) fn is_weighted(&self, term: usize) -> bool {
        self.weights[term].is_some()
    }

    /// w of a term.
    pub(crate) fn w(&self, term: usize) -> &[f64] {
        &self.w[self.components(term)]
    }

    /// J of a term, r×m.
    pub(crate) fn rows(&self, term: usize) -> &[f64] {
        let Range { start, end } = self.components(term);
        &self.rows[start * self.m..end * self.m]
    }

    /// γ of a term.
    pub(crate) fn drift(&self, term: usize) -> &[f64] {
        &self.drift[self.components(term)]
    }

    /// One row of J, and its γ.
    pub(crate) fn row(&self, component: usize) -> (&[f64], f64) {
        (&self.rows[component * self.m..][..self.m], self.drift[component])
    }

    /// One component of w.
    pub(crate) fn offset(&self, component: usize) -> f64 {
        self.w[component]
    }

    /// r = J a + γ = dw/dt of a term.
    pub(crate) fn rate(&self, term: usize, a: &[f64]) -> Vec<f64> {
        self.rates(term, a).collect()
    }

    /// The same, one after another.
    pub(crate) fn rates(&self, term: usize, a: &[f64]) -> impl Iterator<Item = f64> {
        let rows = self.components(term).map(|component| self.row(component));
        rows.map(|(row, γ)| dot(row, a) + γ)
    }

    /// Adds −c Jᵀu of a term, and what acts with this force.
    pub(crate) fn add_push(&self, term: usize, c: f64, u: &[f64], sum: &mut [f64]) {
        for (component, u) in self.components(term).zip(u) {
            let row = self.row(component).0;
            sum.iter_mut().zip(row).for_each(|(sum, j)| *sum -= c * j * u);
            let beside = self.beside(component).unwrap_or_default();
            sum.iter_mut().zip(beside).for_each(|(sum, r)| *sum -= c * r * u);
        }
    }

    /// J M⁻¹(∂Q/∂f) of a component: what a force of 1 on it does to w beside Jᵀ.
    pub(crate) fn mobility_beside(&self, rows: &mut Rows, component: usize) -> f64 {
        let beside = self.beside(component);
        beside.map_or(0.0, |force| dot(self.row(component).0, rows.acceleration(force)))
    }

    /// Whether declared forces undo all that the friction of a term does to its own slip, J M⁻¹Cᵀ = 0: nothing holds that, and
    /// it passes through zero as it would without friction.
    pub(crate) fn is_undone(&self, rows: &mut Rows, term: usize) -> bool {
        self.term_bears(term)
            && self.components(term).all(|acting| {
                let mut force = self.row(acting).0.to_vec();
                let own = rows.row_mobility(&force).sqrt();
                let beside = self.beside(acting).unwrap_or_default();
                force.iter_mut().zip(beside).for_each(|(force, r)| *force += r);
                // Constraints may turn what is left of it.
                if rows.constraints() > 0 && force.iter().any(|f| *f != 0.0) {
                    return false;
                }
                let response = rows.acceleration(&force).to_vec();
                self.components(term).all(|component| {
                    let row = self.row(component).0;
                    let size = own * rows.row_mobility(row).sqrt();
                    dot(row, &response).abs() <= UNDONE * f64::EPSILON * size
                })
            })
    }

    /// 1/tr J M⁻¹Cᵀ of a term with whose force others act; none where these drive the slip on.
    pub(crate) fn pushed_inertia(&self, rows: &mut Rows, term: usize) -> Option<f64> {
        if !self.term_bears(term) {
            return None;
        }
        let of = |component| {
            rows.row_mobility(self.row(component).0) + self.mobility_beside(rows, component)
        };
        let sum: f64 = self.components(term).map(of).sum();
        (sum > 0.0).then(|| sum.recip())
    }

    /// What rounding makes of J x + y where w has this value: 64ε(Σ|J||x| + |w|), of the component where it is largest.
    pub(crate) fn rounding(&self, term: usize, x: &[f64], w: &[f64]) -> f64 {
        self.roundings(term, x, w).fold(0.0, f64::max)
    }

    /// The same of each component.
    pub(crate) fn roundings(&self, term: usize, x: &[f64], w: &[f64]) -> impl Iterator<Item = f64> {
        let rows = self.rows(term).chunks_exact(self.m.max(1));
        rows.zip(w).map(move |(row, w)| {
            let terms: f64 = row.iter().zip(x).map(|(j, x)| (j * x).abs()).sum();
            ROUNDINGS * f64::EPSILON * (terms + w.abs())
        })
    }

    /// The time in which all components of a slip are zero by their rates: none for those that are to their rounding, infinite
    /// where one grows. Where friction does not differ by direction they go together, and it is not asked.
    pub(crate) fn last_to_rest(&self, term: usize, v: &[f64], rates: &[f64]) -> f64 {
        if self.weights[term].is_none() {
            return 0.0;
        }
        let w = self.w(term);
        let times = w.iter().zip(rates).zip(self.roundings(term, v, w)).map(|((w, rate), told)| {
            if w.abs() <= told {
                0.0
            } else if w * rate < 0.0 {
                w.abs() / rate.abs()
            } else {
                f64::INFINITY
            }
        });
        times.fold(0.0, f64::max)
    }
}

/// ‖x‖.
pub(crate) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// x/‖x‖; x itself where it is zero.
pub(crate) fn unit(x: &[f64]) -> Vec<f64> {
    let scale = per_length(x);
    x.iter().map(|x| scale * x).collect()
}

/// 1/‖x‖, or 1.
fn per_length(x: &[f64]) -> f64 {
    let length = norm(x);
    if length > 0.0 { length.recip() } else { 1.0 }
}

/// A direction in which a term slides where its w does not tell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slide {
    /// ‖u‖ = 1.
    pub(crate) direction: Vec<f64>,
    /// du/dt where the forces that it comes from turn; nothing where it stays.
    pub(crate) turning: Vec<f64>,
    /// When it was taken.
    pub(crate) since: f64,
    /// ρ there, and its growth in time.
    pub(crate) floor: f64,
    pub(crate) growth: f64,
}

impl Slide {
    /// u at a time.
    pub(crate) fn at(&self, t: f64) -> Vec<f64> {
        let mut u = Vec::new();
        self.write(t, &mut u);
        u
    }

    /// The same into a list.
    fn write(&self, t: f64, to: &mut Vec<f64>) {
        to.clear();
        to.extend_from_slice(&self.direction);
        if self.turning.is_empty() {
            return;
        }
        to.iter_mut().zip(&self.turning).for_each(|(u, rate)| *u += rate * (t - self.since));
        let scale = per_length(to);
        for u in to {
            *u *= scale;
        }
    }
}

/// How the terms that slide do so; none is known of a state alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SlipState {
    /// One a term, or none at all.
    pub(crate) slides: Vec<Option<Slide>>,
    /// The direction of v in which a body leaves rest under friction that is an integral: it tells
    /// the friction where v is rounding, as `Slide` tells that of a term.
    pub(crate) launch: Option<Slide>,
    /// σ of each term, 1 of those that are not a row's; none where it is not known. Of several rows which of the lengths is
    /// meant, where there are two (`contact::lengths`).
    pub(crate) presses: Vec<f64>,
    /// Whether what sticks and closed contacts hold the same rates: the motion does not part their forces.
    pub(crate) shares: bool,
}

impl SlipState {
    /// u of a term at w; 0 where nothing tells.
    pub(crate) fn direction(&self, term: usize, t: f64, w: &[f64]) -> Vec<f64> {
        let mut u = Vec::new();
        self.write_direction(term, t, w, &mut u);
        u
    }

    /// The same into a list.
    pub(crate) fn write_direction(&self, term: usize, t: f64, w: &[f64], to: &mut Vec<f64>) {
        let speed = norm(w);
        if let Some(Some(slide)) = self.slides.get(term) {
            let floor = slide.floor + slide.growth * (t - slide.since).abs();
            if w.len() == 1 || speed <= floor {
                return slide.write(t, to);
            }
        }
        let scale = if speed > 0.0 { speed.recip() } else { 0.0 };
        to.clear();
        to.extend(w.iter().map(|w| scale * w));
    }

    /// Whether a term that moves at this speed has just left w = 0.
    pub(crate) fn is_leaving(&self, term: usize, t: f64, speed: f64) -> bool {
        let Some(Some(Slide { since, floor, growth, .. })) = self.slides.get(term) else {
            return speed == 0.0;
        };
        speed <= floor + growth * (t - since).abs()
    }

    /// The rounding of a slip where it began.
    pub(crate) fn rounding(&self, term: usize) -> f64 {
        self.slides.get(term).and_then(Option::as_ref).map_or(0.0, |slide| slide.floor)
    }

    /// The speed above which the direction of a term is that of w alone, between two times.
    pub(crate) fn floor(&self, term: usize, [from, to]: [f64; 2]) -> f64 {
        let Some(Some(Slide { since, floor, growth, .. })) = self.slides.get(term) else {
            return 0.0;
        };
        floor + growth * (from - since).abs().max((to - since).abs())
    }

    /// The same with directions that hold at any speed.
    pub(crate) fn forced(&self) -> Self {
        let forced = |slide: &Slide| Slide { floor: f64::INFINITY, ..slide.clone() };
        Self {
            slides: self.slides.iter().map(|slide| slide.as_ref().map(forced)).collect(),
            launch: self.launch.as_ref().map(forced),
            presses: self.presses.clone(),
            shares: self.shares,
        }
    }

    /// Whether v is what rounding makes of a launch.
    pub(crate) fn starts_sliding(&self, t: f64, v: &[f64]) -> bool {
        let Some(Slide { since, floor, growth, .. }) = &self.launch else { return false };
        norm(v) <= floor + growth * (t - since).abs()
    }

    /// σ of a term with one component.
    pub(crate) fn sign(&self, term: usize) -> Option<f64> {
        let slide = self.slides.get(term)?.as_ref()?;
        slide.direction.first().copied()
    }
}

part! {
    Terms {
        parts: [c, w, rows, drift, borne],
        values: [],
        room: [
            m, starts, bearers, kinds, weights, bears, rows_bear, acts_with, varies, first_component,
        ],
    }
}

value! { Slide { direction, turning, since, floor, growth } }

value! { SlipState { slides, launch, presses, shares } }
