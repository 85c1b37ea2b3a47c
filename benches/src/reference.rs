//! What everyone is compared with, of another origin: `peers/python/reference.py` computes it with 40
//! digits and more and writes `data`.

use crate::problem::Problem;
use serde_json::Value;
use std::sync::LazyLock;

/// Runs of a smooth problem.
#[derive(Debug)]
pub struct Runs {
    /// Where they start: the problem's own start first, then others near it.
    pub starts: Vec<Vec<f64>>,
    /// The last state of each.
    pub ends: Vec<Vec<f64>>,
}

static EVALUATIONS: LazyLock<Value> =
    LazyLock::new(|| read(include_str!("../data/evaluations.json")));
static JACOBIANS: LazyLock<Value> = LazyLock::new(|| read(include_str!("../data/jacobians.json")));
static RUNS: LazyLock<Value> = LazyLock::new(|| read(include_str!("../data/runs.json")));
static IMPACTS: LazyLock<Vec<f64>> =
    LazyLock::new(|| numbers(&read(include_str!("../data/impacts.json"))));

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// The numbers of a JSON list; of anything else, none.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// Accelerations, then multipliers, at the state of a problem.
pub fn evaluation(problem: Problem) -> Vec<f64> {
    numbers(&EVALUATIONS[problem.id()])
}

/// The same with their derivatives: ∂v̇/∂q, ∂v̇/∂v, then ∂λ/∂q, ∂λ/∂v, each by columns.
pub fn jacobian(problem: Problem) -> Vec<f64> {
    numbers(&JACOBIANS[problem.id()])
}

/// The runs of a problem; of one that is not smooth, none.
pub fn runs(problem: Problem) -> Runs {
    let lists = |key: &str| {
        let lists = RUNS[problem.id()][key].as_array();
        lists.into_iter().flatten().map(numbers).collect()
    };
    Runs { starts: lists("starts"), ends: lists("ends") }
}

/// The times of the first impacts of the penny, s.
pub fn impacts() -> &'static [f64] {
    &IMPACTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_there() {
        for problem in Problem::ALL {
            let system = problem.system();
            let info = system.info();
            let count = info.speeds() + info.rows.len();
            assert_eq!(evaluation(problem).len(), count, "{problem:?}");
            let state = info.positions() + info.speeds();
            assert_eq!(jacobian(problem).len(), count * (1 + state), "{problem:?}");
            assert_eq!(jacobian(problem)[..count], evaluation(problem), "{problem:?}");
        }
        for problem in Problem::SMOOTH {
            let Runs { starts, ends } = runs(problem);
            assert_eq!((starts.len(), ends.len()), (21, 21), "{problem:?}");
            let size = problem.start().len();
            assert!(starts.iter().chain(&ends).all(|state| state.len() == size), "{problem:?}");
        }
        assert_eq!(impacts().len(), 20);
    }

    #[test]
    fn the_own_start_of_a_problem_is_the_first() {
        for problem in Problem::SMOOTH {
            assert_eq!(runs(problem).starts[0], problem.start(), "{problem:?}");
        }
    }
}
