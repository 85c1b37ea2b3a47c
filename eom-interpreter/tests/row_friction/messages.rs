//! What is said of friction of constraints that is wrong, and what is printed of one that is right.

use eom_interpreter::Interpreted;

/// The first message of a declaration with these items.
fn said(items: &str) -> String {
    let source = format!(
        "system Bead {{
            coordinates {{ x, y, z, p, q }}
            parameters {{ μ = 0.4, ν = -0.1 }}
            kinetic = (ẋ^2 + ẏ^2 + ż^2 + ṗ^2 + q̇^2)/2;
            potential = 9.81*y;
            holonomic {{ wire: y = x; }}
            constraints {{ pair: [ṗ, q̇] = [x*ż, y*ż]; }}
            {items}
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
        ("row wire { slip = ẋ + ẏ; friction = μ; }", ""),
        ("row wire { slip = ẋ; friction(0.5, 0.4); } output f = friction(wire);", ""),
        (
            "row wire { friction = μ; }",
            "constraint `wire` has friction, and does not say what slips",
        ),
        ("row wire { slip = ẋ; }", "constraint `wire` slips without friction"),
        ("row wier { slip = ẋ; friction = μ; }", "there is no constraint `wier`"),
        ("row pair { slip = ẋ; friction = μ; } output f = friction(pair);", ""),
        (
            "constraints { grid: [[ṗ, q̇], [ẋ, ż]] = [[0, 0], [0, 0]]; } row grid { slip = ẋ; friction = μ; }",
            "`grid` is a matrix of constraints",
        ),
        (
            "row pair { slip = [ẋ, ż, ẏ, ṗ]; friction = μ; }",
            "a slip is of one to three velocities, and this is",
        ),
        (
            "row pair { slip = ẋ; friction = μ; } claim a: λ(pair) = [1, 2];",
            "constraint `pair` has friction",
        ),
        (
            "row pair { slip = ẋ; friction = μ; }
             contact floor { gap = z; slip = ẋ; friction = μ; impact = stronge(0.5); }",
            "constraint `pair` has friction, and contact `floor` has a law that goes by the works",
        ),
        ("row wire { slip = ẋ^2; friction = μ; }", "a slip is linear in the velocities"),
        (
            "row wire { slip = [ẋ, ż]; friction([0.1, 0.2, 0.3]); }",
            "coefficients of directions belong to a slip of as many velocities",
        ),
        ("row wire { slip = ẋ; friction = -0.1; }", "must not be negative"),
        ("row wire { slip = ẋ; friction = ν; }", "must not be negative"),
        ("row wire { slip = ẋ; friction(0.3, 0.4); }", "what sticks is held by less"),
        ("row wire { slip = ẋ; friction = ẋ; }", "a coefficient of friction depends on"),
        ("row wire { slip = 0; friction = μ; }", "holds no velocity"),
        ("row wire { slip = ẋ; roll = ẏ; }", "`roll`"),
        (
            "row wire { slip = ẋ; friction = μ; } row wire { slip = ẏ; friction = μ; }",
            "the friction of `wire` is declared twice",
        ),
        ("output f = friction(wire);", "`wire` has no friction"),
        ("row wire { slip = ẋ; friction = μ; } force x = -friction(wire)/2;", ""),
        (
            "row wire { slip = ẋ; friction = μ; } force x = friction(wire)^2;",
            "is not affine in the multipliers",
        ),
        (
            "row wire { slip = ẋ; friction = μ; } force z = λ(wire);",
            "of rows cannot stand beside a force with a multiplier",
        ),
        (
            "row wire { slip = ẋ; friction = μ; } contact floor { gap = z; impact = project; }",
            "constraint `wire` has friction, and contact `floor` has a law other than",
        ),
        (
            "row wire { slip = ẋ; friction = μ; }
             contact floor { gap = z; slip = ẋ; friction = μ; impact = stronge(0.5); }",
            "a law that goes by the works of contacts",
        ),
        (
            "row wire { slip = ẋ; friction = μ; }
             contact floor { gap = z; slip = ẋ; friction = μ; impact = poisson(0.5); }",
            "",
        ),
        (
            "row wire { slip = ẋ; friction = μ; } contact floor { gap = z; impact = plastic; }
             impacts = sequential;",
            "impacts one after another",
        ),
        ("row wire { slip = ẋ; friction = μ; } claim a: ẍ = -9.81/2;", "claims know nothing of it"),
        ("row wire { slip = ẋ; friction = μ; } claim a: λ(wire) = 1;", "claims know nothing of it"),
        ("row wire { slip = ẋ; friction = μ; } claim b: kinetic = kinetic;", ""),
        (
            "row wire { slip = ẋ; friction = μ; } let f = friction(wire); output g = f;",
            "`friction(wire)` is a force of friction",
        ),
        ("row wire { slip = ẋ; friction = μ; } output g = friction(wire)/λ(wire);", ""),
        ("row wire { slip = ẋ; friction = μ; } event e { guard = friction(wire); both; }", ""),
        ("row wire { slip = ẋ; friction = μ; } draw { arrow [x, y], [friction(wire), 0]; }", ""),
    ];
    let mut wrong = Vec::new();
    for (items, part) in cases {
        let said = said(items);
        let right = if part.is_empty() { said.is_empty() } else { said.contains(part) };
        if !right {
            wrong.push(format!("{items}\n  said: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_law_is_printed() {
    let hoop = Interpreted::new(super::systems::HOOP).expect("it has no mistake");
    let text = &hoop.derivation().equations_text();
    for line in [
        "s = ρ*θ̇",
        "friction f on s, λ that of hoop: |f| ≤ μ |λ| where s = 0, f = −μ |λ| s/|s| where not",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let pin = Interpreted::new(super::systems::PIN).expect("it has no mistake");
    let text = &pin.derivation().equations_text();
    let line =
        "friction f on s, λ those of pin: |f| ≤ μ |λ| where s = 0, f = −μ |λ| s/|s| where not";
    assert!(text.contains(line), "{line} is not in\n{text}");
}
