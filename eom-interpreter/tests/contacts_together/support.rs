//! Runs of declarations by both methods.

use eom_core::{End, Method, Options, State, System, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

/// Runs the only scenario of a declaration by one method.
pub(crate) fn run(text: &str, method: Method) -> Trajectory {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let scenario = system.scenario(0).expect("a scenario");
    let start = State::new(scenario.t, scenario.q, scenario.v);
    let options = Options {
        method,
        until_time: Some(scenario.until_time.expect("an end")),
        events_max: 2_000_000,
        ..Options::default()
    };
    simulate(&system, &start, &scenario.u, &options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Runs by both methods; the last states have to agree with each other and with what is wanted.
pub(crate) fn check(name: &str, text: &str, wanted: impl Fn(&State) -> f64, tolerance: f64) {
    for method in [Method::RungeKutta, Method::Taylor] {
        let trajectory = run(text, method);
        assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{name}: {}", trajectory.end);
        let error = wanted(trajectory.last().expect("a state"));
        assert!(error <= tolerance, "{name} {method:?}: {:?}, off by {error:e}", trajectory.last());
    }
}

/// One item for each index, one after another.
pub(crate) fn list(
    indices: std::ops::Range<usize>,
    between: &str,
    item: impl Fn(usize) -> String,
) -> String {
    indices.map(item).collect::<Vec<_>>().join(between)
}

/// A particle of mass 1 in some dimensions, beside planes through the origin with these normals, pushed by a
/// force; all names end as `copy` says.
pub(crate) struct Planes<'a> {
    pub(crate) normals: &'a [Vec<f64>],
    pub(crate) force: &'a [f64],
    pub(crate) e: f64,
}

impl Planes<'_> {
    /// The declaration of so many of them, which know nothing of each other.
    pub(crate) fn declare(&self, copies: usize, start: [&[f64]; 2], until: f64) -> String {
        let n = self.force.len();
        let name = |copy: usize, i: usize| format!("x{copy}_{i}");
        let all = |between: &str, item: &dyn Fn(usize, usize) -> String| {
            let of = |copy: usize| list(0..n, between, |i| item(copy, i));
            list(0..copies, between, of)
        };
        let contact = |copy: usize, c: usize| {
            let sum =
                list(0..n, " + ", |i| format!("({:?})*{}", self.normals[c][i], name(copy, i)));
            format!("contact c{copy}_{c} {{ gap = {sum}; impact = restitution({:?}); }}", self.e)
        };
        let contacts =
            list(0..copies, "\n", |copy| list(0..self.normals.len(), "\n", |c| contact(copy, c)));
        format!(
            "system Planes {{ coordinates {{ {} }} kinetic = ({})/2; potential = -({});\n{contacts}\n\
             scenario s {{ {} until t = {until:?}; }} }}",
            all(", ", &name),
            all(" + ", &|copy, i| format!("{}_dot^2", name(copy, i))),
            all(" + ", &|copy, i| format!("({:?})*{}", self.force[i], name(copy, i))),
            all(" ", &|copy, i| {
                let x = name(copy, i);
                format!("{x} = {:?}; {x}_dot = {:?};", start[0][i], start[1][i])
            })
        )
    }
}
