//! The number of an equation in its document, read off the name of a claim.
//!
//! ```text
//! name     = kind segment { "_" segment } [ "_" word ]      word: anything that is no segment
//! segment  = digits [ letter ]  |  Roman digits [ letter ]
//! ```
//!
//! `eq25a` is 25a, `eq2_10` is 2.10, `thm5_1_spin` is Theorem 5.1, `tabI` is Table I.

/// What an equation is called in its document, by the beginning of a claim's name.
const KINDS: [(&str, &str); 12] = [
    ("eq", ""),
    ("d", "display "),
    ("thm", "Theorem "),
    ("lem", "Lemma "),
    ("prop", "Proposition "),
    ("cor", "Corollary "),
    ("hyp", "Hypothesis "),
    ("def", "Definition "),
    ("rem", "Remark "),
    ("tab", "Table "),
    ("sec", "section "),
    ("prose", "prose "),
];

/// `eq25a` → `25a`; empty where the name carries no number.
pub fn equation_number(claim: &str) -> String {
    KINDS
        .iter()
        .find_map(|(kind, title)| {
            let mut parts =
                claim.strip_prefix(kind)?.split('_').take_while(|part| is_segment(part));
            let first = parts.next()?;
            Some(parts.fold(format!("{title}{first}"), |number, part| format!("{number}.{part}")))
        })
        .unwrap_or_default()
}

/// The name of a claim by the number of its equation: `(25a)` → `eq25a`, `display 2.10` → `d2_10`.
pub(crate) fn name_of_number(number: &str) -> Option<String> {
    let number = number.trim();
    let number =
        number.strip_prefix('(').and_then(|inside| inside.strip_suffix(')')).unwrap_or(number);
    let mut kind = KINDS.iter().filter(|(_, title)| !title.is_empty());
    let (kind, rest) = kind
        .find_map(|(kind, title)| Some((*kind, number.strip_prefix(title)?)))
        .unwrap_or(("eq", number));
    let name = format!("{kind}{}", rest.replace(['.', ' '], "_"));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    (name.chars().all(is_part) && !equation_number(&name).is_empty()).then_some(name)
}

/// `25`, `25a`, `IV`, `IVa`.
fn is_segment(part: &str) -> bool {
    let number = part.strip_suffix(|letter: char| letter.is_ascii_lowercase()).unwrap_or(part);
    !number.is_empty()
        && (number.chars().all(|c| c.is_ascii_digit())
            || number.chars().all(|c| "IVXLC".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_carry_numbers() {
        let table = [
            ("eq25a", "25a"),
            ("eq2_10", "2.10"),
            ("eq4_2", "4.2"),
            ("eq1_3b", "1.3b"),
            ("eq34_map", "34"),
            ("eq5_1_spin", "5.1"),
            ("d5_6", "display 5.6"),
            ("thm5_1", "Theorem 5.1"),
            ("thmIII_1", "Theorem III.1"),
            ("lem1", "Lemma 1"),
            ("hyp2", "Hypothesis 2"),
            ("propIV_2_map", "Proposition IV.2"),
            ("tabI", "Table I"),
            ("secVIIa", "section VIIa"),
            ("swing", ""),
            ("equal", ""),
            ("d", ""),
            ("drive_force", ""),
            ("section", ""),
            ("prose3_2b", "prose 3.2b"),
        ];
        for (name, number) in table {
            assert_eq!(equation_number(name), number, "{name}");
        }
    }

    #[test]
    fn numbers_make_names() {
        let table = [
            ("(29)", Some("eq29")),
            ("(2.10)", Some("eq2_10")),
            ("display 5.6", Some("d5_6")),
            ("Theorem 5.1", Some("thm5_1")),
            ("prose 3.2", Some("prose3_2")),
            ("Table I", Some("tabI")),
            ("somewhere", None),
            ("(2-10)", None),
        ];
        for (number, name) in table {
            assert_eq!(name_of_number(number).as_deref(), name, "{number}");
        }
    }
}
