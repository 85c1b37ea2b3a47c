//! Points of bodies on surfaces, which tell gap and slip: against the same contacts written out, in other coordinates, and
//! in other variables.

use super::{check, complete, run, system};
use eom_core::System;
use eom_interpreter::Interpreted;

/// Both systems have their coordinates at the same places after a run.
fn check_same(one: &str, other: &str, q: &[f64], v: &[f64], until: f64) {
    let [one, other] = [one, other].map(|text| {
        let run = run(&system(text, &[]), q, v, until);
        complete(&run).clone()
    });
    for (found, wanted) in one.q.iter().chain(&one.v).zip(other.q.iter().chain(&other.v)) {
        check("the same contact", *found, *wanted, 1e-11 * (1.0 + wanted.abs()));
    }
}

/// The end of a rod on an incline: the gap and the slip by hand.
#[test]
fn the_end_of_a_rod_slides_on_an_incline() {
    let rod = |contact: &str| {
        format!(
            "system R {{ coordinates {{ x, y, θ }} parameters {{ φ = 0.3, l = 0.7 }}
             kinetic = (ẋ^2 + ẏ^2)/2 + l^2/6*θ̇^2; potential = 9.81*y;
             let X = x + l*cos(θ); let Y = y + l*sin(θ); contact end {{ {contact} impact = restitution(0.2); }} }}"
        )
    };
    let told = rod("point = [X, Y]; surface(x, y) = y*cos(φ) - x*sin(φ); friction(0.4, 0.3);");
    let by_hand = rod("gap = Y*cos(φ) - X*sin(φ); slip = Ẋ*cos(φ) + Ẏ*sin(φ); friction(0.4, 0.3);");
    check_same(&told, &by_hand, &[0.1, 1.2, -1.0], &[0.5, 0.2, 1.0], 0.9);
    // In space it slips along one line, too, whichever axis is across.
    for (point, surface) in [
        ("[X, Y, 0]", "(x, y, z) = y*cos(φ) - x*sin(φ)"),
        ("[2, X, Y]", "(z, x, y) = y*cos(φ) - x*sin(φ)"),
        ("[Y, 0, X]", "(y, z, x) = y*cos(φ) - x*sin(φ)"),
    ] {
        let space = rod(&format!("point = {point}; surface{surface}; friction(0.4, 0.3);"));
        check_same(&space, &by_hand, &[0.1, 1.2, -1.0], &[0.5, 0.2, 1.0], 0.9);
        assert_eq!(system(&space, &[]).info().frictions[0].components, 1);
    }
    // A gradient of another size is the same surface.
    let steeper = told.replace("y*cos(φ) - x*sin(φ)", "3*y - 3*x*tan(φ)");
    check_same(&steeper, &by_hand, &[0.1, 1.2, -1.0], &[0.5, 0.2, 1.0], 0.9);
}

/// A bead in a hoop of radius R: θ̈ = −g/R sin θ − μ sign(θ̇) (g/R cos θ + θ̇²), by a method of order 4 in short steps.
#[test]
fn a_bead_slides_in_a_hoop() {
    let hoop = system(
        "system H { coordinates { x, y } parameters { R = 0.8, μ = 0.15 }
         kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y;
         contact hoop { point = [x, y]; surface(a, b) = R^2 - a^2 - b^2; friction = μ; impact = plastic; } }",
        &[],
    );
    let (radius, μ, until) = (0.8, 0.15, 0.5);
    let found = run(&hoop, &[0.8, 0.0], &[0.0, 0.0], until);
    let last = complete(&found);
    // From θ = π/2 downwards.
    let slope = |[θ, ω]: [f64; 2]| {
        let press = 9.81 / radius * θ.cos() + ω * ω;
        [ω, -9.81 / radius * θ.sin() + μ * press]
    };
    let (mut y, steps) = ([std::f64::consts::FRAC_PI_2, 0.0], 20_000);
    let h = until / f64::from(steps);
    let moved = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
    for _ in 0..steps {
        let k_1 = slope(y);
        let k_2 = slope(moved(y, k_1, h / 2.0));
        let k_3 = slope(moved(y, k_2, h / 2.0));
        let k_4 = slope(moved(y, k_3, h));
        y = [0, 1].map(|i| y[i] + h / 6.0 * (k_1[i] + 2.0 * k_2[i] + 2.0 * k_3[i] + k_4[i]));
    }
    assert!(y[1] < -0.5, "it slides still");
    let [θ, ω] = y;
    for (found, wanted) in last.q.iter().chain(&last.v).zip([
        radius * θ.sin(),
        -radius * θ.cos(),
        radius * ω * θ.cos(),
        radius * ω * θ.sin(),
    ]) {
        check("the bead", *found, wanted, 1e-10);
    }
}

/// A puck on a plane with any normal, and on the plane z = 0 of coordinates that are turned with it.
#[test]
fn a_puck_slides_on_any_plane() {
    for (a, b) in [(0.0_f64, 0.3_f64), (0.4, 0.7), (1.3, 2.0), (2.5, 1.2), (0.0, 3.0)] {
        // The columns of a rotation: two directions of the plane, then its normal.
        let e = [
            [a.cos() * b.cos(), a.sin() * b.cos(), -b.sin()],
            [-a.sin(), a.cos(), 0.0],
            [a.cos() * b.sin(), a.sin() * b.sin(), b.cos()],
        ];
        let [n, g] = [e[2], [e[0][2], e[1][2], e[2][2]]].map(|e| e.map(|e| format!("({e:?})")));
        // Pressed to the plane by a force along its normal.
        let turned = format!(
            "system T {{ coordinates {{ x, y, z }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
             potential = 2*z + 25*({}*x + {}*y + {}*z);
             contact plane {{ point = [x, y, z]; surface(a, b, c) = {}*a + {}*b + {}*c; friction = 0.1; impact = plastic; }} }}",
            n[0], n[1], n[2], n[0], n[1], n[2]
        );
        let level = format!(
            "system L {{ coordinates {{ x, y, z }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;
             potential = 2*({}*x + {}*y + {}*z) + 25*z;
             contact plane {{ gap = z; slip = [ẋ, ẏ]; friction = 0.1; impact = plastic; }} }}",
            g[0], g[1], g[2]
        );
        let back = |w: [f64; 3]| -> Vec<f64> {
            (0..3).map(|j| w[0] * e[0][j] + w[1] * e[1][j] + w[2] * e[2][j]).collect()
        };
        let (q, v) = ([0.0; 3], [1.5, -1.0, 0.0]);
        let one = run(&system(&turned, &[]), &back(q), &back(v), 0.5);
        let other = run(&system(&level, &[]), &q, &v, 0.5);
        let (one, other) = (complete(&one), complete(&other));
        let place = back([other.q[0], other.q[1], other.q[2]]);
        for (found, wanted) in one.q.iter().zip(place) {
            check("the puck", *found, wanted, 1e-10);
        }
    }
}

/// The places of a surface stand in its velocity as well, whatever else is called so.
#[test]
fn a_turntable_tells_its_velocity_at_its_places() {
    let table = |contact: &str| {
        format!(
            "system T {{ coordinates {{ x, y, z, θ }} parameters {{ ω = 1.5, l = 0.3 }}
             kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + θ̇^2/50; potential = 9.81*z;
             let X = x + l*cos(θ); let Y = y + l*sin(θ);
             contact table {{ {contact} friction = 0.2; impact = plastic; }} }}"
        )
    };
    let told = table("point = [X, Y, z]; surface(x, y, z) = z; velocity = [-ω*y, ω*x, 0];");
    let by_hand = table("gap = z; slip = [Ẋ + ω*Y, Ẏ - ω*X];");
    check_same(&told, &by_hand, &[0.5, 0.2, 0.0, 0.4], &[-1.0, 0.3, 0.0, 2.0], 1.0);
}

/// A belt, and a lift that goes up with its load: both move along themselves as they say.
#[test]
fn surfaces_move() {
    let belt = |contact: &str| {
        format!(
            "system B {{ coordinates {{ x, y }} parameters {{ V = 0.7 }} kinetic = (ẋ^2 + ẏ^2)/2;
             potential = 9.81*y; contact belt {{ {contact} friction = 0.3; impact = plastic; }} }}"
        )
    };
    let told = belt("point = [x, y]; surface(x, y) = y; velocity = [V, 0];");
    let by_hand = belt("gap = y; slip = ẋ - V;");
    check_same(&told, &by_hand, &[0.0, 0.3], &[-1.0, 0.0], 1.0);
    let lift = |contact: &str| {
        format!(
            "system L {{ coordinates {{ x, y, h, s }} kinetic = (ẋ^2 + ẏ^2)/2 + 3*(ḣ^2 + ṡ^2)/2;
             potential = 9.81*(y + 3*h) - 45*h + 20*(s - 0.1)^2;
             contact floor {{ {contact} friction = 0.05; impact = plastic; }} }}"
        )
    };
    let told = lift("point = [x, y]; surface(x, y) = y - h - 0.1*sin(x - s); velocity = [ṡ, ḣ];");
    let by_hand = lift(
        "gap = (y - h - 0.1*sin(x - s))/sqrt(1 + 0.01*cos(x - s)^2);
         slip = ((ẋ - ṡ) + 0.1*cos(x - s)*(ẏ - ḣ))/sqrt(1 + 0.01*cos(x - s)^2);",
    );
    check_same(&told, &by_hand, &[0.0, 0.3, 0.0, 0.0], &[0.5, 0.0, 0.1, 0.0], 1.0);
}

/// A crate on four feet, of which three determine the forces: while it slides without turning all share one direction, and it
/// stops; where it turns, friction depends on how they share the load, and nobody tells.
#[test]
fn a_crate_slides_on_four_feet() {
    let foot = |name: &str, x: &str, y: &str| {
        format!(
            "contact {name} {{ point = [x, y, z] + Q*[{x}, {y}, -h]; surface(x, y, z) = z; friction = μ; impact = plastic; }}"
        )
    };
    let feet = [
        foot("f_1", "a", "b"),
        foot("f_2", "-a", "b"),
        foot("f_3", "-a", "-b"),
        foot("f_4", "a", "-b"),
    ];
    let text = format!(
        "system C {{ coordinates {{ x, y, z }} rotation Q {{ body: w_1, w_2, w_3 }}
         parameters {{ a = 0.5, b = 0.3, h = 0.2, μ = 0.3, g = 9.81 }}
         kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + ((b^2+h^2)*w_1^2 + (a^2+h^2)*w_2^2 + (a^2+b^2)*w_3^2)/6;
         potential = g*z; {} }}",
        feet.join(" ")
    );
    let crate_ = system(&text, &[]);
    let level = |x: f64, z: f64| [x, 0.1, z, 1.0, 0.0, 0.0, 0.0];
    for (speed, across) in [(2.0, 0.0), (0.7, -1.1), (-0.3, 0.2)] {
        let way = f64::hypot(speed, across) / (2.0 * 0.3 * 9.81);
        for drop in [0.0_f64, 0.3] {
            // Dropped without a turn it loses some of its speed to the impact: μ times that of its fall.
            let fall = (2.0 * 9.81 * drop).sqrt();
            let size = f64::hypot(speed, across);
            let slides = (size - 0.3 * fall).max(0.0);
            let way = if drop == 0.0 {
                way * size
            } else {
                size * fall / 9.81 + slides * slides / (2.0 * 0.3 * 9.81)
            };
            let found =
                run(&crate_, &level(0.0, 0.2 + drop), &[speed, across, 0.0, 0.0, 0.0, 0.0], 2.0);
            let last = complete(&found);
            check("x", last.q[0], way * speed / size, 1e-10);
            check("y", last.q[1], 0.1 + way * across / size, 1e-10);
            assert!(last.v.iter().all(|v| *v == 0.0), "{:?}", last.v);
        }
    }
    let turning = run(&crate_, &level(0.0, 0.2), &[2.0, 0.0, 0.0, 0.0, 0.0, 3.0], 2.0);
    let text = turning.end.to_string();
    assert!(
        text.contains("how `f_1`, `f_2`, `f_3`, `f_4` share what they bear is not determined"),
        "{text}"
    );
}

#[test]
fn mistakes_are_told() {
    let said = |items: &str| {
        let text = format!(
            "system S {{ coordinates {{ x, y, z, h }} kinetic = (ẋ^2 + ẏ^2 + ż^2 + ḣ^2)/2;
             contact floor {{ {items} impact = plastic; }} }}"
        );
        match Interpreted::new(&text) {
            Ok(_) => String::new(),
            Err(mistakes) => {
                mistakes.iter().map(|m| m.message.clone()).collect::<Vec<_>>().join("; ")
            }
        }
    };
    let cases = [
        ("point = [x, y]; surface(x, y) = y; friction = 0.1;", ""),
        ("point = [x, y, z]; surface(x, y, z) = z;", ""),
        ("point = [x, y];", "contact `floor` has no surface"),
        ("surface(x, y) = y;", "contact `floor` has no point"),
        ("velocity = [1, 0];", "contact `floor` has no point; contact `floor` has no surface"),
        ("gap = y; point = [x, y]; surface(x, y) = y;", "the gap is stated twice"),
        ("point = [x, y]; point = [x, z]; surface(x, y) = y;", "`point` is stated twice"),
        ("point = [x, y, z]; surface(x, y) = y;", "one of 2 places, and this is a vector of 3"),
        ("point = x; surface(x, y) = y;", "one of 2 places, and this is a number"),
        ("point = [x, y]; surface(x) = x;", "of two places or three, not of 1"),
        ("point = [x, y]; surface(x, x) = x;", "`x`"),
        ("point = [x, y]; surface(ẋ, y) = y;", "`ẋ`"),
        ("point = [x, y]; surface = y;", "expected `( … )` after `surface`"),
        ("point = [x, y]; surface(a, b) = h;", "does not depend on its places a, b"),
        ("point = [x, y]; surface(a, b) = b - ẏ;", "depends on"),
        ("point = [x, y]; surface(a, b) = b - h; friction = 0.1;", "the surface moves with `h`"),
        ("point = [x, y]; surface(a, b) = b - t; friction = 0.1;", "the surface moves with `t`"),
        ("point = [x, y]; surface(a, b) = b - h; friction = 0.1; velocity = [0, ḣ];", ""),
        ("point = [x, y]; surface(a, b) = b - h;", ""),
        ("point = [x, y]; surface(a, b) = b; velocity = 1; friction = 0.1;", "this is a number"),
        ("point = [x, y]; surface(a, b) = b; slip = ẋ; friction = 0.1;", "tell the slip"),
        ("point = [ẋ, y]; surface(a, b) = b; friction = 0.1;", "depends on"),
    ];
    for (items, wanted) in cases {
        let found = said(items);
        assert!(
            if wanted.is_empty() { found.is_empty() } else { found.contains(wanted) },
            "{items}: {found}"
        );
    }
}

/// The forces of a contact that is a point on a surface, in outputs, guards, forces and claims: those of the same contact by hand.
#[test]
fn forces_are_told_of_points_too() {
    let source = |contact: &str| {
        format!(
            "system P {{ coordinates {{ x, y, z }} parameters {{ μ = 0.2, a = 0.5, F = 1 }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 9.81*y;
             force x = F*t; force z = 0.3*friction(floor); contact floor {{ {contact} friction = μ; impact = poisson(0.3); }}
             output f = friction(floor); output N = λ(floor); event bears {{ guard = friction(floor) + 0.1*λ(floor); both; }}
             event light {{ guard = λ(floor) - 8; falling; }}
             claim slides closed floor slides: friction(floor)^2 = μ^2*λ(floor)^2; }}"
        )
    };
    let told = source("point = [x, y]; surface(p, q) = 3*(q + a*p);");
    let by_hand = source("gap = (y + a*x)/sqrt(1 + a^2); slip = (ẋ - a*ẏ)/sqrt(1 + a^2);");
    let [told, by_hand] = [told, by_hand].map(|text| {
        let system = system(&text, &[]);
        let found = run(&system, &[0.0; 3], &[1.0, -0.5, 0.0], 3.0);
        let end = complete(&found).clone();
        (end, found.events.iter().map(|event| event.t).collect::<Vec<f64>>())
    });
    // N = (g − a F t)/√(1 + a²) falls through 8; slides down with μ of it, by which z is pushed.
    let light = (9.81 - 8.0 * 1.25_f64.sqrt()) / 0.5;
    assert_eq!(told.1.len(), 1, "{:?}", told.1);
    check("light", told.1[0], light, 1e-12);
    check("light by hand", by_hand.1[0], light, 1e-12);
    let pushed = -0.3 * 0.2 * (9.81 * 3.0 - 0.5 * 4.5) / 1.25_f64.sqrt();
    check("ż", told.0.v[2], pushed, 1e-11);
    for (one, other) in told.0.v.iter().zip(&by_hand.0.v) {
        check("the same", *one, *other, 1e-11);
    }
    // In space it is a vector, in a plane of it a number.
    for (point, holds) in [("[x, y, z]", "norm(friction(floor))"), ("[x, y, 0]", "friction(floor)")]
    {
        let space = format!(
            "system P {{ coordinates {{ x, y, z }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 2*y;
             contact floor {{ point = {point}; surface(p, q, r) = q; friction = 0.25; impact = plastic; }}
             event over {{ guard = {holds} - 0.5*λ(floor); both; }} output f = {holds}; }}"
        );
        let found = run(&system(&space, &[]), &[0.0; 3], &[3.0, 0.0, 0.0], 1.0);
        check("ẋ", complete(&found).v[0], 2.5, 1e-12);
    }
}
