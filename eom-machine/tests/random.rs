//! Random kernels against the operations of Rust and `eom-elementary`, bit by bit: alone and over columns of states, in
//! each width that the machine has.

use eom_elementary as elementary;
use eom_machine::{Columns, Fused, Kernel, Machine, States, Value, Workspace};
use fastrand::Rng;

fn function(x: f64, y: f64, which: usize) -> f64 {
    if which == 0 { elementary::exp(x) } else { elementary::atan2(x, y) }
}

/// An operation on the values before it.
#[derive(Debug, Clone, Copy)]
enum Step {
    Read(usize),
    Parameter(usize),
    Constant(f64),
    Neg(usize),
    Abs(usize),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    Div(usize, usize),
    MulAdd(usize, usize, usize),
    MulSub(usize, usize, usize),
    NegMulAdd(usize, usize, usize),
    InverseOrZero(usize),
    Sqrt(usize),
    Powi(usize, i32),
    SinCos(usize),
    Exp(usize),
    Atan2(usize, usize),
}

const INPUTS: usize = 7;
const PARAMETERS: usize = 5;

fn step(rng: &mut Rng, known: usize, calls: bool) -> Step {
    if known < 3 || rng.u32(..12) == 0 {
        return match rng.u32(..5) {
            0 => Step::Constant(special(rng)),
            1 => Step::Parameter(rng.usize(..PARAMETERS)),
            _ => Step::Read(rng.usize(..INPUTS)),
        };
    }
    // Some near, some from far: what is far has to be kept.
    let mut one = || {
        if rng.bool() { rng.usize(..known) } else { known - 1 - rng.usize(..known.min(6)) }
    };
    let (a, b, c) = (one(), one(), one());
    match rng.u32(..if calls { 40 } else { 34 }) {
        0..=1 => Step::Neg(a),
        2 => Step::Abs(a),
        3..=8 => Step::Add(a, b),
        9..=12 => Step::Sub(a, b),
        13..=18 => Step::Mul(a, b),
        19..=20 => Step::Div(a, b),
        21..=24 => Step::MulAdd(a, b, c),
        25..=27 => Step::MulSub(a, b, c),
        28..=30 => Step::NegMulAdd(a, b, c),
        31 => Step::InverseOrZero(a),
        32 => Step::Sqrt(a),
        33 => Step::Powi(a, rng.i32(-9..40)),
        34..=37 => Step::SinCos(a),
        38 => Step::Exp(a),
        _ => Step::Atan2(a, b),
    }
}

fn special(rng: &mut Rng) -> f64 {
    let plain = 4.0 * rng.f64() - 2.0;
    match rng.u32(..24) {
        0 => 0.0,
        1 => -0.0,
        2 => 1e300 * plain,
        3 => 1e-310 * plain,
        4 => f64::INFINITY,
        5 => f64::NAN,
        6 => 2e6 * plain,
        7 => std::f64::consts::FRAC_PI_2 * f64::from(rng.i32(-9..9)),
        _ => plain,
    }
}

/// What a step computes; a sine its cosine, too.
fn values(step: Step, x: &[f64], inputs: &[f64], parameters: &[f64]) -> (f64, Option<f64>) {
    let one = match step {
        Step::Read(i) => inputs[i],
        Step::Parameter(i) => parameters[i],
        Step::Constant(c) => c,
        Step::Neg(a) => -x[a],
        Step::Abs(a) => x[a].abs(),
        Step::Add(a, b) => x[a] + x[b],
        Step::Sub(a, b) => x[a] - x[b],
        Step::Mul(a, b) => x[a] * x[b],
        Step::Div(a, b) => x[a] / x[b],
        Step::MulAdd(a, b, c) => x[a].mul_add(x[b], x[c]),
        Step::MulSub(a, b, c) => x[a].mul_add(x[b], -x[c]),
        Step::NegMulAdd(a, b, c) => (-x[a]).mul_add(x[b], x[c]),
        Step::InverseOrZero(a) => elementary::inverse_or_zero(x[a]),
        Step::Sqrt(a) => x[a].sqrt(),
        Step::Powi(a, n) => elementary::powi(x[a], n),
        Step::SinCos(a) => {
            let (sine, cosine) = elementary::sin_cos(x[a]);
            return (sine, Some(cosine));
        }
        Step::Exp(a) => elementary::exp(x[a]),
        Step::Atan2(a, b) => elementary::atan2(x[a], x[b]),
    };
    (one, None)
}

fn add(kernel: &mut Kernel, step: Step, x: &[Value]) -> (Value, Option<Value>) {
    let one = match step {
        Step::Read(i) => kernel.read(0, i as u32),
        Step::Parameter(i) => kernel.read(4, i as u32),
        Step::Constant(c) => kernel.constant(c),
        Step::Neg(a) => kernel.neg(x[a]),
        Step::Abs(a) => kernel.abs(x[a]),
        Step::Add(a, b) => kernel.add(x[a], x[b]),
        Step::Sub(a, b) => kernel.sub(x[a], x[b]),
        Step::Mul(a, b) => kernel.mul(x[a], x[b]),
        Step::Div(a, b) => kernel.div(x[a], x[b]),
        Step::MulAdd(a, b, c) => kernel.fused(Fused::Add, x[a], x[b], x[c]),
        Step::MulSub(a, b, c) => kernel.fused(Fused::Sub, x[a], x[b], x[c]),
        Step::NegMulAdd(a, b, c) => kernel.fused(Fused::From, x[a], x[b], x[c]),
        Step::InverseOrZero(a) => kernel.inverse_or_zero(x[a]),
        Step::Sqrt(a) => kernel.sqrt(x[a]),
        Step::Powi(a, n) => kernel.powi(x[a], n),
        Step::SinCos(a) => {
            let (sine, cosine) = kernel.sin_cos(x[a]);
            return (sine, Some(cosine));
        }
        Step::Exp(a) => kernel.call(function, 0, x[a], x[a]),
        Step::Atan2(a, b) => kernel.call(function, 1, x[a], x[b]),
    };
    (one, None)
}

/// A program, and which of its values are written where.
struct Random {
    steps: Vec<Step>,
    outputs: Vec<(usize, u8, u32)>,
    written: [usize; 2],
}

impl Random {
    fn new(rng: &mut Rng) -> Self {
        let longest = if rng.u32(..20) == 0 { 300 } else { 60 };
        let (length, calls) = (rng.usize(1..longest), rng.bool());
        let (mut steps, mut known) = (Vec::new(), 0);
        while known < length {
            let step = step(rng, known, calls);
            known += if matches!(step, Step::SinCos(_)) { 2 } else { 1 };
            steps.push(step);
        }
        let mut written = [0; 2];
        let mut outputs = Vec::new();
        for value in 0..known {
            // The last ones most of all; some twice.
            for _ in 0..2 {
                if rng.usize(..8) == 0 || value + 1 == known {
                    let list = rng.usize(..2);
                    outputs.push((value, list as u8, written[list] as u32));
                    written[list] += 1;
                }
            }
        }
        Self { steps, outputs, written }
    }

    fn kernel(&self) -> Kernel {
        let mut kernel = Kernel::new();
        let mut known = Vec::new();
        for step in &self.steps {
            let (one, other) = add(&mut kernel, *step, &known);
            known.push(one);
            known.extend(other);
        }
        for (value, list, at) in &self.outputs {
            kernel.write(known[*value], *list, *at);
        }
        kernel
    }

    fn expected(&self, inputs: &[f64], parameters: &[f64]) -> [Vec<f64>; 2] {
        let mut known = Vec::new();
        for step in &self.steps {
            let (one, other) = values(*step, &known, inputs, parameters);
            known.push(one);
            known.extend(other);
        }
        let mut out = self.written.map(|count| vec![0.0; count]);
        for (value, list, at) in &self.outputs {
            out[usize::from(*list)][*at as usize] = known[*value];
        }
        out
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn numbers(rng: &mut Rng, count: usize) -> Vec<f64> {
    (0..count).map(|_| special(rng)).collect()
}

/// The program of a seed, alone and over columns.
fn check(seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let program = Random::new(&mut rng);
    check_alone(seed, &program, &mut rng);
    for lanes in Columns::widths() {
        check_columns(seed, &program, &mut rng, lanes);
    }
}

fn check_alone(seed: u64, program: &Random, rng: &mut Rng) {
    let Some(machine) = Machine::new(&[program.kernel()]) else { return };
    let [state, parameters] = [INPUTS, PARAMETERS].map(|count| numbers(rng, count));
    let mut room = vec![f64::NAN; machine.room(0)];
    let [mut out, mut more] = program.written.map(|count| vec![0.123; count]);
    let reads = [&state[..], &[], &[], &[], &parameters];
    assert!(machine.run(0, reads, &mut room, [&mut out, &mut more]), "seed {seed}");
    for (found, expected) in [out, more].iter().zip(&program.expected(&state, &parameters)) {
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(same(*found, *expected), "seed {seed}, {i}: {found:e}, not {expected:e}");
        }
    }
}

/// Over a few registers of states, or with one state for all of them.
fn check_columns(seed: u64, program: &Random, rng: &mut Rng, lanes: usize) {
    let kernel = program.kernel().with_lengths([INPUTS, 0, 0, 0, PARAMETERS], program.written);
    let machine = Columns::over(&kernel, lanes).expect("a width of this machine");
    let (count, moves) = (lanes * rng.usize(..4), rng.u32(..8) > 0);
    let parameters = numbers(rng, PARAMETERS);
    let mut states: Vec<Vec<f64>> = (0..count.max(lanes)).map(|_| numbers(rng, INPUTS)).collect();
    if !moves {
        states = vec![states[0].clone(); count.max(lanes)];
    }
    let column = |i: usize| states.iter().map(|state| state[i]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..INPUTS).map(column).collect();
    // What is behind the last state stays.
    let written: usize = program.written.iter().sum();
    let mut out = vec![vec![0.123; count + 3]; written];
    let asked = States {
        count,
        columns: columns.iter().map(|column| &column[..if moves { count } else { lanes }]),
        moves: [moves, false, true, false],
        shared: &parameters,
    };
    let into = out.iter_mut().map(Vec::as_mut_slice);
    let is_finite = count == 0 || states.iter().flatten().all(|number| number.is_finite());
    let found = machine.run(asked, into, &mut Workspace::default());
    assert_eq!(found, Some(is_finite), "seed {seed}");
    for (j, state) in states.iter().enumerate().take(count) {
        let expected = program.expected(state, &parameters).concat();
        for (i, (found, expected)) in out.iter().zip(&expected).enumerate() {
            let found = found[j];
            assert!(
                same(found, *expected),
                "seed {seed}, output {i}, state {j}, {lanes} lanes: {found:e}, not {expected:e}"
            );
        }
    }
    assert!(out.iter().all(|column| column[count..] == [0.123; 3]), "seed {seed}");
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn random_programs_have_the_bits_of_rust() {
    (0..3000).for_each(check);
}

#[test]
#[ignore = "a million programs, or EOM_PROGRAMS of them from EOM_FROM on"]
fn very_many_random_programs() {
    let from = number("EOM_FROM", 0);
    (from..from + number("EOM_PROGRAMS", 1_000_000)).for_each(check);
}

#[test]
fn lists_that_are_too_short_are_refused() {
    let mut kernel = Kernel::new();
    let a = kernel.read(0, 3);
    kernel.write(a, 0, 2);
    let Some(machine) = Machine::new(&[kernel]) else { return };
    let check = |inputs: usize, outputs: usize, kernel: usize, expected: bool| {
        let (inputs, mut out) = (vec![1.5; inputs], vec![0.0; outputs]);
        let mut room = vec![0.0; machine.room(0)];
        let reads = [&inputs[..], &[], &[], &[], &[]];
        assert_eq!(machine.run(kernel, reads, &mut room, [&mut out, &mut []]), expected);
        assert_eq!(out.contains(&1.5), expected);
    };
    check(4, 3, 0, true);
    check(3, 3, 0, false);
    check(4, 2, 0, false);
    check(4, 3, 1, false);
}

#[test]
fn exact_lists_are_as_long_as_they_are_said_to_be() {
    let mut kernel = Kernel::new();
    let a = kernel.read(0, 3);
    kernel.write(a, 0, 2);
    let kernel = kernel.with_lengths([5, 0, 0, 2, 0], [3, 1]);
    let Some(machine) = Machine::new(&[kernel]) else { return };
    let check = |reads: [usize; 5], writes: [usize; 2], expected: bool| {
        let lists = reads.map(|length| vec![1.5; length]);
        let [mut out, mut more] = writes.map(|length| vec![0.0; length]);
        let reads: [&[f64]; 5] = std::array::from_fn(|i| &*lists[i]);
        let mut room = vec![0.0; machine.room(0)];
        assert_eq!(machine.run(0, reads, &mut room, [&mut out, &mut more]), expected);
        assert_eq!(out.contains(&1.5), expected);
    };
    check([5, 0, 0, 2, 0], [3, 1], true);
    check([6, 0, 0, 2, 0], [3, 1], false);
    check([5, 0, 0, 1, 0], [3, 1], false);
    check([5, 0, 1, 2, 0], [3, 1], false);
    check([5, 0, 0, 2, 0], [4, 1], false);
    check([5, 0, 0, 2, 0], [3, 0], false);
}

#[test]
fn columns_that_are_too_short_are_refused() {
    let mut kernel = Kernel::new();
    let (a, b) = (kernel.read(0, 1), kernel.read(4, 0));
    let sum = kernel.add(a, b);
    kernel.write(sum, 1, 0);
    let kernel = kernel.with_lengths([2, 0, 0, 0, 1], [0, 1]);
    for lanes in Columns::widths() {
        let machine = Columns::over(&kernel, lanes).expect("a width of this machine");
        let check =
            |count: usize, [first, second, out]: [usize; 3], shared: usize, expected: bool| {
                let columns = [vec![1.5; first], vec![1.5; second]];
                let (mut out, shared) = (vec![0.0; out], vec![1.0; shared]);
                let columns = columns.iter().map(Vec::as_slice);
                let asked = States { count, columns, moves: [true; 4], shared: &shared };
                let into = std::iter::once(&mut out[..]);
                let found = machine.run(asked, into, &mut Workspace::default());
                assert_eq!(found, expected.then_some(true));
                assert_eq!(out.contains(&2.5), expected && count > 0);
            };
        let n = 2 * lanes;
        check(n, [n, n, n], 1, true);
        check(0, [0, 0, 0], 1, true);
        check(n + 1, [2 * n, 2 * n, 2 * n], 1, false);
        check(n, [n - 1, n, n], 1, false);
        check(n, [n, n - 1, n], 1, false);
        check(n, [n, n, n - 1], 1, false);
        check(n, [n, n, n], 0, false);
        let columns = std::iter::once(&[1.5; 16][..]);
        let asked = States { count: lanes, columns, moves: [true; 4], shared: &[1.0] };
        let mut out = [0.0; 16];
        let into = std::iter::once(&mut out[..]);
        let found = machine.run(asked, into, &mut Workspace::default());
        assert_eq!(found, None, "a column is missing");
    }
}

#[test]
fn kernels_over_columns_read_within_their_lengths() {
    let mut kernel = Kernel::new();
    let a = kernel.read(0, 1);
    kernel.write(a, 0, 1);
    assert!(Columns::new(&kernel).is_none(), "lengths are not given");
    for (reads, writes, is_sound) in
        [([2, 0], [2, 0], true), ([1, 2], [2, 0], false), ([2, 0], [1, 2], false)]
    {
        let kernel = kernel.clone().with_lengths([reads[0], reads[1], 0, 0, 0], writes);
        assert_eq!(Columns::new(&kernel).is_some(), is_sound && !Columns::widths().is_empty());
    }
}

#[test]
fn kernels_that_name_what_they_do_not_have_are_refused() {
    let mut other = Kernel::new();
    let (_, far) = (other.constant(1.0), other.constant(2.0));
    let mut kernel = Kernel::new();
    let a = kernel.constant(1.0);
    kernel.add(a, far);
    assert!(Machine::new(&[kernel]).is_none());
    for (list, at) in [(5, 0), (0, u32::MAX), (0, 1 << 28)] {
        let mut kernel = Kernel::new();
        kernel.read(list, at);
        assert!(Machine::new(&[kernel]).is_none());
        let mut kernel = Kernel::new();
        let a = kernel.constant(1.0);
        kernel.write(a, list, at);
        assert!(Machine::new(&[kernel]).is_none());
    }
}
