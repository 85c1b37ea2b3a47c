//! The printed forms of whole systems.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use eom_symbolic::mechanics::Law;
use eom_symbolic::mechanics::closed_forms::reduce::{
    equations_with_multipliers, reduce, reduced_equations,
};
use eom_symbolic::mechanics::lagrange::derive;
use eom_symbolic::mechanics::report::{EquationsText, report};
use eom_symbolic::print::{self, Names};
use eom_symbolic::simplify::{self, Simplifier};
use support::Declaration;

/// Where a long line goes on.
const BROKEN: &str = "\n      ";

fn text_of(mut declaration: Declaration) -> EquationsText {
    let equations = derive(&mut declaration.model).unwrap();
    report(&declaration.model, &equations)
}

/// The sections of a report are these lines.
fn check(declaration: Declaration, sections: &[(&str, &[&str])]) {
    let text = text_of(declaration).to_text().replace(BROKEN, " ");
    for (title, lines) in sections {
        let body: Vec<&str> = text
            .lines()
            .skip_while(|line| line != title)
            .skip(1)
            .take_while(|line| !line.is_empty())
            .map(str::trim)
            .collect();
        assert_eq!(body, *lines, "{title}\n{text}");
    }
}

#[test]
fn the_penny() {
    check(
        support::penny(),
        &[
            ("Lagrangian", &["L = m*(ẋ^2 + ẏ^2)/2 + I*θ̇^2/2 + J*φ̇^2/2"]),
            ("Constraints", &["roll_x: ẋ - R*cos(φ)*θ̇ = 0", "roll_y: ẏ - R*sin(φ)*θ̇ = 0"]),
            (
                "Equations of motion",
                &[
                    "m*ẍ = λ(roll_x)",
                    "m*ÿ = λ(roll_y)",
                    "I*θ̈ = -R*cos(φ)*λ(roll_x) - R*sin(φ)*λ(roll_y)",
                    "J*φ̈ = 0",
                ],
            ),
            (
                "Reduced equations",
                &["ẋ = R*cos(φ)*θ̇", "ẏ = R*sin(φ)*θ̇", "(I + m*R^2)*θ̈ = 0", "J*φ̈ = 0"],
            ),
            ("Multipliers", &["λ(roll_x) = -m*R*sin(φ)*θ̇*φ̇", "λ(roll_y) = m*R*cos(φ)*θ̇*φ̇"]),
        ],
    );
}

#[test]
fn the_contact_of_the_penny() {
    let text = text_of(support::penny());
    let contact = &text.impacts[0];
    assert_eq!((contact.name.as_str(), contact.law.as_str()), ("front", "restitution(1)"));
    let text = text.to_text().replace(BROKEN, " ");
    for line in [
        "g = 1 - (x + R*cos(φ))^2/a^2 - (y + R*sin(φ))^2/b^2",
        "g_x = -2*(x + R*cos(φ))/a^2",
        "B[roll_x] = dx - R*cos(φ)*dθ",
        "B[front] = g_x*dx + g_y*dy + g_φ*dφ",
        "ġ = g_x*ẋ_minus + g_y*ẏ_minus + g_φ*φ̇_minus",
        "(v⁺ = v⁻ − (1 + e) (ġ/d) w, e = 1)",
        "n_θ = R*cos(φ)*g_x + R*sin(φ)*g_y",
        "w_θ = n_θ/(I + m*R^2)",
        "d = n_θ^2/(I + m*R^2) + g_φ^2/J",
        "P[x, φ] = J*w_x*w_φ/d",
        "P[x, x] = (I + m*R^2*sin(φ)^2)/(I + m*R^2) + m*w_x^2/d",
        "P[θ, θ] = m*R^2/(I + m*R^2) + I*w_θ^2/d",
        "φ̇_plus = φ̇_minus - 2*w_φ*ġ/d",
    ] {
        assert!(text.lines().any(|l| l.trim() == line), "{line}\n{text}");
    }
}

/// A steered car with a load that swings sideways, before a wall.
fn car() -> Declaration {
    let parameters = ["M", "I", "J", "m", "L", "l", "g", "w"];
    let energy = "M/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*(θ̇ + φ̇)^2 + m/2*(Ẋ^2 + Ẏ^2 + Ż^2)";
    Declaration::new(&["x", "y", "θ", "φ", "α"], &parameters)
        .define("X", "x - l*sin(α)*sin(θ)")
        .define("Y", "y + l*sin(α)*cos(θ)")
        .define("Z", "-l*cos(α)")
        .energies(energy, "m*g*Z")
        .row("rear", "sin(θ)*ẋ - cos(θ)*ẏ")
        .row("front", "sin(θ + φ)*ẋ - cos(θ + φ)*ẏ - L*cos(φ)*θ̇")
        .contact("wall", "w - x - L*cos(θ)", Law::ELASTIC, "restitution(1)")
}

fn has_lines(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|l| l.trim() == *line), "{line}\n{text}");
    }
}

/// A `let` that is a product of few factors stands where it was declared, and is written out in
/// what is derived: there its name would hide a sign.
#[test]
fn plain_products_are_written_out() {
    let swing = "m*l*cos(θ)*cos(α)*ÿ - m*l*sin(θ)*cos(α)*ẍ + m*l^2*α̈ - m*l^2*sin(α)*cos(α)*θ̇^2 + m*g*l*sin(α) = 0";
    let text = text_of(car()).to_text().replace(BROKEN, " ");
    has_lines(&text, &[swing, "Z = -l*cos(α)"]);
    let of = |title| text.lines().skip_while(move |line| *line != title).nth(1).unwrap_or("");
    assert!(of("Lagrangian").ends_with("- m*g*Z"), "{text}");
    assert!(of("Energy").ends_with("+ m*g*Z"), "{text}");
    let derived = text.split("Equations of motion").nth(1).unwrap();
    assert!(!derived.contains('Z'), "{derived}");
    for (value, printed) in
        [("m*r^2/2", "I*θ̈ = 0"), ("-m*r", "m*r*θ̈ = 0"), ("m*r^2/(m + r)", "I*θ̈ = 0")]
    {
        let sign = if value.starts_with('-') { "-" } else { "" };
        let disk = Declaration::new(&["θ"], &["m", "r"])
            .define("I", value)
            .energies(&format!("{sign}I/2*θ̇^2"), "0");
        check(disk, &[("Equations of motion", &[printed])]);
    }
}

/// Entries are 0 or ±1 where they are with the definitions of w and d put in; the denominator they
/// share is printed once.
#[test]
fn entries_are_decided_and_share_a_denominator() {
    let denominator = "I*sin(φ)^2 + (M + m)*L^2*cos(φ)^2 - 2*m*L*l*sin(φ)*cos(φ)*sin(α) + m*l^2*sin(φ)^2*sin(α)^2";
    let text = text_of(car()).to_text().replace(BROKEN, " ");
    has_lines(
        &text,
        &[
            &format!("D = {denominator}"),
            "u_θ = L*sin(φ)*cos(φ)*n_u/D",
            "u_φ = -L*sin(φ)*cos(φ)*n_u/D",
            "d = L^2*cos(φ)^2*n_u^2/D",
            "P[x, x] = 1",
            "P[x, φ] = 0",
            "P[φ, θ] = -1",
            "P[α, x] = sin(θ)*cos(α)/l",
        ],
    );
    let contact = text.split("Contact wall").nth(1).unwrap();
    assert_eq!(contact.matches(denominator).count(), 1, "{contact}");
    let text = text_of(car().define("D", "x^2 + y^2")).to_text().replace(BROKEN, " ");
    has_lines(&text, &[&format!("Δ = {denominator}"), "u_θ = L*sin(φ)*cos(φ)*n_u/Δ"]);
}

/// A definition keeps the numbers that its `let` names took along, and what is not used costs no
/// normal form.
#[test]
fn definitions_print_as_declared() {
    let c = "-2*(h_x*ẋ + h_y*ẏ)/((h_x^2 + h_y^2)/m)";
    let penny = support::penny()
        .define("h_x", "2*(x + R*cos(φ))/a^2")
        .define("h_y", "2*(y + R*sin(φ))/b^2")
        .define("C", c);
    let definitions = [
        "h_x = 2*(x + R*cos(φ))/a^2",
        "h_y = 2*(y + R*sin(φ))/b^2",
        "C = -2*m*(h_x*ẋ + h_y*ẏ)/(h_x^2 + h_y^2)",
    ];
    check(penny, &[("Abbreviations", &definitions)]);
}

/// The dot of u = r·φ̇ is r·φ̈ + ṙ·φ̇: the second part alone must not print as it.
#[test]
fn the_dot_of_a_rate_is_not_a_name() {
    let disk = Declaration::new(&["r", "φ"], &["m"])
        .define("u", "r*φ̇")
        .energies("m/2*(ṙ^2 + r^2*φ̇^2)", "0")
        .force(0, "ṙ*φ̇");
    let equations = ["m*r̈ - m*r*φ̇^2 = ṙ*φ̇", "m*r^2*φ̈ + 2*m*r*ṙ*φ̇ = 0"];
    check(disk, &[("Equations of motion", &equations)]);
}

#[test]
fn laws_are_said_as_formulas() {
    for (law, formula) in [
        (Law::ELASTIC, "v⁺ = v⁻ − (1 + e) (ġ/d) w, e = 1"),
        (Law::PLASTIC, "v⁺ = v⁻ − (1 + e) (ġ/d) w, e = 0"),
        (Law::Project, "v⁺ = v⁻ − 2 (ġ/d_0) w, d_0 = ∇g M⁻¹ ∇gᵀ"),
    ] {
        let ball = Declaration::new(&["x", "z"], &["m"])
            .energies("m/2*(ẋ^2 + ż^2)", "0")
            .contact("floor", "z", law, "law");
        let text = text_of(ball).to_text().replace(BROKEN, " ");
        assert!(text.lines().any(|l| l.trim() == format!("({formula})")), "{formula}\n{text}");
        assert!(text.lines().any(|l| l.trim() == "B[floor] = dz"), "{text}");
    }
}

/// e is said unless it is the symbol e itself.
#[test]
fn the_restitution_is_said_once() {
    for (e, formula) in [
        ("e", "v⁺ = v⁻ − (1 + e) (ġ/d) w"),
        ("0.8", "v⁺ = v⁻ − (1 + e) (ġ/d) w, e = 4/5"),
        ("k/2", "v⁺ = v⁻ − (1 + e) (ġ/d) w, e = k/2"),
    ] {
        let mut ball = Declaration::new(&["z"], &["m", "e", "k"]).energies("m/2*ż^2", "0");
        let law = Law::of(ball.parse(e));
        let text = text_of(ball.contact("floor", "z", law, "law")).to_text().replace(BROKEN, " ");
        assert!(text.lines().any(|l| l.trim() == format!("({formula})")), "{formula}\n{text}");
    }
}

#[test]
fn pendulums() {
    check(
        support::pendulum(),
        &[
            ("Lagrangian", &["L = m*l^2*θ̇^2/2 - m*g*l*(1 - cos(θ))"]),
            ("Equations of motion", &["m*l^2*θ̈ + m*g*l*sin(θ) = 0"]),
        ],
    );
    check(
        support::spherical_pendulum(),
        &[
            ("Lagrangian", &["L = m*(Ẋ^2 + Ẏ^2 + Ż^2)/2 - m*g*Z"]),
            ("Abbreviations", &["X = l*sin(θ)*cos(φ)", "Y = l*sin(θ)*sin(φ)", "Z = -l*cos(θ)"]),
            (
                "Equations of motion",
                &[
                    "m*l^2*θ̈ - m*l^2*sin(θ)*cos(θ)*φ̇^2 + m*g*l*sin(θ) = 0",
                    "m*l^2*sin(θ)^2*φ̈ + 2*m*l^2*sin(θ)*cos(θ)*θ̇*φ̇ = 0",
                ],
            ),
        ],
    );
    check(
        support::double_pendulum(),
        &[
            ("Lagrangian", &["L = m1*(ẋ1^2 + ẏ1^2)/2 + m2*(ẋ2^2 + ẏ2^2)/2 - m1*g*y1 - m2*g*y2"]),
            (
                "Equations of motion",
                &[
                    "(m1 + m2)*l1^2*θ̈1 + m2*l1*l2*cos(θ1 - θ2)*θ̈2 + m2*l1*l2*sin(θ1 - θ2)*θ̇2^2 + (m1 + m2)*g*l1*sin(θ1) = 0",
                    "m2*l1*l2*cos(θ1 - θ2)*θ̈1 + m2*l2^2*θ̈2 - m2*l1*l2*sin(θ1 - θ2)*θ̇1^2 + m2*g*l2*sin(θ2) = 0",
                ],
            ),
        ],
    );
}

#[test]
fn nonholonomic_systems() {
    check(
        support::sleigh(),
        &[
            ("Lagrangian", &["L = m*(Ẋ^2 + Ẏ^2)/2 + I*θ̇^2/2"]),
            ("Constraints", &["blade: cos(θ)*ẏ - sin(θ)*ẋ = 0"]),
            (
                "Reduced equations",
                &[
                    "u = cos(θ)*ẋ + sin(θ)*ẏ",
                    "ẋ = cos(θ)*u",
                    "ẏ = sin(θ)*u",
                    "m*u̇ - m*a*θ̇^2 = 0",
                    "(I + m*a^2)*θ̈ + m*a*θ̇*u = 0",
                ],
            ),
            ("Multipliers", &["λ(blade) = m*I*θ̇*u/(I + m*a^2)"]),
        ],
    );
    check(
        support::inclined_disk(),
        &[
            ("Abbreviations", &["J1 = J + K"]),
            (
                "Reduced equations",
                &[
                    "ẋ = R*cos(φ)*θ̇",
                    "ẏ = R*sin(φ)*θ̇",
                    "(I + m*R^2)*θ̈ - m*g*R*sin(α)*cos(φ) = 0",
                    "J1*φ̈ + K*ψ̈ = u",
                    "K*φ̈ + K*ψ̈ + k*ψ = 0",
                ],
            ),
        ],
    );
}

#[test]
fn bodies_in_euler_angles() {
    check(
        support::top(),
        &[
            ("Lagrangian", &["L = A*(s1^2 + s2^2)/2 + C*s3^2/2 - m*g*l*cos(θ)"]),
            (
                "Equations of motion",
                &[
                    "(A*sin(θ)^2 + C*cos(θ)^2)*φ̈ + C*cos(θ)*ψ̈ + 2*(A - C)*sin(θ)*cos(θ)*φ̇*θ̇ - C*sin(θ)*θ̇*ψ̇ = 0",
                    "A*θ̈ - (A - C)*sin(θ)*cos(θ)*φ̇^2 + C*sin(θ)*φ̇*ψ̇ - m*g*l*sin(θ) = 0",
                    "C*cos(θ)*φ̈ + C*ψ̈ - C*sin(θ)*φ̇*θ̇ = 0",
                ],
            ),
        ],
    );
    // A ball that rolls in a plane without forces needs no friction.
    check(support::rolling_ball(), &[("Multipliers", &["λ(roll_x) = 0", "λ(roll_y) = 0"])]);
}

/// Where time moves the frame, v·∂L/∂v − L is not T + V, and is printed beside it.
#[test]
fn a_bead_on_a_turning_rod() {
    check(
        Declaration::new(&["r"], &["m", "ω"]).energies("m/2*(ṙ^2 + ω^2*r^2)", "0"),
        &[
            ("Energy", &["E = m*(ṙ^2 + ω^2*r^2)/2"]),
            ("Jacobi integral", &["H = m*(ṙ^2 - ω^2*r^2)/2"]),
            ("Equations of motion", &["m*r̈ - m*ω^2*r = 0"]),
        ],
    );
}

/// T + V of a general Lagrangian means nothing: its energy section is v·∂L/∂v − L.
#[test]
fn a_general_lagrangian_has_a_jacobi_integral_only() {
    let charge =
        Declaration::new(&["x", "y"], &["m", "B"]).lagrangian("m/2*(ẋ^2 + ẏ^2) + B/2*(x*ẏ - y*ẋ)");
    let sections: [(&str, &[&str]); 2] =
        [("Energy", &[]), ("Jacobi integral", &["H = m*(ẋ^2 + ẏ^2)/2"])];
    check(charge, &sections);
}

/// A `let` that is put back with its sign leaves it outside of powers and functions.
#[test]
fn signs_stand_outside() {
    let pendulum = Declaration::new(&["θ"], &["m", "l", "g", "A", "ω"])
        .define("X", "l*sin(θ)")
        .define("Y", "A*cos(ω*t) - l*cos(θ)")
        .energies("m/2*(Ẋ^2 + Ẏ^2)", "m*g*Y");
    let energy = "E = m*(Ẋ^2 + Ẏ^2)/2 + m*g*Y";
    let jacobi = "H = m*l^2*θ̇^2/2 + m*g*Y - m*A^2*ω^2*sin(ω*t)^2/2";
    let lagrangian = "L = m*(Ẋ^2 + Ẏ^2)/2 - m*g*Y";
    let sections: [(&str, &[&str]); 3] =
        [("Lagrangian", &[lagrangian]), ("Energy", &[energy]), ("Jacobi integral", &[jacobi])];
    check(pendulum, &sections);
    for value in ["y - x", "x - y"] {
        let mut plane = Declaration::new(&["x", "y"], &[]).define("D", value);
        let names = Names::new(&mut plane.model);
        for (declared, printed) in [
            ("(y - x)^2", "D^2"),
            ("1/(y - x)^2 + 1/(x - y)^4", "1/D^2 + 1/D^4"),
            ("cos(y - x) + cosh(x - y)", "cos(D) + cosh(D)"),
            ("sin(y - x)^2 + sin(x - y)^2", "2*sin(D)^2"),
        ] {
            let e = plane.parse(declared);
            let text = print::unicode(&plane.model.pool, e, &names);
            assert_eq!(text, printed, "{declared} where D = {value}");
        }
        for declared in ["sin(y - x)", "(x - y)^3", "atan(y - x)/(x - y)", "sqrt(y - x)"] {
            let e = plane.parse(declared);
            let text = print::unicode(&plane.model.pool, e, &names);
            assert_eq!(plane.parse(&text), e, "{text}");
            assert!(!text.contains("(-D)") || declared.starts_with("sqrt"), "{text}");
        }
    }
}

/// Two entries whose squares add up to a constant divide nothing, whatever else moves or is named.
#[test]
fn a_skate_has_a_velocity_of_its_own() {
    let skate = Declaration::new(&["x", "y", "φ"], &["m", "J", "R"])
        .input("u")
        .energies("m/2*(ẋ^2 + ẏ^2) + J/2*φ̇^2", "0")
        .force(0, "u")
        .row("edge", "R*sin(φ)*ẋ - R*cos(φ)*ẏ - t");
    check(
        skate,
        &[(
            "Reduced equations",
            &[
                "u_1 = cos(φ)*ẋ/R + sin(φ)*ẏ/R",
                "ẋ = R*cos(φ)*u_1 + t*sin(φ)/R",
                "ẏ = R*sin(φ)*u_1 - t*cos(φ)/R",
                "(where R ≠ 0)",
                "m*R^2*u̇_1 + m*t*φ̇ = R*cos(φ)*u",
                "J*φ̈ = 0",
            ],
        )],
    );
}

/// What must not vanish is the determinant of the pivots, not each pivot on its way: 2l cos²φ cos θ, which is not 0 at
/// the start, as sin 2φ would be.
#[test]
fn conditions_are_those_of_the_determinant() {
    let board = Declaration::new(&["x", "y", "θ", "φ"], &["m", "J", "l"])
        .energies("m/2*(ẋ^2 + ẏ^2) + J/2*(θ̇^2 + φ̇^2)", "0")
        .row("back", "cos(θ + φ)*ẏ - sin(θ + φ)*ẋ - l*cos(φ)*θ̇")
        .row("front", "cos(θ - φ)*ẏ - sin(θ - φ)*ẋ + l*cos(φ)*θ̇");
    let text = text_of(board).to_text().replace(BROKEN, " ");
    let conditions: Vec<&str> = text.lines().map(str::trim).filter(|l| l.contains('≠')).collect();
    assert_eq!(conditions, ["(where l ≠ 0, cos(φ) ≠ 0, cos(θ) ≠ 0)"], "{text}");
}

#[test]
fn rows_that_follow_or_contradict_are_said() {
    let twice = support::penny().row("again", "2*ẋ - 2*R*cos(φ)*θ̇");
    let text = text_of(twice).to_text().replace(BROKEN, " ");
    assert!(text.contains("(the row again follows from the others)"), "{text}");
    let contradiction = support::penny().row("other", "ẋ - R*cos(φ)*θ̇ - 1");
    let text = text_of(contradiction).to_text().replace(BROKEN, " ");
    assert!(text.contains("(omitted: the row other contradicts the others)"), "{text}");
}

#[test]
fn latex_of_the_penny() {
    let latex = text_of(support::penny()).to_latex();
    for line in [
        r"L &= \frac{1}{2} m \left(\dot{x}^{2} + \dot{y}^{2}\right) + \frac{1}{2} I \dot{\theta}^{2} + \frac{1}{2} J \dot{\varphi}^{2}",
        r"\dot{x} - R \cos\varphi\, \dot{\theta} &= 0 && \mathrm{roll\_x} \\",
        r"m \ddot{x} &= \lambda_{\mathrm{roll\_x}} \\",
        r"\left(I + m R^{2}\right) \ddot{\theta} &= 0 \\",
        r"d &= \frac{n_{\theta}^{2}}{I + m R^{2}} + \frac{g_{\varphi}^{2}}{J} \\",
        r"\dot{\varphi}^{+} &= \dot{\varphi}^{-} - \frac{2 w_{\varphi} \dot{g}}{d}",
    ] {
        assert!(latex.lines().any(|l| l.trim() == line), "{line}\n{latex}");
    }
    assert_eq!(latex.matches('{').count(), latex.matches('}').count());
    assert_eq!(latex.matches(r"\left").count(), latex.matches(r"\right").count());
}

/// One style of arguments: a single symbol without parentheses, a thin space behind it before
/// what could be read into it.
#[test]
fn latex_of_functions() {
    let mut plane = Declaration::new(&["x", "θ"], &["a"]);
    let names = Names::new(&mut plane.model);
    for (declared, printed) in [
        ("cos(θ)*θ̇", r"\cos\theta\, \dot{\theta}"),
        ("cos(θ)^2*θ̇", r"\cos^{2}\theta\, \dot{\theta}"),
        ("a*cos(θ)", r"a \cos\theta"),
        ("x*cos(θ)*sin(θ)", r"x \sin\theta \cos\theta"),
        ("(1 + x)*sin(x)*ẋ", r"\left(1 + x\right) \sin x\, \dot{x}"),
        ("sin(2*θ)*θ̇", r"\sin\left(2 \theta\right) \dot{\theta}"),
        ("exp(x)^2*ln(x)^3*ẋ", r"\left(\exp x\right)^{2} \left(\ln x\right)^{3} \dot{x}"),
        ("abs(x)*ẋ", r"\left|x\right| \dot{x}"),
        ("erf(x)*ẋ", r"\operatorname{erf} x\, \dot{x}"),
        ("smoothstep(2*x)*ẋ", r"\operatorname{smoothstep}\left(2 x\right) \dot{x}"),
    ] {
        let e = plane.parse(declared);
        assert_eq!(print::latex(&plane.model.pool, e, &names), printed, "{declared}");
    }
}

/// Two names are two symbols, and one name is one.
#[test]
fn latex_tells_names_apart() {
    let mut line = Declaration::new(&["x1", "x_1", "_x", "y_"], &["m1"]);
    let names = Names::new(&mut line.model);
    for (declared, printed) in [
        ("m1*x1*ẋ1*x_1", r"m_{1} x_{1} x_{\mathrm{\_1}} \dot{x}_{1}"),
        ("x_1_dot", r"\dot{x}_{\mathrm{\_1}}"),
        ("m1*_x", r"m_{1} \mathrm{\_x}"),
        ("y_", r"y_{\mathrm{\_}}"),
    ] {
        let e = line.parse(declared);
        assert_eq!(print::latex(&line.model.pool, e, &names), printed, "{declared}");
    }
}

/// Printed text is the language: it reads back as the same expression.
#[test]
fn what_is_printed_reads_back() {
    for declaration in systems() {
        let mut declaration = declaration;
        let equations = derive(&mut declaration.model).unwrap();
        let mut simplifier = Simplifier::default();
        let names = Names::new(&mut declaration.model);
        let model = &mut declaration.model;
        let mut printed: Vec<_> = equations.mass.kept().iter().flatten().copied().collect();
        printed.extend([model.lagrangian, equations.jacobi]);
        let full = equations_with_multipliers(model, &equations, &mut simplifier);
        printed.extend(full.iter().flat_map(|e| [e.left, e.right]));
        let reduction = reduce(model, &equations, &mut simplifier).unwrap();
        let reduced = reduced_equations(model, &equations, &reduction, &mut simplifier);
        printed.extend(reduced.iter().flat_map(|e| [e.left, e.right]));
        for e in printed {
            let text = print::unicode(&declaration.model.pool, e, &names);
            let read = declaration.parse(&text);
            let difference = declaration.model.pool.sub(e, read);
            let zero = simplify::is_zero(&mut declaration.model.pool, difference);
            assert_eq!(zero, Some(true), "{text}");
        }
    }
}

fn systems() -> Vec<Declaration> {
    vec![
        support::penny(),
        support::pendulum(),
        support::spherical_pendulum(),
        support::double_pendulum(),
        support::sleigh(),
        support::inclined_disk(),
        support::rolling_ball(),
        support::top(),
        support::chain(3),
    ]
}

#[test]
fn the_same_text_each_time() {
    for (first, second) in systems().into_iter().zip(systems()) {
        let (first, second) = (text_of(first), text_of(second));
        assert_eq!(first.to_text(), second.to_text());
        assert_eq!(first.to_latex(), second.to_latex());
    }
}

/// A long chain costs a bounded amount of work, and what is left out is said.
#[test]
fn a_long_chain_is_printed_within_the_budget() {
    for links in [12, 24] {
        let text = text_of(support::chain(links));
        assert_eq!(text.equations.len(), links);
        assert!(text.to_text().len() < 400_000);
    }
    let text = text_of(support::chain(12)).to_text().replace(BROKEN, " ");
    assert!(text.contains("12*θ̈1 + 11*cos(θ1 - θ2)*θ̈2"), "{text}");
}
