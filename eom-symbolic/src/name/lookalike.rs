//! Letters of other scripts that look like Latin ones: `а` for `a`, `ο` for `o`.

use super::normal::apart;

/// A Latin letter, and those that look like it.
const LOOKS: &[(char, &str)] = &[
    ('a', "аα"),
    ('c', "с"),
    ('d', "ԁ"),
    ('e', "е"),
    ('h', "һ"),
    ('i', "іι"),
    ('j', "ј"),
    ('k', "кκ"),
    ('o', "оο"),
    ('p', "рρ"),
    ('q', "ԛ"),
    ('s', "ѕ"),
    ('u', "υ"),
    ('v', "ν"),
    ('w', "ԝω"),
    ('x', "хχ"),
    ('y', "уγ"),
    ('A', "АΑ"),
    ('B', "ВΒ"),
    ('C', "С"),
    ('E', "ЕΕ"),
    ('H', "НΗ"),
    ('I', "ІΙ"),
    ('J', "Ј"),
    ('K', "КΚ"),
    ('M', "МΜ"),
    ('N', "Ν"),
    ('O', "ОΟ"),
    ('P', "РΡ"),
    ('S', "Ѕ"),
    ('T', "ТΤ"),
    ('X', "ХΧ"),
    ('Y', "УΥ"),
    ('Z', "Ζ"),
];

/// A name by its looks: each letter as the Latin one it looks like. Names that are spelled out count as their
/// letters.
pub(super) fn skeleton(name: &str) -> String {
    let (mut looks, mut rest) = (String::new(), name);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end.max(first.len_utf8()));
        match super::LETTERS.iter().find(|(_, key, _)| *key == run) {
            Some((letter, ..)) => looks.push(look(*letter)),
            None => looks.extend(apart(run).chars().map(look)),
        }
        rest = after;
    }
    looks
}

fn look(letter: char) -> char {
    LOOKS.iter().find(|(_, others)| others.contains(letter)).map_or(letter, |(latin, _)| *latin)
}

/// The first letter in which two names differ that look the same: as it is written, and as it is meant.
#[must_use]
pub fn difference(written: &str, meant: &str) -> Option<(char, char)> {
    if skeleton(written) != skeleton(meant) {
        return None;
    }
    apart(written).chars().zip(apart(meant).chars()).find(|(a, b)| a != b && look(*a) == look(*b))
}

/// Whether a letter belongs to no formula but by a slip of the keyboard.
#[must_use]
pub fn is_cyrillic(letter: char) -> bool {
    matches!(letter, '\u{400}'..='\u{52f}')
}

/// `the Cyrillic а (U+0430)`
#[must_use]
pub fn described(letter: char) -> String {
    let script = match letter {
        '\u{370}'..='\u{3ff}' => "Greek",
        _ if is_cyrillic(letter) => "Cyrillic",
        _ => "Latin",
    };
    format!("the {script} `{letter}` (U+{:04X})", u32::from(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_look_alike() {
        // written, meant, the two letters
        let table = [
            ("а", "a", Some(('а', 'a'))),
            ("соs", "cos", Some(('с', 'c'))),
            ("ο_1", "o_1", Some(('ο', 'o'))),
            ("ȧ", "а\u{307}", Some(('a', 'а'))),
            ("p", "ρ", Some(('p', 'ρ'))),
            ("a", "b", None),
            ("a", "a", None),
            ("ж", "x", None),
        ];
        for (written, meant, letters) in table {
            assert_eq!(difference(written, meant), letters, "{written} {meant}");
        }
        assert_eq!(skeleton("rho_1"), "p_1");
        assert_eq!(described('а'), "the Cyrillic `а` (U+0430)");
    }
}
