//! What takes part in the impact of several contacts as a process (`work_process`), and where it stands: contacts as springs, their
//! terms of friction, and the forces of both in y, the change of v in orthonormal coordinates.

use crate::friction::slip_state::norm;
use crate::impact::RATE_TOLERANCE;
use crate::impact::process::{Varied, product, values};
use crate::linear::metric::RowSpace;

/// What is looked at after the impact is zero to a tolerance that this is a part of.
const FINER: f64 = 0.25;

/// A slip in a plane has no direction that near to rest.
const COARSER: f64 = 100.0;

/// What comes to rest together does so to this many tolerances.
const AT_ONCE: f64 = 8.0;

/// A contact that is struck together with others.
#[derive(Debug, Clone)]
pub struct Spring<N> {
    /// ∇g in orthonormal coordinates y of what can be changed.
    pub row: Vec<N>,
    /// ġ⁻.
    pub rate: N,
    /// What of ġ is rounding.
    pub tolerance: f64,
    /// e.
    pub e: N,
}

/// A term of friction of a contact that is struck together with others.
#[derive(Debug, Clone)]
pub struct Term<N> {
    /// The place of the contact that bears it.
    pub spring: usize,
    /// J in y.
    pub rows: Vec<Vec<N>>,
    /// s⁻.
    pub slip: Vec<N>,
    /// What of s is rounding.
    pub tolerance: f64,
    /// μ.
    pub friction: N,
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::hybrid) enum Phase {
    /// λ = 0.
    Open,
    Compressed,
    Expands,
}

/// What a term does.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::hybrid) enum Way {
    /// Nothing presses.
    Idle,
    Sticks,
    /// In one direction.
    Slides(Vec<f64>),
    /// In a plane.
    Turns,
}

/// A process under way.
pub(crate) struct Process<'p, N> {
    pub(in crate::hybrid) springs: &'p [Spring<N>],
    pub(in crate::hybrid) terms: &'p [Term<N>],
    /// ‖v⁻‖ in the metric.
    pub(in crate::hybrid) speed: f64,
    /// The change of v in orthonormal coordinates.
    pub(in crate::hybrid) y: Vec<N>,
    /// λ.
    pub(super) loads: Vec<N>,
    pub(in crate::hybrid) ways: Vec<Way>,
    pub(super) phases: Vec<Phase>,
    pub(in crate::hybrid) impulses: Vec<N>,
    /// J of what sticks.
    pub(in crate::hybrid) sticking: RowSpace,
    /// The same made orthonormal, of numbers with derivatives.
    pub(in crate::hybrid) held: Vec<Vec<N>>,
}

impl<N: Varied> Spring<N> {
    /// Of a contact where the speed ‖v⁻‖ in the metric is this.
    pub fn new(row: Vec<N>, rate: N, e: N, speed: f64) -> Self {
        let tolerance = FINER * RATE_TOLERANCE * speed * norm(&values(&row));
        Self { row, rate, tolerance, e }
    }

    /// λ of a spring that is compressed at the rate which is rounding.
    pub(super) fn least_load(&self) -> f64 {
        self.tolerance / norm(&values(&self.row)).max(f64::MIN_POSITIVE)
    }
}

impl<N: Varied> Term<N> {
    /// Of the contact at a place where the speed ‖v⁻‖ in the metric is this.
    pub fn new(
        (spring, friction): (usize, N),
        rows: Vec<Vec<N>>,
        slip: Vec<N>,
        speed: f64,
    ) -> Self {
        let coarser = if slip.len() > 1 { COARSER } else { 1.0 };
        let tolerance = coarser * RATE_TOLERANCE * speed * norm(&values(&rows.concat()));
        Self { spring, rows, slip, tolerance, friction }
    }

    /// A slip that comes to rest at the same time as others do, in a plane where they depend on each other.
    pub(super) fn near_rest(&self) -> f64 {
        if self.slip.len() > 1 { AT_ONCE * self.tolerance } else { self.tolerance }
    }
}

impl<'p, N: Varied> Process<'p, N> {
    /// Of contacts in d coordinates.
    pub(in crate::hybrid) fn new(
        springs: &'p [Spring<N>],
        terms: &'p [Term<N>],
        (d, speed): (usize, f64),
    ) -> Self {
        let phase = |spring: &Spring<N>| {
            let closes = spring.rate.value() < -spring.tolerance;
            if closes { Phase::Compressed } else { Phase::Open }
        };
        Self {
            springs,
            terms,
            speed,
            y: vec![N::of(0.0); d],
            loads: vec![N::of(0.0); springs.len()],
            ways: vec![Way::Idle; terms.len()],
            phases: springs.iter().map(phase).collect(),
            impulses: vec![N::of(0.0); springs.len()],
            sticking: RowSpace::new(d, d),
            held: Vec::new(),
        }
    }

    /// ġ now.
    pub(in crate::hybrid) fn rate(&self, i: usize) -> N {
        self.springs[i].rate + product(&self.springs[i].row, &self.y)
    }

    /// s now.
    pub(in crate::hybrid) fn slip(&self, term: &Term<N>) -> Vec<N> {
        term.rows.iter().zip(&term.slip).map(|(row, s)| *s + product(row, &self.y)).collect()
    }

    /// −dλ/dτ by ġ.
    pub(in crate::hybrid) fn stiffness(&self, i: usize) -> N {
        match self.phases[i] {
            Phase::Open => N::of(0.0),
            Phase::Compressed => N::of(1.0),
            Phase::Expands => N::of(1.0) / self.springs[i].e.powi(2),
        }
    }

    /// The frequency of springs that press.
    pub(in crate::hybrid) fn frequency(&self) -> f64 {
        let springs = self.springs.iter().enumerate();
        springs
            .map(|(i, spring)| (self.stiffness(i) * product(&spring.row, &spring.row)).value())
            .sum::<f64>()
            .sqrt()
    }

    /// Σ ∇gᵀλ − Σ Jᵀφ, with φ = `friction(term, component)` of what slides.
    pub(in crate::hybrid) fn force(
        &self,
        loads: &[N],
        friction: &dyn Fn(usize, usize) -> N,
    ) -> Vec<N> {
        let mut force = vec![N::of(0.0); self.y.len()];
        let mut add = |by: N, row: &[N]| {
            force.iter_mut().zip(row).for_each(|(force, r)| *force = *force + by * *r);
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
    pub(in crate::hybrid) fn pressing(&self, loads: &[N]) -> f64 {
        let springs = self.springs.iter().zip(loads);
        springs.map(|(spring, λ)| λ.value() * norm(&values(&spring.row))).sum()
    }
}
