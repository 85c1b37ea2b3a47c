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

/// A block whose friction acts by what it does to a servo: ẋ is pushed by (1 + k) f, the floor by −j f, z by h f.
const BRAKE: &str = "/// A brake. \n system B { coordinates { x, y, z } parameters { k = 0, h = 0, j = 0, μ = 0.3, e = 0.5 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; force x = k*friction(floor); force y = -j*friction(floor); force z = h*friction(floor);
    contact floor { gap = y; slip = ẋ; friction = μ; impact = LAW(e); } }";

/// With V = −ẏ, l = 1 + j μ σ: what slides has Λ = (1 + e) V/l; what stops, at Λ_s = |ẋ|/((1 + k) μ) in compression, has
/// Λ_c = V − j ẋ/(1 + k), −2 W_c = V² + 2 V (1 − l) Λ_s − l (1 − l) Λ_s².
#[test]
fn a_brake_with_a_servo_in_closed_form() {
    for (k, h, j, μ) in
        [(1.5_f64, -2.0, 0.6, 0.3_f64), (-0.6, 1.0, 0.5, 0.4), (0.4, 3.0, -0.7, 0.2)]
    {
        for law in ["poisson", "stronge"] {
            for (slip, e) in [(9.0_f64, 0.5), (-9.0, 0.8), (0.2, 0.5), (-0.2, 0.8), (0.2, 0.0)] {
                let source = BRAKE.replace("LAW", law);
                let values = [k, h, j, μ, e].map(Some);
                let brake = interpreted(&source).with_parameters(&values).unwrap();
                let start = State::new(0.0, [0.0, 0.1, 0.0], [slip, -2.0, 0.0]);
                let found = transition(&brake, &start, 0.1);
                let by_e = Variations::new(&brake).unwrap();
                let by_e = by_e.sensitivities(&start, &[], &options(), 0.1, &["e"]).unwrap();
                let (v, σ) = (2.0, slip.signum());
                let (l, stops) = (1.0 + j * μ * σ, slip.abs() / ((1.0 + k) * μ));
                // ẋ⁺, ẏ⁺, ż⁺ by ẋ, by V, by e.
                let wanted = if slip.abs() > 1.0 {
                    let pushes = [-(1.0 + k) * μ * σ / l, -h * μ * σ / l];
                    let by_v = [pushes[0] * (1.0 + e), e, pushes[1] * (1.0 + e)];
                    [[1.0, 0.0, 0.0], by_v, [pushes[0] * v, v, pushes[1] * v]]
                } else {
                    let (by_slip, by_v, rate) = if law == "poisson" {
                        (-j / (1.0 + k), 1.0, v - j * slip / (1.0 + k))
                    } else {
                        let rest = 1.0 - l;
                        let square = v * v + 2.0 * v * rest * stops - l * rest * stops * stops;
                        let by_stops = rest * (v - l * stops) / square.sqrt();
                        let by_v = (v + rest * stops) / square.sqrt();
                        (by_stops * σ / ((1.0 + k) * μ), by_v, square.sqrt())
                    };
                    let of_slip = [0.0, e * by_slip, -h / (1.0 + k)];
                    [of_slip, [0.0, e * by_v, 0.0], [0.0, rate, 0.0]]
                };
                for row in 0..3 {
                    let by = |column: usize| found.matrix[(3 + row, column)];
                    let [by_slip, by_v, by_e] = [by(3), -by(4), by_e.matrix[(3 + row, 0)]];
                    for (one, wanted) in
                        [by_slip, by_v, by_e].into_iter().zip(wanted.map(|by| by[row]))
                    {
                        let what = format!("{law} {k} {slip} {e} {row}: {one} {wanted}");
                        assert!((one - wanted).abs() < 1e-12 * (1.0 + wanted.abs()), "{what}");
                    }
                }
            }
        }
    }
}

/// A rod whose friction turns it, lifts it and drives it, by amounts that go with its place.
#[test]
fn what_friction_bears_varies_through_phases() {
    let servo = "force x = 0.4*cos(x)*friction(floor); force θ = 0.05*sin(θ)*friction(floor); force y = -0.2*friction(floor);";
    for law in ["poisson", "stronge"] {
        for (θ, μ, slips) in
            [(0.6, 0.3, &[-1.0, -3.2, -6.0, 2.0][..]), (0.5, 0.7, &[-1.2, 1.0, 2.2, -4.5])]
        {
            let source = ROD.replace("LAW", law).replace("μ = 0.3", &format!("μ = {μ}"));
            let source = source.replace("contact floor", &format!("{servo} contact floor"));
            for slip in slips {
                check_all(&case(&source, start(*slip, θ), 0.03, "i"));
            }
        }
    }
}

/// However little is given back, it is that: e times √(−2 W_c).
#[test]
fn a_small_restitution_is_that_of_the_works() {
    for e in [0.5, 1e-3, 1e-6, 1e-9, 1e-12] {
        let values = [0.4, 0.0, 0.6, 0.3, e].map(Some);
        let brake = interpreted(&BRAKE.replace("LAW", "stronge")).with_parameters(&values).unwrap();
        let start = State::new(0.0, [0.0, 0.1, 0.0], [0.2, -2.0, 0.0]);
        let (v, l, stops) = (2.0, 1.0 + 0.6 * 0.3, 0.2 / (1.4 * 0.3));
        let square: f64 = v * v + 2.0 * v * (1.0 - l) * stops - l * (1.0 - l) * stops * stops;
        let found = transition(&brake, &start, 0.051);
        let [_, (_, v)] = found.events[0].sides();
        let off = v[1] - e * square.sqrt();
        assert!(off.abs() < 1e-12 * e + 1e-15, "{e}: {off:e}");
    }
}
