//! The compiled type against the interpreter: the same tables, the same bits of what friction is made of, the same runs.

use eom_core::{Contacts, Events, Friction, Options, State, System, run_scenario};
use eom_interpreter::Interpreted;

eom_core::lagrangian! {
    /// A ball in a rough bowl, and a dissipation of its own in the air.
    system Bowl {
        coordinates { x, y, θ }
        parameters {
            m = 1 where m > 0, r = 0.1 where r > 0, b = 1 where b > r, g = 9.81,
            μ = 0.2 where μ >= 0, μ_s = 0.3 where μ_s >= μ, c = 0.01 where c >= 0,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + m*r^2/5*θ̇^2;
        potential = m*g*y;
        dissipation = c*abs(θ̇);
        let ρ = sqrt(x^2 + y^2);
        contact bowl {
            gap = b - r - ρ; slip = (x*ẏ - y*ẋ)/ρ + r*θ̇; friction(μ_s, μ); impact = restitution(0.3);
        }
        contact wall { gap = x + 0.95; slip = ẏ + r*θ̇; friction = μ*(1 + x^2); impact = plastic; }
        let pressed = λ(bowl) + λ(wall);
        output pressed = pressed;
        output rubbed = friction(bowl);
        event hard { guard = pressed - 30; both; }
        scenario throw { x = 0.2; y = -0.1; ẋ = 3; until t = 2; }
    }
}

eom_core::lagrangian! {
    /// A ball on a cloth with a nap, which resists its rolling and spinning.
    system Cloth {
        coordinates { x, y, z }
        rotation R { space: ω_1, ω_2, ω_3 }
        parameters { a = 0.3 where a >= 0, b = 0.2 where b >= 0, δ = 0.004, δ_s = 0.005, ε = 0.01, r = 0.5, g = 9.81 }
        kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + r^2/5*(ω_1^2 + ω_2^2 + ω_3^2);
        potential = g*z;
        contact cloth {
            gap = z - r; slip = [ẋ - r*ω_2, ẏ + r*ω_1]; friction([a*(1 + x^2), b]);
            roll = [ω_1, ω_2]; rolling(δ_s, δ); spin = ω_3; spinning = ε; impact = restitution(0.4);
        }
        output f = friction(cloth)[2];
        output m = rolling(cloth)[1];
        output s = spinning(cloth);
        scenario shot { z = 0.7; ẋ = 2; ẏ = -1; ω_1 = 3; ω_3 = 5; until t = 6; }
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// c, w, J, γ at a state.
fn frictions(system: &dyn System, state: &State) -> Vec<f64> {
    let (info, m) = (system.info(), state.v.len());
    let terms = info.frictions.len();
    let of_contacts = (0..terms).filter(|term| system.contact_of_friction(*term).is_some()).count();
    let components: usize = info.frictions.iter().map(|term| term.components).sum();
    let weighted = info.frictions.iter().filter(|term| term.weighted);
    let weights: usize = weighted.map(|term| term.components).sum();
    let mut c = vec![0.0; terms + of_contacts + weights];
    let (mut w, mut γ) = (vec![0.0; components], vec![0.0; components]);
    let mut rows = vec![0.0; components * m];
    system.frictions(state.t, &state.q, &state.v, &mut c, &mut w, &mut rows, &mut γ);
    [c, w, rows, γ].concat()
}

#[test]
fn both_have_the_same_bits() {
    let compiled = Bowl::default();
    let read = Interpreted::new(Bowl::INFO.source).expect("it has been compiled");
    assert_eq!(read.info(), compiled.info());
    for term in 0..4 {
        let contact = [None, Some(0), Some(1), None][term];
        assert_eq!(compiled.contact_of_friction(term), contact, "{term}");
        assert_eq!(read.contact_of_friction(term), contact, "{term}");
    }
    let state = State::new(0.3, [0.3, -0.7, 2.0], [0.5, -1.5, 3.0]);
    assert_eq!(bits(&frictions(&compiled, &state)), bits(&frictions(&read, &state)));
    let mut gaps = [[0.0; 2]; 2];
    compiled.gaps(state.t, &state.q, &mut gaps[0]);
    read.gaps(state.t, &state.q, &mut gaps[1]);
    assert_eq!(bits(&gaps[0]), bits(&gaps[1]));
    assert!(compiled.outputs_hold_forces() && read.outputs_hold_forces());
    assert!(compiled.guard_holds_forces(0) && read.guard_holds_forces(0));
    let mut forces = [0.0; 12];
    (forces[0], forces[1], forces[2], forces[7]) = (0.5, 3.0, -0.25, 1.5);
    let mut outputs = [[0.0; 2]; 2];
    compiled.outputs_with_forces(state.t, &state.q, &state.v, &[], &forces, &mut outputs[0]);
    read.outputs_with_forces(state.t, &state.q, &state.v, &[], &forces, &mut outputs[1]);
    assert_eq!(outputs, [[3.5, -0.25]; 2]);
    compiled.outputs(state.t, &state.q, &state.v, &[], &mut outputs[0]);
    assert!(outputs[0].iter().all(|x| x.is_nan()), "{outputs:?}");
    let runs = [&compiled as &dyn System, &read]
        .map(|system| run_scenario(system, "throw", &Options::default()).expect("it starts"));
    let [a, b] = &runs;
    assert!(a.end.is_complete() && a.events.len() > 10, "{} {}", a.end, a.events.len());
    assert_eq!(a.events, b.events);
    assert_eq!(a.samples, b.samples);
}

#[test]
fn rolling_and_two_coefficients_have_the_same_bits() {
    let compiled = Cloth::default();
    let read = Interpreted::new(Cloth::INFO.source).expect("it has been compiled");
    assert_eq!(read.info(), compiled.info());
    let names: Vec<&str> = read.info().frictions.iter().map(|term| term.name).collect();
    assert_eq!(names, ["cloth", "rolling(cloth)", "spinning(cloth)"]);
    let state =
        State::new(0.3, [0.3, -0.7, 0.5, 1.0, 0.0, 0.0, 0.0], [0.5, -1.5, 0.0, 3.0, 2.0, 1.0]);
    let all = frictions(&compiled, &state);
    assert_eq!(bits(&all), bits(&frictions(&read, &state)));
    // μ is 1 of what is weighted; then δ and ε, the same at rest, the factors, and the slip times them.
    let slip = [0.5 - 0.5 * 2.0, -1.5 + 0.5 * 3.0];
    let (a, b) = (0.3 * (1.0 + 0.3 * 0.3), 0.2);
    let wanted =
        [1.0, 0.004, 0.01, 1.0, 0.005, 0.01, a, b, a * slip[0], b * slip[1], 3.0, 2.0, 1.0];
    for (found, wanted) in all.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-15, "{all:?}");
    }
    let forces = [7.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let mut outputs = [[0.0; 3]; 2];
    compiled.outputs_with_forces(state.t, &state.q, &state.v, &[], &forces, &mut outputs[0]);
    read.outputs_with_forces(state.t, &state.q, &state.v, &[], &forces, &mut outputs[1]);
    assert_eq!(outputs, [[2.0, 3.0, 5.0]; 2]);
    let [a, b] = [&compiled as &dyn System, &read]
        .map(|system| run_scenario(system, "shot", &Options::default()).expect("it starts"));
    assert!(a.end.is_complete(), "{}", a.end);
    assert_eq!(a.last().expect("it has run").v[5], 0.0, "it has stopped spinning");
    assert_eq!(a.events, b.events);
    assert_eq!(a.samples, b.samples);
}
