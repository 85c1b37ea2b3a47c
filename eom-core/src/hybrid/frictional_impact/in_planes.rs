//! The directions in planes in which slips go on after an impact: by steps (`to_direction`), or looked for all round, since near a
//! jam a slip turns far with the direction of its friction, and no steps lead there.

use super::rough_impact::{RoughImpact, Sliding};
use super::to_direction::{DIRECTIONS_MAX, Steps};
use crate::linear::linalg::dot;
use eom_elementary as elementary;
use std::f64::consts::TAU;

/// Directions that are looked at.
const ROUND: usize = 360;

/// Halvings of the angle between two of them.
const HALVINGS: usize = 60;

/// A slip is along u where it is across it by less than this part.
const ACROSS: f64 = 1e-8;

/// v⁺ and the impulses of all rows in force.
type Made = (Vec<f64>, Vec<f64>);

impl RoughImpact<'_> {
    /// v⁺ and the impulses of all rows in force, with the directions of planes that are those of s⁺.
    pub(super) fn with_directions(
        &mut self,
        set: &[usize],
        sticking: &[usize],
        directions: &mut [Sliding],
    ) -> Option<Made> {
        let mut steps = Steps::new();
        for _ in 0..DIRECTIONS_MAX {
            let made = self.with_impulses(set, sticking, directions)?;
            for (term, u, _) in directions.iter_mut().filter(|(_, u, _)| u.len() > 1) {
                let pressed = self.pressed_by(*term, set, &made.1);
                let strength = self.terms.coefficient(*term) * pressed;
                let pushed = self.terms.pushed_inertia(&mut self.rows, *term);
                let inertia = pushed.unwrap_or_else(|| self.inertia(*term));
                let slip = self.slip(*term, &made.0);
                steps.turn(u, (strength, inertia), &slip);
            }
            if steps.have_ended()? {
                return Some(made);
            }
        }
        let made = self.with_impulses(set, sticking, directions)?;
        steps.have_come_near().then_some(made)
    }

    /// The same of the one slip in a plane, all round.
    pub(super) fn by_angle(
        &mut self,
        set: &[usize],
        sticking: &[usize],
        directions: &mut [Sliding],
    ) -> Option<Made> {
        let mut planes = (0..directions.len()).filter(|place| directions[*place].1.len() > 1);
        let (place, others) = (planes.next()?, planes.next());
        if others.is_some() || directions[place].1.len() != 2 {
            return None;
        }
        let angle = |i: usize| TAU * i as f64 / ROUND as f64;
        let mut before = self.at_angle(angle(0), (set, sticking), directions, place)?.0[0];
        for i in 1..=ROUND {
            let across = self.at_angle(angle(i), (set, sticking), directions, place)?.0[0];
            if (before > 0.0) != (across > 0.0) {
                let (mut low, mut high) = (angle(i - 1), angle(i));
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (low + high);
                    let there = self.at_angle(middle, (set, sticking), directions, place)?.0[0];
                    if (there > 0.0) == (before > 0.0) { low = middle } else { high = middle }
                }
                let ([across, along], made) =
                    self.at_angle(high, (set, sticking), directions, place)?;
                let term = directions[place].0;
                let pressed = self.pressed_by(term, set, &made.1);
                if across.abs() <= ACROSS * along && pressed >= 0.0 {
                    return Some(made);
                }
            }
            before = across;
        }
        None
    }

    /// u × s and u·s for the direction u at an angle, and what else there is then.
    fn at_angle(
        &mut self,
        angle: f64,
        (set, sticking): (&[usize], &[usize]),
        directions: &mut [Sliding],
        place: usize,
    ) -> Option<([f64; 2], Made)> {
        let (sin, cos) = elementary::sin_cos(angle);
        directions[place].1 = vec![cos, sin];
        let made = self.with_impulses(set, sticking, directions)?;
        let s = self.slip(directions[place].0, &made.0);
        Some(([cos * s[1] - sin * s[0], dot(&[cos, sin], &s)], made))
    }
}
