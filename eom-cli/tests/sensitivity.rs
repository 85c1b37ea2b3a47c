//! How the end of a motion changes with what it begins with and its parameters, as `eom analyse` tells it: where a time ends
//! it, and where an impact does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{analyse, eom};
use std::fs;

const BALL: &str = "/// A ball.
system Ball {
    coordinates { y }
    parameters { e = 0.7, g = 9.81 }
    kinetic = ẏ^2/2;
    potential = g*y;
    contact floor { gap = y; impact = restitution(e); }
    scenario drop { y = 1; ẏ = 0.5; until impacts = 3; }
}
";

/// The number in a row and a column of a table, from 0.
fn number(table: &str, row: usize, column: usize) -> f64 {
    table.lines().nth(row).unwrap().split('\t').nth(column).unwrap().parse().unwrap()
}

/// A ball on a floor at t = 0.8 from y = 1, ẏ = 0.5: V = √(v² + 2gh), t₁ = (v + V)/g, s = t − t₁, y = e V s − g s²/2,
/// so that ∂y/∂e = V s, ∂ẏ/∂e = V.
#[test]
fn sensitivities() {
    let directory = common::folder("sensitivity/in-time");
    fs::write(directory.join("ball.eom"), BALL).unwrap();
    let said = analyse(&directory, "ball.eom sensitivity --until 0.8 --format tsv", 0);
    let number = |row, column| number(&said, row, column);
    let (v, g): (f64, f64) = (0.5, 9.81);
    let speed = (v * v + 2.0 * g).sqrt();
    let s = 0.8 - (v + speed) / g;
    assert!((number(1, 1) - (0.7 * speed * s - g * s * s / 2.0)).abs() < 1e-12, "{said}");
    assert!((number(1, 4) - speed * s).abs() < 1e-12, "{said}");
    assert!((number(2, 4) - speed).abs() < 1e-12, "{said}");
    // The gradients of numbers of the end, by sweeps backwards, are sums of these.
    let of = "ball.eom sensitivity --until 0.8 --of y --of 2*y-3*y_dot --format tsv";
    let gradients = analyse(&directory, of, 0);
    let gradient = |row, column| crate::number(&gradients, row, column);
    assert!(gradients.starts_with("of\tvalue\td/dy\td/dẏ\td/de\td/dg\n"), "{gradients}");
    for column in 1..6 {
        let sum = 2.0 * number(1, column) - 3.0 * number(2, column);
        assert!((gradient(1, column) - number(1, column)).abs() < 1e-11, "{gradients}");
        assert!((gradient(2, column) - sum).abs() < 1e-10, "{gradients}");
    }
    for (of, what) in
        [("y*y", "write a coordinate"), ("e*y", "there is no `e` here"), ("1+y", "write a")]
    {
        let said = analyse(&directory, &format!("ball.eom sensitivity --until 0.8 --of {of}"), 2);
        assert!(said.contains(what), "{said}");
    }
}

/// A bead on y = c x with ẋ = 1: begun anew with y and ẏ solved for, y = c (x₀ + t). What is set stays: from y₀ = 1 the
/// start goes to the rail orthogonally, by δx = −c δc/(1 + c²) from x₀ = 2.
#[test]
fn sensitivities_of_starts() {
    let directory = common::folder("sensitivity/starts");
    let bead = "/// A bead.
system Bead {
    coordinates { x, y }
    parameters { c = 0.5 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    holonomic { rail: y = c*x; }
    scenario glide { x = 2; ẋ = 1; solve y, ẏ; until t = 3; }
}
";
    fs::write(directory.join("bead.eom"), bead).unwrap();
    let of = |what: &str| {
        let asked = format!("bead.eom sensitivity --of x --of y --format tsv {what}");
        let said = analyse(&directory, asked.trim(), 0);
        let last = |row: usize| said.lines().nth(row).unwrap().rsplit('\t').next().unwrap();
        [1, 2].map(|row| last(row).parse::<f64>().unwrap())
    };
    let check = |found: [f64; 2], wanted: [f64; 2]| {
        let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-12, "{found:?}, wanted {wanted:?}");
    };
    check(of(""), [0.0, 5.0]);
    // δx = −x₀ c/(1 + c²), δẋ = 0 with ẏ solved for; y = c x.
    check(of("--set y=1"), [-0.8, 5.0 - 0.4]);
    // An expression moves with c: δy = 2 δc, of which what is across the rail goes by (c, −1) (2 − x₀) c/(1 + c²).
    let slid = |x: f64, moved: f64| (0.5 * (moved - x) / 1.25, 5.0 + 0.25 * (moved - x) / 1.25);
    let (x, y) = slid(2.0, 2.0);
    check(of("--set y=2*c"), [x, y]);
    let (x, y) = slid(2.0, -1.0);
    check(of("--set y=1/2+1/(4*c)"), [x, y]);
    // x₀ = 4 c, ẋ₀ = 2 c: x = 4 c + 2 c t, y = c x.
    check(of("--set x=4*c --set x_dot=2*c"), [10.0, 10.0]);
    fs::write(
        directory.join("by.toml"),
        "[state]\nfrom = \"glide\"\nq = { x = \"4*c\" }\n[end]\ntime = 3\n",
    )
    .unwrap();
    check(of("--scenario by.toml"), [4.0, 7.0]);
    let asked = "bead.eom sensitivity --set x=4*sqrt(abs(c-1/2))";
    let said = analyse(&directory, asked, 2);
    assert!(said.contains("`4*sqrt(abs(c-1/2))` has no derivative by c here"), "{said}");
}

/// The third impact of the ball is at (v + V (1 + 2e + 2e²))/g, with e³ V behind it, V = √(v² + 2gh).
#[test]
fn sensitivities_to_an_impact() {
    let directory = common::folder("sensitivity/impact");
    let analyse = |arguments: &str, code: i32| analyse(&directory, arguments, code);
    fs::write(directory.join("ball.eom"), BALL).unwrap();
    let (v, g): (f64, f64) = (0.5, 9.81);
    let speed = (v * v + 2.0 * g).sqrt();
    fs::write(directory.join("free.eom"), BALL.replace("until impacts = 3;", "until t = 1;"))
        .unwrap();
    let timed = analyse("free.eom sensitivity --impacts 3 --format tsv", 0);
    let counted = analyse("ball.eom sensitivity --format tsv", 0);
    assert_eq!(timed, counted);
    fs::write(directory.join("open.eom"), BALL.replace("scenario", "// ")).unwrap();
    let said = analyse("open.eom sensitivity", 2);
    assert!(said.contains("nothing ends the motion: give --until T"), "{said}");
    let number = |row, column| number(&counted, row, column);
    let e = 0.7;
    let expected = [
        (1, 1, (v + speed * (1.0 + 2.0 * e + 2.0 * e * e)) / g),
        (1, 4, speed * (2.0 + 4.0 * e) / g),
        (2, 4, 0.0),
        (3, 1, e * e * e * speed),
        (3, 4, 3.0 * e * e * speed),
        (3, 2, e * e * e * g / speed),
    ];
    for (row, column, value) in expected {
        assert!((number(row, column) - value).abs() < 1e-10, "{row} {column} {value}\n{counted}");
    }
    let all = analyse("ball.eom sensitivity --format json", 0);
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    assert_eq!(all["time_by_names"][0].as_f64(), Some(number(1, 4)));
    assert_eq!(all["by_names"][1][0].as_f64(), Some(number(3, 4)));
    let of = analyse("ball.eom sensitivity --of 2*y_dot --format tsv", 0);
    assert!((crate::number(&of, 1, 4) - 2.0 * number(3, 4)).abs() < 1e-10, "{of}");
}

/// A scenario that ends at an impact has the derivatives of that: t = √(2y/g), ∂t/∂y = 1/(g t). An end in time that is asked
/// for is taken.
#[test]
fn a_sensitivity_ends_where_its_run_does() {
    let folder = common::folder("sensitivity/ends");
    let ball = "system Ball { coordinates { y } kinetic = ẏ^2/2; potential = 9.81*y;
        contact floor { gap = y; impact = elastic; }
        scenario drop { y = 1; until t = 1; until impacts = 1; } }";
    fs::write(folder.join("ball.eom"), ball).unwrap();
    let [said, _] = eom(&folder, "analyse ball.eom sensitivity --format tsv", 0);
    let time: Vec<&str> = said.lines().nth(1).unwrap().split('\t').collect();
    let expected = [(2.0_f64 / 9.81).sqrt(), 1.0 / (2.0_f64 * 9.81).sqrt()];
    for (found, expected) in time[1..].iter().zip(expected) {
        assert!((found.parse::<f64>().unwrap() - expected).abs() < 1e-12, "{said}");
    }
    let [said, _] = eom(&folder, "analyse ball.eom sensitivity --until 0.6", 0);
    assert!(said.contains("events       1"), "{said}");
}
