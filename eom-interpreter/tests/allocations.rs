//! A run that is stepped takes no memory between events. A test alone in its file, since the counter is that
//! of the process.

use eom_core::{AbsoluteTolerance, Method, Options, Run, Sampling, State};
use eom_interpreter::Interpreted;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A cart between two walls with a pole on it.
const CART_POLE: &str = "system CartPole { coordinates { x, θ } inputs { u }
    parameters { M = 1, m = 1/10, l = 1/2, g = 9.81, e = 4/5, L = 3/10 }
    kinetic = M/2*ẋ^2 + m/2*((ẋ + l*θ̇*cos(θ))^2 + (l*θ̇*sin(θ))^2); potential = m*g*l*cos(θ);
    force x = u;
    contact left { gap = x + L; impact = restitution(e); }
    contact right { gap = L - x; impact = restitution(e); } }";

/// A block that stays on its floor while it is pushed.
const BLOCK: &str = "system Block { coordinates { x, z } inputs { u } parameters { m = 2, g = 10 }
    kinetic = m/2*(ẋ^2 + ż^2); potential = m*g*z; force x = u; force z = u/2;
    contact floor { gap = z; impact = plastic; } }";

/// The same with friction, that of a belt beside the push, and of a brake.
const ROUGH: &str = "system Rough { coordinates { x, z } inputs { u }
    parameters { m = 2, g = 10, μ = 0.3, c = 3, w = 0.4 }
    kinetic = m/2*(ẋ^2 + ż^2); potential = m*g*z + 2*x^2; force x = 6*sin(3*t) + u/100;
    dissipation = c*abs(ẋ);
    contact floor { gap = z; slip = ẋ - w; friction = μ; impact = plastic; } }";

/// A puck on a belt in space, held by a spring.
const PUCK: &str =
    "system Puck { coordinates { x, z, y } inputs { u } parameters { m = 2, g = 10, μ = 0.3 }
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2); potential = m*g*z + 40*((x - 0.3)^2 + 2*y^2);
    force y = 20*sin(5*t) + u/100; force z = 3*sin(9*t);
    contact floor { gap = z; slip = [ẋ - 2, ẏ]; friction = μ; impact = plastic; } }";

/// A block on a rough rail, and another that rubs against it.
const PILE: &str =
    "system Pile { coordinates { x, z, y } inputs { u } parameters { m = 2, g = 10, μ = 0.3 }
    kinetic = m/2*(ẋ^2 + ż^2) + m*ẏ^2/2; potential = m*g*z + 9*x^2 + 5*y^2;
    force x = 20*sin(2*t) + u/100; force y = 9*cos(3*t);
    constraints { rail: ż = 0; } row rail { slip = ẋ; friction = μ; }
    dissipation = 2*abs(ẋ - ẏ); }";

/// The allocations in `steps` steps of 1 ms under a control that is held, and the events in them. Steps with
/// an event in them are not counted, nor those up to event number `first`, in which room is made once.
fn allocations(
    source: &str,
    start: &State,
    (method, steps, first): (Method, u32, usize),
) -> (usize, usize) {
    let system = Interpreted::new(source).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let options = Options {
        method,
        step: (method == Method::Moreau).then_some(2e-4),
        sampling: Sampling::Ends,
        relative_tolerance: 1e-9,
        absolute_tolerance: AbsoluteTolerance::All(1e-12),
        ..Options::default()
    };
    let run = Run::with_inputs(&system, start, &[0.0], &options);
    let mut run = run.unwrap_or_else(|error| panic!("{error}"));
    let mut allocated = 0;
    for i in 1..=steps {
        let slips = |run: &Run<'_>| [0, 1].map(|term| run.slip_sign(term));
        let (mode, before) = (run.mode().clone(), slips(&run));
        let (region, events) = (Region::new(COUNTING), run.event_count());
        let State { q, v, .. } = run.state();
        let wave = 6.0 * (f64::from(i) * 2e-3).sin();
        let u = 40.0 * q[1] + 8.0 * v[1] + wave;
        assert!(run.set_inputs(&[u]).is_ok());
        assert!(run.advance_to(1e-3 * f64::from(i)).is_continue(), "{:?}", run.end());
        let taken = region.change().allocations + region.change().reallocations;
        let is_same = *run.mode() == mode && slips(&run) == before;
        if run.event_count() == events && is_same && events >= first && i > 10 {
            allocated += taken;
        }
    }
    (allocated, run.event_count())
}

#[test]
fn a_step_between_events_takes_no_memory() {
    for method in [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Moreau] {
        let start = State::new(0.0, [0.0, 0.02], [0.0, 0.0]);
        let (allocated, events) = allocations(CART_POLE, &start, (method, 20_000, 2));
        assert!(events > 5, "{events} events");
        assert_eq!(allocated, 0, "{method:?}, between {events} events");
        let floor = State::new(0.0, [0.0; 2], [0.0; 2]);
        let (allocated, events) = allocations(BLOCK, &floor, (method, 2000, 0));
        assert_eq!((allocated, events), (0, 0), "{method:?}, on the floor");
    }
    let mut taken = Vec::new();
    for (source, entries, least) in [(ROUGH, 2, 4), (PUCK, 3, 0), (PILE, 3, 1)] {
        // Of a slip in a plane the derivative is made anew.
        let methods = [Method::RungeKutta, Method::Radau];
        for method in methods.into_iter().take(if source == PUCK { 1 } else { 2 }) {
            let start = State::new(0.0, vec![0.0; entries], vec![0.0; entries]);
            let (allocated, events) = allocations(source, &start, (method, 4000, least));
            assert!(events >= least, "{events} events: {source}");
            if allocated > 0 {
                taken.push((method, allocated, events, &source[..20]));
            }
        }
    }
    assert!(taken.is_empty(), "{taken:?}");
}
