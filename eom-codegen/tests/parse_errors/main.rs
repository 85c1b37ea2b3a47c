//! What the parser says about mistakes: the place, the message, the help, and all of them at once.

mod elsewhere;
mod expressions;
mod items;

use eom_codegen::parse::parse_text;

/// All complaints about a text, help lines under their message.
fn complaints(source: &str) -> Vec<String> {
    let (_, errors) = parse_text(source);
    errors.into_diagnostics().iter().map(ToString::to_string).collect()
}

/// Items of a system with one mistake, and what is said about it.
fn check(items: &str, expected: &str) {
    // The items begin at line 2, column 1.
    let source = format!("system S {{\n{items}\n}}");
    assert_eq!(complaints(&source), [expected], "{items}");
}

#[test]
fn the_declaration_itself() {
    for (source, expected) in [
        ("", "1:1: expected a declaration, found the end\n  help: write `system Name { … }`"),
        ("sistem S {}", "1:1: `sistem` cannot stand here\n  help: did you mean `system`?"),
        (
            "system {}",
            "1:8: expected the name of the system, found `{`\n  help: write a name: letters, digits and `_`, a letter first",
        ),
        ("system S", "1:8: expected `{ … }` after `S`, found the end\n  help: write `{ … }`"),
        (
            "system S {} system T {}",
            "1:13: a declaration holds one system\n  help: declare the second system on its own",
        ),
        ("system type {}", "1:8: `type` is a word of Rust\n  help: choose another name"),
        (
            "fn main() {}",
            "1:1: expected a declaration, found `fn`\n  help: write `system Name { … }`",
        ),
        (
            "pub struct S {}",
            "1:5: expected a declaration, found `struct`\n  help: write `system Name { … }`",
        ),
    ] {
        assert_eq!(complaints(source), [expected], "{source}");
    }
}

#[test]
fn several_mistakes_are_reported_together() {
    let source = "system S {
    kinetic = 2m*x;
    potental = 3;
    constraints { a: dx +; b: dy; c dx; }
    contact floor { gap = ; impact = bouncy; }
    scenario s { x = 1 y = 2; until bounces > 3; }
    rotation R { body: a, b }
    claim c1: x == 2;
    output o = x y;
}";
    let places = complaints(source)
        .iter()
        .map(|text| text.split(": ").next().unwrap_or_default().to_owned())
        .collect::<Vec<_>>();
    let expected =
        ["2:15", "3:5", "4:26", "4:37", "5:27", "5:38", "6:22", "6:37", "7:29", "8:17", "9:18"];
    assert_eq!(places, expected);
}

#[test]
fn what_can_be_read_is_kept_beside_mistakes() {
    let (system, errors) = parse_text("system S { kinetic = 1 +; potential = 2; let a = 3 }");
    assert_eq!(errors.into_diagnostics().len(), 2);
    let system = system.unwrap();
    assert!(system.kinetic.is_none());
    assert_eq!(system.potential.unwrap().value.to_text(), "2");
    assert_eq!(system.lets[0].value.to_text(), "3");
}

#[test]
fn all_mistakes_pass_the_gate_as_one_error() {
    let (_, errors) = parse_text("system S { kinetic = 1; kinetic = 2; a = 3; }");
    let error = errors.propagate().unwrap_err();
    let texts = error.into_iter().map(|error| error.to_string()).collect::<Vec<_>>();
    assert_eq!(texts.len(), 3);
    assert_eq!(texts[1], "first stated here");
}
