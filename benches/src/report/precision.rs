//! Curves of time and error: a contestant at several tolerances.

use super::Row;
use crate::contest::Role;

/// The points of one contestant, by falling error and rising time: what is slower and no better is
/// left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) role: Role,
    /// (error, ns)
    pub(super) points: Vec<(f64, f64)>,
}

/// The curves of a row, in the order of its contestants.
pub(super) fn curves(row: &Row) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for entry in &row.entries {
        let Ok(figure) = &entry.figure else { continue };
        let Some(error) = figure.error.filter(|error| error.is_finite()) else { continue };
        // Zero has no logarithm: half a unit of rounding.
        let point = (error.max(f64::EPSILON / 2.0), figure.ns);
        match curves.iter_mut().find(|curve| curve.name == entry.name) {
            Some(curve) => curve.points.push(point),
            None => {
                let (name, role) = (entry.name.clone(), entry.role);
                curves.push(Curve { name, role, points: vec![point] });
            }
        }
    }
    for curve in &mut curves {
        curve.points.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut best = f64::INFINITY;
        curve.points.retain(|&(error, _)| {
            let better = error < best;
            best = best.min(error);
            better
        });
    }
    curves
}

impl Curve {
    /// The time to an error: log t is linear in log error between two points. Larger errors than
    /// the first are not faster; smaller ones than the last are not reached.
    pub(super) fn time(&self, error: f64) -> Option<f64> {
        let first = self.points.first()?;
        if error >= first.0 {
            return Some(first.1);
        }
        let pair = self.points.windows(2).find(|pair| pair[1].0 <= error)?;
        let [(e0, t0), (e1, t1)] = [pair[0], pair[1]];
        let part = (error / e0).ln() / (e1 / e0).ln();
        Some(t0 * (t1 / t0).powf(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_interpolated() {
        let points = vec![(1e-4, 1.0), (1e-8, 100.0)];
        let curve = Curve { name: String::new(), role: Role::Ours, points };
        let table = [
            (1e-3, Some(1.0)),
            (1e-4, Some(1.0)),
            (1e-6, Some(10.0)),
            (1e-8, Some(100.0)),
            (1e-9, None),
        ];
        for (error, time) in table {
            let found = curve.time(error);
            let is_near = found.zip(time).is_none_or(|(a, b)| (a / b - 1.0).abs() < 1e-12);
            assert!(is_near && found.is_some() == time.is_some(), "{error}: {found:?}");
        }
    }
}
