//! The least change that keeps gaps from closing: the convex problem of many contacts.
//!
//! With rows B that act in any case and a gap's residual rᵢ, an acceleration or a rate,
//!
//! ```text
//! min ½ δ·M δ        B δ = 0        ∇gᵢ·δ + rᵢ ≥ 0
//!
//! M δ = Bᵀλ + Σ ∇gᵢᵀμᵢ        μᵢ ≥ 0        μᵢ (∇gᵢ·δ + rᵢ) = 0
//! ```
//!
//! is Gauss's principle of least constraint, or Moreau's of an impact. δ is unique. It is found by the
//! dual active-set method (Goldfarb, Idnani, Math. Programming 27, 1983, 1–33): S is a set with independent
//! rows and μ ≥ 0, δ(S) the change that closes S. Of the gaps with ∇g·δ + r < 0 the one that closes fastest
//! in the metric enters. On the way to δ(S ∪ j), μ is linear; the first of S whose μ comes to zero leaves. Where the row
//! of j depends on those of S, ∇gⱼ = Σ cᵢ∇gᵢ, nothing moves and μ − τ c does; where no cᵢ > 0 no change opens
//! j: the problem has no solution (Farkas).
//!
//! **Lemma.** The method ends. *Proof.* Where j has entered, ½ δ·M δ is larger than before, since
//! ∇gⱼ·δ + rⱼ < 0 did not hold before and δ(S) is the least change of its set: no S comes twice as one at which a
//! contact begins to enter, and there are finitely many. While j enters, each turn takes one contact from S. ∎
//!
//! It begins at S = all, from which contacts are taken that pull, until none does.

use super::Rows;

/// What of cᵢ‖∇gᵢ‖/‖∇gⱼ‖ is zero.
const ZERO: f64 = 1e-10;

/// Contacts that enter, for each that there is, before rounding has the word.
const ENTRIES: usize = 20;

/// r of a contact's gap, and what of it is rounding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slack {
    pub(crate) contact: usize,
    pub(crate) value: f64,
    pub(crate) tolerance: f64,
}

/// The method under way; contacts are known by their places in `slacks`.
#[derive(Debug)]
pub(crate) struct ActiveSet<'r> {
    rows: &'r mut Rows,
    slacks: &'r [Slack],
    /// S, in the order of its rows, and μ.
    active: Vec<usize>,
    forces: Vec<f64>,
    /// ‖∇g‖.
    norms: Vec<f64>,
    /// Rows of B that were offered, and those taken.
    offered: usize,
    rank: usize,
}

impl<'r> ActiveSet<'r> {
    /// The problem of these gaps, with the rows that are in force now as B.
    pub(crate) fn new(rows: &'r mut Rows, slacks: &'r [Slack]) -> Self {
        let norms = slacks.iter().map(|slack| rows.mobility(slack.contact).sqrt()).collect();
        let (offered, rank) = (rows.space.offered(), rows.space.rank());
        Self { rows, slacks, active: Vec::new(), forces: Vec::new(), norms, offered, rank }
    }

    /// Finds S. False where no change opens all gaps.
    pub(crate) fn solve(&mut self) -> bool {
        self.begin();
        for _ in 0..ENTRIES * self.slacks.len() {
            let Some(entering) = self.fastest() else { return true };
            if !self.enter(entering) {
                return false;
            }
        }
        true
    }

    /// S.
    pub(crate) fn contacts(&self) -> Vec<usize> {
        let mut contacts: Vec<usize> =
            self.active.iter().map(|&place| self.slacks[place].contact).collect();
        contacts.sort_unstable();
        contacts
    }

    /// S with what stays at ∇g·δ + r = 0 to rounding besides, as far as rows are independent.
    pub(crate) fn with_border(mut self) -> Vec<usize> {
        let residuals = self.residuals();
        for (place, residual) in residuals.into_iter().enumerate() {
            let rests = residual.abs() <= self.slacks[place].tolerance;
            if rests && !self.active.contains(&place) && self.push(place) {
                self.active.push(place);
            }
        }
        self.contacts()
    }

    /// S of those that do not pull together.
    fn begin(&mut self) {
        let mut offered: Vec<usize> = (0..self.slacks.len()).collect();
        loop {
            self.active.clear();
            self.forget(0);
            for &place in &offered {
                if self.push(place) {
                    self.active.push(place);
                }
            }
            self.forces = self.forces_of(&self.active.clone());
            let before = self.active.len();
            let push = self.active.iter().zip(&self.forces).filter(|(_, force)| **force >= 0.0);
            offered = push.map(|(place, _)| *place).collect();
            if offered.len() == before {
                return;
            }
        }
    }

    /// The contact whose gap closes fastest with S acting.
    fn fastest(&mut self) -> Option<usize> {
        let mut fastest: Option<(usize, f64)> = None;
        let residuals = self.residuals();
        for (place, residual) in residuals.into_iter().enumerate() {
            let closes = residual < -self.slacks[place].tolerance;
            if !closes || self.active.contains(&place) {
                continue;
            }
            let rate = -residual / self.norms[place];
            if fastest.is_none_or(|(_, other)| rate > other) {
                fastest = Some((place, rate));
            }
        }
        fastest.map(|(place, _)| place)
    }

    /// Takes j into S, and from S what would pull. False where no change opens its gap.
    fn enter(&mut self, entering: usize) -> bool {
        let mut force = 0.0;
        loop {
            if self.push(entering) {
                let with: Vec<usize> = self.active.iter().copied().chain([entering]).collect();
                let target = self.forces_of(&with);
                let Some((place, part)) = first_to_vanish(&self.forces, &target) else {
                    (self.active, self.forces) = (with, target);
                    return true;
                };
                for (force, target) in self.forces.iter_mut().zip(&target) {
                    *force += part * (target - *force);
                }
                force += part * (target[self.active.len()] - force);
                self.leave(place);
            } else {
                let parts = self.parts_of(entering);
                let Some((place, τ)) = self.first_to_yield(entering, &parts) else { return false };
                self.forces.iter_mut().zip(&parts).for_each(|(force, part)| *force -= τ * part);
                force += τ;
                self.leave(place);
            }
        }
    }

    /// Takes the contact at a place of S from it.
    fn leave(&mut self, place: usize) {
        self.active.remove(place);
        self.forces.remove(place);
        self.forget(place);
        for index in place..self.active.len() {
            self.push(self.active[index]);
        }
    }

    /// Of the μ that fall where μ − τ c does the first at zero, and τ.
    fn first_to_yield(&self, entering: usize, parts: &[f64]) -> Option<(usize, f64)> {
        let mut first: Option<(usize, f64)> = None;
        for (place, (force, part)) in self.forces.iter().zip(parts).enumerate() {
            if part * self.norms[self.active[place]] <= ZERO * self.norms[entering] {
                continue;
            }
            let τ = force / part;
            if first.is_none_or(|(_, other)| τ < other) {
                first = Some((place, τ));
            }
        }
        first
    }

    /// The row of a contact; false where it depends on those in force, and is left out.
    fn push(&mut self, place: usize) -> bool {
        let Rows { space, gradients, m, .. } = &mut *self.rows;
        let (offered, rank) = (space.offered(), space.rank());
        let contact = self.slacks[place].contact;
        let independent = space.push(&gradients[contact * *m..][..*m], 0.0);
        if !independent {
            space.forget(rank, offered);
        }
        independent
    }

    /// Rows of S after the first `count` are no longer in force.
    fn forget(&mut self, count: usize) {
        self.rows.space.forget(self.rank + count, self.offered + count);
    }

    /// c of a contact whose row depends on those of S.
    fn parts_of(&mut self, place: usize) -> Vec<f64> {
        let Rows { space, gradients, m, .. } = &mut *self.rows;
        let contact = self.slacks[place].contact;
        let parts = space.parts(&gradients[contact * *m..][..*m]);
        parts[self.rank..].to_vec()
    }

    /// μ with these contacts closed, whose rows are in force.
    fn forces_of(&mut self, set: &[usize]) -> Vec<f64> {
        self.close(set);
        let mut forces = vec![0.0; self.offered + set.len()];
        self.rows.space.multipliers(&mut forces);
        forces.split_off(self.offered)
    }

    /// ∇g·δ + r of all contacts with S closed.
    fn residuals(&mut self) -> Vec<f64> {
        let active = std::mem::take(&mut self.active);
        self.close(&active);
        self.active = active;
        let (rows, δ) = (&*self.rows, self.rows.space.last_change());
        let of =
            |slack: &Slack| crate::linear::linalg::dot(rows.gap(slack.contact).0, δ) + slack.value;
        self.slacks.iter().map(of).collect()
    }

    /// δ for these contacts, whose rows are in force.
    fn close(&mut self, set: &[usize]) {
        let Self { rows, slacks, offered, .. } = self;
        let residual = |row: usize| row.checked_sub(*offered).map_or(0.0, |i| slacks[set[i]].value);
        let rank = rows.space.rank();
        rows.space.counter(rank, residual);
    }
}

/// Of the μ that go to their targets the first that becomes zero, and the part of the way to there.
fn first_to_vanish(forces: &[f64], targets: &[f64]) -> Option<(usize, f64)> {
    let mut first: Option<(usize, f64)> = None;
    for (place, (force, target)) in forces.iter().zip(targets).enumerate() {
        if *target >= 0.0 {
            continue;
        }
        let part = force / (force - target);
        if first.is_none_or(|(_, other)| part < other) {
            first = Some((place, part));
        }
    }
    first
}
