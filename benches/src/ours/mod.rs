//! Our side of each row. What is timed is what a user would write.

mod derive;
mod evaluate;
mod jacobian;
mod rough;
mod run;

use crate::compile;
use crate::contest::{Contestant, Measured};
use crate::problem::Problem;
use crate::work::Work;
pub(crate) use jacobian::FUNCTION;

/// Our contestants at a piece of work.
pub fn contestants(work: Work) -> Vec<Contestant<'static>> {
    match work {
        Work::DeriveLinks(n) => derive::contestants(crate::pendulum(n)),
        Work::Derive(problem) => derive::contestants(problem.lagrangian().to_owned()),
        Work::Latency(problem) => evaluate::latency(problem),
        Work::Batch(problem) => evaluate::batch(problem),
        Work::Jacobian(problem) => jacobian::contestants(problem),
        Work::Taylor(order) => run::taylor(order),
        Work::Precision(problem) => run::smooth(problem),
        Work::Impacts => run::impacts(),
        Work::Bounces => run::bounces(),
        Work::Hops => rough::hops(),
        Work::Stack => rough::stack(),
        Work::Ensemble => run::ensemble(),
        Work::Macro(problem) => vec![compiled("ours", problem, compile::expansion)],
        Work::Setup(problem) => vec![compiled("ours, rustc", problem, compile::crate_with)],
    }
}

/// A step of compiling the declaration of a problem.
fn compiled(
    name: &str,
    problem: Problem,
    step: fn(&str) -> Result<f64, String>,
) -> Contestant<'static> {
    Contestant::ours(name, move || {
        step(problem.source()).map(|ns| Measured { ns, ..Measured::default() })
    })
}
