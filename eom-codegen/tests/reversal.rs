//! What is said of motions that run backwards, of systems of which it is known.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_codegen::{Equations, equations_source};
use eom_symbolic::mechanics::report::{Form, form, to_latex, to_text};

fn sections(items: &str) -> Vec<eom_symbolic::mechanics::report::Section> {
    let source = format!("/// A system.\nsystem S {{ {items} }}");
    let Equations { model, equations, .. } =
        equations_source(&source).unwrap_or_else(|found| panic!("{found:?}"));
    form(&model, &equations, Form::Conserved).unwrap()
}

/// The lines below the title are these.
fn check((items, said): (&str, &[&str])) {
    let text = to_text(&sections(items));
    let (_, found) = text.split_once("Reversibility\n").unwrap();
    let found: Vec<&str> = found.lines().map(str::trim).collect();
    let said: Vec<String> = said.iter().map(|line| format!("({line})")).collect();
    assert_eq!(found.join(" "), said.join(" "), "{items}");
}

const KEPT: &str = "kept: with every motion there is that of t → −t";

#[test]
fn free_motion() {
    let cases: [(&str, &[&str]); 15] = [
        ("coordinates { θ } kinetic = θ̇^2/2; potential = -9.81*cos(θ);", &[KEPT]),
        (
            "coordinates { θ } kinetic = θ̇^2/2; potential = -9.81*cos(θ); dissipation = 0.1*θ̇^2;",
            &["broken by the dissipation 0.1*θ̇^2; nor kept with the sign of a coordinate turned"],
        ),
        (
            "coordinates { x } kinetic = ẋ^2/2; potential = x^2; dissipation = 0.3*abs(ẋ);",
            &["broken by dry friction"],
        ),
        // A charge in a magnetic field, by its Lagrangian and by its force.
        (
            "coordinates { x, y } parameters { B = 2 } lagrangian = (ẋ^2 + ẏ^2)/2 + B*x*ẏ;",
            &["kept: with every motion there is that of t → −t, x → −x"],
        ),
        (
            "coordinates { x, y, z } parameters { B = 2 } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
            potential = x^4 + y^2*z; force x = B*ẏ; force y = -B*ẋ;",
            &["kept: with every motion there is that of t → −t, x → −x"],
        ),
        // Nor where the potential is not even in either.
        (
            "coordinates { x, y } parameters { B = 2 } kinetic = (ẋ^2 + ẏ^2)/2; potential = (x + y^2)^3 + y;
            force x = B*ẏ; force y = -B*ẋ;",
            &["broken by the force on x, the force on y; nor kept with the signs of up to 2 coordinates turned"],
        ),
        (
            "coordinates { x, y } parameters { B = 2 } lagrangian = (ẋ^2 + ẏ^2)/2 + B*x*ẏ - (x + y^2)^3 - y;",
            &["broken by gyroscopic terms of the energy; nor kept with the signs of up to 2 coordinates turned"],
        ),
        // Foucault's pendulum.
        (
            "coordinates { x, y } parameters { Ω = 0.1 }
            kinetic = ((ẋ - Ω*y)^2 + (ẏ + Ω*x)^2)/2; potential = 4*(x^2 + y^2);",
            &["kept: with every motion there is that of t → −t, x → −x"],
        ),
        // On a wire what acts across it is borne by it.
        (
            "coordinates { x, y } parameters { B = 2 } kinetic = (ẋ^2 + ẏ^2)/2; potential = x^3 + y;
            force x = B*ẏ; force y = -B*ẋ; holonomic { wire: x^2 + y^2 = 1; }",
            &[KEPT],
        ),
        // Driven: by a cosine, by a sine, at a phase between.
        ("coordinates { x } kinetic = ẋ^2/2; potential = x^4 + x; force x = cos(2*t);", &[KEPT]),
        (
            "coordinates { x } kinetic = ẋ^2/2; potential = x^4; force x = sin(2*t);",
            &["kept: with every motion there is that of t → −t, x → −x"],
        ),
        (
            "coordinates { x } kinetic = ẋ^2/2; potential = x^4; force x = sin(2*t + 1);",
            &["broken by the force on x; nor kept with the sign of a coordinate turned"],
        ),
        // A mass that changes; a pivot that rises.
        (
            "coordinates { x } kinetic = (2 + sin(t))*ẋ^2/2; potential = x^2;",
            &["broken by time in the energy; nor kept with the sign of a coordinate turned"],
        ),
        (
            "coordinates { θ } let Y = sin(3*t)^2 - cos(θ); let X = sin(θ);
            kinetic = (Ẋ^2 + Ẏ^2)/2; potential = 9.81*Y;",
            &[KEPT],
        ),
        // Inputs that are even in time: a force, and what it multiplies.
        (
            "coordinates { x } inputs { u } kinetic = ẋ^2/2; force x = u - x;",
            &[KEPT, "inputs even in time"],
        ),
    ];
    cases.into_iter().for_each(check);
}

#[test]
fn constraints() {
    let cases: [(&str, &[&str]); 11] = [
        // The sleigh.
        (
            "coordinates { x, y, θ } parameters { a = 0.3 }
            velocities { v = cos(θ)*ẋ + sin(θ)*ẏ, w = cos(θ)*ẏ - sin(θ)*ẋ, ω = θ̇ }
            kinetic = (v^2 + (w + a*ω)^2 + ω^2)/2; constraints { edge: w; }",
            &[KEPT],
        ),
        // Suslov.
        (
            "rotation B { body: ω_1, ω_2, ω_3 }
            kinetic = (ω_1^2 + 2*ω_2^2 + 3*ω_3^2)/2 + 0.3*ω_1*ω_3; constraints { held: ω_3; }",
            &[KEPT],
        ),
        // A disk that rolls upright.
        (
            "coordinates { x, y, θ, φ } parameters { R = 0.3 where R > 0 }
            kinetic = (ẋ^2 + ẏ^2 + R^2*θ̇^2/2 + R^2*φ̇^2/4)/2; potential = x;
            constraints { roll_x: dx - R*cos(φ)*dθ; roll_y: dy - R*sin(φ)*dθ; }",
            &[KEPT],
        ),
        // A blade that is turned: its heading is that of the angle, and time runs in it.
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x^2;
            constraints { blade: sin(t)*dx - cos(t)*dy; }",
            &["kept: with every motion there is that of t → −t, x → −x"],
        ),
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x + y;
            constraints { blade: sin(t)*dx - cos(t)*dy; }",
            &["broken by the constraint blade; nor kept with the signs of up to 2 coordinates turned"],
        ),
        // A speed that is given.
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y; constraints { drive: ẋ = cos(t); }",
            &["kept: with every motion there is that of t → −t, x → −x, y → −y"],
        ),
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y + y; constraints { drive: ẋ = cos(t); }",
            &["broken by the constraint drive; nor kept with the signs of up to 2 coordinates turned"],
        ),
        // A charged top about a magnetic field along its axis in space: D R D with two signs.
        (
            "rotation B { space: ω_1, ω_2, ω_3 } kinetic = (ω_1^2 + ω_2^2 + ω_3^2)/2; potential = B[3][3]^3;
            force ω_1 = 2*ω_2; force ω_2 = -2*ω_1;",
            &["kept: with every motion there is that of t → −t, B_y → −B_y, B_z → −B_z"],
        ),
        // A speed that is kept, by Chetaev's rule: its force turns round with the motion.
        (
            "coordinates { x, y } parameters { v = 3 where v > 0 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y + x^3;
            constraints { speed: ẋ^2 + ẏ^2 = v^2; } allow chetaev(speed);",
            &[KEPT],
        ),
        // Friction of a constraint.
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
            constraints { rod: ẏ = 0; } row rod { slip = ẋ; friction = 0.2; }",
            &["broken by the friction of rod"],
        ),
        // Of a declared function nothing is known but that it is one.
        (
            "coordinates { x, y } function f(x) = x^2; kinetic = (ẋ^2 + ẏ^2)/2; potential = f*y; force x = ẏ; force y = -ẋ;",
            &["broken by the force on x, the force on y; nor kept with the signs of up to 2 coordinates turned"],
        ),
    ];
    cases.into_iter().for_each(check);
}

#[test]
fn impacts() {
    let ball = |contact: &str| {
        format!(
            "coordinates {{ x, y }} parameters {{ e = 1 where e >= 0 }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y; {contact}"
        )
    };
    let cases: [(&str, &[&str]); 9] = [
        ("contact floor { gap = y - x^2; impact = elastic; }", &[KEPT, "at impacts too"]),
        (
            "contact floor { gap = y; impact = restitution(e); }",
            &[KEPT, "not at floor: its restitution"],
        ),
        ("contact floor { gap = y; impact = restitution(1); }", &[KEPT, "at impacts too"]),
        (
            "contact floor { gap = y; slip = ẋ; friction = 0.2; impact = elastic; }",
            &[KEPT, "not at floor: its friction"],
        ),
        (
            "contact floor { gap = y - cos(3*t); impact = elastic; }
            contact wall { gap = 2 - x; impact = plastic; }",
            &[KEPT, "not at wall: its restitution"],
        ),
        (
            "contact floor { gap = y - sin(3*t); impact = elastic; }",
            &[KEPT, "not at floor: its gap"],
        ),
        (
            "contact floor { gap = y; when ẋ > 0; impact = elastic; }",
            &[KEPT, "not at floor: its conditions"],
        ),
        (
            "event gate { guard = x; rising; reset { ẋ = -ẋ; } }",
            &[KEPT, "not decided at gate: its reset"],
        ),
        // The image of a wall is the other one.
        (
            "force x = 2*ẏ; force y = -2*ẋ; contact left { gap = x + 2; impact = elastic; }
            contact right { gap = 2 - x; impact = elastic; }",
            &["kept: with every motion there is that of t → −t, x → −x", "at impacts too"],
        ),
    ];
    for (contact, said) in cases {
        check((&ball(contact), said));
    }
}

/// In LaTeX the note is text with formulas.
#[test]
fn it_is_printed() {
    let found = sections("coordinates { x, y } lagrangian = (ẋ^2 + ẏ^2)/2 + x*ẏ;");
    let latex = to_latex(&found);
    assert!(latex.contains(r"\paragraph{Reversibility}"), "{latex}");
    assert!(latex.contains(r"$\to$"), "{latex}");
}
