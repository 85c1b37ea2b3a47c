//! Texts that are as large, as deep or as extreme as a text can be, each with what it is about.

/// More of anything than anyone writes.
const N: usize = 100_000;

/// `between` joined n texts.
fn many(n: usize, between: &str, text: impl Fn(usize) -> String) -> String {
    (1..=n).map(text).collect::<Vec<_>>().join(between)
}

fn deep(n: usize, open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(n), close.repeat(n))
}

/// Items beside two coordinates with masses.
fn with(items: &str) -> String {
    format!(
        "system S {{ coordinates {{ x, y }} parameters {{ m = 1 }} kinetic = m/2*(ẋ^2 + ẏ^2);\n{items}\n}}"
    )
}

fn potential(expression: &str) -> String {
    with(&format!("potential = {expression};"))
}

fn chain(n: usize, step: &str) -> String {
    let steps =
        many(n, " ", |i| format!("let a{i} = {};", step.replace('a', &format!("a{}", i - 1))));
    with(&format!("let a0 = x; {steps} potential = a{n};"))
}

/// Those that are answered at once, by their names.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn short() -> Vec<(&'static str, String)> {
    // table
    vec![
        ("brackets nested", potential(&deep(N, "(", "x", ")"))),
        ("brackets never opened", potential(&")".repeat(N))),
        ("braces nested", deep(N, "{", "", "}")),
        ("vectors nested", potential(&deep(N, "[", "x", "]"))),
        ("calls nested", potential(&deep(60, "sin(", "x", ")"))),
        ("signs", potential(&format!("{}x", "-".repeat(N)))),
        ("10^10^10", potential("10^10^10")),
        ("x^10^10^10", potential("x^10^10^10")),
        ("an exponent of 10^18", potential("x^1000000000000000000")),
        ("a fraction to an exponent", potential("(2/3)^1000000000*x")),
        ("a root of huge index", potential("2^(1/1000000007)*x")),
        ("a power of a sum integrated", potential("integral((s + x + y + m)^200, s in 0..1)")),
        ("a range of 10^9", potential("sum(x, i in 1..=1000000000)")),
        (
            "ranges in ranges",
            potential("sum(sum(sum(sin(i*j*k*x), i in 1..=4000), j in 1..=4000), k in 1..=4000)"),
        ),
        (
            "a range of negative ends",
            potential("sum(x, i in -9223372036854775807..=9223372036854775807)"),
        ),
        (
            "coordinates without end",
            "system S { coordinates { x[1..=1000000000] } kinetic = 1; }".to_owned(),
        ),
        (
            "thousands of coordinates",
            "system S { coordinates { x[1..=4000] } kinetic = sum(ẋ[i]^2, i in 1..=4000); }"
                .to_owned(),
        ),
        (
            "thousands of coupled coordinates",
            "system S { coordinates { x[1..=4000] } kinetic = sum(ẋ[i], i in 1..=4000)^2; }"
                .to_owned(),
        ),
        (
            "too many parameters",
            with(&format!("parameters {{ {} }}", many(20_000, ", ", |i| format!("p{i} = {i}")))),
        ),
        ("a name of 10^6 letters", potential(&"a".repeat(1_000_000))),
        ("names of dots", potential(&format!("x{}", "_dot".repeat(N)))),
        ("combining dots", potential(&format!("x{}", "\u{307}".repeat(N)))),
        (
            "a partial of high order",
            with(&format!("function f(x); potential = f_{};", "x".repeat(N))),
        ),
        ("mistakes on every line", with(&many(N, "\n", |_| "force = ;".to_owned()))),
        ("a number of 10^6 digits", potential(&"7".repeat(1_000_000))),
        ("a fraction of 10^6 digits", potential(&format!("0.{}", "7".repeat(1_000_000)))),
        ("an exponent of 10^6 digits", potential(&format!("1e{}", "7".repeat(1_000_000)))),
        (
            "numbers squared again and again",
            with(&format!(
                "let a0 = 1e300; {} potential = x*a60;",
                many(60, " ", |i| format!("let a{i} = a{0}*a{0};", i - 1))
            )),
        ),
        (
            "numbers added again and again",
            with(&format!(
                "let a0 = 1e300/7; {} potential = x*a60;",
                many(60, " ", |i| format!("let a{i} = a{0}*a{0} + 1/{i};", i - 1))
            )),
        ),
        ("lets that square", chain(60, "a*a + a")),
        (
            "an array in reverse order",
            with("let a[1001] = x; let a[i in 1..=1000] = sin(a[i + 1]); potential = a[1];"),
        ),
        (
            "integrals nested",
            potential(&(0..20).fold("x".to_owned(), |inner, i| {
                format!("integral(exp(-({inner})*s{i}^2), s{i} in 0..1)")
            })),
        ),
        (
            "integrals of integrals run",
            with(&format!(
                "force x = {}; scenario s {{ ẋ = 1; until t = 1; }}",
                (0..6).fold("x".to_owned(), |inner, i| format!(
                    "integral(cos({inner}*s{i}^2), s{i} in 0..1)"
                ))
            )),
        ),
        (
            "a partial of arguments that begin alike",
            format!(
                "system S {{ coordinates {{ a, aa }} kinetic = ȧ^2; function f(a, aa); potential = f_{}b; }}",
                "a".repeat(90)
            ),
        ),
        (
            "constraints",
            with(&format!(
                "constraints {{ {} }}",
                many(2000, " ", |i| format!("r{i}: dx + {i}*dy;"))
            )),
        ),
        (
            "holonomic constraints",
            with(&format!(
                "holonomic {{ {} }}",
                many(2000, " ", |i| format!("r{i}: x = {i}*y^{i};"))
            )),
        ),
        (
            "contacts",
            with(&many(1000, " ", |i| {
                format!("contact c{i} {{ gap = y + {i}; impact = elastic; }}")
            })),
        ),
        ("events", with(&many(2000, " ", |i| format!("event e{i} {{ guard = y + {i}; }}")))),
        ("claims", with(&many(1000, " ", |i| format!("claim c{i}: ẍ = 0;")))),
        ("false claims", with(&many(1000, " ", |i| format!("claim c{i}: ẍ = {i};")))),
        (
            "conditions",
            with(&format!(
                "claim c when {}: ẍ = 0;",
                many(300, ", ", |i| format!("sin({i}*x) = 0"))
            )),
        ),
        (
            "settings",
            with(&format!(
                "scenario s {{ {} until t = 1; }}",
                many(N, " ", |i| format!("x = {i};"))
            )),
        ),
        ("an end that never comes", with("scenario s { ẋ = 1; until t = 1e300; }")),
        (
            "impacts that never come",
            with(
                "contact c { gap = x + 1; impact = elastic; } scenario s { ẋ = 1; until impacts = 3; }",
            ),
        ),
        (
            "impacts without number",
            with(
                "contact c { gap = x + 1; impact = elastic; } scenario s { ẋ = 1; until impacts = 99999999999999999999; }",
            ),
        ),
        (
            "a guard that oscillates",
            with("event e { guard = sin(1e12*t); } scenario s { until t = 1; }"),
        ),
        ("a stiff force", with("force x = -1e30*x - 1e30*ẋ; scenario s { x = 1; until t = 1; }")),
        (
            "a force that explodes",
            with("force x = exp(exp(x)); scenario s { x = 7; until t = 1; }"),
        ),
        (
            "velocities coupled",
            format!(
                "system S {{ coordinates {{ x[1..=60] }} velocities {{ {} }} kinetic = 1; }}",
                many(60, ", ", |i| format!(
                    "u{i} = {}",
                    many(60, " + ", |j| format!("sin({i}*{j}*x{i})*x{j}_dot"))
                ))
            ),
        ),
        (
            "rotations",
            format!(
                "system S {{ {} kinetic = 1; }}",
                many(400, " ", |i| format!("rotation R{i} {{ body: a{i}, b{i}, c{i} }}"))
            ),
        ),
        ("comments nested", format!("{}{}", "/*".repeat(N), with(""))),
        ("comments", with(&many(N, "\n", |_| "// nothing".to_owned()))),
        (
            "documentation",
            with(&format!("{} output o = x;", many(N, "\n", |_| "/// words".to_owned()))),
        ),
        ("attributes", format!("{} {}", "#[a] ".repeat(N), with(""))),
        ("zeros", "\0".repeat(N)),
        ("white space", " \n".repeat(N)),
        ("nothing", String::new()),
        ("a mark of byte order", format!("\u{feff}{}", with(""))),
    ]
}

/// Those that take seconds in a debug build.
pub(crate) fn long() -> Vec<(&'static str, String)> {
    // table
    vec![
        ("brackets never closed", potential(&"(".repeat(N))),
        ("a tower of powers", potential(&many(N, "^", |_| "x".to_owned()))),
        ("a tower of numbers", potential(&many(N, "^", |_| "10".to_owned()))),
        ("a sum to an exponent of 10^9", potential("(x + y)^1000000000")),
        ("equal terms", potential(&many(N, " + ", |_| "x".to_owned()))),
        ("distinct terms", potential(&many(N, " + ", |i| format!("{i}*x^{i}")))),
        ("sines", potential(&many(5_000, " + ", |i| format!("sin({i}*x)")))),
        ("factors", potential(&many(N, "*", |i| format!("x^{i}")))),
        ("products of sums", potential(&many(500, "*", |i| format!("(x + {i}*y)")))),
        ("a product of sums integrated", potential(&format!(
            "integral({}, s in 0..1)", many(150, "*", |i| format!("(s + {i}*x)"))
        ))),
        ("coordinates by name", format!("system S {{ coordinates {{ {} }} kinetic = x1_dot^2; }}", many(N, ", ", |i| format!("x{i}")))),
        ("the same coordinate", format!("system S {{ coordinates {{ {} }} kinetic = ẋ^2; }}", many(N, ", ", |_| "x".to_owned()))),
        ("unknown names", potential(&many(N, " + ", |i| format!("u{i}")))),
        ("lets that double", chain(1000, "sin(a) + a")),
        ("too many lets", chain(20_000, "a + 1")),
        ("lets in a long chain", chain(2000, "a + 1")),
        ("lets nested deep", chain(4900, "sin(a)")),
        ("lets in reverse order", with(&format!(
            "{} let a4901 = x; potential = a1;", many(4900, " ", |i| format!("let a{i} = sin(a{});", i + 1))
        ))),
        ("a circle of lets", with(&format!(
            "{} let a4901 = a1;", many(4900, " ", |i| format!("let a{i} = a{};", i + 1))
        ))),
        ("a long vector", with(&format!("let v = [{}]; potential = dot(v, v);", many(N, ", ", |i| format!("{i}*x"))))),
        ("a large matrix", with(&format!(
            "let A = [{}]; let B = A*A*A; potential = B[1, 1];",
            many(60, ", ", |i| format!("[{}]", many(60, ", ", |j| format!("sin({i}*{j}*x)"))))
        ))),
        ("turns without end", with(&format!("let R = {}; potential = R[1][1];", many(300, "*", |i| format!("rot_x({i}*x)*rot_y(y)"))))),
        ("an angular velocity of turns", with(&format!(
            "let R = {}; let w = vee(transpose(R)*Ṙ); potential = x; claim c: w[1] = 0;",
            many(12, "*", |i| format!("rot_x({i}*x)*rot_y(y)"))
        ))),
        ("parameters as many as there may be", with(&format!("parameters {{ {} }}", many(5000, ", ", |i| format!("p{i} = {i}"))))),
        ("coordinates as many as there may be", "system S { coordinates { x[1..=250] } kinetic = sum(ẋ[i]^2, i in 1..=250); }".to_owned()),
        ("coupled coordinates", "system S { coordinates { x[1..=60] } kinetic = sum(ẋ[i]^2, i in 1..=60) + sum(sin(x[i])*ẋ[i], i in 1..=60)^2; }".to_owned()),
        ("a false claim of many terms", with("claim c: (x + y + m + ẋ + ẏ)^40 = 0;")),
        ("a false claim of a large product", with(&format!("claim c: {} = 1;", many(40, "*", |i| format!("(x + {i}*y + m^{i})"))))),
        ("scenarios", with(&many(5000, " ", |i| format!("scenario s{i} {{ x = {i}; until t = 0.01; }}")))),
    ]
}
