//! What is printed in LaTeX is read back as claims in LaTeX, and follows: the equations of motion of random systems with functions
//! of every kind of argument.

use super::{derive, generate, with_items};
use eom_symbolic::mechanics::report::{Line, report};

/// The equations of motion and the constraints of a system as claims in LaTeX.
fn printed(source: &str) -> Vec<String> {
    let before = derive(source, source);
    let text = report(&before.model, &before.equations);
    let equation = |line: &Line| match line {
        Line::Equation { left, right, .. } => Some(format!("{} = {}", left.latex, right.latex)),
        Line::Definition { .. } | Line::Note(_) => None,
    };
    let equations = text.equations.iter().chain(&text.constraints).filter_map(equation);
    let rows = before.model.rows.iter().map(|row| &row.named.name);
    let multipliers = rows
        .map(|name| format!("notation {{ r\"\\lambda_{{\\mathrm{{{name}}}}}\" = λ({name}); }}"));
    let claims =
        equations.enumerate().map(|(i, text)| format!("claim \"({i})\": tex r\"{text}\";"));
    multipliers.chain(claims).collect()
}

fn check(source: &str) {
    let claims = printed(source);
    derive(&claims.join("\n"), &with_items(source, &claims));
}

#[test]
fn latex_of_random_systems_is_read_back() {
    for seed in 0..100 {
        check(&generate::declaration(seed));
    }
}

/// Arguments that are parameters, frequencies, coordinates; names of several letters, components, partials.
#[test]
fn latex_of_every_kind_of_name_is_read_back() {
    let energies = [
        "kinetic = m/2*(ẋ^2 + θ̇^2); potential = k*sin(a)*x*θ + cos(a)*sin(α)*x^2;",
        "kinetic = m/2*(ẋ^2 + θ̇^2); potential = sin(λ)*x + exp(k)*θ^2 - sin(ω*t)*x + cos(ω)*θ;",
        "kinetic = m/2*(ẋ^2 + θ̇^2); potential = sin(x)*(k + θ)^2 + x*tanh(x)*cos(θ)^2*arm;",
        "let p_B = [x, l*sin(θ), f]; kinetic = m/2*dot(ṗ_B, ṗ_B) + ẋ^2 + θ̇^2; potential = arm*f;",
        "kinetic = m/2*(ẋ^2 + θ̇^2); potential = atan2(x, 2)*erf(x) + ramp(x, 0, 1)*θ + smoothstep(θ, 0, k)*x;",
        "kinetic = m/2*(ẋ^2 + θ̇^2); potential = 0; constraints { roll: sin(x)*ẋ + cos(θ)*arm*θ̇ = 0; }",
    ];
    for energy in energies {
        check(&format!(
            "system S {{ coordinates {{ x, θ }}
            parameters {{ m = 1 where m > 0, k = 2 where k > 0, a = 1, l = 1, α = 0.3, λ = 0.2, ω = 3, arm = 2 }}
            function f(x, θ); {energy} }}"
        ));
    }
}
