//! The gradient of weighted v̇ and λ, against the derivatives; and their Hessian times a direction, against differences of
//! the derivatives along it, and as a symmetric form.

use super::{
    OF_DIFFERENCES, OF_TAPES, Point, STATES, between, columns, difference, largest, systems, with,
};
use eom_core::System;
use eom_interpreter::{At, Interpreted};
use eom_symbolic::program::Kernel;
use fastrand::Rng;

/// What a product is asked with, and the point.
struct Asked<'p> {
    system: &'p Interpreted,
    point: Point,
    weights: Vec<f64>,
}

impl Asked<'_> {
    fn draw<'p>(rng: &mut Rng, system: &'p Interpreted) -> Asked<'p> {
        let point = Point::draw(rng, system);
        let count = point.sizes[1] + system.info().rows.len();
        let weights = (0..count).map(|_| between(rng, -1.0, 1.0)).collect();
        Asked { system, point, weights }
    }

    /// How many entries a direction has.
    fn entries(&self) -> usize {
        self.point.sizes[..3].iter().sum()
    }

    /// The gradient and the product.
    fn product(&self, direction: &[f64]) -> [Vec<f64>; 2] {
        let [q, v, u, p] = self.point.parts(&self.point.x);
        let (t, weights) = (self.point.t, &self.weights[..]);
        let at = At { t, q, v, u, weights, direction, ..At::default() };
        let found = with(self.system, p).unwrap().kernel(Kernel::HessianProduct, at);
        let (gradient, product) = found.split_at(self.entries());
        [gradient.to_vec(), product.to_vec()]
    }

    /// μᵀ∂(v̇, λ)/∂(q, v, u), by the derivatives, so far along a direction.
    fn weighted(&self, direction: &[f64], steps: f64) -> Vec<f64> {
        let mut x = self.point.x.clone();
        x.iter_mut().zip(direction).for_each(|(x, rate)| *x += steps * rate);
        let moved = Point { x, ..self.point };
        let columns = columns(&moved, self.system);
        let sum = |column: &Vec<f64>| column.iter().zip(&self.weights).map(|(a, μ)| a * μ).sum();
        columns[..self.entries()].iter().map(sum).collect()
    }
}

#[test]
fn products_are_those_of_the_derivatives() {
    let (mut compared, mut off) = (0, Vec::new());
    for (name, system) in systems() {
        let mut rng = Rng::with_seed(11);
        for _ in 0..STATES {
            let asked = Asked::draw(&mut rng, system);
            let direction: Vec<f64> =
                (0..asked.entries()).map(|_| between(&mut rng, -1.0, 1.0)).collect();
            let [gradient, product] = asked.product(&direction);
            let wanted = asked.weighted(&direction, 0.0);
            if wanted.iter().any(|x| !x.is_finite()) {
                continue;
            }
            let error = difference(&gradient, &wanted);
            assert!(error < OF_TAPES, "{name}: gradient by {error:e}");
            let h = 1.0 / 4096.0;
            let [far_below, below, above, far_above] =
                [-2.0, -1.0, 1.0, 2.0].map(|steps| asked.weighted(&direction, steps * h));
            let slope = |i: usize| {
                (8.0 * (above[i] - below[i]) - (far_above[i] - far_below[i])) / (12.0 * h)
            };
            let slope: Vec<f64> = (0..above.len()).map(slope).collect();
            // Where the derivatives are steep their differences are of no use.
            if slope.iter().any(|x| !x.is_finite()) || largest(&slope) > 1e3 {
                continue;
            }
            let error = difference(&product, &slope);
            if error >= OF_DIFFERENCES {
                off.push(format!("{name} by {error:e}\n{product:?}\n{slope:?}"));
            }
            compared += 1;
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
    assert!(compared > 120, "{compared}");
}

/// aᵀH b = bᵀH a.
#[test]
fn the_hessian_is_symmetric() {
    for (name, system) in systems() {
        let mut rng = Rng::with_seed(12);
        let asked = Asked::draw(&mut rng, system);
        let mut draw = || (0..asked.entries()).map(|_| between(&mut rng, -1.0, 1.0)).collect();
        let [a, b]: [Vec<f64>; 2] = [draw(), draw()];
        let [of_a, of_b] = [&a, &b].map(|direction| asked.product(direction)[1].clone());
        let form = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let size = largest(&of_a).max(largest(&of_b));
        if size.is_finite() {
            let apart = (form(&a, &of_b) - form(&b, &of_a)).abs();
            assert!(apart < 1e-10 * size, "{name}: {apart:e} of {size:e}");
        }
    }
}
