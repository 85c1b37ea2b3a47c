//! What is said of a declaration of friction that is wrong, and what is printed of one that is right.

use super::{check, run, system};
use eom_core::friction::FrictionError;
use eom_core::{End, Options, State, impacts_together, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

/// The first message of a contact on a block.
fn said(contact: &str) -> String {
    let source = format!(
        "system Block {{
            coordinates {{ x, y }}
            parameters {{ μ = 0.4, ν = -0.1 }}
            kinetic = (ẋ^2 + ẏ^2)/2;
            potential = 9.81*y;
            contact floor {{ gap = y; {contact} }}
        }}"
    );
    match Interpreted::new(&source) {
        Ok(_) => String::new(),
        Err(mistakes) => mistakes[0].message.clone(),
    }
}

#[test]
fn mistakes_are_told() {
    let cases = [
        ("impact = plastic; slip = ẋ; friction = μ;", ""),
        ("impact = plastic; slip = [ẋ, ẏ]; friction(0.5, 0.4);", ""),
        ("impact = plastic; friction = μ;", "does not say what slips"),
        ("impact = plastic; slip = ẋ;", "slips without friction"),
        ("impact = plastic; slip = ẋ^2; friction = μ;", "a slip is linear in the velocities"),
        ("impact = plastic; slip = [ẋ, ẏ, ẋ]; friction = μ;", "one velocity or two"),
        ("impact = plastic; slip = ẋ; friction = -0.1;", "must not be negative"),
        ("impact = plastic; slip = ẋ; friction = ν;", "must not be negative"),
        ("impact = plastic; slip = ẋ; friction(0.3, 0.4);", "what sticks is held by less"),
        ("impact = plastic; slip = ẋ; friction = ẋ;", "a coefficient of friction depends on"),
        ("impact = plastic; slip = ẋ; friction(1, 2, 3);", "friction takes one coefficient"),
        ("impact = plastic; slip = 0; friction = μ;", "holds no velocity"),
        ("impact = plastic; slip = ẏ; friction = μ;", "is the rate of the gap of `floor`"),
        ("impact = plastic; slip = [2*ẏ, t - x*ẏ]; friction = μ;", "is the rate of the gap"),
        ("impact = plastic; slip = ẋ + ẏ; friction = μ;", ""),
        ("impact = plastic; slip = ẋ; friction = [μ, μ];", "coefficients of directions"),
        (
            "impact = plastic; slip = [ẋ, ẏ]; friction([μ, μ], [μ, μ]);",
            "coefficients of directions",
        ),
        ("impact = plastic; slip = [ẋ, ẏ]; friction = [μ, μ, μ];", "coefficients of directions"),
        ("impact = plastic; slip = [ẋ, ẏ]; friction([μ, 0.1]);", ""),
        ("impact = plastic; slip = [ẋ, ẏ]; friction([μ, -0.1]);", "must not be negative"),
        ("impact = plastic; slip = [ẋ, ẏ]; friction([μ, ν]);", "must not be negative"),
        ("impact = plastic; roll = ẋ; rolling = μ;", ""),
        ("impact = plastic; roll = ẋ;", "rolls without resistance"),
        ("impact = plastic; rolling(0.2, 0.1);", "rolling resistance, and does not say what rolls"),
        ("impact = plastic; spin = ẋ;", "spins without resistance"),
        ("impact = plastic; spinning = μ;", "spinning resistance, and does not say what spins"),
        ("impact = plastic; spin = [ẋ, ẏ]; spinning = μ;", "a spin is one velocity"),
        ("impact = plastic; roll = [ẋ, ẏ, ẋ]; rolling = μ;", "a roll is one velocity or two"),
        ("impact = plastic; roll = ẋ*ẏ; rolling = μ;", "a roll is linear in the velocities"),
        ("impact = plastic; roll = ẋ; rolling(1, 2, 3);", "rolling takes one coefficient"),
        ("impact = plastic; roll = ẋ; roll = ẏ; rolling = μ;", "stated twice"),
        (
            "impact = poisson(0.5); slip = ẋ; friction = μ; roll = ẏ; rolling = μ;",
            "against rolling",
        ),
        (
            "impact = poisson(0.5); roll = ẏ; rolling = μ;",
            "`poisson(0.5)` is a law of contacts with friction",
        ),
        (
            "impact = plastic; slip = ẋ; friction = μ; } output m = rolling(floor); event e { guard = y;",
            "no rolling resistance",
        ),
        ("impact = stronge(0.5); slip = ẋ; friction = μ;", ""),
        ("impact = poisson(0.5);", "`poisson(0.5)` is a law of contacts with friction"),
        ("impact = stronge(1.5); slip = ẋ; friction = μ;", "a restitution"),
        ("impact = stronge; slip = ẋ; friction = μ;", "stronge takes one number"),
        ("impact = project; slip = ẋ; friction = μ;", "other than by restitutions"),
        ("impact = restitution(1, 1); slip = ẋ; friction = μ;", "along its own rows"),
        (
            "impact = plastic; constraints { s: ẋ = 0; } slip = ẋ; friction = μ;",
            "constraints of its own",
        ),
        (
            "impact = plastic; slip = ẋ; friction = μ; } claim c at floor: ẏ_plus = 0; event e { guard = y; falling;",
            "of whose impulses claims know nothing",
        ),
    ];
    for (contact, wanted) in cases {
        let said = said(contact);
        assert!(said.contains(wanted) && said.is_empty() == wanted.is_empty(), "{contact}: {said}");
    }
}

/// A sign of a velocity in a force is told; a drag that has one is not.
#[test]
fn friction_that_cannot_stick_is_told() {
    for (force, told) in
        [("-3*sign(ẋ)", true), ("2 - x^2*sign(ẋ - 1)", true), ("-ẋ^2*sign(ẋ)", false)]
    {
        let source = format!(
            "system Block {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = x^2; force x = {force}; }}"
        );
        let derived = eom_codegen::diagnose_source(&source);
        let (_, said) = derived.unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
        let found = said.iter().any(|said| said.message.contains("cannot stick"));
        assert_eq!(found, told, "{force}: {said:#?}");
    }
}

/// Outside of a run nothing is known of what else touches.
#[test]
fn an_impact_with_friction_asks_for_a_run() {
    let block = Interpreted::new(super::systems::BELT).expect("it has no mistake");
    let said = impacts_together(&block, &[0], &State::new(0.0, [0.0; 2], [0.0; 2]))
        .expect_err("it has friction");
    assert!(said.to_string().contains("has friction, whose impacts a run makes"), "{said}");
}

#[test]
fn the_law_of_several_is_printed() {
    let law = |restitution: &str| {
        let source = super::systems::BELT.replace("plastic", restitution);
        let block = Interpreted::new(&source).expect("it has no mistake");
        let text = &block.derivation().equations_text();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let several = "; with others in two phases, ġ ≥ 0, Λ_c ≥ 0, then Λ ≥ (1 + e) Λ_c, Φ of each by the slip at its end";
    assert!(law("poisson(0.5)").contains(several), "{}", law("poisson(0.5)"));
    let several =
        "; with others dΛ of each as √E, dE = −ġ dΛ where ġ < 0, −ġ dΛ/e² where ġ > 0, to E = 0";
    assert!(law("stronge(0.5)").contains(several), "{}", law("stronge(0.5)"));
}

#[test]
fn the_law_is_printed() {
    let block = Interpreted::new(super::systems::BELT).expect("it has no mistake");
    let text = &block.derivation().equations_text();
    for line in [
        "s = ẋ - u",
        "friction f on s: |f| ≤ μ_s λ where s = 0, f = −μ λ s/|s| where not",
        "|Φ| ≤ μ Λ where s⁺ = 0, Φ = −μ Λ s⁺/|s⁺| where not",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

/// Coefficients that depend on t leave 0 ≤ μ ≤ μ_s.
#[test]
fn coefficients_out_of_their_bounds_end_a_run() {
    let block = |friction: &str| {
        system(
            &format!(
                "system Block {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; force y = -1; force x = 0.15;
                 contact floor {{ gap = y; slip = ẋ; {friction}; impact = plastic; }} }}"
            ),
            &[],
        )
    };
    let falling = block("friction = 0.3 - 0.1*t");
    // It slides from t = 1.5 on, or from the start, and is at rest where μ ends.
    for (t, v) in [(0.0, 0.0), (0.0, 1.0), (1.0, -3.0)] {
        let start = State::new(t, [0.0; 2], [v, 0.0]);
        let options = Options { until_time: Some(7.0), ..Options::default() };
        let trajectory =
            simulate(&falling, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let end = trajectory.expect("the start is possible").end;
        assert!(end.to_string().contains("the friction of `floor` has the coefficient -"), "{end}");
        let End::ImpossibleFriction { t, error: Some(FrictionError::Coefficient { .. }), .. } = end
        else {
            panic!("{end}")
        };
        check("where μ is zero", t, 3.0, 1e-10);
    }
    let crossing = block("friction(0.3 - 0.1*t, 0.2)");
    let end = run(&crossing, &[0.0; 2], &[0.0; 2], 5.0).end;
    assert!(
        end.to_string().contains("the friction of `floor` holds by the coefficient 0.1"),
        "{end}"
    );
    let End::ImpossibleFriction { t, error: Some(FrictionError::AtRest { sliding, .. }), .. } = end
    else {
        panic!("{end}")
    };
    check("gives way", t, 1.5, 1e-12);
    check("μ", sliding, 0.2, 0.0);
}
