//! What the parser reads: declarations of every item, and expressions printed back.

use eom_codegen::ast::{Direction, LawKind, Region, Relation, Statement, System};
use eom_codegen::parse::{parse_system, parse_text};
use proc_macro2::TokenStream;
use quote::quote;

fn read(source: &str) -> System {
    let (system, errors) = parse_text(source);
    let found = errors.into_diagnostics();
    assert!(found.is_empty(), "{source}\n{found:?}");
    system.expect("a system without mistakes")
}

/// An expression, read as a `let` and printed.
fn printed(expression: &str) -> String {
    read(&format!("system S {{ let a = {expression}; }}")).lets[0].value.to_text()
}

const PENNY: &str = "
/// The rolling penny
/// on a table.
#[allow(dead_code)]
pub(crate) system Penny {
    document \"bouncing-penny\";
    coordinates {
        /// Point of contact, m
        x, y,
        /// Rolling angle
        θ, φ,
    }
    inputs { u1 }
    parameters { R = 0.01 where R > 0 && R <= 1, m = 0.0025, I = m*R^2/2, J, }
    let X = x + R*cos(φ);
    kinetic = m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2;
    dissipation = 1/2*θ̇^2;
    force θ = u1;
    output speed = sqrt(ẋ^2 + ẏ^2);
    constraints {
        /// No slip along x.
        roll_x: dx - R*cos(φ)*dθ;
        roll_y: ẏ = R*sin(φ)*θ̇;
    }
    holonomic { ring: x^2 + y^2 = 1; }
    contact front { gap = 1 - (X/a)^2; impact = restitution(1); }
    contact back { impact = project; gap = x; }
    event turn { guard = φ - pi; both; reset { φ̇ = -φ̇; φ = φ - 2*pi; } }
    event seen { guard = x; }
    /// Figure 3
    scenario figure_3 { φ = pi/2; θ̇ = 10; t = 0; solve ẋ, ẏ; until impacts = 20; until t = 3; }
    draw {
        /// The rim.
        ground x^2 = 1 - y;
        disk [x, y] R, spoke -θ, color \"#2b5c9e\", label \"penny\";
        line[i in 1..=2] [0, i], [X, 2*i];
    }
    claim eq25a: J*φ̈ = 0;
    claim eq15 at front under corner: ẋ_plus = ẋ_minus;
    claim eq33 at front: projector[x, y] = 1;
    claim eq14 when f = 0, g = 0: x = y;
    claim eq26: motion(ω, Ω, x0) { x = x0 + sin(ω*t); y = t; };
    erratum eq5a at front: x = 2; corrected: x = 3;
}";

#[test]
fn the_penny_is_read() {
    let penny = read(PENNY);
    assert_eq!(penny.docs, ["The rolling penny", "on a table."]);
    assert_eq!(penny.attributes.to_string(), "# [allow (dead_code)]");
    assert_eq!(penny.visibility.to_string(), "pub (crate)");
    assert_eq!(penny.name.text, "Penny");
    assert_eq!(penny.document.unwrap().title, "bouncing-penny");
    let names = penny.coordinates.iter().map(|c| c.name.text.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["x", "y", "θ", "φ"]);
    assert_eq!(penny.coordinates[0].docs, ["Point of contact, m"]);
    assert!(penny.coordinates[1].docs.is_empty());
    assert_eq!(penny.inputs[0].name.text, "u1");
    assert_eq!(penny.kinetic.unwrap().value.to_text(), "m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2");
    assert_eq!(penny.dissipation.unwrap().value.to_text(), "1/2*θ̇^2");
    assert!(penny.potential.is_none() && penny.lagrangian.is_none());
    assert_eq!(penny.lets[0].name.text, "X");
    assert_eq!(penny.forces[0].name.text, "θ");
    assert_eq!(penny.outputs[0].value.to_text(), "sqrt(ẋ^2 + ẏ^2)");
}

#[test]
fn parameters_keep_defaults_and_bounds() {
    let penny = read(PENNY);
    let rows = penny.parameters.iter().map(|p| {
        let bounds = p.bounds.iter().map(ToString::to_string).collect::<Vec<_>>();
        (p.name.text.clone(), p.default.as_ref().map(ToString::to_string), bounds.join(" && "))
    });
    let expected = [
        ("R", Some("0.01"), "R > 0 && R <= 1"),
        ("m", Some("0.0025"), ""),
        ("I", Some("m*R^2/2"), ""),
        ("J", None, ""),
    ];
    let expected = expected.map(|(n, d, b)| (n.to_owned(), d.map(str::to_owned), b.to_owned()));
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    assert_eq!(penny.parameters[0].bounds[1].relation, Relation::LessEqual);
}

#[test]
fn rows_contacts_events_and_scenarios_are_read() {
    let penny = read(PENNY);
    let rows = penny.constraints.iter().chain(&penny.holonomic);
    let rows = rows.map(|row| format!("{}: {row}", row.name.text)).collect::<Vec<_>>();
    assert_eq!(rows, ["roll_x: dx - R*cos(φ)*dθ", "roll_y: ẏ = R*sin(φ)*θ̇", "ring: x^2 + y^2 = 1"]);
    assert_eq!(penny.constraints[0].docs, ["No slip along x."]);
    assert_eq!(penny.contacts[0].law.to_string(), "restitution(1)");
    assert!(matches!(penny.contacts[1].law.kind, LawKind::Project));
    assert_eq!(penny.events[0].direction, Some(Direction::Both));
    assert_eq!(penny.events[0].reset[0].to_string(), "φ̇ = -φ̇");
    assert_eq!(penny.events[1].direction, None);
    let scenario = &penny.scenarios[0];
    let initial = scenario.initial.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(initial, ["φ = pi/2", "θ̇ = 10", "t = 0"]);
    assert_eq!(scenario.solve[1].text, "ẏ");
    assert_eq!(scenario.until_impacts, Some(20));
    assert_eq!(scenario.until_time.as_ref().unwrap().to_text(), "3");
    assert_eq!(scenario.docs, ["Figure 3"]);
    assert!(scenario.until_events.is_none());
}

#[test]
fn ends_of_scenarios_are_read() {
    let table = [
        ("until turn;", Some((Some("turn"), 1))),
        ("until turn = 7;", Some((Some("turn"), 7))),
        ("until events = 2; until impacts = 3;", Some((None, 2))),
        ("until t = 1;", None),
    ];
    for (ends, wanted) in table {
        let source =
            format!("system S {{ coordinates {{ x }} kinetic = ẋ^2; scenario s {{ {ends} }} }}");
        let system = read(&source);
        let found = system.scenarios[0].until_events.as_ref();
        let found = found.map(|(name, count)| (name.as_ref().map(|name| &*name.text), *count));
        assert_eq!(found, wanted, "{ends}");
    }
}

#[test]
fn shapes_print_as_they_are_written() {
    let shapes: Vec<String> = read(PENNY).drawn.iter().map(ToString::to_string).collect();
    let expected = [
        "ground x^2 = 1 - y",
        "disk [x, y], R, spoke -θ, color \"#2b5c9e\", label \"penny\"",
        "line [0, 1], [X, 2*1]",
        "line [0, 2], [X, 2*2]",
    ];
    assert_eq!(shapes, expected);
}

#[test]
fn claims_print_as_they_are_written() {
    let penny = read(PENNY);
    let mut claims = penny.claims.iter().map(ToString::to_string).collect::<Vec<_>>();
    claims.extend(penny.errata.iter().map(ToString::to_string));
    let expected = [
        "claim eq25a: J*φ̈ = 0;",
        "claim eq15 at front under corner: ẋ_plus = ẋ_minus;",
        "claim eq33 at front: projector[x, y] = 1;",
        "claim eq14 when f = 0, g = 0: x = y;",
        "claim eq26: motion(ω, Ω, x0) { x = x0 + sin(ω*t); y = t; };",
        "erratum eq5a at front: x = 2; corrected: x = 3;",
    ];
    assert_eq!(claims, expected);
    assert!(matches!(penny.claims[4].statement, Statement::Motion(_)));
    let region: Region = penny.claims[0].region;
    let end = region.last.end();
    let line = 1 + PENNY.lines().position(|line| line.contains("eq25a")).unwrap();
    assert_eq!((region.line_column(), end.line, end.column), ((line, 18), line, 25));
}

#[test]
fn expressions_print_with_as_few_brackets_as_they_need() {
    let table = [
        ("-x^2", "-x^2"),
        ("(-x)^2", "(-x)^2"),
        ("a^b^c", "a^b^c"),
        ("(a^b)^c", "(a^b)^c"),
        ("x^-2", "x^-2"),
        ("x^(-2)", "x^-2"),
        ("x^(1/2)", "x^(1/2)"),
        ("2^-x^2", "2^-x^2"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "a - b - c"),
        ("a-b-c", "a - b - c"),
        ("a/(b*c)", "a/(b*c)"),
        ("a/b/c", "a/b/c"),
        ("a/b*c", "a/b*c"),
        ("-a*b + c", "-a*b + c"),
        ("-(a + b)", "-(a + b)"),
        ("(-(a + b))", "-(a + b)"),
        ("a*-b", "a*(-b)"),
        ("a + -b", "a + (-b)"),
        ("--a", "-(-a)"),
        ("+a", "a"),
        ("((((x))))", "x"),
        ("(a + b)*c", "(a + b)*c"),
        ("[[a, b], [c, d]]", "[[a, b], [c, d]]"),
        ("v[1] + m[1, 2] + m[1][2]", "v[1] + m[1, 2] + m[1][2]"),
        ("[a, b][1]", "[a, b][1]"),
        ("atan2(y, x,)", "atan2(y, x)"),
        ("λ(roll_x)", "λ(roll_x)"),
        ("ϕ + ϵ", "φ + ε"),
        ("x\u{307}", "ẋ"),
        ("[]", "[]"),
    ];
    for (written, text) in table {
        let once = printed(written);
        assert_eq!(once, text, "{written}");
        assert_eq!(printed(&once), once, "{written}");
    }
}

#[test]
fn literals_are_exact() {
    let table = [
        ("0.1", "1", -1),
        ("10", "10", 0),
        ("1.25e-7", "125", -9),
        ("1e3", "1", 3),
        ("1.", "1", 0),
        ("1_000.5_0", "100050", -2),
        ("0.00", "0", 0),
        ("2E+2", "2", 2),
    ];
    for (written, digits, exponent) in table {
        let system = read(&format!("system S {{ let a = {written}; }}"));
        let eom_codegen::ast::ExprKind::Number(number) = &system.lets[0].value.kind else {
            panic!("{written} is no number")
        };
        assert_eq!((number.digits.as_str(), number.exponent), (digits, exponent), "{written}");
    }
}

#[test]
fn brackets_of_a_macro_are_brackets() {
    let inner: TokenStream = quote!(a + b);
    let group = proc_macro2::Group::new(proc_macro2::Delimiter::None, inner);
    let (system, errors) = parse_system(quote!(system S { let c = #group * 2; }));
    assert!(errors.into_diagnostics().is_empty());
    assert_eq!(system.unwrap().lets[0].value.to_text(), "(a + b)*2");
}

#[test]
fn words_of_the_language_remain_names() {
    let system = read("system S { coordinates { gap, at, motion } let when = gap + at*motion; }");
    assert_eq!(system.lets[0].value.to_text(), "gap + at*motion");
}
