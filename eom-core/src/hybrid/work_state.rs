//! What takes part in the impact of several contacts as a process (`work_process`), and where it stands: contacts as springs, their
//! terms of friction, and the forces of both in y, the change of v in orthonormal coordinates.

use crate::linalg::dot;
use crate::metric::RowSpace;
use crate::slip_state::norm;

/// What comes to rest together does so to this many tolerances.
const AT_ONCE: f64 = 8.0;

/// A contact.
pub(super) struct Spring {
    /// ∇g in y.
    pub(super) row: Vec<f64>,
    /// ġ⁻, and what of it is rounding.
    pub(super) rate: f64,
    pub(super) tolerance: f64,
    pub(super) e: f64,
}

/// A term of friction.
pub(super) struct Term {
    /// The place of the contact that bears it.
    pub(super) spring: usize,
    /// J in y.
    pub(super) rows: Vec<Vec<f64>>,
    /// s⁻, and what of it is rounding.
    pub(super) slip: Vec<f64>,
    pub(super) tolerance: f64,
    /// μ.
    pub(super) friction: f64,
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Phase {
    /// λ = 0.
    Open,
    Compressed,
    Expands,
}

/// What a term does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Way {
    /// Nothing presses.
    Idle,
    Sticks,
    /// In one direction.
    Slides(Vec<f64>),
    /// In a plane.
    Turns,
}

/// A process under way.
pub(super) struct Process<'p> {
    pub(super) springs: &'p [Spring],
    pub(super) terms: &'p [Term],
    /// ‖v⁻‖ in the metric.
    pub(super) speed: f64,
    /// The change of v in orthonormal coordinates.
    pub(super) y: Vec<f64>,
    /// λ.
    pub(super) loads: Vec<f64>,
    pub(super) ways: Vec<Way>,
    pub(super) phases: Vec<Phase>,
    pub(super) impulses: Vec<f64>,
    /// J of what sticks.
    pub(super) sticking: RowSpace,
}

impl Spring {
    /// λ of a spring that is compressed at the rate which is rounding.
    pub(super) fn least_load(&self) -> f64 {
        self.tolerance / norm(&self.row).max(f64::MIN_POSITIVE)
    }
}

impl Term {
    /// A slip that comes to rest at the same time as others do, in a plane where they depend on each other.
    pub(super) fn near_rest(&self) -> f64 {
        if self.slip.len() > 1 { AT_ONCE * self.tolerance } else { self.tolerance }
    }
}

impl<'p> Process<'p> {
    /// Of contacts in d coordinates.
    pub(super) fn new(springs: &'p [Spring], terms: &'p [Term], (d, speed): (usize, f64)) -> Self {
        let phase = |spring: &Spring| {
            if spring.rate < -spring.tolerance { Phase::Compressed } else { Phase::Open }
        };
        Self {
            springs,
            terms,
            speed,
            y: vec![0.0; d],
            loads: vec![0.0; springs.len()],
            ways: vec![Way::Idle; terms.len()],
            phases: springs.iter().map(phase).collect(),
            impulses: vec![0.0; springs.len()],
            sticking: RowSpace::new(d, d),
        }
    }

    /// ġ now.
    pub(super) fn rate(&self, i: usize) -> f64 {
        self.springs[i].rate + dot(&self.springs[i].row, &self.y)
    }

    /// s now.
    pub(super) fn slip(&self, term: &Term) -> Vec<f64> {
        term.rows.iter().zip(&term.slip).map(|(row, s)| s + dot(row, &self.y)).collect()
    }

    /// −dλ/dτ by ġ.
    pub(super) fn stiffness(&self, i: usize) -> f64 {
        match self.phases[i] {
            Phase::Open => 0.0,
            Phase::Compressed => 1.0,
            Phase::Expands => self.springs[i].e.powi(2).recip(),
        }
    }

    /// The frequency of springs that press.
    pub(super) fn frequency(&self) -> f64 {
        let springs = self.springs.iter().enumerate();
        springs
            .map(|(i, spring)| self.stiffness(i) * dot(&spring.row, &spring.row))
            .sum::<f64>()
            .sqrt()
    }

    /// Σ ∇gᵀλ − Σ Jᵀφ, with φ = `friction(term, component)` of what slides.
    pub(super) fn force(&self, loads: &[f64], friction: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        let mut force = vec![0.0; self.y.len()];
        let mut add = |by: f64, row: &[f64]| {
            force.iter_mut().zip(row).for_each(|(force, r)| *force += by * r);
        };
        self.springs.iter().zip(loads).for_each(|(spring, λ)| add(*λ, &spring.row));
        for (t, term) in self.terms.iter().enumerate() {
            if matches!(self.ways[t], Way::Slides(_) | Way::Turns) {
                for (c, row) in term.rows.iter().enumerate() {
                    add(-term.friction * friction(t, c), row);
                }
            }
        }
        force
    }

    /// What presses, as a force in y.
    pub(super) fn pressing(&self, loads: &[f64]) -> f64 {
        self.springs.iter().zip(loads).map(|(spring, λ)| λ * norm(&spring.row)).sum()
    }
}
