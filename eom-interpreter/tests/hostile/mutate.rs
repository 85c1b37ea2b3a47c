//! Mistakes made at random: the tokens of declarations deleted, doubled, exchanged, replaced by extremes.

use fastrand::Rng;

/// What a mutation may put in a place.
const HOSTILE: [&str; 60] = [
    "0",
    "-1",
    "1e308",
    "1e-320",
    "1e999",
    "10^10^10",
    "99999999999999999999",
    "0.1e-400",
    "1e",
    "0x1F",
    "1_000",
    "2m",
    "x'",
    "φ²",
    "ω₁",
    "×",
    "·",
    "−",
    "≤",
    "½",
    "“q”",
    "\"",
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    "#",
    "#[cfg]",
    "///",
    "\u{0}",
    "\u{202e}",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "=",
    "==",
    "..",
    "..=",
    "^",
    "^^",
    "*",
    "/0",
    "-",
    "t",
    "pi",
    "dx",
    "dt",
    "x_dot_dot",
    "ẋ",
    "ẍ",
    "λ(row)",
    "1..=1000000000",
    "sum(i, i in 1..=9999999)",
];

/// Words of the language, at places where they do not belong.
const WORDS: [&str; 44] = [
    "system",
    "coordinates",
    "parameters",
    "inputs",
    "kinetic",
    "potential",
    "lagrangian",
    "dissipation",
    "force",
    "constraints",
    "holonomic",
    "contact",
    "gap",
    "impact",
    "elastic",
    "restitution",
    "project",
    "assign",
    "event",
    "guard",
    "reset",
    "scenario",
    "solve",
    "until",
    "claim",
    "erratum",
    "corrected",
    "closed",
    "at",
    "under",
    "when",
    "motion",
    "let",
    "output",
    "function",
    "velocities",
    "rotation",
    "body",
    "integral",
    "sum",
    "rot_x",
    "vee",
    "transpose",
    "cross",
];

/// Tokens, roughly: words, numbers, white space, single characters.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '\u{307}' || c == '\u{308}' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    while let Some(first) = rest.chars().next() {
        let kind = class(first);
        let length = match kind {
            0 => first.len_utf8(),
            _ => rest.find(|c| class(c) != kind).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// A stretch of at most `longest` pieces.
fn stretch(rng: &mut Rng, length: usize, longest: usize) -> std::ops::Range<usize> {
    let start = rng.usize(..=length);
    start..(start + rng.usize(..=longest)).min(length)
}

/// A declaration with one to five mutations, material for splices taken from another.
pub(crate) fn mutated(rng: &mut Rng, text: &str, other: &str) -> String {
    let donor = pieces(other);
    let mut pieces: Vec<&str> = pieces(text);
    for _ in 0..rng.usize(1..6) {
        let few = stretch(rng, pieces.len(), 6);
        let many = stretch(rng, pieces.len(), 60);
        // table
        match rng.u32(..10) {
            0 => drop(pieces.drain(few)),
            1 => drop(pieces.drain(many)),
            2 => {
                let again = pieces[many.clone()].to_vec();
                pieces.splice(many.end..many.end, again);
            }
            3 if !pieces.is_empty() => {
                let (i, j) = (rng.usize(..pieces.len()), rng.usize(..pieces.len()));
                pieces.swap(i, j);
            }
            4 => {
                let taken = stretch(rng, donor.len(), 60);
                pieces.splice(few, donor[taken].iter().copied());
            }
            5 => {
                pieces.insert(few.start, HOSTILE[rng.usize(..HOSTILE.len())]);
            }
            6 => {
                pieces.insert(few.start, WORDS[rng.usize(..WORDS.len())]);
            }
            7 => replace(rng, &mut pieces, |c| c.is_ascii_digit(), &HOSTILE[..14]),
            8 => {
                let words: Vec<&str> = donor.iter().copied().filter(|p| is_word(p)).collect();
                if !words.is_empty() {
                    replace(rng, &mut pieces, char::is_alphabetic, &words);
                }
            }
            _ => replace(rng, &mut pieces, char::is_alphabetic, &WORDS),
        }
    }
    pieces.concat()
}

fn is_word(piece: &str) -> bool {
    piece.chars().next().is_some_and(char::is_alphabetic)
}

/// Exchanges one of the pieces that begin so.
fn replace<'a>(rng: &mut Rng, pieces: &mut [&'a str], begins: fn(char) -> bool, by: &[&'a str]) {
    let places: Vec<usize> = (pieces.iter().enumerate())
        .filter(|(_, piece)| piece.chars().next().is_some_and(begins))
        .map(|(index, _)| index)
        .collect();
    if !places.is_empty() {
        pieces[places[rng.usize(..places.len())]] = by[rng.usize(..by.len())];
    }
}
