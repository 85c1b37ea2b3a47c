//! The number of an equation in its document, read off the name of a claim.
//!
//! ```text
//! name     = kind segment { "_" segment } [ "_" word ]      word: anything that is no segment
//! segment  = digits [ letter ]  |  Roman digits [ letter ]
//! ```
//!
//! `eq25a` is 25a, `eq2_10` is 2.10, `thm5_1_spin` is Theorem 5.1, `tabI` is Table I.

/// What an equation is called in its document, by the beginning of a claim's name.
const KINDS: [(&str, &str); 11] = [
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
        ];
        for (name, number) in table {
            assert_eq!(equation_number(name), number, "{name}");
        }
    }
}
