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

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// c, w, J, γ at a state.
fn frictions(system: &dyn System, state: &State) -> Vec<f64> {
    let (terms, m) = (system.info().frictions.len(), state.v.len());
    let of_contacts = (0..terms).filter(|term| system.contact_of_friction(*term).is_some()).count();
    let mut c = vec![0.0; terms + of_contacts];
    let (mut w, mut γ) = (vec![0.0; terms], vec![0.0; terms]);
    let mut rows = vec![0.0; terms * m];
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
    let forces = [0.5, 3.0, -0.25, 0.0, 1.5, 0.0];
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
