//! One evaluation of generated functions.

use divan::{Bencher, black_box};
use eom_benches::DoublePendulum;
use eom_core::impact::ImpactMap;
use eom_core::nalgebra::SVector;
use eom_core::{Law, System};
use eom_interpreter::Interpreted;
use models::Penny;

fn main() {
    divan::main();
}

/// Accelerations and multipliers of the penny, each call waiting for the one before.
#[divan::bench]
fn penny_dynamics(bencher: Bencher<'_, '_>) {
    let penny = Penny::default();
    let mut q = SVector::from([0.01, 0.02, 0.3, 0.9]);
    let v = SVector::from([0.1 * 0.9_f64.cos(), 0.1 * 0.9_f64.sin(), 10.0, 0.2]);
    bencher.bench_local(|| {
        let (a, _) = penny.dynamics(0.0, &q, &v, &SVector::zeros());
        q += 1e-13 * black_box(a);
    });
}

/// The same through the trait, by generated Rust and by the interpreter.
fn penny_through_the_trait(bencher: Bencher<'_, '_>, penny: &dyn System) {
    let mut q = [0.01, 0.02, 0.3, 0.9];
    let v = [0.1 * 0.9_f64.cos(), 0.1 * 0.9_f64.sin(), 10.0, 0.2];
    let (mut a, mut λ) = ([0.0; 4], [0.0; 2]);
    bencher.bench_local(|| {
        penny.accelerations(0.0, &q, &v, &[], &mut a, &mut λ);
        q.iter_mut().zip(&a).for_each(|(q, a)| *q += 1e-13 * black_box(*a));
    });
}

#[divan::bench]
fn penny_generated(bencher: Bencher<'_, '_>) {
    penny_through_the_trait(bencher, &Penny::default());
}

#[divan::bench]
fn penny_interpreted(bencher: Bencher<'_, '_>) {
    let penny = Interpreted::new(Penny::INFO.source).expect("it was compiled");
    penny_through_the_trait(bencher, &penny);
}

/// Accelerations of the double pendulum, each call waiting for the one before.
#[divan::bench]
fn double_pendulum_dynamics(bencher: Bencher<'_, '_>) {
    let pendulum = DoublePendulum::default();
    let mut q = SVector::from([0.7, 1.3]);
    let v = SVector::from([0.4, -0.9]);
    bencher.bench_local(|| {
        let (a, _) = pendulum.dynamics(0.0, &q, &v, &SVector::zeros());
        q += 1e-13 * black_box(a);
    });
}

/// The elastic impact map of the penny at the front, rows and metric included.
#[divan::bench]
fn penny_impact(bencher: Bencher<'_, '_>) {
    let penny = Penny::default();
    let mut map = ImpactMap::new(&penny);
    let q: [f64; 4] =
        [-0.035_054_768_939_295_73, 0.183_918_275_638_687_7, 18.8, 1.947_477_710_834_459_2];
    let (sin, cos) = q[3].sin_cos();
    let before = [0.1 * cos, 0.1 * sin, 10.0, 0.2];
    bencher.bench_local(|| {
        let mut v = before;
        map.load(&penny, 0, 0.0, black_box(&q)).expect("the metric is definite");
        map.apply(&penny, Law::Elastic, &mut v).expect("the disk comes in");
        black_box(v)
    });
}

/// Energies of the penny.
#[divan::bench]
fn penny_energy() -> f64 {
    let penny = Penny::default();
    penny.energy(0.0, black_box(&[0.0; 4]), black_box(&[0.1, 0.0, 10.0, 0.2])).total()
}
