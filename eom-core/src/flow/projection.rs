//! Π: a state brought to the constraints.

use super::point::Point;
use crate::constraints::{Failure, Manifold};
use crate::system::System;

/// Π: quaternions to unit length, q to φ = 0, then v to A v + b = 0.
pub(super) fn keep(
    system: &dyn System,
    manifold: &mut Manifold,
    point: &mut Point,
) -> Result<(), Failure> {
    point.normalise(system.info().coordinates.len());
    if manifold.is_free() {
        return Ok(());
    }
    let (n, t) = (point.positions, point.t.high);
    if manifold.has_holonomic() {
        manifold.project_coordinates(system, t, &mut point.y[..n], f64::INFINITY)?;
    }
    let (q, v) = point.y.split_at(n);
    let change = manifold.velocity_change(system, t, q, v)?;
    for (i, change) in change.iter().enumerate() {
        point.add(n + i, *change);
    }
    Ok(())
}
