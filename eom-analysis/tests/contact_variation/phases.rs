//! Impacts by Poisson's and Stronge's laws whose slip turns, comes to rest or goes on, against differences of runs.

use crate::common::interpreted;
use crate::{case, check_all, end, letters, options, transition};
use eom_analysis::Variations;
use eom_core::State;

/// A rod that falls on its end, on a floor that is not even.
const ROD: &str = "/// A rod. \n system R { coordinates { x, y, θ } parameters { μ = 0.3, e = 0.6, l = 0.5, h = 0.1 }
    kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/24; potential = 9.81*y;
    contact floor { gap = y - l*cos(θ) - h*sin(x); slip = ẋ + l*cos(θ)*θ̇ + h*ẏ; friction = μ; impact = LAW(e); } }";

/// Of which the end slides at this speed, and falls at 2.
fn start(slip: f64, θ: f64) -> State {
    let height = 0.5 * θ.cos() + 0.02;
    State::new(0.0, [0.0, height, θ], [slip, -2.0, 0.1])
}

/// The slip turns in compression, in restitution, goes on, comes to rest in either, and leaves from that.
#[test]
fn slips_turn_and_come_to_rest_on_the_way() {
    for law in ["poisson", "stronge"] {
        for (θ, μ, slips) in
            [(0.6, 0.3, &[-1.0, -3.2, -6.0, 2.0][..]), (0.5, 0.7, &[-1.2, 1.0, 2.2, -4.5])]
        {
            let source = ROD.replace("LAW", law).replace("μ = 0.3", &format!("μ = {μ}"));
            for slip in slips {
                check_all(&case(&source, start(*slip, θ), 0.03, "i"));
            }
        }
    }
}

#[test]
fn by_their_parameters_they_agree_with_differences_of_runs() {
    let names = ["μ", "e", "l", "h"];
    let values = [0.3, 0.6, 0.5, 0.1];
    for law in ["poisson", "stronge"] {
        for (slip, θ) in [(-1.0, 0.6), (-3.2, 0.6), (2.0, 0.6), (-0.6, 0.1)] {
            let rod = interpreted(&ROD.replace("LAW", law));
            let start = start(slip, θ);
            assert_eq!(letters(&transition(&rod, &start, 0.03)), "i");
            let variations = Variations::new(&rod).unwrap();
            let found = variations.sensitivities(&start, &[], &options(), 0.03, &names).unwrap();
            for (column, value) in values.iter().enumerate() {
                let at = |h: f64| {
                    let mut all = values.map(Some);
                    all[column] = Some(value + h);
                    end(&rod.clone().with_parameters(&all).unwrap(), &start, 0.03)
                };
                let h = 1e-4;
                let [up, down, far, back] = [h, -h, 2.0 * h, -2.0 * h].map(at);
                for row in 0..6 {
                    let near = (up[row] - down[row]) / (2.0 * h);
                    let wide = (far[row] - back[row]) / (4.0 * h);
                    let (wanted, by) = ((4.0 * near - wide) / 3.0, found.matrix[(row, column)]);
                    let what = format!("{law} {slip} {θ} {} {row}: {by} {wanted}", names[column]);
                    assert!((by - wanted).abs() < 1e-7 * (1.0 + wanted.abs()), "{what}");
                }
            }
        }
    }
}

/// A disc that is struck where it responds alike to both sides comes to rest: there Poisson's law is Newton's, and its
/// derivatives are others, those of its response.
#[test]
fn where_laws_agree_their_derivatives_do_not() {
    let bar = "/// A bar. \n system B { coordinates { x, y, θ } parameters { μ = 0.8, e = 0.6 }
        kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/24; potential = 9.81*y;
        contact floor { gap = y - cos(θ)/2; slip = ẋ + cos(θ)*θ̇/2; friction = μ; impact = LAW(e); } }";
    for law in ["poisson", "stronge", "restitution"] {
        check_all(&case(&bar.replace("LAW", law), start(0.8, 0.0), 0.03, "i"));
    }
}

/// Where a slip that begins at zero is turned, it is by the side on which it begins.
#[test]
fn what_begins_at_rest_and_is_turned_has_no_derivative() {
    let source = ROD.replace("LAW", "poisson").replace("ẋ + l*cos(θ)*θ̇ + h*ẏ", "θ̇");
    let start = State::new(0.0, [0.0, 0.5 * 0.6_f64.cos() + 0.02, 0.6], [1.0, -2.0, 0.0]);
    for (μ, sticks) in [("0.2", false), ("0.4", true)] {
        let rod = interpreted(&source.replace("μ = 0.3", &format!("μ = {μ}")));
        let found = Variations::new(&rod).unwrap().transition(&start, &[], &options(), 0.03);
        match found {
            Ok(_) => assert!(sticks, "μ = {μ}"),
            Err(why) => {
                let told = why.to_string();
                assert!(!sticks && told.contains("turns a slip that begins at zero"), "{told}");
            }
        }
    }
    let source = source.replace("μ = 0.3", "μ = 0.4");
    check_all(&case(&source, start, 0.03, "i"));
}
