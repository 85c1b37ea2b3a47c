//! Names: one identity for the Unicode and the ASCII spelling, dots, sides, and how a name prints.
//!
//! A name as a person writes it carries up to three things:
//!
//! ```text
//! θ̇1_plus   =   base θ1   +   one dot   +   the side after an impact
//! theta1_dot_plus   is the same name
//! ```
//!
//! [`Name::parse`] separates them. Two names are one iff their keys, dots and sides agree.

pub mod elsewhere;
mod formula;
pub mod lookalike;
mod normal;

pub use formula::{latex, latex_as_written, latex_dotted, latex_partial};
use normal::{apart, composed};
use std::cell::Cell;

/// Combining dot above: the first time derivative.
const DOT: char = '\u{307}';
/// Combining diaeresis: the second time derivative.
const DDOT: char = '\u{308}';
/// Combining three dots above: the third time derivative.
const DDDOT: char = '\u{20DB}';

/// The marks of time derivatives.
pub(crate) const MARKS: [char; 3] = [DOT, DDOT, DDDOT];

/// Letters that are spelled out: letter, key, LaTeX.
///
/// Capitals that look like Latin letters have no command in LaTeX; they print upright.
const LETTERS: &[(char, &str, &str)] = &[
    ('α', "alpha", r"\alpha"),
    ('β', "beta", r"\beta"),
    ('γ', "gamma", r"\gamma"),
    ('δ', "delta", r"\delta"),
    ('ε', "epsilon", r"\varepsilon"),
    ('ζ', "zeta", r"\zeta"),
    ('η', "eta", r"\eta"),
    ('θ', "theta", r"\theta"),
    ('ι', "iota", r"\iota"),
    ('κ', "kappa", r"\kappa"),
    ('λ', "lambda", r"\lambda"),
    ('μ', "mu", r"\mu"),
    ('ν', "nu", r"\nu"),
    ('ξ', "xi", r"\xi"),
    ('ο', "omicron", "o"),
    ('π', "pi", r"\pi"),
    ('ρ', "rho", r"\rho"),
    ('σ', "sigma", r"\sigma"),
    ('τ', "tau", r"\tau"),
    ('υ', "upsilon", r"\upsilon"),
    ('φ', "phi", r"\varphi"),
    ('χ', "chi", r"\chi"),
    ('ψ', "psi", r"\psi"),
    ('ω', "omega", r"\omega"),
    ('Α', "Alpha", r"\mathrm{A}"),
    ('Β', "Beta", r"\mathrm{B}"),
    ('Γ', "Gamma", r"\Gamma"),
    ('Δ', "Delta", r"\Delta"),
    ('Ε', "Epsilon", r"\mathrm{E}"),
    ('Ζ', "Zeta", r"\mathrm{Z}"),
    ('Η', "Eta", r"\mathrm{H}"),
    ('Θ', "Theta", r"\Theta"),
    ('Ι', "Iota", r"\mathrm{I}"),
    ('Κ', "Kappa", r"\mathrm{K}"),
    ('Λ', "Lambda", r"\Lambda"),
    ('Μ', "Mu", r"\mathrm{M}"),
    ('Ν', "Nu", r"\mathrm{N}"),
    ('Ξ', "Xi", r"\Xi"),
    ('Ο', "Omicron", r"\mathrm{O}"),
    ('Π', "Pi", r"\Pi"),
    ('Ρ', "Rho", r"\mathrm{P}"),
    ('Σ', "Sigma", r"\Sigma"),
    ('Τ', "Tau", r"\mathrm{T}"),
    ('Υ', "Upsilon", r"\Upsilon"),
    ('Φ', "Phi", r"\Phi"),
    ('Χ', "Chi", r"\mathrm{X}"),
    ('Ψ', "Psi", r"\Psi"),
    ('Ω', "Omega", r"\Omega"),
    ('ς', "varsigma", r"\varsigma"),
    ('ϑ', "vartheta", r"\vartheta"),
    ('ϖ', "varpi", r"\varpi"),
    ('ϱ', "varrho", r"\varrho"),
    ('ϰ', "varkappa", r"\varkappa"),
    ('ℓ', "ell", r"\ell"),
];

/// On which side of an impact a value is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Not at an impact.
    #[default]
    None,
    /// Just before: `ẋ_minus`.
    Minus,
    /// Just after: `ẋ_plus`.
    Plus,
}

/// A name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// Identity of the base: Greek spelled out, other letters as they are. `θ1` → `theta1`.
    pub key: String,
    /// The base as written, in NFC, without dots and side. `θ̇1_plus` → `θ1`.
    pub display: String,
    /// Number of time derivatives.
    pub dots: u8,
    /// The side of an impact.
    pub side: Side,
}

impl Name {
    /// Takes a name as written apart. Every text has a reading; nothing is refused.
    ///
    /// Dots come from combining marks (`ẋ`, `θ̈1`) and from the suffixes `_dot`, `_ddot`, `_dddot`,
    /// the side from `_minus` and `_plus`, which stand last. A suffix alone is not a suffix:
    /// `_dot` stays whole.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (marks, bare) = strip_marks(text);
        let (bare, side) = strip_side(&bare);
        let (bare, suffix_dots) = strip_dots(bare);
        Self {
            key: key_of_normal(bare),
            display: bare.to_owned(),
            dots: marks.saturating_add(suffix_dots),
            side,
        }
    }

    /// Whether the name stands for itself: no dots, no side.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.dots == 0 && self.side == Side::None
    }

    /// The name in Unicode with its dots and side, as it can be written in a declaration.
    #[must_use]
    pub fn unicode(&self) -> String {
        with_side(dotted(&self.display, self.dots), self.side)
    }

    /// The name in ASCII letters where it has them: `theta1_dot_plus`.
    #[must_use]
    pub fn ascii(&self) -> String {
        with_side(ascii_dotted(&self.key, self.dots), self.side)
    }
}

fn with_side(mut name: String, side: Side) -> String {
    name.push_str(match side {
        Side::None => "",
        Side::Minus => "_minus",
        Side::Plus => "_plus",
    });
    name
}

/// The text in NFC, with the variants of a letter that papers use for one symbol made one:
/// ϕ → φ, ϵ → ε, µ (micro) → μ, 𝜃 (italic) → θ.
#[must_use]
pub fn normalize(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    composed(text).chars().map(unify).collect()
}

/// The identity of an undotted name: NFC, Greek letters spelled out.
#[must_use]
pub fn key(display: &str) -> String {
    key_of_normal(&normalize(display))
}

/// The same of a name that is normal already.
fn key_of_normal(display: &str) -> String {
    let mut key = String::with_capacity(2 * display.len());
    for letter in display.chars() {
        match spelled(letter) {
            Some((spelling, _)) => key.push_str(spelling),
            None => key.push(letter),
        }
    }
    key
}

fn unify(letter: char) -> char {
    match letter {
        'ϕ' => 'φ',
        'ϵ' => 'ε',
        '\u{B5}' => 'μ',
        '\u{210E}' => 'h',
        '\u{1D400}'..='\u{1D7FF}' => upright(letter).map_or(letter, unify),
        other => other,
    }
}

/// A letter or digit of mathematical alphabets, bold, italic, …, as a plain one: 𝜃 is θ. They stand in Unicode as 13 alphabets of
/// 52 Latin letters, 5 of 58 Greek ones, 5 of 10 digits.
fn upright(letter: char) -> Option<char> {
    let after = |first: u32, place: u32| char::from_u32(first + place);
    let code = u32::from(letter);
    match code {
        0x1D400..0x1D6A4 => match (code - 0x1D400) % 52 {
            place @ ..26 => after(u32::from('A'), place),
            place => after(u32::from('a'), place - 26),
        },
        0x1D6A8..0x1D7CA => match (code - 0x1D6A8) % 58 {
            17 => Some('Θ'),
            25 => Some('∇'),
            place @ ..25 => after(u32::from('Α'), place),
            place @ ..51 => after(u32::from('α'), place - 26),
            place => "∂ϵϑϰϕϱϖ".chars().nth(place as usize - 51),
        },
        0x1D7CE..=0x1D7FF => after(u32::from('0'), (code - 0x1D7CE) % 10),
        _ => None,
    }
}

fn spelled(letter: char) -> Option<(&'static str, &'static str)> {
    if letter.is_ascii() {
        return None;
    }
    LETTERS.iter().find(|row| row.0 == letter).map(|row| (row.1, row.2))
}

/// Counts and removes the dots above letters; the rest comes back in NFC.
fn strip_marks(text: &str) -> (u8, String) {
    let apart = apart(text);
    if !apart.contains(MARKS) {
        return (0, normalize(text));
    }
    let mut dots = 0_u8;
    let bare = apart
        .chars()
        .filter(|&mark| {
            let order = match mark {
                DOT => 1,
                DDOT => 2,
                DDDOT => 3,
                _ => return true,
            };
            dots = dots.saturating_add(order);
            false
        })
        .collect::<String>();
    (dots, normalize(&bare))
}

fn strip_side(text: &str) -> (&str, Side) {
    for (suffix, side) in [("_minus", Side::Minus), ("_plus", Side::Plus)] {
        if let Some(base) = text.strip_suffix(suffix).filter(|base| !base.is_empty()) {
            return (base, side);
        }
    }
    (text, Side::None)
}

fn strip_dots(text: &str) -> (&str, u8) {
    for (suffix, dots) in [("_dot", 1), ("_ddot", 2), ("_dddot", 3)] {
        if let Some(base) = text.strip_suffix(suffix).filter(|base| !base.is_empty()) {
            return (base, dots);
        }
    }
    (text, 0)
}

/// The n-th time derivative of a base name in Unicode: x → ẋ, θ1 → θ̇1, γ_x → γ̇_x.
///
/// The mark stands on the last letter of the first run of letters. A run of several Latin letters
/// takes the suffix instead (`pos_dot`, not `poṡ`), as do more than three dots; both read back
/// as the same name.
#[must_use]
pub fn dotted(display: &str, dots: u8) -> String {
    let mark = match dots {
        0 => return normalize(display),
        1 => DOT,
        2 => DDOT,
        3 => DDDOT,
        _ => return format!("{display}_{}", suffix(dots)),
    };
    if let Some((base, index)) = display.split_once('[') {
        return format!("{}[{index}", dotted(base, dots));
    }
    let run = leading_letters(display);
    if run.is_empty() || (run.chars().count() > 1 && run.is_ascii()) {
        return format!("{display}_{}", suffix(dots));
    }
    composed(&format!("{run}{mark}{}", &display[run.len()..])).into_owned()
}

/// The n-th time derivative of a key: theta1 → theta1_dot, theta1_ddot.
#[must_use]
pub fn ascii_dotted(key: &str, dots: u8) -> String {
    if dots == 0 { key.to_owned() } else { format!("{key}_{}", suffix(dots)) }
}

fn suffix(dots: u8) -> String {
    format!("{}ot", "d".repeat(usize::from(dots)))
}

fn leading_letters(display: &str) -> &str {
    let is_index = |c: char| matches!(c, '_' | '[') || c.is_ascii_digit();
    let end = display.find(is_index).unwrap_or(display.len());
    &display[..end]
}

/// The name of a partial derivative, f_xy: the name of the function and of each argument by which
/// it is differentiated; the function's own name where there is none.
#[must_use]
pub fn partial(display: &str, arguments: &[&str]) -> String {
    let underscore = if arguments.is_empty() { "" } else { "_" };
    format!("{display}{underscore}{}", arguments.concat())
}

/// The name under the differential: `dθ` → `θ`, `dx` → `x`, `dt` → `t`; `None` for `d` and `d1`.
///
/// Whether that name is a coordinate is the caller's question.
#[must_use]
pub fn split_differential(text: &str) -> Option<&str> {
    text.strip_prefix('d').filter(|base| base.starts_with(char::is_alphabetic))
}

/// The differential of a base name: θ1 → dθ1.
#[must_use]
pub fn differential(display: &str) -> String {
    format!("d{display}")
}

/// The candidate nearest to a name, for "did you mean"; the first of several equally near.
///
/// Near is a distance (insertions, deletions, changes, swaps of neighbours) of at most a third of
/// the longer key, and at least one common letter; nearer still is what differs in the size of letters alone, and nearest what
/// looks the same in another script.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (own, looks) = (key(name), lookalike::skeleton(name));
    let (wanted, small) = (own.chars().collect::<Vec<_>>(), own.to_ascii_lowercase());
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if lookalike::skeleton(candidate) == looks {
            return Some(candidate);
        }
        let other = key(candidate);
        let differs_in_size = other.to_ascii_lowercase() == small;
        let other = other.chars().collect::<Vec<_>>();
        let longer = wanted.len().max(other.len());
        let distance = if differs_in_size { 0 } else { edit_distance(&wanted, &other) };
        let near = distance <= longer.div_ceil(3) && distance < longer;
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Looks for near names, as long as it is worth it: who makes thousands of mistakes reads the first
/// few, and each look goes through all names.
#[derive(Debug, Clone, Default)]
pub struct Looks {
    done: Cell<usize>,
}

impl Looks {
    /// What all looks may cost: pairs of letters that are compared.
    const COST_MAX: usize = 100_000_000;

    /// The [`nearest`] of some candidates; none once the looks have cost too much.
    pub fn nearest<'a>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        if self.done.get() > Self::COST_MAX {
            return None;
        }
        // A candidate costs its own normal form, too.
        let cost = |candidate: &&str| {
            let more = (name.len() + 20).saturating_mul(candidate.len() + 20);
            self.done.set(self.done.get().saturating_add(more));
        };
        nearest(name, candidates.into_iter().inspect(cost))
    }
}

/// Optimal string alignment distance:
/// d(i, j) = min(d(i−1, j) + 1, d(i, j−1) + 1, d(i−1, j−1) + [aᵢ ≠ bⱼ], d(i−2, j−2) + 1 if swapped).
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before = Vec::<usize>::new();
    let mut above = (0..=b.len()).collect::<Vec<_>>();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_apart() {
        // written, key, display, dots, side
        let table = [
            ("x", "x", "x", 0, Side::None),
            ("ẋ", "x", "x", 1, Side::None),
            ("x\u{307}", "x", "x", 1, Side::None),
            ("x_dot", "x", "x", 1, Side::None),
            ("ẍ", "x", "x", 2, Side::None),
            ("x_ddot", "x", "x", 2, Side::None),
            ("θ̇1_plus", "theta1", "θ1", 1, Side::Plus),
            ("θ1_dot_plus", "theta1", "θ1", 1, Side::Plus),
            ("theta1_dot_minus", "theta1", "theta1", 1, Side::Minus),
            ("γ_x", "gamma_x", "γ_x", 0, Side::None),
            ("γ̇_x", "gamma_x", "γ_x", 1, Side::None),
            ("ϕ", "phi", "φ", 0, Side::None),
            // Alphabets of mathematics, as word processors write them.
            ("𝜃\u{307}_1", "theta_1", "θ_1", 1, Side::None),
            ("𝑚𝟏", "m1", "m1", 0, Side::None),
            ("𝝓", "phi", "φ", 0, Side::None),
            ("𝛺", "Omega", "Ω", 0, Side::None),
            ("ℎ", "h", "h", 0, Side::None),
            ("ϵ", "epsilon", "ε", 0, Side::None),
            ("\u{2126}", "Omega", "Ω", 0, Side::None),
            ("Θ", "Theta", "Θ", 0, Side::None),
            ("Δθ", "Deltatheta", "Δθ", 0, Side::None),
            ("ℓ", "ell", "ℓ", 0, Side::None),
            ("é", "é", "é", 0, Side::None),
            ("ẏ_minus", "y", "y", 1, Side::Minus),
            ("_dot", "_dot", "_dot", 0, Side::None),
            ("_plus", "_plus", "_plus", 0, Side::None),
            ("dot", "dot", "dot", 0, Side::None),
            ("", "", "", 0, Side::None),
            ("x_dddot", "x", "x", 3, Side::None),
        ];
        for (written, key, display, dots, side) in table {
            let name = Name::parse(written);
            let expected = Name { key: key.into(), display: display.into(), dots, side };
            assert_eq!(name, expected, "{written}");
        }
    }

    #[test]
    fn a_name_prints_with_its_dots_and_reads_back() {
        // base, dots, Unicode, ASCII, LaTeX
        let table = [
            ("x", 0, "x", "x", "x"),
            ("x", 1, "\u{1E8B}", "x_dot", r"\dot{x}"),
            ("x", 2, "\u{1E8D}", "x_ddot", r"\ddot{x}"),
            ("θ1", 1, "θ\u{307}1", "theta1_dot", r"\dot{\theta}_{1}"),
            ("θ1", 2, "θ\u{308}1", "theta1_ddot", r"\ddot{\theta}_{1}"),
            ("γ_x", 1, "γ\u{307}_x", "gamma_x_dot", r"\dot{\gamma}_{x}"),
            ("Δθ", 1, "Δθ\u{307}", "Deltatheta_dot", r"\dot{\Delta\theta}"),
            ("pos", 1, "pos_dot", "pos_dot", r"\dot{\mathrm{pos}}"),
            ("theta", 0, "theta", "theta", r"\theta"),
            ("theta1", 2, "theta1_ddot", "theta1_ddot", r"\ddot{\theta}_{1}"),
            ("φ", 1, "φ\u{307}", "phi_dot", r"\dot{\varphi}"),
            ("Δx", 0, "Δx", "Deltax", r"\Delta x"),
            ("roll_x", 0, "roll_x", "roll_x", r"\mathrm{roll}_{x}"),
            ("ω_1_2", 0, "ω_1_2", "omega_1_2", r"\omega_{1,2}"),
            ("γ_θ", 0, "γ_θ", "gamma_theta", r"\gamma_{\theta}"),
            ("x_α2", 0, "x_α2", "x_alpha2", r"x_{\alpha2}"),
            ("Α", 0, "Α", "Alpha", r"\mathrm{A}"),
            ("x", 4, "x_ddddot", "x_ddddot", "{x}^{(4)}"),
        ];
        for (base, dots, unicode, ascii, tex) in table {
            assert_eq!(dotted(base, dots), unicode, "{base}");
            assert_eq!(ascii_dotted(&key(base), dots), ascii, "{base}");
            assert_eq!(latex_dotted(base, dots), tex, "{base}");
            if dots < 4 {
                assert_eq!(Name::parse(unicode).dots, dots, "{base}");
                assert_eq!(Name::parse(ascii).key, key(base), "{base}");
                assert_eq!(Name::parse(unicode).unicode(), unicode);
            }
        }
        assert_eq!(Name::parse("θ̇1_plus").ascii(), "theta1_dot_plus");
    }

    #[test]
    fn every_letter_of_the_table_has_its_own_key() {
        for (index, row) in LETTERS.iter().enumerate() {
            assert!(row.1.is_ascii());
            assert_eq!(key(&row.0.to_string()), row.1);
            assert!(LETTERS[..index].iter().all(|other| other.1 != row.1), "{}", row.1);
        }
    }

    #[test]
    fn a_differential_names_what_it_is_of() {
        let table = [
            ("dx", Some("x")),
            ("dθ", Some("θ")),
            ("dt", Some("t")),
            ("dX", Some("X")),
            ("d", None),
            ("d1", None),
            ("d_x", None),
            ("x", None),
        ];
        for (written, base) in table {
            assert_eq!(split_differential(written), base, "{written}");
        }
        assert_eq!(differential("θ1"), "dθ1");
    }

    #[test]
    fn the_nearest_name_is_found() {
        let names = ["theta", "φ", "x", "roll_x", "roll_y", "mass"];
        let table = [
            ("θ", Some("theta")),
            ("tehta", Some("theta")),
            ("phi", Some("φ")),
            ("phii", Some("φ")),
            ("roll", Some("roll_x")),
            ("roll_z", Some("roll_x")),
            ("mas", Some("mass")),
            ("X", Some("x")),
            ("Φ", Some("φ")),
            ("ROLL_Y", Some("roll_y")),
            ("y", None),
            ("energy", None),
            ("", None),
        ];
        for (written, nearest_name) in table {
            assert_eq!(nearest(written, names), nearest_name, "{written}");
        }
    }
}
