//! 1-forms that are integrable, by themselves or together.
//!
//! On (t, q) with the fields X_0, …, X_{m−1} of the speeds and X_m = ∂/∂t, [X_i, X_j] = Σ c_ij^k X_k,
//! a row is ω = Σ A_j θ^j + b dt with the dual forms θ, and
//!
//! ```text
//! dω(X_i, X_j) = X_i A_j − X_j A_i − Σ c_ij^k A_k
//! ω ∧ dω = 0                                    ω by itself is f dg (Frobenius)
//! I⁽¹⁾ = {ω ∈ I : dω ≡ 0 mod I}, …, I^∞         the largest integrable system within I
//! ```
//!
//! I⁽¹⁾ at a point are the combinations Σ f_a ω^a whose Σ f_a dω^a vanishes on ker I. If it is all of
//! I, so is I^∞; if it is what is integrable already, so is I^∞; else
//! [`involution`](super::involution) finds I^∞ as what vanishes on the brackets of ker I.

use super::{
    Finding, Subject, ZERO, free, involution, placed, potential, states, without_functions,
};
use crate::dense::{self, Matrix};
use crate::mechanics::claim::sample::{Sample, Sampler};
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::declared::RowKind;
use crate::pool::ExprPool;
use crate::program::Program;

const SEED: u64 = 0xF0B;

/// Entries of a reduced basis below this are rounding.
const ENTRY: f64 = 1e-6;

/// Entries of all dω above which the question costs too much: some 60 rows of 60 coordinates.
const ENTRIES_MAX: usize = 250_000;

/// The rows as forms, and their derivatives, as functions of (t, q).
#[derive(Debug)]
pub(super) struct Forms {
    /// The number of rows, and that of fields, m + 1.
    sizes: (usize, usize),
    /// A and b by rows, the X_i A_j that are not literally 0, c_ij^k.
    program: Program,
    /// (row, j, i) of the X_i A_j.
    slopes: Vec<(usize, usize, usize)>,
    /// (i, j, k) of the brackets.
    brackets: Vec<(usize, usize, usize)>,
}

/// The forms at a state.
pub(super) struct Values {
    /// ω by components.
    pub(super) forms: Matrix,
    /// dω(X_i, X_j), rounding made 0.
    slopes: Vec<Matrix>,
}

/// Integrable rows, and those that are integrable together.
pub(super) fn holonomic(model: &mut SystemModel, subject: &Subject<'_>) -> Vec<Finding> {
    // What a row keeps that a contact releases may change at its impact: it is no function φ.
    let releases = |row: usize| model.contacts.iter().any(|c| c.releases.contains(&row));
    let released: Vec<bool> = (0..model.rows.len()).map(releases).collect();
    let is_velocity = |row: usize| matches!(model.rows[row].kind, RowKind::Velocity);
    let velocity: Vec<usize> = (0..model.rows.len()).filter(|row| is_velocity(*row)).collect();
    let fields = model.speeds.len() + 1;
    // Rows with coefficients of v are no forms; what others are beside them is not told.
    let too_many = model.rows.len() * fields * fields > ENTRIES_MAX;
    if velocity.is_empty() || model.chetaev_row().is_some() || too_many {
        return Vec::new();
    }
    let forms = Forms::new(model, subject);
    let sampler = Sampler::new(model, subject.functions, SEED);
    let subjects = (&*model, subject.functions);
    let free: Vec<Values> = states(subjects, &[], SEED, free)
        .iter()
        .filter_map(|sample| forms.at(&sampler, sample))
        .collect();
    let placed = states(subjects, &[], SEED, placed);
    let by_itself = |row: &usize| !free.is_empty() && free.iter().all(|v| v.is_integrable(*row));
    let integrable: Vec<usize> = velocity.iter().copied().filter(by_itself).collect();
    let known: Vec<bool> =
        (0..model.rows.len()).map(|r| !velocity.contains(&r) || integrable.contains(&r)).collect();
    let looks = placed.into_iter().filter_map(|s| Some((forms.at(&sampler, &s)?, s)));
    let (looks, placed): (Vec<Values>, Vec<Sample>) = looks.unzip();
    let mut findings: Vec<Finding> = integrable
        .iter()
        .filter(|row| !released[**row])
        .map(|row| Finding::IntegrableRow {
            row: *row,
            function: potential::function(model, subject.declared, *row),
        })
        .collect();
    if let Some((spaces, at)) = derived(&looks, &known) {
        let whole = spaces.len() == model.rows.len();
        let spaces = if whole {
            Some(spaces)
        } else {
            let integrable = known.iter().filter(|known| **known).count();
            involution::terminal(model, subject, (&placed[at], integrable))
                .filter(|space| !space.is_empty())
        };
        let together = spaces.map(|space| together(&space, &looks, &known)).unwrap_or_default();
        findings.extend(together.into_iter().filter(|found| match found {
            Finding::HolonomicTogether { rows, .. } => !rows.iter().any(|row| released[*row]),
            _ => true,
        }));
    }
    findings
}

/// I⁽¹⁾ as combinations of the rows, where it is more than what is known to be integrable, and the look that it is of.
fn derived(looks: &[Values], known: &[bool]) -> Option<(Matrix, usize)> {
    let count = known.iter().filter(|known| **known).count();
    let all: Vec<usize> = (0..known.len()).collect();
    // The derived system is smallest at generic states.
    let derived = looks.iter().map(|v| v.derived(&all)).zip(0..);
    let least = derived.min_by_key(|(space, _)| space.len())?;
    (least.0.len() > count).then_some(least)
}

/// The findings of I^∞, a space of combinations, besides what is known.
fn together(space: &Matrix, looks: &[Values], known: &[bool]) -> Vec<Finding> {
    let unknown: Vec<usize> = (0..known.len()).filter(|row| !known[*row]).collect();
    let rest: Matrix =
        space.iter().map(|f| unknown.iter().map(|row| clean(f[*row])).collect()).collect();
    let (basis, _) = dense::reduced(&rest);
    let supports = basis.iter().map(|f| {
        (0..f.len()).filter(|i| f[*i].abs() > ENTRY).map(|i| unknown[i]).collect::<Vec<usize>>()
    });
    let supports: Vec<Vec<usize>> = supports.collect();
    let single: Vec<usize> =
        supports.iter().filter(|rows| rows.len() == 1).map(|rows| rows[0]).collect();
    let helpers: Vec<usize> =
        (0..known.len()).filter(|row| known[*row] || single.contains(row)).collect();
    let mut sets: Vec<(Vec<usize>, usize)> = Vec::new();
    for rows in supports {
        let set = if rows.len() == 1 { smallest(rows[0], &helpers, looks) } else { rows };
        match sets.iter_mut().find(|(other, _)| *other == set) {
            Some((_, count)) => *count += 1,
            None => sets.push((set, 1)),
        }
    }
    sets.into_iter()
        .map(|(set, count)| {
            let (with, rows) = set.into_iter().partition(|row| known[*row]);
            Finding::HolonomicTogether { rows, with, count }
        })
        .collect()
}

fn clean(x: f64) -> f64 {
    if x.abs() > ENTRY { x } else { 0.0 }
}

/// The rows that a row needs for an integrable system with them: those without which it is none are
/// kept.
fn smallest(row: usize, helpers: &[usize], looks: &[Values]) -> Vec<usize> {
    let is_closed = |set: &[usize]| looks.iter().all(|v| v.derived(set).len() == set.len());
    let mut set = helpers.to_vec();
    for helper in helpers.iter().filter(|helper| **helper != row) {
        let without: Vec<usize> = set.iter().copied().filter(|other| other != helper).collect();
        if is_closed(&without) {
            set = without;
        }
    }
    set
}

impl Forms {
    fn new(model: &mut SystemModel, subject: &Subject<'_>) -> Self {
        let declared = subject.declared;
        let mut positions = declared.positions();
        positions.push(declared.time);
        let fields = declared.speeds.len() + 1;
        let mut entries = Vec::new();
        for row in &declared.rows {
            entries.extend(row.coefficients.iter().copied().chain([row.affine]));
        }
        let mut places = Vec::new();
        for index in 0..declared.rows.len() * fields {
            if entries[index] == ExprPool::ZERO {
                continue;
            }
            let mut slopes = model.pool.gradient(entries[index], &positions);
            let rate = slopes.pop().unwrap_or(ExprPool::ZERO);
            let along = model.along_speeds(slopes).into_iter().chain([rate]).enumerate();
            for (i, slope) in along.filter(|(_, slope)| *slope != ExprPool::ZERO) {
                places.push((index / fields, index % fields, i));
                entries.push(slope);
            }
        }
        let kinematics = declared.kinematics.as_ref();
        let brackets = kinematics.map_or(&[][..], |kinematics| &kinematics.brackets);
        entries.extend(brackets.iter().map(|bracket| bracket.value));
        without_functions(model, &mut entries);
        let entries = entries.into_iter().map(|e| (String::new(), e));
        Self {
            sizes: (declared.rows.len(), fields),
            program: Program::of_expressions(&model.pool, "forms", entries),
            slopes: places,
            brackets: brackets.iter().map(|b| (b.i, b.j, b.k)).collect(),
        }
    }

    /// The values at a state; `None` where they are not all defined.
    fn at(&self, sampler: &Sampler<'_>, sample: &Sample) -> Option<Values> {
        let (count, n) = self.sizes;
        let values = sampler.run(&self.program, sample);
        if values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let (forms, rest) = values.split_at(count * n);
        let (along, brackets) = rest.split_at(self.slopes.len());
        let forms: Matrix = forms.chunks(n).map(<[f64]>::to_vec).collect();
        let zeros = || vec![vec![vec![0.0; n]; n]; count];
        let (mut slopes, mut sizes) = (zeros(), zeros());
        let mut add = |(a, i, j): (usize, usize, usize), term: f64| {
            slopes[a][i][j] += term;
            sizes[a][i][j] += f64::abs(term);
        };
        for (&(a, j, i), slope) in self.slopes.iter().zip(along) {
            add((a, i, j), *slope);
            add((a, j, i), -slope);
        }
        for (&(i, j, k), c) in self.brackets.iter().zip(brackets) {
            for (a, form) in forms.iter().enumerate() {
                add((a, i, j), -c * form[k]);
            }
        }
        let sizes = sizes.iter().flatten().flatten();
        for (d, size) in slopes.iter_mut().flatten().flatten().zip(sizes) {
            if d.abs() <= ZERO * size {
                *d = 0.0;
            }
        }
        Some(Values { forms, slopes })
    }
}

impl Values {
    /// ω ∧ dω = 0: ω_i dω_jk + ω_j dω_ki + ω_k dω_ij.
    fn is_integrable(&self, row: usize) -> bool {
        let (ω, d) = (&self.forms[row], &self.slopes[row]);
        let n = ω.len();
        for i in 0..n {
            for j in i + 1..n {
                for k in j + 1..n {
                    let terms = [ω[i] * d[j][k], ω[j] * d[k][i], ω[k] * d[i][j]];
                    let size: f64 = terms.iter().map(|term| term.abs()).sum();
                    if terms.iter().sum::<f64>().abs() > ZERO * size {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The f with Σ f_a dω^a = 0 on the kernel of all ω^a, a among some rows; f has an entry for
    /// every row.
    fn derived(&self, rows: &[usize]) -> Matrix {
        let n = self.forms.first().map_or(0, Vec::len);
        let forms: Matrix = rows.iter().map(|a| self.forms[*a].clone()).collect();
        let kernel = dense::null_space(&forms, n);
        let restricted: Matrix =
            rows.iter().map(|a| restricted(&self.slopes[*a], &kernel)).collect();
        let width = restricted.first().map_or(0, Vec::len);
        let spread = |f: Vec<f64>| {
            let mut whole = vec![0.0; self.forms.len()];
            rows.iter().zip(f).for_each(|(row, f)| whole[*row] = f);
            whole
        };
        dense::left_null_space(&restricted, width).into_iter().map(spread).collect()
    }
}

/// The values of a 2-form on the pairs of some vectors, rounding made 0.
fn restricted(form: &[Vec<f64>], vectors: &[Vec<f64>]) -> Vec<f64> {
    let mut entries = Vec::new();
    for (i, row) in form.iter().enumerate() {
        entries.extend(row.iter().enumerate().filter(|(_, x)| **x != 0.0).map(|(j, x)| (i, j, *x)));
    }
    let mut values = Vec::new();
    for (index, u) in vectors.iter().enumerate() {
        for v in &vectors[index + 1..] {
            let (mut value, mut size) = (0.0, 0.0);
            for &(i, j, entry) in &entries {
                value += u[i] * entry * v[j];
                size += (u[i] * entry * v[j]).abs();
            }
            values.push(if f64::abs(value) <= ZERO * size { 0.0 } else { value });
        }
    }
    values
}
