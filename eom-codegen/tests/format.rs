//! The layout of declarations: what becomes of a text, and what never changes.

use eom_codegen::{derive_source, formatted};
use std::path::{Path, PathBuf};

/// A text, as it is laid out; that again is itself.
fn check(text: &str, expected: &str) {
    let found = formatted(text).expect("it can be read");
    assert_eq!(found, expected, "of\n{text}");
    assert_eq!(formatted(&found).expect("it can be read"), expected, "again");
}

#[test]
fn layouts() {
    // table
    let cases = [
        // On one line: a line an item.
        (
            "system A{coordinates{x}parameters{m=1 where m>0,k}kinetic=m /2*ẋ ^ 2;scenario s{x=-1;until t=3;}}",
            "system A {\n    coordinates { x }\n    parameters { m = 1 where m > 0, k }\n    kinetic = m/2*ẋ^2;\n    \
             scenario s { x = -1; until t = 3; }\n}\n",
        ),
        // A block that is broken has its braces on lines of their own; what shares a line goes on to.
        (
            "system A { coordinates { x,\ny } kinetic = ẋ^2+ẏ^2; }",
            "system A {\n    coordinates {\n        x,\n        y\n    }\n    kinetic = ẋ^2 + ẏ^2;\n}\n",
        ),
        // Comments stay where they are; one empty line is enough.
        (
            "// of a\n\n\n/// Docs.\nsystem A { // here\n\n  coordinates { x } // x\n\n\n  // next\n  kinetic = ẋ^2; /* k */\n\n}",
            "// of a\n\n/// Docs.\nsystem A { // here\n\n    coordinates { x } // x\n\n    // next\n    kinetic = ẋ^2; /* k */\n}\n",
        ),
        // Expressions keep their breaks; columns that are aligned stay so, other spaces do not.
        (
            "system A { coordinates { x }\n kinetic   = ẋ^2;\n potential = x\n+ x^2;\n let a = [\n[1,   0],\n[10, 2]\n];\n  let  b =   1; }",
            "system A {\n    coordinates { x }\n    kinetic   = ẋ^2;\n    potential = x\n        + x^2;\n    let a = [\n        \
             [1,   0],\n        [10, 2]\n    ];\n    let b = 1;\n}\n",
        ),
        // Signs before a number, calls, ranges, indices.
        (
            "system A { coordinates { x [ 1 ..= 2 ] } kinetic = sum( ẋ[i] ^2 , i in 1 ..= 2 ) ; potential = - x[ 1 ] - -2 * sin (x[2]); }",
            "system A {\n    coordinates { x[1..=2] }\n    kinetic = sum(ẋ[i]^2, i in 1..=2);\n    \
             potential = -x[1] - -2*sin(x[2]);\n}\n",
        ),
        // What stands behind a block.
        (
            "system A { coordinates { x, y } kinetic = ẋ^2 + ẏ^2; contact a { gap = x; impact = elastic; } contact b { gap = y; \
             impact = elastic; } impacts {a,b}=joint; claim c: motion(u) { x = u; }; }",
            "system A {\n    coordinates { x, y }\n    kinetic = ẋ^2 + ẏ^2;\n    contact a { gap = x; impact = elastic; }\n    \
             contact b { gap = y; impact = elastic; }\n    impacts { a, b } = joint;\n    claim c: motion(u) { x = u; };\n}\n",
        ),
    ];
    for (text, expected) in cases {
        check(text, expected);
    }
}

#[test]
fn a_text_that_cannot_be_read_is_refused() {
    assert!(formatted("system A { coordinates x }").is_err());
    assert!(formatted("system A { \"").is_err());
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/eom");
    let entries = std::fs::read_dir(folder).expect("the models are there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() > 20);
    files
}

/// The words of a text without its spaces, comments too.
fn words(text: &str) -> String {
    text.split_whitespace().collect()
}

/// What the layout changes in the models is where errata and expressions of several lines are indented.
#[test]
fn models_keep_their_lines() {
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a model");
        let found = formatted(&text).expect("models can be read");
        let lines =
            |text: &str| text.lines().map(|line| line.trim_start().to_owned()).collect::<Vec<_>>();
        assert_eq!(lines(&found), lines(&text), "{}", file.display());
        assert_eq!(formatted(&found).expect("it can be read"), found, "{}", file.display());
    }
}

/// Spaces and breaks at random between tokens: the words stay, and the layout is that of itself.
#[test]
fn random_spaces() {
    let mut random = 29_u64;
    let mut draw = |n: u64| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % n
    };
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a model");
        for _ in 0..2 {
            let mut shaken = String::new();
            for line in text.lines() {
                let line = line.trim();
                let (code, comment) = line.find("//").map_or((line, ""), |at| line.split_at(at));
                let mut in_string = false;
                for (index, word) in code.split(' ').enumerate() {
                    if in_string {
                        shaken.push(' ');
                    } else if index > 0 {
                        shaken.push_str(
                            [" ", "   ", "\n", "\n\n\n  ", "\t", " \n "][draw(6) as usize],
                        );
                    }
                    shaken.push_str(word);
                    in_string ^= word.matches('"').count() % 2 == 1;
                }
                shaken.push_str(comment);
                shaken.push_str(["\n", "\n\n", "  \n\t\n\n", "\n      "][draw(4) as usize]);
            }
            let once = formatted(&shaken).expect("spaces change nothing");
            assert_eq!(words(&once), words(&text), "{}", file.display());
            assert_eq!(formatted(&once).expect("it can be read"), once, "{}", file.display());
            assert!(!once.contains(" \n") && !once.contains("\n\n\n"), "{once}");
        }
    }
}

/// Only how it reads is looked at: more may be wrong.
#[test]
fn mistakes_hide_others() {
    let found = formatted("system A { coordinates { x } kinetic = ẋ**2*k; }")
        .expect_err("it cannot be read");
    assert!(found.len() == 1 && found[0].hides, "{found:?}");
}

#[test]
fn the_meaning_stays() {
    let text = "system A{coordinates{x}parameters{k=4}kinetic=ẋ^2/2;potential=k/2*x^2;}";
    let of = |text: &str| derive_source(text).expect("it derives").equations_text();
    assert_eq!(of(text), of(&formatted(text).expect("it can be read")));
}
