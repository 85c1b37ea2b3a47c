//! Random recurrences of power series against the same loops in Rust, bit by bit.

use eom_elementary as elementary;
use eom_machine::{Fused, Kernel, Lists, Machine, Recurrence, Sizes, Value};
use fastrand::Rng;

const COLUMN: usize = 9;
const CAPTURED: usize = 3;

fn function(x: f64, _: f64, _: usize) -> f64 {
    elementary::exp(x)
}

/// What a value of an order is made of: c·a + b, of values before, some through a function.
#[derive(Debug, Clone, Copy)]
struct Step {
    a: usize,
    b: usize,
    c: f64,
    through: u32,
}

/// A recurrence: values are numbers, yₖ, what was handed on, what is captured, the sums, then those of the steps.
#[derive(Debug)]
struct Random {
    sizes: Sizes,
    /// How many sums are read, the others fill up.
    read: usize,
    steps: Vec<Step>,
    /// yₖ₊₁, handed on, observed, left and right factors.
    outputs: Vec<usize>,
}

impl Random {
    fn new(rng: &mut Rng, lanes: usize) -> Self {
        let read = if rng.bool() { rng.usize(..17) } else { rng.usize(17..70) };
        let sums = if lanes == 1 { read.next_multiple_of(4) } else { read };
        let [state, handed, observed] = [rng.usize(1..5), rng.usize(..4), rng.usize(..3)];
        let few = lanes == 1 && sums <= 16;
        let sizes = Sizes { state, handed, observed, column: COLUMN, sums, few };
        let begin = 4 + state + handed + CAPTURED + read;
        let count = rng.usize(1..60);
        let step = |i: usize, rng: &mut Rng| Step {
            a: rng.usize(..begin + i),
            b: rng.usize(..begin + i),
            c: rng.f64() - 0.5,
            through: rng.u32(..12),
        };
        let steps = (0..count).map(|i| step(i, rng)).collect();
        let written = state + handed + observed + 2 * read;
        let outputs = (0..written).map(|_| rng.usize(..begin + count)).collect();
        Self { sizes, read, steps, outputs }
    }

    fn kernel(&self) -> Kernel {
        let Sizes { state, handed, observed, sums, few, .. } = self.sizes;
        let mut kernel = Kernel::new();
        let mut known: Vec<Value> =
            (0..4 + state + handed).map(|at| kernel.read(0, at as u32)).collect();
        known.extend((0..CAPTURED).map(|at| kernel.read(1, at as u32)));
        for sum in 0..self.read {
            let total = kernel.read(2, sum as u32);
            if !few {
                known.push(total);
                continue;
            }
            let mut at = |list, side: usize| kernel.read(list, (side * sums + sum) as u32);
            let other = at(2, 1);
            let (first, newest) = ([at(3, 0), at(3, 1)], [at(4, 0), at(4, 1)]);
            let total = kernel.fused(Fused::Add, first[0], newest[1], total);
            let other = kernel.fused(Fused::Add, newest[0], first[1], other);
            known.push(kernel.add(total, other));
        }
        for Step { a, b, c, through } in &self.steps {
            let c = kernel.constant(*c);
            let value = kernel.fused(Fused::Add, c, known[*a], known[*b]);
            known.push(match through {
                0 => kernel.sin_cos(value).0,
                1 => {
                    let bounded = kernel.sin_cos(value).1;
                    kernel.call(function, 0, bounded, bounded)
                }
                _ => value,
            });
        }
        let point = 4 + state + handed + observed;
        for (at, output) in self.outputs.iter().enumerate() {
            match (at + 4).checked_sub(point) {
                None => kernel.write(known[*output], 0, (at + 4) as u32),
                Some(at) if at < self.read => kernel.write(known[*output], 1, at as u32),
                Some(at) => kernel.write(known[*output], 1, (sums + at - self.read) as u32),
            }
        }
        kernel
    }

    /// The order after `point`, with the factors of those before it.
    fn order(&self, point: &[f64], captured: &[f64], factors: &[Vec<f64>]) -> Vec<f64> {
        let mut known = [point, captured].concat();
        let k = factors.len();
        let (left, right) =
            (|j: usize, i: usize| factors[j][i], |j: usize, i: usize| factors[j][self.read + i]);
        for i in 0..self.read {
            let middle = if k.is_multiple_of(2) { left(k / 2, i) * right(k / 2, i) } else { 0.0 };
            let (mut total, mut other) = (middle, 0.0);
            for j in (1..k.div_ceil(2)).rev() {
                total = left(j, i).mul_add(right(k - j, i), total);
                other = left(k - j, i).mul_add(right(j, i), other);
            }
            known.push(total + other);
        }
        for Step { a, b, c, through } in &self.steps {
            let value = c.mul_add(known[*a], known[*b]);
            known.push(match through {
                0 => elementary::sin_cos(value).0,
                1 => elementary::exp(elementary::sin_cos(value).1),
                _ => value,
            });
        }
        self.outputs.iter().map(|output| known[*output]).collect()
    }
}

fn numbers(k: usize) -> [f64; 4] {
    [k as f64, 1.0 / k as f64, f64::from(u8::from(k == 1)), (k + 1) as f64]
}

fn random(rng: &mut Rng, count: usize) -> Vec<f64> {
    // Some angles are far.
    (0..count).map(|_| (rng.f64() - 0.5) * if rng.u32(..9) == 0 { 1e9 } else { 1.0 }).collect()
}

/// The numbers of a lane.
fn of_lane(list: &[f64], lane: usize, lanes: usize) -> Vec<f64> {
    list.iter().skip(lane).step_by(lanes).copied().collect()
}

/// The recurrence of a seed, up to an order.
fn check(seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let lanes = if rng.bool() { 1 } else { 4 };
    let program = Random::new(&mut rng, lanes);
    let Sizes { state, handed, observed, sums, .. } = program.sizes;
    let recurrence = Recurrence { kernel: program.kernel(), sizes: program.sizes };
    let last = rng.usize(1..COLUMN);
    let machine = if lanes == 1 {
        Machine::with_recurrence(&[], &recurrence)
    } else {
        Machine::with_recurrence_in_lanes(&[], &recurrence)
    };
    let Some(machine) = machine else { return };
    let captured = random(&mut rng, CAPTURED * lanes);
    let mut rows = random(&mut rng, (last + 1) * state * lanes);
    let mut given = random(&mut rng, (last + 1) * handed * lanes);
    let (begun, begun_given) = (rows.clone(), given.clone());
    let mut columns = vec![0.0; observed * COLUMN * lanes];
    let mut factors = vec![0.0; 2 * sums * (last + 1) * lanes];
    let table = (1..=last).flat_map(numbers);
    let table: Vec<f64> = table.flat_map(|number| vec![number; lanes]).collect();
    let mut room = vec![f64::NAN; machine.room_of_recurrence()];
    let mut lists = Lists {
        numbers: &table,
        captured: &captured,
        state: &mut rows,
        handed: &mut given,
        observed: &mut columns,
        factors: &mut factors,
        room: &mut room,
    };
    assert!(machine.run_recurrence(last, &mut lists), "seed {seed}");
    for lane in 0..lanes {
        let of = |list: &[f64]| of_lane(list, lane, lanes);
        let mut y = of(&begun)[..state].to_vec();
        let mut next = of(&begun_given)[..handed].to_vec();
        let (rows, given, columns) = (of(&rows), of(&given), of(&columns));
        let (factors, captured) = (of(&factors), of(&captured));
        let mut made = vec![Vec::new()];
        for k in 1..=last {
            let point = [&numbers(k)[..], &y, &next].concat();
            let out = program.order(&point, &captured, &made);
            let row = |rows: &[f64], width: usize| rows[k * width..][..width].to_vec();
            let seen = (0..observed).map(|i| columns[i * COLUMN + k]);
            let row_of_factors = &factors[2 * sums * k..];
            let found = [row(&rows, state), row(&given, handed), seen.collect()].concat();
            let sides = [&row_of_factors[..program.read], &row_of_factors[sums..][..program.read]];
            let found = [found, sides.concat()].concat();
            for (i, (found, expected)) in found.iter().zip(&out).enumerate() {
                let same =
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                assert!(same, "seed {seed}, order {k}, output {i}: {found:e}, not {expected:e}");
            }
            (y, next) = (out[..state].to_vec(), out[state..][..handed].to_vec());
            made.push(out[state + handed + observed..].to_vec());
        }
    }
}

#[test]
fn random_recurrences_have_the_bits_of_rust() {
    (0..1500).for_each(check);
}

#[test]
#[ignore = "a million recurrences, or EOM_PROGRAMS of them from EOM_FROM on"]
fn very_many_random_recurrences() {
    let number = |name, otherwise| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let from: u64 = number("EOM_FROM", 0);
    (from..from + number("EOM_PROGRAMS", 1_000_000)).for_each(check);
}

/// y′ = y by its coefficients, yₖ₊₁ = yₖ/(k + 1).
fn exponential() -> Recurrence {
    let mut kernel = Kernel::new();
    let (y, order) = (kernel.read(0, 4), kernel.read(0, 3));
    let next = kernel.div(y, order);
    kernel.write(next, 0, 4);
    let sizes = Sizes { state: 1, handed: 0, observed: 0, column: COLUMN, sums: 0, few: true };
    Recurrence { kernel, sizes }
}

#[test]
fn a_list_that_is_too_short_for_the_orders_is_refused() {
    let Some(machine) = Machine::with_recurrence(&[], &exponential()) else { return };
    let check = |orders: usize, numbers_of: usize, rows: usize, expected: bool| {
        let table: Vec<f64> = (1..=numbers_of).flat_map(numbers).collect();
        let mut state = vec![1.0; rows];
        let mut room = vec![0.0; machine.room_of_recurrence()];
        let mut lists = Lists {
            numbers: &table,
            captured: &[],
            state: &mut state,
            handed: &mut [],
            observed: &mut [],
            factors: &mut [],
            room: &mut room,
        };
        assert_eq!(machine.run_recurrence(orders, &mut lists), expected);
        assert_eq!(state.get(1).is_some_and(|y| *y == 0.5), expected);
    };
    check(3, 3, 4, true);
    check(3, 2, 4, false);
    check(3, 3, 3, false);
    check(0, 3, 4, false);
    check(usize::MAX, 3, 4, false);
}

#[test]
fn kernels_beyond_the_lists_of_a_recurrence_are_refused() {
    let check = |list: u8, at: u32, writes: bool| {
        let mut recurrence = exponential();
        let value =
            recurrence.kernel.read(if writes { 0 } else { list }, if writes { 0 } else { at });
        if writes {
            recurrence.kernel.write(value, list, at);
        }
        assert!(Machine::with_recurrence(&[], &recurrence).is_none(), "{list}, {at}, {writes}");
    };
    // Behind yₖ, sums and factors that there are none of; numbers are not written.
    for (list, at) in [(0, 5), (2, 0), (3, 0), (4, 0)] {
        check(list, at, false);
    }
    for (list, at) in [(0, 0), (0, 3), (0, 5), (1, 0)] {
        check(list, at, true);
    }
    for sums in [3, 1 << 30] {
        let mut recurrence = exponential();
        recurrence.sizes.sums = sums;
        assert!(Machine::with_recurrence(&[], &recurrence).is_none(), "{sums} sums");
    }
}
