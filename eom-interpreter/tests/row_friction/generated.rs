//! The compiled type against the interpreter: the same tables, the same bearers, the same runs to the bit.

use eom_core::info::FrictionKind;
use eom_core::{Friction, Options, State, System, run_scenario};
use eom_interpreter::Interpreted;

eom_core::lagrangian! {
    /// A bead on a parabola, which falls on a rough stop, and a slide beside it.
    system Parabola {
        coordinates { x, y, z }
        parameters { m = 1 where m > 0, g = 9.81, a = 0.7, μ = 0.1 where μ >= 0, μ_s = 0.2 where μ_s >= μ, c = 0.01 where c >= 0 }
        kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2);
        potential = m*g*y + x*z;
        dissipation = c*abs(ż);
        holonomic { wire: y = a*x^2; }
        row wire { slip = (1 + 4*a^2*x^2)*ẋ; friction(μ_s, μ); }
        contact stop { gap = x + 0.4; slip = ż; friction = μ; impact = restitution(0.3); }
        output pressed = abs(λ(wire));
        output rubbed = friction(wire);
        scenario drop { x = 1; y = 0.7; z = 0.1; solve ẏ; until t = 3; }
    }
}

eom_core::lagrangian! {
    /// A pendulum on a rough pin in space that strikes a rough wall.
    system Pinned {
        coordinates { x, y, z, θ }
        parameters { m = 1 where m > 0, g = 9.81, r = 0.1, μ = 0.2 where μ >= 0, μ_s = 0.4 where μ_s >= μ }
        kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2) + 0.05*θ̇^2;
        potential = m*g*y;
        force z = 2 + x;
        holonomic { pin: [x - sin(θ), y + cos(θ), z] = [0, 0, 0]; }
        row pin { slip = [r*θ̇, 0.1*ẏ]; friction(μ_s, μ); }
        contact wall { gap = x + 0.3 + z/2; slip = ẏ; friction = μ; impact = restitution(0.6); }
        output pressed = norm(λ(pin));
        output rubbed = norm(friction(pin));
        scenario swing { θ = 1.4; solve x, y, z, ẋ, ẏ, ż; until t = 8; }
    }
}

#[test]
fn a_pin_is_the_same_compiled_and_interpreted() {
    let (compiled, interpreted) =
        (Pinned::default(), Interpreted::new(Pinned::INFO.source).expect("it is right"));
    for system in [&compiled as &dyn System, &interpreted] {
        let kinds = system.info().frictions.iter().map(|f| (f.name, f.kind));
        let kinds: Vec<_> = kinds.collect();
        assert_eq!(kinds, [("wall", FrictionKind::Slip), ("pin", FrictionKind::Row)]);
        assert_eq!([0, 1].map(|term| system.rows_of_friction(term)), [None, Some(0..3)]);
        assert_eq!([0, 1].map(|term| system.row_of_friction(term)), [None; 2]);
    }
    let one = run_scenario(&compiled, "swing", &Options::default()).expect("it starts");
    let other = run_scenario(&interpreted, "swing", &Options::default()).expect("it starts");
    assert!(one.end.is_complete(), "{}", one.end);
    assert!(one.impacts().count() >= 3);
    assert_eq!(bits(&one.samples), bits(&other.samples));
}

#[test]
fn compiled_and_interpreted_are_the_same() {
    let compiled = Parabola::default();
    let interpreted = Interpreted::new(Parabola::INFO.source).expect("it is right");
    let kinds = |system: &dyn System| -> Vec<FrictionKind> {
        system.info().frictions.iter().map(|friction| friction.kind).collect()
    };
    assert_eq!(kinds(&compiled), kinds(&interpreted));
    assert_eq!(
        kinds(&compiled),
        [FrictionKind::Dissipation, FrictionKind::Slip, FrictionKind::Row]
    );
    for term in 0..3 {
        assert_eq!(compiled.row_of_friction(term), (term == 2).then_some(0));
        assert_eq!(interpreted.row_of_friction(term), (term == 2).then_some(0));
        assert_eq!(compiled.contact_of_friction(term), interpreted.contact_of_friction(term));
    }
    let options = Options::default();
    let one = run_scenario(&compiled, "drop", &options).expect("it starts");
    let other = run_scenario(&interpreted, "drop", &options).expect("it starts");
    assert!(one.end.is_complete(), "{}", one.end);
    assert!(one.impacts().count() >= 1);
    assert_eq!(bits(&one.samples), bits(&other.samples));
}

/// The bits of all samples.
fn bits(samples: &[State]) -> Vec<u64> {
    samples.iter().flat_map(|s| s.q.iter().chain(&s.v).map(|x| x.to_bits())).collect()
}
