//! What only speed needs, and generated code has: not an interface for anyone else.

use super::enclosure::Programs;
use crate::series::Series;
#[cfg(feature = "batch")]
use crate::series::SeriesInLanes;

/// The numbers of [`Specialised::impact_direction`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactDirection {
    /// ∂g/∂t.
    pub rate: f64,
    /// ∇g·w.
    pub gain: f64,
}

/// Straight-line code beside that of the other parts. A system written by hand has
/// `impl Specialised for … {}`.
pub trait Specialised {
    /// Whether [`Specialised::series`] makes series.
    fn has_series(&self) -> bool {
        false
    }

    /// Expands the motion from a state in powers of time, to the order of `series`: y = (q, v), and the
    /// gaps and guards along it. Only the declared constraints are in force.
    fn series(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], _series: &mut Series) {}

    /// Whether [`Specialised::series_in_lanes`] makes series.
    #[cfg(feature = "batch")]
    fn has_series_in_lanes(&self) -> bool {
        false
    }

    /// Expands as many motions as there are lanes in [`LISTED`](crate::series::LISTED), each as
    /// [`Specialised::series`] does alone: t, q, v, u and the parameters of all, each number in all lanes, side by
    /// side. One system is asked for all that have its [`info`](crate::System::info): parameters are those given.
    #[cfg(feature = "batch")]
    fn series_in_lanes(&self, _points: &[f64], _series: &mut SeriesInLanes) {}

    /// What it computes as data, where it has that: to bound it, and for its derivatives.
    fn programs(&self) -> Programs<'_> {
        Programs::default()
    }

    /// What the impact of a contact that is struck alone takes: writes ∇g (m) and the direction w (m)
    /// with M w = ∇gᵀ + Aᵀλ, A w = 0. Then v⁺ = v⁻ − (1 + e) ġ⁻ w/(∇g·w). None for contacts whose impact
    /// is more than that, and where the system leaves it to [`ImpactMap`](crate::impact::ImpactMap).
    fn impact_direction(
        &self,
        _contact: usize,
        _t: f64,
        _q: &[f64],
        _gradient: &mut [f64],
        _direction: &mut [f64],
    ) -> Option<ImpactDirection> {
        None
    }
}
