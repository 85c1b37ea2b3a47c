//! The names that a report makes for what it prints, beside those of the declaration: L, E, H, and of a contact g, ġ,
//! gᵢ, nᵢ, wᵢ, d, d₀, sᵢ, D.
//!
//! A letter that the declaration uses means what it means there: then the report takes another one, the next in the
//! table that makes no name of the declaration. What an expression may hold has a symbol, each with a number of its
//! own, by which factors are ordered.

use super::line::{Line, Printed};
use crate::mechanics::SystemModel;
use crate::name;
use crate::pool::ExprPool;
use crate::print::Names;

/// A letter for each thing that has a name in a report.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letters {
    pub(super) lagrangian: &'static str,
    pub(super) energy: &'static str,
    pub(super) jacobi: &'static str,
    pub(super) dissipation: &'static str,
    pub(super) denominator: &'static str,
    pub(super) gap: &'static str,
    /// n = ∇g S.
    pub(super) reduced: &'static str,
    /// w, the direction of the impact.
    pub(super) direction: &'static str,
    /// d = ∇g·w.
    pub(super) square: &'static str,
    /// The rates of a contact's own rows.
    pub(super) slip: &'static str,
    pub(super) roll: &'static str,
    pub(super) spin: &'static str,
    pub(super) of_functions: FunctionLetters,
}

/// Letters of the functions of long equations, each with indices behind it; see the module `named`.
#[derive(Debug, Clone, Copy)]
pub(super) struct FunctionLetters {
    /// What has a number only: a part of others.
    pub(super) part: &'static str,
    /// M.
    pub(super) mass: &'static str,
    /// h.
    pub(super) bias: &'static str,
    /// F.
    pub(super) force: &'static str,
    /// A.
    pub(super) row: &'static str,
    /// A + ∂F/∂λ.
    pub(super) reaction: &'static str,
    /// b.
    pub(super) offset: &'static str,
    /// γ.
    pub(super) drift: &'static str,
    /// S.
    pub(super) map: &'static str,
    /// c.
    pub(super) free_offset: &'static str,
    /// κ.
    pub(super) free_drift: &'static str,
    /// What must not vanish.
    pub(super) pivot: &'static str,
    /// A_D⁻¹.
    pub(super) inverse: &'static str,
    /// K = M S.
    pub(super) momentum: &'static str,
    /// k = M κ + h − F.
    pub(super) push: &'static str,
    /// R = K v̇_f + k.
    pub(super) pull: &'static str,
    /// G = SᵀK.
    pub(super) reduced_mass: &'static str,
    /// β = Sᵀk.
    pub(super) reduced_bias: &'static str,
    /// u.
    pub(super) form: &'static str,
    /// ∂u/∂v.
    pub(super) slope: &'static str,
    /// r = D u.
    pub(super) rate: &'static str,
    /// w = D ∂u/∂v − ∂u/∂q.
    pub(super) turn: &'static str,
    /// ∂V/∂q.
    pub(super) potential: &'static str,
}

impl FunctionLetters {
    /// Letters that no name of the declaration begins with, as far as there are such, each another one.
    fn new(model: &SystemModel) -> Self {
        let keys = model.keys();
        let mut used: Vec<&'static str> = Vec::new();
        let mut next = |letters: &[&'static str]| {
            let found = first(letters, |letter| {
                let key = name::key(letter);
                let begins = |declared: &String| {
                    declared
                        .strip_prefix(key.as_str())
                        .is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
                };
                !used.contains(&letter) && !keys.iter().any(begins)
            });
            used.push(found);
            found
        };
        Self {
            mass: next(&["M", "W", "M_0"]),
            bias: next(&["h", "η", "h_0"]),
            force: next(&["F", "Q", "Φ", "F_0"]),
            row: next(&["A", "C", "Λ", "A_0"]),
            reaction: next(&["Q", "Ψ", "Q_0"]),
            offset: next(&["b", "o", "b_0"]),
            drift: next(&["γ", "ξ", "γ_0"]),
            map: next(&["S", "T", "Σ", "S_0"]),
            free_offset: next(&["c", "τ", "c_0"]),
            free_drift: next(&["κ", "χ", "κ_0"]),
            pivot: next(&["d", "δ", "Δ", "d_0"]),
            inverse: next(&["N", "U", "Ξ", "N_0"]),
            momentum: next(&["K", "P", "Π", "K_0"]),
            push: next(&["k", "p", "k_0"]),
            pull: next(&["R", "Z", "R_0"]),
            reduced_mass: next(&["G", "Γ", "G_0"]),
            reduced_bias: next(&["β", "ζ", "ν", "β_0"]),
            form: next(&["u", "υ", "u_0"]),
            slope: next(&["J", "Y", "L", "J_0"]),
            rate: next(&["r", "ρ", "ψ", "r_0"]),
            turn: next(&["w", "τ", "W", "w_0"]),
            potential: next(&["V", "X", "V_0"]),
            part: next(&["a", "s", "z", "q", "y", "a_0"]),
        }
    }
}

impl Letters {
    pub(super) fn new(model: &SystemModel, names: &Names) -> Self {
        let speeds: Vec<&str> = model.speeds.iter().map(|s| s.named.name.as_str()).collect();
        // δ and delta are one name.
        let keys = model.keys();
        let is_free = |made: String| {
            let key = name::key(&made);
            !names.is_taken(model, &made) && !keys.contains(&key)
        };
        let indexed =
            |letter: &str| speeds.iter().all(|speed| is_free(format!("{letter}_{speed}")));
        let alone = |letter: &str| is_free(letter.to_owned());
        let dotted = |letter: &str| is_free(name::dotted(letter, 1));
        let numbered = |letter: &str| (0..=speeds.len()).all(|i| is_free(format!("{letter}_{i}")));
        let dissipation = first(&["D", "ℛ"], alone);
        let dissipates = model.contacts.iter().any(|c| c.dissipation != ExprPool::ZERO);
        let slip = first(&["s", "σ", "r", "ρ", "ς", "Σ"], |s| alone(s) && numbered(s));
        Self {
            lagrangian: first(&["L", "ℒ"], alone),
            energy: first(&["E", "ℰ"], alone),
            jacobi: first(&["H", "ℋ"], alone),
            dissipation,
            denominator: first(&["D", "Δ", "N"], |d| {
                alone(d) && !(dissipates && d == dissipation)
            }),
            gap: first(&["g", "h", "γ", "χ", "Γ", "ψ", "ϕ"], |g| {
                alone(g) && dotted(g) && indexed(g)
            }),
            reduced: first(&["n", "ν", "b", "η", "ξ", "N"], |n| alone(n) && indexed(n)),
            direction: first(&["w", "u", "ω", "ζ", "W", "υ", "ϖ"], |w| alone(w) && indexed(w)),
            square: first(&["d", "δ", "c", "κ", "Δ", "ϰ", "K"], |d| alone(d) && numbered(d)),
            slip,
            roll: first(&["ρ", "w", "κ", "ϖ"], |r| alone(r) && numbered(r) && r != slip),
            spin: first(&["σ", "ς", "ζ", "ϑ"], |s| alone(s) && s != slip),
            of_functions: FunctionLetters::new(model),
        }
    }
}

impl Letters {
    /// A remark in which «g», «ġ», «n», «w» and «d» stand for the letters.
    pub(super) fn note(&self, unicode: &str, latex: &str) -> Line {
        let Self { gap, reduced, direction, square, .. } = *self;
        let put = |text: &str, write: fn(&str) -> String| {
            let rate = name::dotted(gap, 1);
            let letters = [
                ("«g»", gap),
                ("«ġ»", rate.as_str()),
                ("«n»", reduced),
                ("«w»", direction),
                ("«d»", square),
            ];
            letters
                .iter()
                .fold(text.to_owned(), |text, (place, letter)| text.replace(place, &write(letter)))
        };
        Line::Note(Printed::pair(put(unicode, str::to_owned), put(latex, self::latex)))
    }
}

/// The first letter that serves; the last one where none does.
fn first(letters: &[&'static str], serves: impl Fn(&str) -> bool) -> &'static str {
    let found = letters.iter().find(|letter| serves(letter)).or(letters.last());
    found.copied().unwrap_or_default()
}

/// A letter in both notations.
pub(super) fn letter(letter: &str) -> Printed {
    Printed::pair(letter, latex(letter))
}

/// A letter in LaTeX.
fn latex(letter: &str) -> String {
    match letter {
        "ℒ" => r"\mathcal{L}".to_owned(),
        "ℰ" => r"\mathcal{E}".to_owned(),
        "ℋ" => r"\mathcal{H}".to_owned(),
        "ℛ" => r"\mathcal{R}".to_owned(),
        other => name::latex(other),
    }
}

/// What stands under a name of the report within its expressions; i counts speeds, or own rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Local<'n> {
    /// With the name of the free velocity, which may be none of the speeds.
    Reduced(usize, &'n str),
    Direction(usize),
    Square,
    FreeSquare,
    GapRate,
    Gradient(usize),
    Slip(usize),
}

impl Local<'_> {
    /// Its number among all of a model with so many speeds: no two have the same.
    pub(super) fn number(self, speeds: usize) -> usize {
        let (kind, i) = match self {
            Self::Reduced(i, _) => (0, i),
            Self::Direction(i) => (1, i),
            Self::Square => (2, 0),
            Self::FreeSquare => (3, 0),
            Self::GapRate => (4, 0),
            Self::Gradient(i) => (5, i),
            // The last: a contact may have more rows than there are speeds.
            Self::Slip(i) => (6, i),
        };
        kind * speeds.max(1) + i
    }

    pub(super) fn name(self, letters: &Letters, model: &SystemModel) -> String {
        let of = |letter: &str, i: usize| format!("{letter}_{}", model.speeds[i].named.name);
        match self {
            Self::Reduced(_, free) => format!("{}_{free}", letters.reduced),
            Self::Direction(i) => of(letters.direction, i),
            Self::Square => letters.square.to_owned(),
            Self::FreeSquare => format!("{}_0", letters.square),
            Self::GapRate => name::dotted(letters.gap, 1),
            Self::Gradient(i) => of(letters.gap, i),
            Self::Slip(i) => format!("{}_{i}", letters.slip),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Local::{Direction, FreeSquare, GapRate, Gradient, Reduced, Slip, Square};
    use std::collections::BTreeSet;

    #[test]
    fn no_two_names_of_a_report_have_the_same_number() {
        for speeds in 0..6 {
            let each = |make: fn(usize) -> super::Local<'static>| {
                (0..speeds).map(make).collect::<Vec<_>>()
            };
            let rows = (0..9).map(Slip).collect();
            let all = [each(|i| Reduced(i, "u")), each(Direction), each(Gradient), rows].concat();
            let all = [all, vec![Square, FreeSquare, GapRate]].concat();
            let numbers: BTreeSet<usize> = all.iter().map(|local| local.number(speeds)).collect();
            assert_eq!(numbers.len(), all.len(), "with {speeds} speeds");
        }
    }
}
