//! The systems that are timed, as declarations: those whose functions are timed stand in `models`.

mod bouncing_ball;
mod compiled;
mod rough;

pub use bouncing_ball::BouncingBall;
pub use compiled::{Ball, DoublePendulum, Particle, Pendulum6, Pendulum12, Penny};
pub use rough::{HoppingBox, stack};

use std::fmt::Write;

/// The penny without the edge of its table, which is not part of what others derive.
pub const ROLLING_PENNY: &str = "system RollingPenny {
    coordinates { x, y, θ, φ }
    parameters { m = 0.0025, R = 0.01, I = 1.25e-7, J = 6.25e-8 }
    kinetic = m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2;
    constraints {
        roll_x: dx - R*cos(φ)*dθ;
        roll_y: dy - R*sin(φ)*dθ;
    }
}";

/// The planar pendulum of n links in absolute angles from the downward vertical: unit masses,
/// unit rods; positions are declared, the macro does the differentiating.
pub fn pendulum(n: usize) -> String {
    let list = |item: &dyn Fn(usize) -> String, separator: &str| {
        (1..=n).map(item).collect::<Vec<_>>().join(separator)
    };
    let mut text = format!("system Pendulum{n} {{\n");
    let angles = list(&|i| format!("θ{i}"), ", ");
    let _ = writeln!(text, "    coordinates {{ {angles} }}\n    parameters {{ g = 9.81 }}");
    for i in 1..=n {
        let (x, y) = match i {
            1 => (String::new(), String::new()),
            _ => (format!("X{} + ", i - 1), format!("Y{} ", i - 1)),
        };
        let _ = writeln!(text, "    let X{i} = {x}sin(θ{i});\n    let Y{i} = {y}- cos(θ{i});");
    }
    let squares = list(&|i| format!("Ẋ{i}^2 + Ẏ{i}^2"), " + ");
    let heights = list(&|i| format!("Y{i}"), " + ");
    let _ = writeln!(text, "    kinetic = ({squares})/2;\n    potential = g*({heights});\n}}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use eom_codegen::derive_source;

    #[test]
    fn every_pendulum_derives() {
        for n in [1, 2, 12] {
            let derivation = derive_source(&pendulum(n));
            assert!(derivation.is_ok(), "n = {n}: {:?}", derivation.err());
        }
    }

    #[test]
    fn the_rolling_penny_is_the_penny_between_impacts() {
        let [rolling, penny] = [ROLLING_PENNY, Penny::INFO.source]
            .map(|source| derive_source(source).expect("it derives").equations_text());
        let lines = rolling.lines().filter(|line| line.contains('='));
        assert!(lines.clone().count() >= 4, "{rolling}");
        for line in lines {
            assert!(penny.contains(line), "{line}, not in\n{penny}");
        }
    }

    #[test]
    fn declared_pendulums_are_those_of_the_text() {
        for (n, source) in [(6, Pendulum6::INFO.source), (12, Pendulum12::INFO.source)] {
            let [ours, text] = [source, &pendulum(n)]
                .map(|source| derive_source(source).expect("it derives").equations_text());
            assert_eq!(ours, text, "n = {n}");
        }
    }
}
