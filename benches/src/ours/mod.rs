//! Our side of each row. What is timed is what a user would write.

mod derive;
mod evaluate;
mod run;

use crate::contest::Contestant;
use crate::work::Work;

/// Our contestants at a piece of work.
pub fn contestants(work: Work) -> Vec<Contestant<'static>> {
    match work {
        Work::DeriveLinks(n) => derive::contestants(crate::pendulum(n)),
        Work::Derive(problem) => derive::contestants(problem.source().to_owned()),
        Work::Latency(problem) => evaluate::latency(problem),
        Work::Batch(problem) => evaluate::batch(problem),
        Work::Taylor(_) => Vec::new(),
        Work::Precision(problem) => run::smooth(problem),
        Work::Impacts => run::impacts(),
        Work::Bounces => run::bounces(),
        Work::Ensemble => run::ensemble(),
    }
}
