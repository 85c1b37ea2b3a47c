//! The printed equations are true: each line of the derived text, stated as a claim of the system it
//! came from, must follow. Printer, simplifier and reduction on one side, on the other the numerical
//! decision of claims from M, h, A alone.

mod generate;
mod latex;

use eom_codegen::{Derivation, derive_source};
use eom_symbolic::mechanics::report::{Form, form, to_text};
use eom_symbolic::name::{self, Name};
use eom_tests::systems::every_system;

/// The parts of the text whose lines are equations in the syntax of the language.
const PARTS: [&str; 9] = [
    "Lagrangian",
    "Energy",
    "Jacobi integral",
    "Named quantities",
    "Constraints",
    "Equations of motion",
    "Reduced equations",
    "Accelerations",
    "Multipliers",
];

/// How many random systems are read back.
const RANDOM_SYSTEMS: u64 = 300;

fn derive(name: &str, source: &str) -> Derivation {
    derive_source(source).unwrap_or_else(|mistakes| {
        let said: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        panic!("{name}: {}", said.join("\n"))
    })
}

/// A line as an equation of the language.
fn equation(part: &str, line: &str) -> Option<String> {
    if line.starts_with('(') && line.ends_with(')') && !line.contains(" = ") {
        return None;
    }
    let line = match (part, line.split_once(": ")) {
        ("Constraints", Some((_, row))) => row,
        _ => line,
    };
    // Their letter is L, E or H, or another where the declaration means something by it.
    let words = [("Lagrangian", "lagrangian"), ("Energy", "energy"), ("Jacobi integral", "jacobi")];
    if let Some((_, word)) = words.iter().find(|(title, _)| *title == part) {
        let (_, value) = line.split_once(" = ")?;
        return Some(format!("{word} = {value}"));
    }
    Some(line.to_owned())
}

/// The lines of the text; what is indented further goes on with the line before.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("      "), lines.last_mut()) {
            (Some(rest), Some(last)) => last.extend([" ", rest]),
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// The equations of the text.
fn printed(text: &str) -> Vec<String> {
    let mut part = String::new();
    let mut equations = Vec::new();
    for line in lines(text) {
        if !line.starts_with(' ') {
            part = line;
        } else if PARTS.contains(&part.as_str()) {
            equations.extend(equation(&part, line.trim()));
        }
    }
    equations
}

/// What the text says of one contact: names that it introduces, and equations that use them.
#[derive(Debug, Default)]
struct Contact {
    name: String,
    names: Vec<String>,
    equations: Vec<String>,
    /// The text says that it leaves P and v⁺ out, and why.
    omitted: bool,
}

/// The contacts of the text. The gap and the rows of B are the declaration itself.
fn printed_contacts(text: &str) -> Vec<Contact> {
    let mut contacts: Vec<Contact> = Vec::new();
    let mut rate = String::new();
    for line in lines(text) {
        if let Some(rest) = line.strip_prefix("Contact ") {
            let name = rest.split(':').next().unwrap_or_default().to_owned();
            contacts.push(Contact { name, ..Contact::default() });
            rate.clear();
            continue;
        }
        let Some(contact) = contacts.last_mut() else { continue };
        let line = line.trim();
        contact.omitted |= line.starts_with("(omitted: ");
        let Some((left, _)) = line.split_once(" = ") else { continue };
        if rate.is_empty() {
            // The first line is the gap, under the letter of this text.
            rate = name::dotted(left, 1);
            continue;
        }
        // A name with a dot is a derivative: ġ goes by another one.
        let line = line.replace(&rate, "closing");
        let Some((left, right)) = line.split_once(" = ") else { continue };
        if line.starts_with('(') || left.starts_with("B[") {
            continue;
        }
        if left.starts_with("P[") || left.ends_with("_plus") {
            contact.equations.push(line.replacen("P[", "projector[", 1));
        } else {
            contact.names.push(format!("let {left} = {right};"));
        }
    }
    contacts
}

/// The lines that name a free velocity of no coordinate, as `let`s, and the equations that use it.
fn named(derivation: &Derivation, equations: Vec<String>) -> (Vec<String>, Vec<String>) {
    let declared = |name: &str| {
        let symbols = derivation.model.pool.symbols();
        name.contains('(')
            || symbols.iter().any(|s| s.name == name)
            || derivation.model.lets.iter().any(|l| l.named.name == Name::parse(name).display)
    };
    let words = ["lagrangian", "energy", "jacobi"];
    let (names, equations): (Vec<String>, Vec<String>) =
        equations.into_iter().partition(|equation| {
            let left = equation.split(" = ").next().unwrap_or_default();
            !left.contains([' ', '*']) && !words.contains(&left) && !declared(left)
        });
    (names.into_iter().map(|name| format!("let {name};")).collect(), equations)
}

/// The source with further items before its last brace.
fn with_items(source: &str, items: &[String]) -> String {
    let end = source.rfind('}').expect("a declaration ends with a brace");
    format!("{}\n{}\n{}", &source[..end], items.join("\n"), &source[end..])
}

/// The source with further claims, each `at` a contact or everywhere.
fn with_claims(source: &str, at: &str, equations: &[String]) -> String {
    let claims = equations.iter().enumerate();
    let claims: Vec<String> =
        claims.map(|(i, equation)| format!("claim printed_{i}{at}: {equation};")).collect();
    with_items(source, &claims)
}

/// P and v⁺ of a contact, n² + n lines; what a law assigns is all that it says, and of what it bears there is no map.
fn check_contacts((system, source): (&str, &str), derivation: &Derivation) {
    let contacts = printed_contacts(&derivation.equations_text());
    assert_eq!(contacts.len(), derivation.model.contacts.len(), "{system}");
    let n = derivation.model.speeds.len();
    for (Contact { name, names, equations, omitted }, declared) in
        contacts.into_iter().zip(&derivation.model.contacts)
    {
        let omitted = omitted || !declared.borne.is_empty();
        let count = match (omitted, declared.assigned.len()) {
            (true, _) => 0,
            (false, 0) => n * n + n,
            (false, assigned) => assigned,
        };
        assert_eq!(equations.len(), count, "{system} {name}: P and v⁺");
        let source = with_items(source, &names);
        derive(system, &with_claims(&source, &format!(" at {name}"), &equations));
    }
}

/// The source without the print of a document: its symbols may be letters that the report takes for names of its own.
fn unprinted(source: &str) -> String {
    let (mut kept, mut was_erratum) = (String::new(), false);
    for item in items(source) {
        let words = item.lines().map(str::trim).filter(|line| !line.starts_with("//"));
        let text = words.collect::<Vec<_>>().join(" ").trim().to_owned();
        let is_erratum = text.starts_with("erratum ") && text.contains(" tex ");
        let is_print = is_erratum || text.starts_with("claim ") && text.contains(" tex ");
        let is_corrected = was_erratum && text.starts_with("corrected:");
        if !(is_print || is_corrected || text.starts_with("notation ")) {
            kept.push_str(item);
        }
        was_erratum = is_erratum;
    }
    kept
}

/// The items of a system with what stands before each; the first begins with its head.
fn items(source: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let (mut in_string, mut in_comment) = (false, false);
    for (at, letter) in source.char_indices() {
        match letter {
            '\n' => in_comment = false,
            _ if in_comment => {}
            '"' => in_string = !in_string,
            _ if in_string => {}
            '/' if source[at..].starts_with("//") => in_comment = true,
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = !in_string && !in_comment && depth == 1 && matches!(letter, ';' | '}');
        let is_head = start == 0 && depth == 1 && letter == '{';
        if ends || is_head {
            items.push(&source[start..=at]);
            start = at + 1;
        }
    }
    items.push(&source[start..]);
    items
}

fn check(system: &str, source: &str) {
    let source = &unprinted(source);
    let before = derive(system, source);
    check_text((system, source), &before, &before.equations_text());
    check_contacts((system, source), &before);
}

/// The equations of a text follow from the source.
fn check_text((system, source): (&str, &str), before: &Derivation, text: &str) {
    let (names, equations) = named(before, printed(text));
    assert!(equations.len() > before.model.speeds.len(), "{system}: {equations:?}");
    let named = with_items(source, &names);
    let after = derive(system, &with_claims(&named, "", &equations));
    assert_eq!(after.model.claims.len(), before.model.claims.len() + equations.len());
}

#[test]
fn every_printed_equation_follows() {
    for fixture in every_system() {
        check(fixture.name, fixture.info.source);
    }
}

/// Of systems that nobody has looked at: 1 to 5 speeds, letters of the report as names of the declaration, gaps whose
/// gradients are not trivial, all laws.
#[test]
fn every_printed_equation_of_random_systems_follows() {
    for seed in 0..RANDOM_SYSTEMS {
        let source = generate::declaration(seed);
        check(&format!("{source}\nseed {seed}"), &source);
    }
}

/// Numbers of many zeros are read back by their powers of ten.
#[test]
fn equations_with_long_numbers_follow() {
    let source = "system Wide { coordinates { x, y } parameters { m = 1 where m > 0, k = 2 }
        kinetic = 3e40*m/2*(ẋ^2 + 4*ẏ^2); potential = k*y^2*1e-200 + 2.5e-120*x^2 - 7e30*x*y;
        contact c { gap = 1e25*x - 2.5e25*y; impact = restitution(1/2); } }";
    check("wide", source);
    let text = derive("wide", source).equations_text();
    assert!(
        text.contains("3e40*m*ẍ")
            && text.contains("k*y^2/1e200")
            && !text.contains(&"0".repeat(18)),
        "{text}"
    );
}

/// A body with equations that are written in names, and what acts on it beside that.
fn long(items: &str) -> String {
    format!(
        "system Long {{ coordinates {{ x, y, z }}
        parameters {{ m = 1 where m > 0, k = 2 where k > 0, l = 1 where l > 0 }}
        let X = x*sin(y)*cos(z) + l*sin(y + z) + sin(x*y);
        let Y = x*cos(y)*sin(z) + l*cos(y - z) + cos(x*z);
        let Z = x*cos(y) + l*sin(x)*cos(y)*sin(z);
        kinetic = m/2*(Ẋ^2 + Ẏ^2 + Ż^2) + m/2*(ẋ^2 + ẏ^2 + ż^2); {items} }}"
    )
}

/// Between 0.3 and 1.3 |x| is x, a ramp from 5 to 6 is 0, tanh(1000 v) is 1 and a barrier of 1/400 is 0.
#[test]
fn long_equations_hold_functions_that_are_others_elsewhere() {
    // table
    let cases: [(&str, &[&str]); 6] = [
        ("potential = k*abs(x);", &["sign(x)"]),
        ("potential = 0; force x = -4*k*ẋ*abs(ẋ); force z = -k*sign(z);", &["abs(ẋ)", "sign(z)"]),
        ("potential = 0; force y = -k*(tanh(1000*ẏ) + 0.1*ẏ);", &["tanh(1000*ẏ)"]),
        ("potential = k*x*y + l*exp(-400*(x + y));", &["exp("]),
        (
            "potential = k*ramp(x, 5, 6); force y = -smoothstep(t, 5, 6)*ẏ;",
            &["sign(6 - x) - sign(5 - x)", "smoothstep(t - 5)"],
        ),
        ("potential = k*sqrt(x^2); constraints { a: ẋ + ramp(z, 5, 6)*ẏ = 0; }", &["ramp(z - 5)"]),
    ];
    for (items, words) in cases {
        let source = long(items);
        check(items, &source);
        let text = derive(items, &source).equations_text();
        for word in words {
            assert!(text.contains(word), "{items}: {word}\n{text}");
        }
    }
}

/// H is m/2 (ẋ² + ẏ²) − m/2 r² + k y with r = ramp(t, 5, 6), E is not.
#[test]
fn the_jacobi_integral_is_printed_where_it_differs_late() {
    let source = "system Late { coordinates { x, y } parameters { m = 1 where m > 0, k = 2 }
        kinetic = m/2*((ẋ + ramp(t, 5, 6))^2 + ẏ^2); potential = k*y; }";
    check("late", source);
    let text = derive("late", source).equations_text();
    assert!(text.contains("H = m*ẋ^2/2 + m*ẏ^2/2 + k*y - m*ramp(t - 5)^2/2"), "{text}");
}

/// The Whipple bicycle: eight coordinates, five rows. Each line of its equations fits a page.
const BICYCLE: &str = include_str!("../../../examples/bicycle/bicycle.eom");

#[test]
fn the_equations_of_the_bicycle_follow_in_names_of_their_parts() {
    check("bicycle", BICYCLE);
    let derivation = derive("bicycle", BICYCLE);
    let mut texts = vec![derivation.equations_text()];
    for asked in [Form::Reduced, Form::Explicit] {
        let sections = form(&derivation.model, &derivation.equations, asked);
        let text = to_text(&sections.expect("a form in names"));
        check_text(("bicycle", BICYCLE), &derivation, &text);
        texts.push(text);
    }
    for line in texts.iter().flat_map(|text| text.lines()) {
        assert!(!line.contains("omitted") && line.chars().count() <= 106, "{line}");
    }
}

/// The check can fail: a wrong sign in a printed equation does not follow.
#[test]
fn a_wrong_equation_does_not_follow() {
    for fixture in every_system() {
        let equations = printed(&derive(fixture.name, fixture.info.source).equations_text());
        let lagrangian = equations[0].replacen("lagrangian =", "lagrangian = 1 +", 1);
        assert!(derive_source(&with_claims(fixture.info.source, "", &[lagrangian])).is_err());
    }
}
