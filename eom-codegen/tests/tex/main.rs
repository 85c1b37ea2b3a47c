//! Claims in LaTeX: what is read, which of it follows, what is said of what cannot be read. What follows was worked
//! out by hand from the declarations.

mod arguments;

use eom_codegen::derive_source;
use std::fmt::Write;

/// A particle on a rough slope, a function, and what a paper would call its parts.
const SLOPE: &str = "coordinates { x, w }
    parameters { m = 1 where m > 0, g = 9.81 where g > 0, φ = 0.3 where φ >= 0 && φ < 1.5, μ = 0.2 where μ > 0,
        m1 = 2 where m1 > 0, q[i in 1..=3] = i where q[i] > 0 }
    function f(x, w) = x*w; function h(x) = x^3;
    let α = μ*g*cos(φ);
    let r_p = [x, w, f];
    kinetic = m/2*(ẋ^2 + ẇ^2); potential = m*g*w*sin(φ);
    dissipation = μ*m*g*cos(φ)*norm([ẋ, ẇ]);
    contact floor { gap = w; impact = elastic; }
    notation {
        r\"\\mathbf{V}\" = [ẋ, ẇ]; c = μ*m*g*cos(φ); L = lagrangian; r\"\\beta\" = g*sin(φ); u = ẋ;
        r\"F_x(\\dot{x}, 0)\" = force(x); r\"\\int_R dR\" = s in -m..m, v in 0..g; p = 3;
        r\"[\\cdot, \\cdot]\" = cross;
    }";

fn source(items: &str) -> String {
    format!("system S {{\n{items}\n{SLOPE}\n}}")
}

fn complaints(items: &str) -> String {
    match derive_source(&source(items)) {
        Ok(_) => String::new(),
        Err(mistakes) => {
            let said: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
            said.join("\n")
        }
    }
}

/// What is stated follows.
fn check(place: &str, tex: &str) {
    let found = complaints(&format!("claim c {place}: tex r\"{tex}\";"));
    assert!(found.is_empty(), "{tex}\n{found}");
}

/// What is stated does not follow.
fn refused(place: &str, tex: &str) {
    let found = complaints(&format!("claim c {place}: tex r\"{tex}\";"));
    assert!(found.contains("does not follow"), "{tex}\n{found}");
}

/// The names and texts of the rows of a claim.
fn rows(items: &str) -> Vec<(String, String)> {
    let derived = derive_source(&source(items)).unwrap_or_else(|mistakes| {
        panic!("{}", mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    });
    let claims = derived.model.claims.iter();
    claims.map(|claim| (claim.named.name.clone(), claim.text.clone())).collect()
}

#[test]
fn formulas_are_read_as_they_are_set() {
    let table = [
        (r"2\frac{1}{2} m = m", ""),
        (r"\frac{m g}{2m} = g/2", ""),
        (r"\sin 2\phi\cos\phi = 2\sin\phi\cos^2\phi", ""),
        (r"\sin^2 \phi + \cos^2 \phi = 1", ""),
        (r"\cos^{-1}(\cos\phi) = \phi", ""),
        (r"\left(m + g\right)^2 = m^2 + 2mg + g^2", ""),
        (r"\sqrt[3]{m^3} = m", ""),
        (r"m - -g = m + g", ""),
        (r"\operatorname{sgn}(m) = 1", ""),
        (r"|{-m}| = m", ""),
        (r"|\mathbf{V}|^2 = \dot{x}^2 + \dot w^2 = \mathbf{V}^2", ""),
        (r"\mathbf{V} \cdot (1, 0) = \dot x", ""),
        (r"[(1, 0, 0), (0, 1, 0)] = (1, 0, 0) \times (0, 1, 0) = (0, 0, 1)", ""),
        (
            r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} \begin{pmatrix} 1 \\ 1 \end{pmatrix} = (3, 7)",
            "",
        ),
        (r"\sum_{i=1}^p q_i = q_1 + q_2 + q_3", ""),
        (
            r"\sum_{i=1}^{p-1} (q_{i+1} - q_i)^2 = (q_2 - q_1)^2 + (q_3 - q_2)^2, \quad \sum_{i=2}^p q_{i-1} = q_1 + q_2",
            "",
        ),
        (
            r"0 = \mathbf{V} - (\dot{x}, \dot{w}), \quad 0 = m\ddot{\mathbf{V}} - m\ddot{\mathbf{V}}",
            "",
        ),
        // Braces around one piece, as programs print them.
        (
            r"{\dot x}^2 = \dot{x}^{2}, \quad {\left(m + g\right)}^2 = (m + g)^2, \quad {{m}} {g} = mg",
            "",
        ),
        (
            r"{\frac mg}^2 = \frac{m^2}{g^2}, \quad {m + g} = g + m, \quad \frac{{m + g}}{2} = \frac m2 + \frac g2",
            "",
        ),
        // Time derivatives of what the notation makes of the system.
        (r"\dot{L} = \frac{dL}{dt} = m\dot{x}\ddot{x} + m\dot{w}\ddot{w} - mg\dot{w}\sin\phi", ""),
        (r"\int_0^m s^2 ds = \left[ \frac{s^3}{3} \right]_0^m = \frac{m^3}{3}", ""),
        (r"\int_0^m \int_0^g 1 ds dv = mg", ""),
        (r"\int_R s^2 dR = \frac{2}{3} m^3 g", ""),
        (r"\frac{\partial f}{\partial x} = \frac{\partial}{\partial x} (f(x, w))", ""),
        (
            r"\frac{\partial^2 f}{\partial x \partial w} = \frac{\partial}{\partial w} \frac{\partial f}{\partial x}",
            "",
        ),
        (
            r"\frac{df}{dt} = \frac{\partial f}{\partial x}\dot{x} + \frac{\partial f}{\partial w}\dot{w}",
            "",
        ),
        (r"\frac{\partial L}{\partial \dot{x}} = m\dot{x}", ""),
        (r"m_1 = m_1", ""),
        (r"m > 0, \quad m + g \geq g", ""),
        (r"\pi \approx 3.14", ""),
        (r"\dot{x}^+ = \dot{x}^-, \quad \dot{w}^+ = -\dot{w}^-", "at floor"),
        (r"m\dot{x}^\pm = \dot{x}^\pm m", "at floor"),
        (r"\mathbf{V} \mapsto (\dot{x}, -\dot{w})", "at floor"),
        (r"\lim_{t \to \tau+} \dot{w} = -\lim_{t \rightarrow \tau^-} \dot{w}", "at floor"),
        // Fractions without braces, and in TeX's own way.
        (r"\frac12 m = \tfrac 1 2 m = \frac m2 = {m \over 2}", ""),
        (r"\dfrac{1}2 = m^{1 \over 2}/(2\sqrt{m})", ""),
        (r"m/g\cdot g = m, \quad (m/g)g = m, \quad 1/(2m) = \frac{1}{2m}", ""),
        // An upright d.
        (r"\frac{\mathrm{d}x}{\mathrm{d}t} = \frac{{\rm d}}{{\rm d}t} x = \dot{x}", ""),
        (
            r"\frac{\mathrm{d}^2 x}{\mathrm{d}t^2} = \frac{\text{d}\dot{x}}{\text{d}t} = \ddot{x}",
            "",
        ),
        (r"\int_0^m s^2 \,\mathrm{d}s = \int_0^m s^2 \mathrm d s = \frac{m^3}{3}", ""),
        // Primes of a coordinate.
        (r"x' = \dot{x}, \quad x'' = x^{\prime\prime} = \ddot{x}, \quad {x'}^2 = \dot{x}^2", ""),
        (r"w'^+ = -w'^-", "at floor"),
        // Of a function of one argument its derivative, at a point as well.
        (
            r"h'(x) = h' = h_x(x) = \frac{\partial h}{\partial x}, \quad \frac{d}{dt}(h'(x)) = h''(x)\dot{x}",
            "",
        ),
        // A vector transposed.
        (
            r"\mathbf{V}^T\mathbf{V} = \mathbf{V}^\top \mathbf{V} = \mathbf{V}^{\mathsf{T}}\mathbf{V} = \mathbf{V}^\mathrm T\mathbf{V} = |\mathbf{V}|^2",
            "",
        ),
        (
            r"\frac12 \mathbf{V}^T \begin{pmatrix} m & g \\ 0 & m \end{pmatrix} \mathbf{V} = \frac12 m|\mathbf{V}|^2 + \frac12 g\dot{x}\dot{w}",
            "",
        ),
        (
            r"\mathbf{V}\mathbf{V}^T = \begin{bmatrix} \dot{x}^2 & \dot{x}\dot{w} \\ \dot{w}\dot{x} & \dot{w}^2 \end{bmatrix}",
            "",
        ),
        // Rows behind a brace.
        (r"\left\{\begin{aligned} m &= m \\ g &= g \end{aligned}\right.", ""),
        (r"\left\{ \begin{array}{rcl} m &=& m \\ g &=& g \end{array} \right.", ""),
        (
            r"\begin{cases} m = m \\ \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}(g, m) = (g, m) \end{cases}",
            "",
        ),
        // As it is pasted.
        (r"$m = m$, $g = g$", ""),
        (r"\[ m + g = g + m. \]", ""),
        // Rows that go on, as they are indented.
        (r"\begin{align*} (m + g)^2 &= m^2 + g^2 \\ &\quad {} + 2mg \end{align*}", ""),
        (
            r"\begin{aligned} & m^2 + g^2 \\ & \qquad {} + 2mg = (m + g)^2 \\ m ={}& g \\ & - g + m \end{aligned}",
            "",
        ),
    ];
    for (tex, place) in table {
        check(place, tex);
    }
}

/// One over a function, in brackets of all sizes, as SymPy prints it.
#[test]
fn functions_are_read_as_they_are_called() {
    for tex in [
        r"\sec^2\phi = 1 + \tan^2\phi, \quad \csc\phi\sin\phi = 1, \quad \cot(2x) = \frac{\cos 2x}{\sin 2x}",
        r"\biggl(m + g\biggr) = \Biggl[m + g\Biggr]",
        r"\operatorname{atan}{\left(\frac{x}{2} \right)} = \arctan\frac x2, \quad \sec{\left(x \right)} = 1/\cos x",
    ] {
        check("", tex);
    }
}

#[test]
fn equations_of_motion_follow() {
    check("", r"m\ddot{x} + \frac{c\dot{x}}{\sqrt{\dot{x}^2 + \dot{w}^2}} = 0");
    check(
        "",
        r"m\frac{d\mathbf{V}}{dt} + c\frac{\mathbf{V}}{\|\mathbf{V}\|} + m\beta(0, 1) = \mathbf{0}",
    );
    check(
        "",
        r"\frac{d}{dt}\left(\frac{\partial L}{\partial \dot{w}}\right) - \frac{\partial L}{\partial w}
            = -\frac{c\dot{w}}{|\mathbf{V}|}",
    );
    check("when ẇ = 0", r"F_x(\dot{x}, 0) = -c \frac{\dot{x}}{|\dot{x}|}");
}

/// What a derivative, a function, an exponent and a number hold where no brackets say so.
#[test]
fn operands_are_those_that_are_printed() {
    for tex in [
        r"\frac{d}{dt} x^2 = 2x\dot{x}, \quad \frac{d}{dt}\cos\phi = 0, \quad \frac{d}{dt}(m\dot{x}) = m\ddot{x}",
        r"\frac{d^2}{dt^2} x^2 = 2\dot{x}^2 + 2x\ddot{x}, \quad \frac{d}{dt}\frac{x^2}{2} = x\dot{x}",
        r"\frac{\partial}{\partial x} x^2 = 2x, \quad \frac{\partial}{\partial x}\left(\frac12 m x^2\right) = mx",
        r".5 x + .25x = 0.75x, \quad -.5 = -\frac12, \quad x^{.5} = \sqrt{x}",
        r"\cos\phi w = w\cos\phi, \quad \sin 2\phi\dot{x} = 2\dot{x}\sin\phi\cos\phi, \quad \sin x\dot{x} = \dot{x}\sin(x)",
        r"f(x, w)^2 = f(x, w)f, \quad m(x + w)^2 = mx^2 + 2mxw + mw^2, \quad f(x, w)^2 m = mf(x, w)f(x, w)",
        r"m = m\hspace{1cm}, \quad x\hspace*{2mm} = x",
    ] {
        check("", tex);
    }
    let unclear = [
        (r"\frac{d}{dt} m\dot{x} = 0", "where the derivative ends"),
        (r"\frac{d}{dt} x^2\dot{w} = \dot{x}^2\dot{w}", "where the derivative ends"),
        (r"\frac{\partial}{\partial x}\frac12 m x^2 = 0", "where the derivative ends"),
        (r"\frac{d}{dt}(x)^2 = \dot{x}^2", "where the derivative ends"),
        (r"\frac{d}{dt}\mathbf{V} \cdot \mathbf{V} = 0", "where the derivative ends"),
        (r"1\,000 x = 0", r"`1\,000` may be one number"),
        // Printed x + w², 2x + w, xw², x − w, −x², m/gx, sin 2φ².
        (r"{x + w}^2 = x^2 + 2xw + w^2", "`{x + w}`: braces are not printed"),
        (r"2{x + w} = 2x + 2w", "`{x + w}`: braces are not printed"),
        (r"\frac{m}{g}{x + w} = \frac mg x + w", "`{x + w}`: braces are not printed"),
        (r"g - {x + w} = g - x - w", "`{x + w}`: braces are not printed"),
        (r"{xw}^2 = x^2 w^2", "`{xw}`: braces are not printed"),
        (r"{{x + w}}^2 = x^2 + 2xw + w^2", "`{{x + w}}`: braces are not printed"),
        (r"x{-w} = -xw", "`{-w}`: braces are not printed"),
        (r"{-x}^2 = x^2", "`{-x}`: braces are not printed"),
        (r"{m/g}x = mx/g", "`{m/g}`: braces are not printed"),
        (r"\sin{2\phi}^2 = \sin^2(2\phi)", r"`{2\phi}`: braces are not printed"),
        (r"\frac{d}{dt} {x w} = \dot x w + x\dot w", "where the derivative ends"),
        // As MATLAB prints a derivative of x(t).
        (r"\frac{\partial^2}{\partial t^2} x\left(t\right) = 0", "is at a fixed state"),
        (r"\frac{\partial x}{\partial t} = 0", "is at a fixed state"),
        (r"\frac{\partial}{\partial t}(m\dot{x}(t)) = 0", "is at a fixed state"),
        (r"\ddot{x} = 2 3", "`2 3` may be one number"),
        (r"x^{(2)} = x x", "expected an exponent without brackets"),
        (r"x^2^2 = x^4", "expected brackets around the power"),
        (r"{x^2}^2 = x^4", "expected brackets around the power"),
        (r"f^2(x, w) = f f (x, w)", "`f^2(x, w)` may be a value or a product"),
        (
            r"\frac{\partial f}{\partial x}(2) = 2 \frac{\partial f}{\partial x}",
            r"`\frac{\partial f}{\partial x}(2)` may be a value or a product",
        ),
    ];
    for (tex, words) in unclear {
        let found = complaints(&format!("claim c: tex r\"{tex}\";"));
        assert!(found.contains(words), "{tex}\nexpected `{words}`, found\n{found}");
    }
}

/// A change of each is seen.
#[test]
fn what_is_false_is_refused() {
    refused("", r"\frac{d}{dt} x^2 = \dot{x}^2");
    refused("", r".5 x = 5x");
    refused("", r"f(x, w)^2 = f(x, w)");
    refused("", r"m\ddot{x} - \frac{c\dot{x}}{\sqrt{\dot{x}^2 + \dot{w}^2}} = 0");
    refused("", r"\sin 2\phi\cos\phi = 2\sin\phi\cos\phi");
    refused("", r"\int_0^m s^2 ds = \frac{m^3}{2}");
    refused("", r"\frac{\partial L}{\partial \dot{x}} = m\dot{w}");
    refused("", r"\sum_{i=1}^p q_i = q_1 + q_2");
    refused("", r"\frac12 m = m");
    refused("", r"x'' = \dot{x}");
    refused("", r"h'(x) = h(x)");
    refused("", r"\begin{cases} m = m \\ g = m \end{cases}");
    refused("", r"\mathbf{V}^T\mathbf{V} = \dot{x}^2");
    refused("", r"\begin{align*} (m + g)^2 &= m^2 + g^2 \\ &\quad {} - 2mg \end{align*}");
    refused("", r"m < 0");
    refused("", r"\pi \approx 3.15");
    refused("at floor", r"\dot{w}^+ = \dot{w}^-");
    refused("at floor", r"\lim_{t \to \tau+} \dot{w} = \dot{w}");
    refused("", r"[(1, 0, 0), (0, 1, 0)] = (0, 0, -1)");
}

/// G = diag(m, m), rows B = (1, 2), C = 3B and D = (0, 1); the block says what is not of the declaration.
const SETS: &str = r#"notation sets {
    G = mass; r"\frac{\partial L}{\partial v}(x, v)" = partial(lagrangian, [ẋ, -ẇ]);
    B = [[1, 2]]; C = [[3, 6]]; D = [[0, 1]]; E = [[1, 2], [0, 1]]; r"\mathbf{a}" = [2, -1]; z = [x, -w];
    r"\langle B, z\rangle" = x - 2*w; given r"k = 1, \ldots, n";
    given r"s \in [t_1, t_2]"; given r"\psi : M \rightarrow \mathbb{R}^2";
    r"TM" = space(2); U = span([[2], [-1]]); V = span([[1], [2]]); W = span([[1, 0], [0, 1]]);
    S = zeros([X, Y], X - 2*Y); r"\perp" = mass; n = 3; r"s(t)" = ẋ;
}"#;

#[test]
fn sets_are_decided_by_their_matrices() {
    let follows = [
        r"\mathbf{a} \in \ker B",
        r"\ker B \subseteq \ker C, \quad \ker E \subset \ker B",
        r"2 \in [1, 3], \quad m \in (0, 2m)",
        r"\dim \operatorname{im} B = \dim \operatorname{im} C(x) = 1 = \text{rang } E - 1",
        r"G^{-1} G = E^{-1} E, \quad E^{-1} = \begin{pmatrix} 1 & -2 \\ 0 & 1 \end{pmatrix}",
        r"B^T(BG^{-1}B^T)^{-1}B = \frac{m}{5} \begin{pmatrix} 1 & 2 \\ 2 & 4 \end{pmatrix}",
        r"m, g > 0, \quad m, 2m \in [0, 3m]",
        r"(1, 2)^T = (1, 2)",
        r"\frac{\partial L}{\partial v}(x, v) = m(\dot{x}, -\dot{w}), \quad s \in [t_1, t_2]",
        r"\frac{\partial L}{\partial \dot{z}} = m\dot{z}, \quad \frac{d}{dt} \frac{\partial L}{\partial v}(x, v) = m\ddot{z}",
        r"\psi : M \rightarrow \mathbb{R}^2, \quad \dot{z} = (\dot{x}, -\dot{w})^T",
        r"\langle B, z\rangle = x - 2w, \quad k = 1, \ldots, n,",
        r"U = \ker B, \quad U \subseteq W",
        r"TM = \ker B \oplus V, \quad V \perp \ker B, \quad \mathbf{a} \perp V, \quad \mathbf{a} \perp (1, 2)",
        r"\ker B = U \oplus \ker E",
        r"\mathbf{a} \in U, \quad \mathbf{a} \notin \ker D, \quad \mathbf{a} \in \mathbb{R}^2",
        r"U = \ker B \cap W",
        r"E : TM \to TM, \quad \mathbf{a} \mapsto (0, -1), \quad B : TM \rightarrow \mathbb{R}^1",
        r"C : U \to \mathbb{R}^1, \quad (2m, m) \in S",
        r"B \circ E = \begin{pmatrix} 1 & 4 \end{pmatrix}",
        r"(q_1, \dots, q_n) = (q_1, q_2, q_3), \quad s(t)^2 = \dot{x}^2",
    ];
    let fails = [
        r"\ker B = V \oplus \ker E",
        r"\ker B = U \oplus \ker B",
        r"\mathbf{a} \in \ker D",
        r"\ker B \subseteq \ker D",
        r"4 \in [1, 3]",
        r"3 \in (1, 3)",
        r"\dim \operatorname{im} E = 1",
        r"E^{-1} = E",
        r"m, g < 0",
        r"\frac{\partial L}{\partial v}(x, v) = m(\dot{x}, \dot{w})",
        r"U = V",
        r"V \subseteq \ker B",
        r"V \perp W",
        r"\mathbf{a} \perp (2, 1)",
        r"\mathbf{a} \in V",
        r"\mathbf{a} \notin \ker B",
        r"V = \ker B \cap W",
        r"B : TM \to \mathbb{R}^2",
        r"E : U \to U",
        r"E : TM \to TM, \quad \mathbf{a} \mapsto (0, 1)",
        r"(m, m) \in S",
        r"(q_1, \dots, q_n) = (q_1, q_2, q_1)",
    ];
    let found = |tex: &str| complaints(&format!("{SETS} claim c in sets: tex r\"{tex}\";"));
    for tex in follows {
        assert!(found(tex).is_empty(), "{tex}\n{}", found(tex));
    }
    for tex in fails {
        assert!(found(tex).contains("does not follow"), "{tex}\n{}", found(tex));
    }
}

/// What is given is told with each row of its display.
#[test]
fn what_is_given_is_told() {
    let items = format!(
        "{SETS} {}",
        r#"claim c in sets: tex r"\dot{z} = (\dot{x}, -\dot{w}), \quad s \in [t_1, t_2]";"#
    );
    let derived = derive_source(&source(&items)).unwrap_or_else(|_| panic!("no mistake"));
    let print = derived.model.claims[0].print.as_ref().expect("a print");
    assert_eq!(print.notation, ["z = [x, -w]", r"given s \in [t_1, t_2]"]);
}

#[test]
fn each_link_is_a_row() {
    let found = rows(
        r#"claim "(2.10)": tex r"\begin{aligned} m\dot x &= mu \\ &= \dot{x} m, \\ g m &= m g
        \end{aligned} \quad (7)";"#,
    );
    let wanted = [("eq2_10a", "m*ẋ = m*ẋ"), ("eq2_10b", "m*ẋ = ẋ*m"), ("eq2_10c", "g*m = m*g")];
    assert_eq!(found, wanted.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

/// Of an erratum the links that are the same in print and correction are claims.
#[test]
fn an_erratum_is_its_false_links() {
    let items = r#"erratum d1: tex r"m\ddot{x} = c = c, \quad u = \dot{x}";
        corrected: tex r"m\ddot{x} = -c\frac{\dot{x}}{|\mathbf{V}|} = -c\frac{\dot{x}}{|\mathbf{V}|}, \quad u = \dot{x}";"#;
    let found = complaints(items);
    assert!(found.contains("`d1b`: the printed form follows"), "{found}");
    let items = r#"erratum d1: tex r"\frac{m\ddot{x}}{c} = 1, \quad u = \dot{x}";
        corrected: tex r"\frac{m\ddot{x}}{c} = -\frac{\dot{x}}{|\mathbf{V}|}, \quad u = \dot{x}";"#;
    let names: Vec<String> = rows(items).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["d1b", "d1a"]);
}

#[test]
fn what_only_says_its_symbols_is_a_definition() {
    let table = [
        (r"\alpha = \mu g \cos\phi", "", true),
        (r"u = \dot{x}", "", true),
        (r"\mathbf{V} = (\dot{x}, \dot{w})", "", true),
        (r"\mathbf{V}^+ = (\dot{x}^+, \dot{w}^+)", "at floor", true),
        (r"\beta = g\sin\phi", "", true),
        (r"L = L", "", true),
        // Derived, differentiated, integrated, or compared.
        (r"L = L + 0", "", false),
        (r"m\ddot{x} = \ddot{x}m", "", false),
        (r"\frac{\partial L}{\partial \dot{x}} = m\dot{x}", "", false),
        (r"\frac{d}{dt}(m x) = m\dot{x}", "", false),
        (r"\int_0^m 2 ds = 2m", "", false),
        (r"2 \in [2, 2]", "", false),
    ];
    for (tex, place, defines) in table {
        let derived = derive_source(&source(&format!("claim c {place}: tex r\"{tex}\";")));
        let derived = derived.unwrap_or_else(|mistakes| panic!("{tex}: {mistakes:?}"));
        assert!(derived.model.claims.iter().all(|claim| claim.defines == defines), "{tex}");
    }
}

#[test]
fn a_reading_is_told() {
    let items = r#"notation other { /// As the text has it.
        reading m = 2*m; }
        claim a in other: tex r"m\ddot{x} = -2c\frac{\dot{x}}{|\mathbf{V}|}"; claim b: tex r"m = m";"#;
    let derived = derive_source(&source(items)).unwrap_or_else(|_| panic!("no mistake"));
    let readings: Vec<Vec<String>> = derived
        .model
        .claims
        .iter()
        .map(|claim| claim.print.as_ref().map(|print| print.readings.clone()).unwrap_or_default())
        .collect();
    assert_eq!(readings, [vec!["m = 2*m (As the text has it.)".to_owned()], Vec::new()]);
}

#[test]
fn mistakes_stand_at_their_place() {
    let cases = [
        r#"claim c: tex r"k\ddot{x} = 0";"#,
        r#"claim c: tex r"\ddot{x} = \mathbf{W}";"#,
        r#"claim c: tex r"\frac{\ddot{x}{2} = 0";"#,
        r#"claim c: tex r"x(0) = 0";"#,
        r#"claim c: tex r"\sin xw = 0";"#,
        r#"claim c: tex r"\ddot{x}";"#,
        r#"claim c: tex r"\foo x = 1";"#,
        r#"claim c: tex r"m(x + w = 3";"#,
        r#"claim c: tex r"\lim_{t \to \infty} x = 0";"#,
        r#"claim c: tex r"\int_V s ds = 0";"#,
        r#"claim c: tex r"\int_0^m s = 0";"#,
        r#"claim c: tex r"x \approx m";"#,
        r#"claim c: tex r"x = \begin{cases} 1, & m \neq 0 \\ 0, & m = 0 \end{cases}";"#,
        r#"claim "somewhere": tex r"x = x";"#,
        r#"erratum c: tex r"x = m"; corrected: tex r"x = m = g";"#,
        r#"erratum c: tex r"x = m"; corrected: tex r"x  = m";"#,
        r#"notation { m = 3; } claim c: tex r"x = x";"#,
        r#"claim c: tex r"x \in \mathbb{R}";"#,
        r#"claim c: tex r"x = \ker m";"#,
        r#"claim c: tex r"\dim x = 1";"#,
        r#"notation { B = [1, 2]; } claim c: tex r"B^{-1} = 1";"#,
        r#"notation { given r"x > 0"; } claim c: tex r"x > 0";"#,
        r#"notation { r"x + w" = 3; } claim c: tex r"x = x";"#,
        r#"notation { r"\mathbf V" = x; } claim c: tex r"x = x";"#,
        r#"claim c: tex r"x = § 2";"#,
        r#"claim c: tex r"x^12 = m";"#,
        r#"claim c: tex r"\dot{x} = p/mg^2";"#,
        r#"claim c: tex r"x = 1/2x";"#,
        r#"claim c: tex r"x = -g/m \sin\phi + w";"#,
        r#"claim c: tex r"x = m \cdot g/m(x + 1)";"#,
        r#"claim c: tex r"g' = 0";"#,
        r#"notation { reading r"x" = 2*x; } claim c: tex r"x' = 0";"#,
        r#"claim c: tex r"q_12 = m";"#,
        r#"claim c: tex r"\frac{d}{dt} m(x) = 0";"#,
        r#"claim c: tex r"(q_1, \dots, q_k) = (1, 2, 3)";"#,
        r#"claim c: tex r"(1, 2) \perp (2, -1)";"#,
        r#"notation { U = span([[1], [0]]); } claim c: tex r"U = \ker m \oplus U";"#,
        r#"notation { U = span([[1], [0]]); } claim c: tex r"U + 1 = 2";"#,
        r#"notation { U = span([[1], [0]]); } claim c: tex r"(1, 0) \notin U";"#,
        r#"notation { S = zeros([X, Y], X*Y); } claim c: tex r"(1, 0, 0) \in S";"#,
    ];
    let mut out = String::new();
    for items in cases {
        let said = complaints(items);
        assert!(!said.is_empty(), "{items}");
        writeln!(out, "{items}\n    {}\n", said.replace('\n', "\n    ")).expect("a string");
    }
    insta::assert_snapshot!("tex", out);
}

/// The example of the book: of its ten equations one is false, by its sign.
#[test]
fn the_page_of_the_book_is_true() {
    let page = include_str!("../../../book/src/papers.md");
    let blocks = page.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let blocks: Vec<&str> = blocks.collect();
    let [declaration, notation, equations, erratum, ..] = blocks.as_slice() else {
        panic!("{} blocks", blocks.len())
    };
    let pasted = [*declaration, *notation, *equations].concat();
    let mistakes = derive_source(&pasted).err().unwrap_or_default();
    let said: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("claim `eq8` does not follow"), "{said:?}");
    let lines = pasted
        .lines()
        .map(|line| if line.trim_start().starts_with("claim \"(8)\"") { *erratum } else { line });
    let mended = lines.collect::<Vec<_>>().join("\n");
    let derived = derive_source(&mended).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let names: Vec<&str> = derived.model.claims.iter().map(|c| c.named.name.as_str()).collect();
    let wanted = [
        "eq1", "eq2", "eq3a", "eq3b", "eq4", "eq5", "eq6", "eq7a", "eq7b", "eq7c", "eq9", "eq10a",
        "eq10b", "eq8",
    ];
    assert_eq!(names, wanted);
}
