use eom_benches::problem::{Problem, state_of};
use eom_benches::systems::{BouncingBall, Penny};
use eom_core::{Method, Options, Progress, Sampling, State, simulate};
use std::ops::ControlFlow;
fn main() {
    let go = &mut |_: &Progress<'_>| ControlFlow::Continue(());
    let penny = Penny::default();
    let start = state_of(&penny, &Problem::Penny.start());
    for m in [Method::RungeKutta, Method::Taylor] {
        let o = Options {
            until_impacts: Some(20),
            sampling: Sampling::Ends,
            method: m,
            ..Options::default()
        };
        let t = simulate(&penny, &start, &[], &o, go).unwrap();
        println!("{:?}", t.stats);
        let o = Options { until_impacts: Some(100), ..o };
        let t = simulate(&BouncingBall::default(), &State::new(0.0, [1.0], [0.0]), &[], &o, go)
            .unwrap();
        println!("{:?}", t.stats);
    }
}
