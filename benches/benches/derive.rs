//! From a declaration to equations, to programs, to Rust. `benches/README.md` states the growth.

use divan::{Bencher, black_box};
use eom_benches::pendulum;
use eom_codegen::{derive_source, model_source, rust_source};
use eom_symbolic::mechanics::lagrange;
use eom_symbolic::program::SystemPrograms;
use models::Penny;

const LINKS: [usize; 8] = [2, 4, 6, 8, 12, 16, 24, 32];

fn main() {
    divan::main();
}

/// The Lagrangian is built when the clock starts: M, h, F of the n-link pendulum.
#[divan::bench(args = LINKS)]
fn equations(bencher: Bencher<'_, '_>, n: usize) {
    let model = model_source(&pendulum(n)).expect("the declaration is right");
    bencher.with_inputs(|| model.clone()).bench_values(|mut model| lagrange::derive(&mut model));
}

/// Text to M, h, F: parsing, resolving and building the Lagrangian included.
#[divan::bench(args = LINKS)]
fn text_to_equations(bencher: Bencher<'_, '_>, n: usize) {
    let text = pendulum(n);
    bencher.bench(|| {
        let mut model = model_source(black_box(&text)).expect("the declaration is right");
        lagrange::derive(&mut model)
    });
}

/// The programs of the n-link pendulum.
#[divan::bench(args = LINKS)]
fn programs(bencher: Bencher<'_, '_>, n: usize) {
    let mut model = model_source(&pendulum(n)).expect("the declaration is right");
    let equations = lagrange::derive(&mut model).expect("the pendulum has equations");
    bencher.bench(|| SystemPrograms::new(black_box(&model), &equations));
}

/// All that the macro does for the penny: equations, report, claims, programs.
#[divan::bench]
fn penny_derivation() {
    black_box(derive_source(Penny::INFO.source)).expect("the penny derives");
}

/// The same with the tokens of the generated Rust, formatted.
#[divan::bench]
fn penny_rust() {
    black_box(rust_source(Penny::INFO.source)).expect("the penny derives");
}
