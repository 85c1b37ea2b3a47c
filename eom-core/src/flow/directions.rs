//! ∂ẏ/∂y in a mode in which friction slides in a plane.
//!
//! Where w is near zero its direction u = w/‖w‖ turns within less than what a difference moves: there f(y, u)
//! is differenced, which is smooth in both,
//!
//! ```text
//! df/dy = ∂f/∂y + Σ ∂f/∂u (1 − u uᵀ)/‖w‖ ∂w/∂y
//! ```
//!
//! and of the step near a stop what is fast is as exact as what is slow.

use super::field::Field;
use crate::friction::slip_state::{Slide, SlipState, norm};
use crate::integrate::implicit::DIFFERENCE;
use crate::linear::linalg::dot;

/// A term that slides in a plane: u, ‖w‖, and w.
struct Sliding {
    term: usize,
    direction: Vec<f64>,
    speed: f64,
    w: Vec<f64>,
}

impl Field<'_> {
    /// Writes ∂ẏ/∂y by rows, y moved by parts of `scales`. False where nothing slides in a plane.
    pub(super) fn jacobian_by_directions(
        &mut self,
        (t, y): (f64, &[f64]),
        scales: &[f64],
        rows: &mut [f64],
    ) -> bool {
        let mut here = vec![0.0; y.len()];
        self.slope(t, y, &mut here);
        let planes = self.sliding_planes();
        if planes.is_empty() {
            return false;
        }
        let mut held = self.slip_state.clone();
        held.slides.resize(self.forces.terms.count(), None);
        for plane in &planes {
            held.slides[plane.term] = Some(Sliding::held(t, &plane.direction));
        }
        let by_directions = self.by_directions((t, y), &held, (&planes, &here));
        self.set_directions(&held);
        let (mut moved, mut there) = (y.to_vec(), vec![0.0; y.len()]);
        for column in 0..y.len() {
            moved[column] = y[column] + DIFFERENCE * scales[column];
            let change = moved[column] - y[column];
            self.slope(t, &moved, &mut there);
            moved[column] = y[column];
            let turns = planes.iter().map(|plane| plane.turn(self.forces.terms.w(plane.term)));
            let turns: Vec<f64> = turns.flatten().collect();
            for (row, (there, here)) in there.iter().zip(&here).enumerate() {
                let turned = dot(&by_directions[row * turns.len()..][..turns.len()], &turns);
                rows[row * y.len() + column] = (there - here + turned) / change;
            }
        }
        self.set_directions(&self.slip_state.clone());
        rows.iter().all(|entry| entry.is_finite())
    }

    /// The terms that slide in a plane, at the state loaded last.
    fn sliding_planes(&self) -> Vec<Sliding> {
        let (terms, mode) = (&self.forces.terms, &self.mode);
        let slides = |term: &usize| !mode.sticks(*term) && terms.acts(*term, mode.closed());
        let plane = |term: usize| {
            let w = terms.w(term);
            let speed = norm(w);
            let moves = w.len() > 1 && speed > 0.0;
            moves.then(|| Sliding {
                term,
                direction: w.iter().map(|w| w / speed).collect(),
                speed,
                w: w.to_vec(),
            })
        };
        (0..terms.count()).filter(slides).filter_map(plane).collect()
    }

    /// ∂f/∂u by rows of f, a column for each component of each plane.
    fn by_directions(
        &mut self,
        (t, y): (f64, &[f64]),
        held: &SlipState,
        (planes, here): (&[Sliding], &[f64]),
    ) -> Vec<f64> {
        let count = planes.iter().map(|plane| plane.w.len()).sum::<usize>();
        let (mut matrix, mut there) = (vec![0.0; y.len() * count], vec![0.0; y.len()]);
        let mut column = 0;
        for plane in planes {
            for component in 0..plane.w.len() {
                let mut direction = plane.direction.clone();
                direction[component] += DIFFERENCE;
                let change = direction[component] - plane.direction[component];
                let mut turned = held.clone();
                turned.slides[plane.term] = Some(Sliding::held(t, &direction));
                self.set_directions(&turned);
                self.slope(t, y, &mut there);
                for (row, (there, here)) in there.iter().zip(here).enumerate() {
                    matrix[row * count + column] = (there - here) / change;
                }
                column += 1;
            }
        }
        matrix
    }

    fn set_directions(&mut self, state: &SlipState) {
        self.forces.set_slip_state(self.mode.sticking(), state);
    }
}

impl Sliding {
    /// The direction, whatever w is.
    fn held(t: f64, direction: &[f64]) -> Slide {
        let (direction, turning) = (direction.to_vec(), Vec::new());
        Slide { direction, turning, since: t, floor: f64::INFINITY, growth: 0.0 }
    }

    /// (1 − u uᵀ)(w′ − w)/‖w‖.
    fn turn(&self, there: &[f64]) -> Vec<f64> {
        let change: Vec<f64> = there.iter().zip(&self.w).map(|(there, w)| there - w).collect();
        let along = dot(&self.direction, &change);
        let across = change.iter().zip(&self.direction).map(|(change, u)| change - along * u);
        across.map(|across| across / self.speed).collect()
    }
}
