//! Conserved quantities and invariant measures of systems of which they are known.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_codegen::{Equations, derive_source, equations_source};
use eom_symbolic::mechanics::report::{Form, form, to_text};

/// What `derive --form conserved` prints of a system, below its Lagrangian.
fn printed(items: &str) -> String {
    let source = format!("/// A system.\nsystem S {{ {items} }}");
    let Equations { model, equations, .. } =
        equations_source(&source).unwrap_or_else(|found| panic!("{found:?}"));
    let text = to_text(&form(&model, &equations, Form::Conserved).unwrap());
    text.split_once("Conserved").map(|(_, found)| found.to_owned()).unwrap_or_default()
}

/// Each is in the text, and so many lines begin with a quantity.
fn check((items, said, count): (&str, &[&str], usize)) {
    let text = printed(items);
    for words in said {
        assert!(text.contains(words), "no `{words}` in\n{text}");
    }
    let quantities = text.split("Invariant").next().unwrap_or_default();
    let found = quantities.lines().filter(|line| line.contains(" = ")).count();
    assert_eq!(found, count, "{items}\n{text}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn known_integrals() {
    let cases: [(&str, &[&str], usize); 17] = [
        // Kepler: energy, moment of momentum.
        (
            "coordinates { x, y } parameters { m = 1 where m > 0, k = 1 }
            kinetic = m/2*(ẋ^2 + ẏ^2); potential = -k/sqrt(x^2 + y^2);",
            &["energy = ", "momentum of the turn of x, y = ", "kept: density dq dη, η = ẋ, ẏ"],
            2,
        ),
        // The spherical pendulum: energy, momentum about the vertical.
        (
            "coordinates { θ, φ } kinetic = (θ̇^2 + sin(θ)^2*φ̇^2)/2; potential = -9.81*cos(θ);",
            &["energy = ", "momentum of φ = ", "density = sin(θ)^2"],
            2,
        ),
        // Two bodies on a line: energy, the sum of the momenta.
        (
            "coordinates { x, y } kinetic = ẋ^2/2 + ẏ^2; potential = (x - y)^4;",
            &["energy = ", "sum 1 = "],
            2,
        ),
        // Lagrange's top: energy, two momenta.
        (
            "rotation R { body: ω_1, ω_2, ω_3 } parameters { I = 2 where I > 0, J = 1 where J > 0, k = 3 }
            kinetic = I/2*(ω_1^2 + ω_2^2) + J/2*ω_3^2; potential = k*R[3][3];",
            &["momentum of ω_3 = J*ω_3", "momentum of R about axis 3 = ", "kept"],
            3,
        ),
        // A charge in a magnetic field: translations are symmetries up to a total derivative.
        (
            "coordinates { x, y } parameters { m = 3 where m > 0, B = 0.8 }
            lagrangian = m/2*(ẋ^2 + ẏ^2) + B/2*(x*ẏ - y*ẋ);",
            &["sum 1 = m*ẋ - B*y", "sum 2 = m*ẏ + B*x", "momentum of the turn of x, y = "],
            4,
        ),
        // By a force, with a coefficient of two parameters.
        (
            "coordinates { x, y } parameters { m = 3 where m > 0, q = 2, B = 0.8 }
            kinetic = m/2*(ẋ^2 + ẏ^2); force x = q*B*ẏ; force y = -q*B*ẋ;",
            &["energy = ", "sum 1 = m*ẋ - q*B*y", "sum 2 = m*ẏ + q*B*x"],
            3,
        ),
        // A field that turns: the energy in its frame.
        (
            "coordinates { x, y } parameters { Ω = 2 }
            lagrangian = (ẋ^2 + ẏ^2)/2 - (x*cos(Ω*t) + y*sin(Ω*t))^4;",
            &["sum 1 = ẋ^2/2 + ẏ^2/2 - Ω*(x*ẏ - y*ẋ)", "kept"],
            1,
        ),
        // What is damped.
        (
            "coordinates { x } parameters { m = 3 where m > 0, c = 1 where c >= 0 }
            kinetic = m/2*ẋ^2; dissipation = c/2*ẋ^2;",
            &["sum 1 = m*ẋ + c*x"],
            1,
        ),
        // A wheel that rolls down: x − r θ is the constraint's, and no quantity of the motion.
        (
            "coordinates { x, θ } parameters { r = 0.5 where r > 0 } allow integrable_row;
            kinetic = ẋ^2/2 + θ̇^2; potential = -x; constraints { roll: ẋ = r*θ̇; }",
            &["energy = "],
            1,
        ),
        // A declared function of the height, at two places.
        (
            "coordinates { x, y } function f(x, y) = sin(x)*y; kinetic = (ẋ^2 + ẏ^2 + ḟ^2)/2;
            potential = 9.81*f; output other = f(y, x);",
            &["energy = "],
            1,
        ),
        // A turning hoop: the Jacobi integral, not the energy.
        (
            "coordinates { θ } kinetic = (θ̇^2 + 9*sin(θ)^2)/2; potential = -5*cos(θ);",
            &["jacobi = ", "kept"],
            1,
        ),
        // A motor at rest keeps nothing from staying.
        (
            "coordinates { x } inputs { u } kinetic = ẋ^2/2; potential = x^4; force x = u;",
            &["energy = ", "inputs at 0"],
            1,
        ),
        // Damped: nothing.
        (
            "coordinates { x } kinetic = ẋ^2/2; potential = x^2; dissipation = ẋ^2/2;",
            &["none of energy, momenta and their sums stays"],
            0,
        ),
        // Suslov: the energy; no measure.
        (
            "rotation B { body: ω_1, ω_2, ω_3 }
            kinetic = (ω_1^2 + 2*ω_2^2 + 3*ω_3^2)/2 + 0.3*ω_1*ω_3 + 0.4*ω_2*ω_3;
            constraints { held: ω_3; }",
            &["energy = ", "none that the symmetries keep"],
            1,
        ),
        // The sleigh: the energy; no measure.
        (
            "coordinates { x, y, θ } parameters { m = 1 where m > 0, J = 1 where J > 0, a = 1 where a > 0 }
            velocities { v = cos(θ)*ẋ + sin(θ)*ẏ, w = cos(θ)*ẏ - sin(θ)*ẋ, ω = θ̇ }
            kinetic = m/2*(v^2 + (w + a*ω)^2) + J/2*ω^2; constraints { edge: w; }",
            &["energy = ", "none that the symmetries keep"],
            1,
        ),
        // The same in the velocities of its coordinates, where one along the blade is free.
        (
            "coordinates { x, y, θ } parameters { m = 1 where m > 0, J = 1 where J > 0, a = 1 where a > 0 }
            let X = x + a*cos(θ); let Y = y + a*sin(θ);
            kinetic = m/2*(Ẋ^2 + Ẏ^2) + J/2*θ̇^2; constraints { edge: ẋ*sin(θ) = ẏ*cos(θ); }",
            &["energy = ", "none that the symmetries keep"],
            1,
        ),
        // Chaplygin's ball: energy and the three components of K; its measure with the root of |G|.
        (
            "coordinates { x, y } rotation B { body: ω_1, ω_2, ω_3 }
            parameters { m = 1 where m > 0, r = 1 where r > 0 }
            let Ω = B*[ω_1, ω_2, ω_3];
            kinetic = m/2*(ẋ^2 + ẏ^2) + (0.4*ω_1^2 + 0.6*ω_2^2 + 0.9*ω_3^2)/2;
            constraints { roll: [ẋ, ẏ] = r*[Ω[2], -Ω[1]]; } free ω_1, ω_2, ω_3;",
            &["energy = ", "momentum of B about axis 3", "sum 1", "sum 2", "kept", "sqrt("],
            4,
        ),
    ];
    cases.into_iter().for_each(check);
}

/// Where a measure is not decided the reason is that of the system: of each it is seen by hand.
#[test]
fn reasons() {
    let cases: [(&str, &[&str], usize); 8] = [
        // Liouville's measure of a mass that changes with time: the momentum's, dq dp = |G| dq dη.
        (
            "coordinates { x } kinetic = (2 + sin(t))*ẋ^2/2; potential = x^2;",
            &["none of energy", "kept: density dq dη, η = ẋ", "density = 2 + sin(t)"],
            0,
        ),
        // A blade with its centre of mass in it: u̇ = 0, ω̇ = 0, volume stays.
        (
            "coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2 + θ̇^2)/2;
            constraints { edge: ẋ*sin(θ) = ẏ*cos(θ); }",
            &["energy = ", "kept: density dq dη, η = ", "density = 1"],
            2,
        ),
        // What slides comes to rest: a volume ends on ẋ = 0, though the divergence is 0 beside it.
        (
            "coordinates { x } kinetic = ẋ^2/2; potential = x^2; dissipation = 0.3*abs(ẋ);",
            &["none of energy", "not decided: dry friction brings to rest what slides"],
            0,
        ),
        // Friction of a constraint.
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
            constraints { rod: ẏ = 0; } row rod { slip = ẋ; friction = 0.2; }",
            &["not decided: the friction of rod is in no equation"],
            0,
        ),
        // Five free velocities.
        (
            "coordinates { a, b, c, d, e } kinetic = (ȧ^2 + ḃ^2 + ċ^2 + ḋ^2 + ė^2)/2;
            potential = (a + b^2 + c^3 + d^4 + e^5)^2;",
            &["energy = ", "not decided: 5 free velocities, |G| is written out of at most 4"],
            1,
        ),
        // Damped: its volume shrinks as e^(−t), with a density of t alone.
        (
            "coordinates { x } kinetic = ẋ^2/2; potential = x^2; dissipation = ẋ^2/2;",
            &["no power of |G| is a density, and the flow of the free velocities depends on place"],
            0,
        ),
        // Impacts lose what the flight keeps.
        (
            "coordinates { x } kinetic = ẋ^2/2; potential = x;
            contact floor { gap = x; impact = plastic; }",
            &["energy = ", "in free motion: not of impacts, events and closed contacts", "kept"],
            1,
        ),
        // So do resets.
        (
            "coordinates { x } kinetic = ẋ^2/2; potential = x;
            event stop { guard = x; falling; reset { ẋ = 0; } }",
            &["energy = ", "in free motion: not of impacts, events and closed contacts", "kept"],
            1,
        ),
    ];
    cases.into_iter().for_each(check);
}

/// Hamilton's equations do not hold the friction of a row: its law stands beside them.
#[test]
fn the_friction_of_rows_stands_beside_hamiltons_equations() {
    let source = "/// A bead on a rough wire.\nsystem S { coordinates { x, y } parameters { m = 1 where m > 0, μ = 0.3 where μ > 0 }
        kinetic = m/2*(ẋ^2 + ẏ^2); potential = 9.81*m*y; holonomic { wire: y = 0; } row wire { slip = ẋ; friction = μ; } }";
    let Equations { model, equations, .. } =
        equations_source(source).unwrap_or_else(|found| panic!("{found:?}"));
    let text = to_text(&form(&model, &equations, Form::Hamiltonian).unwrap());
    for line in [
        "ṗ_x = 0",
        "friction f on s, λ that of wire: |f| ≤ μ |λ| where s = 0, f = −μ |λ| s/|s| where not",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

/// What a paper calls constant is decided: an oscillator in the plane, whose sums are known.
#[test]
fn a_constant_in_print_is_conserved() {
    let decided = |tex: &str| {
        let source = format!(
            "system S {{ coordinates {{ x, y }} parameters {{ m = 1 where m > 0, k = 2 where k > 0 }}
            kinetic = m/2*(ẋ^2 + ẏ^2); potential = k/2*(x^2 + y^2); notation {{ E = energy; }}
            claim c: tex r\"{tex}\"; }}"
        );
        match derive_source(&source) {
            Ok(_) => "follows".to_owned(),
            Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
        }
    };
    for tex in [
        r"E = \mathrm{const}",
        r"\frac{m}{2} \dot{x}^2 + \frac{k}{2} x^2 = \text{const.}, \quad E = \mathrm{const.}",
        r"m (x \dot{y} - y \dot{x}) = \text{constant}",
        r"(m \dot{x} \dot{y} + k x y, k) = \operatorname{const}",
    ] {
        assert_eq!(decided(tex), "follows", "{tex}");
    }
    for tex in [r"\dot{x} = \mathrm{const}", r"m (x \dot{y} + y \dot{x}) = \text{const}"] {
        assert!(decided(tex).contains("does not follow"), "{tex}");
    }
    let alone = decided(r"\mathrm{const} = E");
    assert!(alone.contains(r"`\mathrm{const}` has no meaning here"), "{alone}");
}
