//! How the end of a motion changes, as `eom analyse` tells it, where an impact ends it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::eom;
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

/// The third impact of the ball is at (v + V (1 + 2e + 2e²))/g, with e³ V behind it, V = √(v² + 2gh).
#[test]
fn sensitivities_to_an_impact() {
    let directory = common::folder("sensitivity/impact");
    let analyse = |arguments: &str, code: i32| {
        eom(&directory, &format!("analyse {arguments}"), code).concat()
    };
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
    let number = |row: usize, column: usize| -> f64 {
        counted.lines().nth(row).unwrap().split('\t').nth(column).unwrap().parse().unwrap()
    };
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
    let twice: f64 = of.lines().nth(1).unwrap().split('\t').nth(4).unwrap().parse().unwrap();
    assert!((twice - 2.0 * number(3, 4)).abs() < 1e-10, "{of}");
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
