//! A batch of 252 states: in lanes, and one after another.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use eom_benches::systems::{Ball, DoublePendulum, Particle, Pendulum6, Pendulum12, Penny};
use eom_core::batch::{self, LengthError, States};
use eom_core::{Lanes, System};

/// Not a power of two, so that columns do not meet in the cache.
const BATCH: usize = 252;

fn main() {
    divan::main();
}

type Evaluate<S> = fn(&S, States<'_>, &mut [f64], &mut [f64]) -> Result<(), LengthError>;

fn states<S: System + Default>(bencher: Bencher<'_, '_>, evaluate: Evaluate<S>) {
    let system = S::default();
    let info = system.info();
    let numbers = |components: usize| -> Vec<f64> {
        (0..components * BATCH).map(|at| 0.3 + 1e-3 * (at % 977) as f64).collect()
    };
    let (q, v) = (numbers(info.positions()), numbers(info.speeds()));
    let (mut a, mut λ) = (v.clone(), numbers(info.rows.len()));
    let states = States { t: &[0.0; BATCH], q: &q, v: &v, u: &[] };
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        evaluate(&system, black_box(states), &mut a, &mut λ).expect("the lengths are right");
        black_box(&a);
    });
}

#[divan::bench(types = [DoublePendulum, Penny, Particle, Ball, Pendulum6, Pendulum12])]
fn lanes<S: Lanes + Default>(bencher: Bencher<'_, '_>) {
    states::<S>(bencher, batch::accelerations);
}

#[divan::bench(types = [DoublePendulum, Penny, Particle, Ball, Pendulum6, Pendulum12])]
fn one_by_one<S: System + Default>(bencher: Bencher<'_, '_>) {
    states::<S>(bencher, |system, states, a, λ| batch::one_by_one(system, states, a, λ));
}
