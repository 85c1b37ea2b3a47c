//! DOP853 of the crate `ode_solvers` with hand-written right-hand sides: the protocol of
//! `../../python/peer.py`. Arguments: the file of starts, then the rows.

mod right_hand_sides;

use ode_solvers::dop_shared::OutputType;
use ode_solvers::{Dop853, SVector, System};
use right_hand_sides::{ball, double_pendulum, nlink6, particle};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::BufRead;

const TOLERANCES: [f64; 8] = [1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15];

/// dy/dt = f(y).
struct Flow<F, const N: usize>(F);

impl<F: Fn(&[f64], &mut [f64]), const N: usize> System<f64, SVector<f64, N>> for Flow<F, N> {
    fn system(&self, _t: f64, y: &SVector<f64, N>, dy: &mut SVector<f64, N>) {
        (self.0)(y.as_slice(), dy.as_mut_slice());
    }
}

/// The time that this thread has run, ns.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// From each start to the end; the time of one run.
fn runs<const N: usize>(
    f: impl Fn(&[f64], &mut [f64]) + Copy,
    starts: &[f64],
    end: f64,
    tolerance: f64,
) -> Value {
    let count = starts.len() / N;
    let (mut states, mut steps) = (Vec::with_capacity(starts.len()), 0);
    let begin = now();
    for start in starts.chunks_exact(N) {
        match run::<N>(f, start, end, tolerance) {
            Err(why) => return json!({ "failed": why }),
            Ok((state, taken)) => {
                states.extend(state);
                steps += taken as usize;
            }
        }
    }
    json!({ "ns": (now() - begin) / count as f64, "state": states, "steps": steps / count })
}

/// The last state and the steps to it.
fn run<const N: usize>(
    f: impl Fn(&[f64], &mut [f64]),
    start: &[f64],
    end: f64,
    tolerance: f64,
) -> Result<(Vec<f64>, u32), String> {
    let start = SVector::<f64, N>::from_column_slice(start);
    let mut solver = Dop853::from_param(
        Flow(f),
        0.0,
        end,
        end,
        start,
        tolerance,
        tolerance,
        0.9,
        0.0,
        0.333,
        6.0,
        end,
        0.0,
        10_000_000,
        1_000_000,
        OutputType::Sparse,
    );
    let stats = solver.integrate().map_err(|error| format!("{error:?}"))?;
    let last = solver.y_out().last().map(|y| y.as_slice().to_vec()).unwrap_or_default();
    Ok((last, stats.accepted_steps))
}

fn measure(system: &str, numbers: &HashMap<String, Vec<f64>>, tolerance: f64) -> Value {
    let list = |kind: &str| &numbers[&format!("{system} {kind}")];
    let (starts, end) = (list("starts"), list("end")[0]);
    match system {
        "double_pendulum" => runs::<4>(double_pendulum, starts, end, tolerance),
        "nlink6" => runs::<12>(nlink6, starts, end, tolerance),
        "particle" => runs::<4>(particle, starts, end, tolerance),
        "ball" => runs::<12>(ball, starts, end, tolerance),
        _ => json!({ "failed": "no such system" }),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (file, rows) = arguments.split_first().expect("the file of starts");
    let numbers: HashMap<String, Vec<f64>> = std::fs::read_to_string(file)
        .expect("the file of starts")
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let list = words[2..].iter().filter_map(|word| word.parse().ok()).collect();
            (format!("{} {}", words[0], words[1]), list)
        })
        .collect();
    let all: Vec<(&str, f64)> = rows
        .iter()
        .filter_map(|row| row.strip_prefix("precision/"))
        .flat_map(|system| TOLERANCES.map(|tolerance| (system, tolerance)))
        .collect();
    let contestants: Vec<Value> = all
        .iter()
        .map(|(system, tolerance)| {
            json!({ "row": format!("precision/{system}"), "name": "ode_solvers, DOP853",
                    "role": "peer", "tolerance": tolerance })
        })
        .collect();
    let versions = json!({ "ode_solvers": "0.6" });
    println!("{}", json!({ "contestants": contestants, "versions": versions, "failed": [] }));
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let (system, tolerance) =
            all[line.trim().parse::<usize>().expect("the number of a contestant")];
        println!("{}", measure(system, &numbers, tolerance));
    }
}
