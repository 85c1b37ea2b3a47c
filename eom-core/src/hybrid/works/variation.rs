//! What variations add to the impact of several contacts as a process (`work_process`), of numbers with derivatives.
//!
//! The rates of (y, λ) jump where a slip comes to rest or turns round, and where a contact with e = 0 ends; elsewhere they do not, and
//! derivatives are those of the arithmetic. Where they jump from f⁻ to f⁺,
//!
//! ```text
//! comes to rest and is held     δy⁺ = δy − Qᵀ(QJᵀ)⁻ᵀδs                 friction takes what a variation leaves of s at once
//! turns round, ends             δτ = −δσ/σ′, δ(y, λ)⁺ = δ(y, λ) + f⁻ δτ     σ the slip or ġ; each goes on from its own time
//! ```
//!
//! The process depends on nothing but where it stands, and its end stays: at which τ each variation comes to it has no part in it. What slips
//! are held shows nowhere but in the span of their J, so that several may come to rest at one time.
//!
//! There is no derivative where a slip that begins at zero goes on, where it sticks at the edge of its cone, where a slip in a
//! plane leaves rest, where other contacts with e = 0 end at the same time, and where at the end a gap neither opens nor was pressed.

use super::process::LEAST_RESTITUTION;
use super::series::Series;
use super::state::{Phase, Process, Way};
use crate::friction::slip_state::norm;
use crate::impact::process::{EDGE, NoImpulses, Varied, product, values, without_value};

/// A variation of this part of the others is none.
const NO_VARIATION: f64 = 1e-6;

/// A slip that begins with this part of the speed begins at zero.
const FROM_REST: f64 = 1e-8;

/// A gap that opens with this part of the speed does not.
const STAYS: f64 = 1e-9;

impl<N: Varied> Process<'_, N> {
    /// Refuses e = 0 that changes: what is given back has no power series there.
    pub(super) fn check_restitutions(&self) -> Result<(), NoImpulses> {
        let changes = |e: &N| e.value() < LEAST_RESTITUTION && e.rates().iter().any(|e| *e != 0.0);
        if self.springs.iter().any(|spring| changes(&spring.e)) {
            return Err(NoImpulses::WithoutRate);
        }
        Ok(())
    }

    /// The largest derivative of what moves.
    fn size_of_rates(&self) -> f64 {
        let of = |number: &N| number.rates().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let slips = self.terms.iter().flat_map(|term| self.slip(term));
        let rates = (0..self.springs.len()).map(|i| self.rate(i));
        let given = self.springs.iter().map(|spring| spring.rate);
        let given = given.chain(self.terms.iter().flat_map(|term| term.slip.clone()));
        slips.chain(rates).chain(given).chain(self.y.clone()).map(|x| of(&x)).fold(0.0, f64::max)
    }

    /// Whether a number changes beside all others.
    fn moves(&self, number: &N) -> bool {
        let size = NO_VARIATION * self.size_of_rates();
        number.rates().iter().any(|rate| rate.is_nan() || rate.abs() > size)
    }

    /// What rests after its ways have been chosen: these rows stick, of terms that went so before.
    pub(super) fn vary_rest(
        &mut self,
        before: &[Way],
        part: f64,
        rows: &[&Vec<N>],
    ) -> Result<(), NoImpulses> {
        self.hold_at_once(rows);
        if part == 1.0 {
            self.check_edges()?;
        }
        for (t, term) in self.terms.iter().enumerate() {
            let (slip, begins) = (self.slip(term), before[t] == Way::Idle);
            let longest = term.rows.iter().map(|row| norm(&values(row))).fold(0.0, f64::max);
            let near = if begins { FROM_REST * self.speed * longest } else { term.near_rest() };
            let rests = norm(&values(&slip)) <= near;
            match &self.ways[t] {
                Way::Slides(u) if u.len() > 1 => return Err(NoImpulses::LeavesInPlane),
                Way::Slides(_) | Way::Turns if rests && slip.iter().any(|s| self.moves(s)) => {
                    return Err(NoImpulses::TurnsFromRest);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes the rows that stick orthonormal, and takes from y what its variations move them with.
    fn hold_at_once(&mut self, rows: &[&Vec<N>]) {
        self.held.clear();
        let dropped = self.sticking.dropped().to_vec();
        let slips = self.terms.iter().zip(&self.ways).filter(|(_, way)| **way == Way::Sticks);
        let given: Vec<N> = slips.flat_map(|(term, _)| term.slip.clone()).collect();
        for (place, row) in rows.iter().enumerate().filter(|(place, _)| !dropped.contains(place)) {
            let mut q: Vec<N> = (*row).clone();
            // Twice is enough.
            for _ in 0..2 {
                for other in &self.held {
                    let along = product(other, &q);
                    q.iter_mut().zip(other).for_each(|(q, other)| *q = *q - along * *other);
                }
            }
            let length = product(&q, &q).sqrt();
            for part in &mut q {
                *part = *part / length;
            }
            let slip = without_value(given[place] + product(row, &self.y));
            let back = slip / product(row, &q);
            self.y.iter_mut().zip(&q).for_each(|(y, q)| *y = *y - back * *q);
            self.held.push(q);
        }
    }

    /// Refuses what sticks with as much as it can.
    fn check_edges(&mut self) -> Result<(), NoImpulses> {
        // Of rows that share what holds them each may have what the others leave.
        if !self.sticking.dropped().is_empty() {
            return Ok(());
        }
        let loads = self.loads_ahead();
        let force = self.force(&loads, &|t, c| loads[self.terms[t].spring] * self.direction(t, c));
        let reactions = self.reactions(&values(&force));
        let mut place = 0;
        for (term, _) in self.terms.iter().zip(&self.ways).filter(|(_, way)| **way == Way::Sticks) {
            let reaction = norm(&reactions[place..place + term.rows.len()]);
            place += term.rows.len();
            let limit = (term.friction * loads[term.spring]).value();
            if limit > 0.0 && (reaction - limit).abs() <= EDGE * limit {
                return Err(NoImpulses::AtEdge);
            }
        }
        Ok(())
    }

    /// Goes on from where each variation has this guard at zero.
    fn go_to(&mut self, guard: N, rate: N, (series, τ): (&Series<N>, f64)) {
        let later = without_value(guard) / N::of(-rate.value());
        for (y, series) in self.y.iter_mut().zip(&series.y) {
            *y = *y + N::of(series.slope(τ).value()) * later;
        }
        for (i, λ) in series.loads.iter().enumerate() {
            self.impulses[i] = self.impulses[i] + N::of(λ.value(τ)) * later;
            self.loads[i] = self.loads[i] + N::of(λ.slope(τ).value()) * later;
        }
    }

    /// Compression ends: where nothing is given back its force ends with it.
    pub(super) fn vary_end(
        &mut self,
        i: usize,
        place: (&Series<N>, f64),
    ) -> Result<(), NoImpulses> {
        let ends = |process: &Self, i: usize| {
            let spring = &process.springs[i];
            process.phases[i] == Phase::Compressed
                && spring.e.value() < LEAST_RESTITUTION
                && process.rate(i).value() >= -spring.tolerance
                && process.loads[i].value() > spring.least_load()
        };
        if !ends(self, i) {
            return Ok(());
        }
        let rate = place.0.rates[i].slope(place.1);
        if rate.value() <= 0.0 {
            return Err(NoImpulses::WithoutRate);
        }
        self.go_to(self.rate(i), rate, place);
        let others = (0..self.springs.len()).filter(|j| *j != i && ends(self, *j));
        let meets = others.map(|j| self.rate(j)).any(|rate| self.moves(&rate));
        if meets { Err(NoImpulses::Meets) } else { Ok(()) }
    }

    /// A slip has come to zero: it rests, or turns round.
    pub(super) fn vary_turn(
        &mut self,
        t: usize,
        place: (&Series<N>, f64),
    ) -> Result<(), NoImpulses> {
        let (y, loads) = (self.y.clone(), self.loads.clone());
        let (impulses, ways) = (self.impulses.clone(), self.ways.clone());
        let Err(NoImpulses::TurnsFromRest) = self.choose_ways(1.0) else { return Ok(()) };
        let Way::Slides(_) = &self.ways[t] else { return Err(NoImpulses::TurnsFromRest) };
        (self.y, self.loads, self.impulses, self.ways) = (y, loads, impulses, ways);
        let rate = place.0.slips[t][0].slope(place.1);
        if rate.value() == 0.0 || self.terms[t].rows.len() > 1 {
            return Err(NoImpulses::TurnsFromRest);
        }
        let slip = self.slip(&self.terms[t])[0];
        self.go_to(slip, rate, place);
        self.choose_ways(1.0)
    }

    /// Refuses an end with what still presses, and with a gap that neither opens nor stays as it is where it is varied.
    pub(in crate::hybrid) fn check_end(&self) -> Result<(), NoImpulses> {
        for (i, spring) in self.springs.iter().enumerate() {
            if self.loads[i].value() > spring.least_load() {
                return Err(NoImpulses::WithoutRate);
            }
            let rate = self.rate(i);
            let least = STAYS * self.speed * norm(&values(&spring.row));
            if rate.value() <= least && self.moves(&rate) {
                return Err(NoImpulses::Bears);
            }
        }
        Ok(())
    }
}
