//! What is timed on each system: the state of an evaluation, the start and the end of a run.
//!
//! A state is one list, coordinates before velocities.

use crate::systems::{Ball, DoublePendulum, Particle, Pendulum6, Pendulum12, Penny, ROLLING_PENNY};
use eom_core::{State, System};

/// A system of the benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// Two links.
    DoublePendulum,
    /// Six links.
    Pendulum6,
    /// Twelve links.
    Pendulum12,
    /// A rolling disk: two constraints.
    Penny,
    /// A particle on a surface.
    Particle,
    /// A ball on a surface: friction, one constraint.
    Ball,
}

impl Problem {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::DoublePendulum,
        Self::Pendulum6,
        Self::Pendulum12,
        Self::Penny,
        Self::Particle,
        Self::Ball,
    ];
    /// Those that are integrated without events.
    pub const SMOOTH: [Self; 4] =
        [Self::DoublePendulum, Self::Pendulum6, Self::Particle, Self::Ball];

    /// The name in rows and in the scripts of the peers.
    pub fn id(self) -> &'static str {
        match self {
            Self::DoublePendulum => "double_pendulum",
            Self::Pendulum6 => "nlink6",
            Self::Pendulum12 => "nlink12",
            Self::Penny => "penny",
            Self::Particle => "particle",
            Self::Ball => "ball",
        }
    }

    /// What tables call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::DoublePendulum => "double pendulum",
            Self::Pendulum6 => "6-link pendulum",
            Self::Pendulum12 => "12-link pendulum",
            Self::Penny => "penny",
            Self::Particle => "particle on a surface",
            Self::Ball => "ball on a surface",
        }
    }

    /// The system at its defaults.
    pub fn system(self) -> Box<dyn System> {
        match self {
            Self::DoublePendulum => Box::new(DoublePendulum::default()),
            Self::Pendulum6 => Box::new(Pendulum6::default()),
            Self::Pendulum12 => Box::new(Pendulum12::default()),
            Self::Penny => Box::new(Penny::default()),
            Self::Particle => Box::new(Particle::default()),
            Self::Ball => Box::new(Ball::default()),
        }
    }

    /// What is derived, as text: the declaration without contacts, which others do not derive.
    pub fn lagrangian(self) -> &'static str {
        match self {
            Self::Penny => ROLLING_PENNY,
            other => other.source(),
        }
    }

    /// The declaration as text.
    pub fn source(self) -> &'static str {
        match self {
            Self::DoublePendulum => DoublePendulum::INFO.source,
            Self::Pendulum6 => Pendulum6::INFO.source,
            Self::Pendulum12 => Pendulum12::INFO.source,
            Self::Penny => Penny::INFO.source,
            Self::Particle => Particle::INFO.source,
            Self::Ball => Ball::INFO.source,
        }
    }

    /// A generic state on the constraints, at which functions are evaluated.
    pub fn state(self) -> Vec<f64> {
        let links = |n: i32, slope: f64| {
            let angles = (0..n).map(|i| 0.3 + 0.2 * f64::from(i));
            angles.chain((0..n).map(|i| 0.5 - slope * f64::from(i))).collect()
        };
        match self {
            Self::DoublePendulum => vec![0.7, 1.3, 0.4, -0.9],
            Self::Pendulum6 => links(6, 0.3),
            Self::Pendulum12 => links(12, 0.1),
            Self::Penny => {
                let (sin, cos) = 0.9_f64.sin_cos();
                vec![0.01, 0.02, 0.3, 0.9, 0.1 * cos, 0.1 * sin, 10.0, 0.2]
            }
            Self::Particle | Self::Ball => self.start(),
        }
    }

    /// The start of the run.
    pub fn start(self) -> Vec<f64> {
        let links = |n: i32, slope: f64| {
            let angles = (0..n).map(|i| 0.3 + slope * f64::from(i));
            angles.chain((0..n).map(|_| 0.0)).collect()
        };
        match self {
            Self::DoublePendulum => vec![1.5, 1.5, 0.0, 0.0],
            Self::Pendulum6 => links(6, 0.1),
            Self::Pendulum12 => links(12, 0.05),
            Self::Penny => penny_start(10.0, 0.2),
            Self::Particle => vec![-0.5, 0.3, 0.5, 0.5],
            Self::Ball => ball_start(),
        }
    }

    /// The end of the run, s.
    pub fn end(self) -> f64 {
        match self {
            Self::DoublePendulum => 20.0,
            Self::Pendulum6 | Self::Pendulum12 => 10.0,
            Self::Penny => 5.0,
            Self::Particle => 50.0,
            Self::Ball => 2.0,
        }
    }

    /// The errors to which runs are timed: from coarse to what rounding leaves to us, which is the
    /// growth of errors (8·10⁵ for the double pendulum) times some 10⁻¹⁶.
    pub fn errors(self) -> &'static [f64] {
        match self {
            Self::DoublePendulum => &[1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 3e-10],
            Self::Pendulum6 => &[1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 1e-14, 5e-15],
            Self::Particle => &[1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 5e-14, 2e-14],
            Self::Ball => &[1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13, 3e-14],
            _ => &[],
        }
    }
}

/// The penny in the middle of its table, heading along y, with θ̇ and φ̇; it rolls.
pub fn penny_start(θ̇: f64, φ̇: f64) -> Vec<f64> {
    let (radius, φ) = (0.01, std::f64::consts::FRAC_PI_2);
    vec![0.0, 0.0, 0.0, φ, radius * φ.cos() * θ̇, radius * φ.sin() * θ̇, θ̇, φ̇]
}

/// The i-th penny of the ensemble: θ̇ and φ̇ moved by less than 0.005, by fractional parts of
/// multiples of g₁ and g₂.
pub fn penny_of_ensemble(i: u32) -> Vec<f64> {
    let moved = |g: f64| 0.005 * (2.0 * (f64::from(i + 1) * g).fract() - 1.0);
    penny_start(10.0 + moved(0.618_033_988_749_894_9), 0.2 + moved(0.754_877_666_246_692_7))
}

/// The ball on the surface, its velocity along it.
fn ball_start() -> Vec<f64> {
    let (h, x, y) = (0.05, 0.4_f64, 0.3_f64);
    let (f_x, f_y) = (h * x.cos() * y.sin(), h * x.sin() * y.cos());
    let z = h * x.sin() * y.sin();
    vec![x, y, z, 0.2, 1.2, 0.3, 1.0, 0.5, f_x * 1.0 + f_y * 0.5, 2.0, 0.5, 1.0]
}

/// A list as a state of a system at t = 0.
pub fn state_of(system: &dyn System, list: &[f64]) -> State {
    let (q, v) = list.split_at(system.info().positions().min(list.len()));
    State { t: 0.0, q: q.to_vec(), v: v.to_vec() }
}
