//! Cones that shrink to a point and open again: what is held gives way however short that is, unless nothing pulls on it.

use super::{check, complete, run, system};
use std::f64::consts::PI;

/// Bodies that are pressed by n(t) and pulled by f(t), with the velocity 0.
const PRESSED: [(&str, &str); 7] = [
    ("a contact", "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; force y = -(N);
        contact floor { gap = y; slip = ẋ; friction(μ_s, μ); impact = plastic; }"),
    ("a plane", "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; force z = -(N);
        contact floor { gap = z; slip = [ẋ, ẏ]; friction(μ_s, μ); impact = plastic; }"),
    ("rolling", "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; force y = -(N);
        contact floor { gap = y; slip = ẋ; friction = 0; roll = ẋ; rolling(μ_s, μ); impact = plastic; }"),
    ("two feet", "coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6; force y = -(N);
        contact left { gap = y - sin(θ); slip = ẋ; friction(μ_s, μ); impact = plastic; }
        contact right { gap = y + sin(θ); slip = ẋ; friction(μ_s, μ); impact = plastic; }"),
    ("a row", "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; force y = N; holonomic { guide: y = 0; }
        row guide { slip = ẋ; friction(μ_s, μ); }"),
    ("a pin", "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; force y = 0.6*(N); force z = -0.8*(N);
        holonomic { pin: [y, z] = [0, 0]; } row pin { slip = ẋ; friction(μ_s, μ); }"),
    ("a load that changes its sign", "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; force y = 2*cos(t/2)*abs(cos(t/2));
        holonomic { guide: y = 0; } row guide { slip = ẋ; friction(μ_s, μ); }"),
];

/// Where it is, pressed by 1 + cos t and pulled by f, which gives way at π − δ with (1 + cos t) μ_s = f: by hand.
fn by_hand(f: f64, [μ_s, μ]: [f64; 2], t: f64) -> [f64; 2] {
    let from = (f / μ_s - 1.0).acos();
    let speed = |t: f64| f * (t - from) - μ * (t - from + t.sin() - from.sin());
    let place = |t: f64| {
        let u = t - from;
        0.5 * f * u * u - μ * (0.5 * u * u + from.cos() - t.cos() - u * from.sin())
    };
    let (mut low, mut high) = (PI, from + PI);
    assert!(speed(high) < 0.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if speed(middle) > 0.0 { low = middle } else { high = middle }
    }
    if t < high { [place(t), speed(t)] } else { [place(high), 0.0] }
}

#[test]
fn what_is_held_gives_way_where_its_cone_is_a_point() {
    for (name, body) in PRESSED {
        for (f, μ_s) in [(0.05, 0.3), (0.05, 5.0), (1e-3, 0.3), (1e-3, 5.0)] {
            let source = format!(
                "system Pressed {{ {body} parameters {{ μ = 0.3 where μ >= 0, μ_s where μ_s >= μ }} force x = {f:?}; }}"
            );
            let pressed = system(&source.replace('N', "1 + cos(t)"), &[0.3, μ_s]);
            let n = eom_core::System::info(&pressed).speeds();
            // Twice, and cut within the slide.
            for (t, times) in [(3.3, 1.0), (6.2, 1.0), (12.4, 2.0)] {
                let trajectory = run(&pressed, &vec![0.0; n], &vec![0.0; n], t);
                let last = complete(&trajectory);
                let [x, v] = by_hand(f, [μ_s, 0.3], t.min(6.2));
                check(&format!("{name} {f} {μ_s} {t}"), last.q[0], times * x, 1e-9);
                check("velocity", last.v[0], if t > 6.0 { 0.0 } else { v }, 1e-9);
            }
        }
    }
}

/// The pull vanishes with the cone, or there is none.
#[test]
fn what_nothing_pulls_is_held_through_the_point() {
    for (name, body) in PRESSED {
        for pull in ["0", "0.2*(N)", "0.2*(N)^2"] {
            let source = format!(
                "system Pressed {{ {body} parameters {{ μ = 0.3 where μ >= 0, μ_s where μ_s >= μ }} force x = {pull}; }}"
            );
            let pressed = system(&source.replace('N', "1 + cos(t)"), &[0.3, 0.4]);
            let n = eom_core::System::info(&pressed).speeds();
            for t in [3.0, 9.9, 16.0] {
                let trajectory = run(&pressed, &vec![0.0; n], &vec![0.0; n], t);
                let last = complete(&trajectory);
                assert!(last.q[0] == 0.0 && last.v[0] == 0.0, "{name} {pull} {t}: {last:?}");
                assert!(trajectory.events.is_empty(), "{name} {pull} {t}: {:?}", trajectory.events);
            }
        }
    }
}

/// A smooth foot beside a rough one: both slips come to zero at once.
#[test]
fn a_rough_foot_stops_beside_a_smooth_one() {
    for [left, right] in [[0.0, 0.3], [0.3, 0.0]] {
        for pull in [0.1, 0.07, -0.02] {
            let source = format!(
                "system Feet {{ {} parameters {{ μ = 0 where μ >= 0, ν = 0 where ν >= 0 }} force x = {pull:?}; }}",
                PRESSED[3].1.replacen("friction(μ_s, μ)", "friction = μ", 1)
            );
            let feet = system(
                &source.replace("friction(μ_s, μ)", "friction = ν").replace('N', "1"),
                &[left, right],
            );
            let slows = 0.15 - pull;
            let trajectory = run(&feet, &[0.0; 3], &[0.5, 0.0, 0.0], 20.0);
            let last = complete(&trajectory);
            assert_eq!(last.v, [0.0; 3]);
            check("stops", last.q[0], 0.5 * 0.25 / slows, 1e-12);
        }
    }
}
