//! The functions of long equations in names, and what is to have one.

use super::letters::FunctionLetters;
use super::naming::{Definition, Naming};
use crate::mechanics::lagrange::quadratic::Quadratic;
use crate::node::ExprId;
use crate::pool::ExprPool;

/// M, h, F, A, b, γ in names.
pub(super) struct Named {
    pub(super) naming: Naming,
    pub(super) definitions: Vec<Definition>,
    pub(super) mass: Vec<Vec<ExprId>>,
    pub(super) bias: Vec<ExprId>,
    pub(super) force: Vec<ExprId>,
    pub(super) rows: Vec<Vec<ExprId>>,
    pub(super) reactions: Vec<Vec<ExprId>>,
    pub(super) affine: Vec<ExprId>,
    pub(super) drift: Vec<ExprId>,
}

/// What is to have a name.
#[derive(Default)]
pub(super) struct Wanted(pub(super) Vec<(String, ExprId)>);

impl Wanted {
    pub(super) fn push(&mut self, name: String, value: ExprId) {
        self.0.push((name, value));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Wanted {
    /// u, a, r, w and ∂V/∂q.
    pub(super) fn push_forms(
        &mut self,
        forms: &Quadratic,
        speeds: &[String],
        letters: &FunctionLetters,
    ) {
        for (k, form) in forms.forms.iter().enumerate() {
            let index = k + 1;
            self.push(format!("{}_{index}", letters.form), *form);
            for (slope, speed) in forms.slopes[k].iter().zip(speeds) {
                self.push(format!("{}_{index}_{speed}", letters.slope), *slope);
            }
            self.push(format!("{}_{index}", letters.rate), forms.rates[k]);
            for (turn, speed) in forms.turns[k].iter().zip(speeds) {
                self.push(format!("{}_{index}_{speed}", letters.turn), *turn);
            }
        }
        for (slope, speed) in forms.potential.iter().zip(speeds) {
            self.push(format!("{}_{speed}", letters.potential), *slope);
        }
    }

    /// M and h, row by row.
    pub(super) fn push_mass(
        &mut self,
        mass: &[Vec<ExprId>],
        bias: &[ExprId],
        speeds: &[String],
        letters: &FunctionLetters,
    ) {
        for (i, row) in mass.iter().enumerate() {
            for (j, entry) in row.iter().enumerate().take(i + 1) {
                self.push(format!("{}_{}_{}", letters.mass, speeds[j], speeds[i]), *entry);
            }
        }
        for (speed, entry) in speeds.iter().zip(bias) {
            self.push(format!("{}_{speed}", letters.bias), *entry);
        }
    }
}

/// M, h of their entries in the order of [`Wanted::push_mass`].
pub(super) fn mass_and_bias(entries: &[ExprId], n: usize) -> (Vec<Vec<ExprId>>, Vec<ExprId>) {
    let mut mass = vec![vec![ExprPool::ZERO; n]; n];
    let mut entries = entries.iter().copied();
    for i in 0..n {
        for j in 0..=i {
            let entry = entries.next().unwrap_or(ExprPool::ZERO);
            mass[i][j] = entry;
            mass[j][i] = entry;
        }
    }
    (mass, entries.collect())
}
