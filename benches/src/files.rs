//! The same declarations from text and compiled: how long runs, evaluations and set-up take without rustc.
//!
//! ```text
//! set-up     text → derived, its functions ready
//! file, compiled     the same call on both, in turns, the shortest of each
//! ```

use crate::clock::shortest_of_threads;
use crate::problem::{Problem, penny_of_ensemble, state_of};
use crate::report::machine_and_date;
use crate::systems::{BouncingBall, Penny};
use crate::work::digits;
use eom_core::{
    Method, Options, Progress, Sampling, State, System, ensemble, ensemble_in_lanes, simulate,
};
use eom_interpreter::Interpreted;
use std::fmt::Write as _;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

/// Seconds that one row measures.
const SECONDS: f64 = 2.0;
/// Turns of each row.
const TURNS: usize = 10;

/// What a system is asked.
type Work = Box<dyn Fn(&dyn System)>;

/// The names of the two, and what both are asked.
struct Row {
    title: String,
    source: &'static str,
    compiled: Box<dyn System>,
    work: Work,
}

fn run(start: Vec<f64>, options: Options) -> Work {
    Box::new(move |system| {
        let start = state_of(system, &start);
        let go_on = &mut |_: &Progress<'_>| ControlFlow::Continue(());
        drop(black_box(simulate(system, &start, &[], &options, go_on)));
    })
}

fn evaluate(problem: Problem) -> Work {
    Box::new(move |system| {
        let State { t, q, v } = state_of(system, &problem.state());
        let (mut a, mut λ) = (vec![0.0; v.len()], vec![0.0; system.info().rows.len()]);
        for _ in 0..1000 {
            system.accelerations(t, black_box(&q), &v, &[], &mut a, &mut λ);
            black_box(&a);
        }
    })
}

fn by(method: Method) -> Options {
    Options { method, sampling: Sampling::Ends, ..Options::default() }
}

fn of(problem: Problem, title: &str, work: Work) -> Row {
    let title = format!("{title}, {}", problem.title());
    Row { title, source: problem.source(), compiled: problem.system(), work }
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Problem::ALL
        .into_iter()
        .map(|problem| of(problem, "a thousand evaluations", evaluate(problem)))
        .collect();
    for (method, name) in [(Method::Taylor, "series"), (Method::RungeKutta, "Runge–Kutta")] {
        for problem in Problem::SMOOTH {
            let options = Options { until_time: Some(problem.end()), ..by(method) };
            let work = run(problem.start(), options);
            rows.push(of(problem, &format!("run by {name}"), work));
        }
        let options = Options { until_impacts: Some(1000), ..by(method) };
        let work = run(Problem::Penny.start(), options);
        rows.push(of(Problem::Penny, &format!("1000 impacts by {name}"), work));
    }
    let options = Options { until_impacts: Some(150), ..by(Method::Taylor) };
    rows.push(Row {
        title: "150 impacts by series, bouncing ball".to_owned(),
        source: BouncingBall::INFO.source,
        compiled: Box::new(BouncingBall::default()),
        work: run(vec![1.0, 0.0], options),
    });
    rows.push(of(Problem::Penny, "ensemble of 500, 20 impacts each, by series", pennies()));
    rows
}

/// Each in lanes: the file in those of its code, the compiled type in those of the machine.
fn pennies() -> Work {
    let penny = Penny::default();
    Box::new(move |system| {
        let starts: Vec<State> =
            (0..500).map(|i| state_of(system, &penny_of_ensemble(i))).collect();
        let options = Options { until_impacts: Some(20), ..by(Method::Taylor) };
        black_box(if std::ptr::eq(system.info(), penny.info()) {
            ensemble_in_lanes(&penny, &starts, &[], &options, |_, run| run)
        } else {
            ensemble(system, &starts, &[], &options)
        });
    })
}

/// The rows whose titles hold one of `only`, as a table in Markdown.
pub fn table(only: &[String]) -> Result<String, String> {
    let mut text = format!(
        "# Files beside compiled systems\n\n{}\n\n| what | set-up of the file, ms | file, µs | by the interpreter, µs | compiled, µs | file / compiled |\n\
         | --- | ---: | ---: | ---: | ---: | ---: |\n",
        machine_and_date()
    );
    for row in rows() {
        if !only.is_empty() && !only.iter().any(|o| row.title.contains(o)) {
            continue;
        }
        let begun = Instant::now();
        let file = Interpreted::new(row.source).map_err(|mistakes| format!("{mistakes:?}"))?;
        let set_up = begun.elapsed().as_secs_f64() * 1e3;
        let interpreted = file.clone().interpreted();
        let systems: [&dyn System; 3] = [&file, &interpreted, &*row.compiled];
        let mut best = [f64::INFINITY; 3];
        for _ in 0..TURNS {
            for (best, system) in best.iter_mut().zip(systems) {
                let (time, ()) = shortest_of_threads(SECONDS / 40.0, || (row.work)(system));
                *best = best.min(time);
            }
        }
        let [file, interpreted, compiled] = best.map(|ns| ns / 1e3);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.title,
            digits(set_up),
            digits(file),
            digits(interpreted),
            digits(compiled),
            digits(file / compiled)
        );
    }
    Ok(text)
}
