//! The systems that are timed, as declarations.

use std::fmt::Write;

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

eom_core::lagrangian! {
    /// The double pendulum, unit masses and rods, in absolute angles.
    pub system DoublePendulum {
        coordinates { θ1, θ2 }
        parameters { g = 9.81 }
        let X1 = sin(θ1);
        let Y1 = -cos(θ1);
        let X2 = X1 + sin(θ2);
        let Y2 = Y1 - cos(θ2);
        kinetic = (Ẋ1^2 + Ẏ1^2 + Ẋ2^2 + Ẏ2^2)/2;
        potential = g*(Y1 + Y2);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_pendulum_derives() {
        for n in [1, 2, 12] {
            let derivation = eom_codegen::derive_source(&super::pendulum(n));
            assert!(derivation.is_ok(), "n = {n}: {:?}", derivation.err());
        }
    }
}
