//! Where a mass matrix loses rank, or has a negative eigenvalue: which combination of velocities has no inertia left, and at which
//! state. It is asked once a run has failed, to say why.

use crate::info::SystemInfo;
use crate::snapshot::words::value;
use crate::state::State;
use crate::system::System;
use nalgebra::{DMatrix, SymmetricEigen};
use std::fmt;

/// What to do where a mass matrix is singular.
pub(crate) const SINGULAR_HELP: &str = "start elsewhere, or change the parameter that takes the inertia \
     away: a mass of 0, an arm of length 0; Euler angles are singular where two of their axes fall \
     together, a `rotation` is nowhere";

/// A mass matrix without inertia against some direction.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SingularMass {
    /// When.
    pub t: f64,
    /// Coordinates with their values there.
    pub state: Vec<(String, f64)>,
    /// The velocities that take part in the direction w with w·M w ≈ 0, with their parts of it, the
    /// largest 1.
    pub direction: Vec<(String, f64)>,
    /// The smallest eigenvalue of Mᵢⱼ/√(dᵢ dⱼ) over the largest magnitude of one, where d is the diagonal
    /// of M there, or that at the start of the run: 0 where nothing is left, negative where inertia is.
    pub ratio: f64,
    /// Whether no eigenvalue is positive.
    pub is_negative: bool,
}

/// An eigenvalue below this part of the largest is zero.
const ZERO: f64 = 1e-12;

/// A part of the direction below this is not told.
const PART_MIN: f64 = 1e-3;

impl SingularMass {
    /// Looks at M at a state, beside that at a start where it was regular; `None` where the ratio is above
    /// `limit`.
    pub(crate) fn find(
        system: &dyn System,
        (t, q, v): (f64, &[f64], &[f64]),
        start: Option<&State>,
        limit: f64,
    ) -> Option<Self> {
        let info = system.info();
        let m = info.speeds();
        let mut mass = vec![0.0; m * m];
        system.mass_matrix_at(t, q, v, &mut mass);
        if m == 0 || !mass.iter().all(|entry| entry.is_finite()) {
            return None;
        }
        let diagonal: Vec<f64> = (0..m).map(|i| mass[i * m + i]).collect();
        let own = weakest(&mass, &diagonal);
        let then = start.map(|start| diagonal_at(system, start));
        let then = then.filter(|d| d.iter().all(|entry| entry.is_finite() && *entry > 0.0));
        let beside = then.map(|d| weakest(&mass, &d)).filter(|beside| beside.ratio < own.ratio);
        let Weakest { ratio, is_negative, direction } = beside.unwrap_or(own);
        (ratio <= limit).then(|| Self {
            t,
            state: q.iter().enumerate().map(|(i, q)| (info.position_name(i), *q)).collect(),
            direction: named(info, &direction),
            ratio,
            is_negative,
        })
    }
}

/// What to do where a mass matrix has a negative eigenvalue.
const NEGATIVE_HELP: &str = "give masses and moments of inertia that are positive, or `where` bounds that say \
     so; a kinetic energy is not negative";

impl SingularMass {
    /// What to do about it.
    pub(crate) fn help(&self) -> &'static str {
        if self.ratio < 0.0 { NEGATIVE_HELP } else { SINGULAR_HELP }
    }
}

/// The diagonal of M at a state.
fn diagonal_at(system: &dyn System, State { t, q, v }: &State) -> Vec<f64> {
    let m = system.info().speeds();
    let mut mass = vec![0.0; m * m];
    system.mass_matrix_at(*t, q, v, &mut mass);
    (0..m).map(|i| mass[i * m + i]).collect()
}

/// The smallest eigenvalue of a scaled matrix over the largest magnitude of one, and its vector in
/// velocities.
struct Weakest {
    ratio: f64,
    is_negative: bool,
    direction: Vec<f64>,
}

fn weakest(mass: &[f64], diagonal: &[f64]) -> Weakest {
    let m = diagonal.len();
    // A velocity whose own inertia is zero is scaled as that of the largest.
    let largest = diagonal.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
    let unit = |entry: f64| match (entry.abs(), largest) {
        (0.0, 0.0) => 1.0,
        (0.0, largest) => largest,
        (size, _) => size,
    };
    let diagonal: Vec<f64> = diagonal.iter().map(|entry| unit(*entry)).collect();
    let scaled =
        DMatrix::from_fn(m, m, |i, j| mass[i * m + j] / diagonal[i].sqrt() / diagonal[j].sqrt());
    let eigen = SymmetricEigen::new(scaled);
    let (index, smallest) = eigen.eigenvalues.argmin();
    let vector = eigen.eigenvectors.column(index);
    let direction = vector.iter().zip(&diagonal).map(|(part, entry)| part / entry.sqrt());
    // Of one velocity, or of all together, it is the loss since the start.
    let ratio = smallest / eigen.eigenvalues.amax().max(1.0);
    Weakest {
        ratio: if ratio.abs() <= ZERO { ratio.max(0.0) } else { ratio },
        is_negative: eigen.eigenvalues.max() <= 0.0 && ratio < -ZERO,
        direction: direction.collect(),
    }
}

/// The parts that matter, the first of the largest 1.
fn named(info: &SystemInfo, direction: &[f64]) -> Vec<(String, f64)> {
    let largest = direction.iter().fold(0.0, |largest: f64, part| largest.max(part.abs()));
    let leading = direction.iter().find(|part| part.abs() >= 0.999 * largest);
    let scale = leading.copied().unwrap_or(1.0);
    let parts = direction.iter().map(|part| part / scale).enumerate();
    parts
        .filter(|(_, part)| part.abs() >= PART_MIN)
        .map(|(i, part)| (velocity(info, i), part))
        .collect()
}

/// `ẋ`, or the name of the speed.
fn velocity(info: &SystemInfo, speed: usize) -> String {
    match (info.velocities.get(speed), info.coordinates.get(speed)) {
        (None, Some(coordinate)) => format!("{}\u{307}", coordinate.name),
        _ => info.speed_name(speed),
    }
}

impl fmt::Display for SingularMass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, inertia) = match (self.ratio < 0.0, self.is_negative) {
            (false, _) => ("singular", "nothing has inertia against"),
            (true, false) => ("indefinite", "inertia is negative against"),
            (true, true) => ("negative", "inertia is negative against"),
        };
        write!(f, "the mass matrix is {word} at ")?;
        for (index, (name, value)) in self.state.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            match value.abs() {
                1e-4..1e9 | 0.0 => write!(f, "{separator}{name} = {value}")?,
                _ => write!(f, "{separator}{name} = {value:e}")?,
            }
        }
        write!(f, ": {inertia} ")?;
        for (index, (name, part)) in self.direction.iter().enumerate() {
            let sign = match (index, *part < 0.0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            f.write_str(sign)?;
            if (part.abs() - 1.0).abs() > 1e-6 {
                write!(f, "{:.3}·", part.abs())?;
            }
            f.write_str(name)?;
        }
        write!(f, " (smallest over largest eigenvalue {:.1e})", self.ratio)
    }
}

value! { SingularMass { t, state, direction, ratio, is_negative } }
