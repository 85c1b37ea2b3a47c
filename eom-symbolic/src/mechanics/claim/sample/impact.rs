//! The impact laws of claims, at one state: the rows B in the kinetic metric, v⁺ and impulses.
//!
//! RowsOfB of B go by their places among all rows: i < k of A, k of ∇g, k + 1 + j of the contact's own
//! row j. Those that depend on rows before them are no part of P, nor of the inverse of BG⁻¹Bᵀ. The contact's own take no
//! impulse then; of closed contacts, which all press, the impulses are not determined.

use super::dynamics::Dynamics;
use super::{Sample, Sampler, largest};
use crate::dense::{self, Matrix};
use crate::mechanics::system::contact::{ImpactOf, Law};
use crate::node::SymbolKind;

impl Sampler<'_> {
    /// G⁻¹Bᵀ, B G⁻¹ Bᵀ, its inverse, P and v⁺.
    pub(super) fn solve_impact(
        &self,
        dynamics: Dynamics,
        sample: &mut Sample,
        at: Option<(usize, ImpactOf)>,
    ) -> Option<()> {
        let n = self.model.speeds.len();
        let rows = self.rows_of_b(dynamics, sample, at.map(|(contact, _)| contact));
        if rows.rows.is_empty() {
            return Some(());
        }
        let metric = Metric::new(&rows)?;
        metric.record(&rows, sample, n);
        if let Some((contact, law)) = at {
            if !metric.taken.contains(&rows.gap) {
                return None;
            }
            let v = sample.get_all(SymbolKind::Velocity, n);
            let impact = Impact { rows: &rows, metric: &metric };
            let (after, impulses) = if law == ImpactOf::Law(Law::Assign) {
                (self.assigned(contact, sample, &v), Vec::new())
            } else {
                impact.apply(self, sample, law, &v)?
            };
            let (impulses, size) = impact.spread(impulses, &v, self.random.clone().fork());
            let declared = &self.model.contacts[contact];
            let after: Vec<f64> = (0..n).map(|i| after[declared.relabelled(i)]).collect();
            sample.set_all(SymbolKind::VelocityAfter, &after, largest(&v));
            sample.set_all(|i| SymbolKind::Impulse(rows.places[i]), &impulses, size);
        }
        Some(())
    }

    /// The rows of B at a contact, or those of A.
    fn rows_of_b(&self, dynamics: Dynamics, sample: &Sample, at: Option<usize>) -> RowsOfB {
        let Dynamics { rows, affine, mass, .. } = dynamics;
        let k = rows.len();
        let Some(contact) = at else {
            return RowsOfB { mass, places: (0..k).collect(), rows, affine, gap: k };
        };
        let own = self.contact(contact, sample);
        let all: Matrix = rows.into_iter().chain([own.gradient]).chain(own.rows).collect();
        let all_affine: Vec<f64> = affine.into_iter().chain([own.rate]).chain(own.affine).collect();
        let places = self.model.contacts[contact].rows_of_b(k);
        RowsOfB {
            mass,
            rows: places.iter().map(|&place| all[place].clone()).collect(),
            affine: places.iter().map(|&place| all_affine[place]).collect(),
            gap: places.iter().position(|place| *place == k).unwrap_or(k),
            places,
        }
    }

    /// v⁻ with the velocities that the contact assigns.
    fn assigned(&self, contact: usize, sample: &Sample, v: &[f64]) -> Vec<f64> {
        let mut after = v.to_vec();
        for (target, value) in &self.model.contacts[contact].assigned {
            after[*target] = self.evaluate(&[*value], sample)[0];
        }
        after
    }

    /// The rows of B that depend on those before them at every state of a contact's surface, by
    /// their places; none where no state is found.
    pub fn always_dropped(&mut self, contact: usize) -> Vec<usize> {
        const STATES: usize = 6;
        let conditions = super::Conditions::default();
        let at = Some((contact, ImpactOf::Law(Law::PLASTIC)));
        let place = super::Place { on_constraints: true, at, conditions: &conditions };
        let mut dropped: Option<Vec<usize>> = None;
        for _ in 0..STATES {
            let Ok(sample) = self.state(place) else { return Vec::new() };
            let rows = self.rows_of_b(self.dynamics(&sample), &sample, Some(contact));
            let taken = dense::independent_rows(&rows.rows);
            let here = (0..rows.rows.len()).filter(|i| !taken.contains(i));
            let here: Vec<usize> = here.map(|i| rows.places[i]).collect();
            dropped = Some(match dropped {
                None => here,
                Some(before) => before.into_iter().filter(|row| here.contains(row)).collect(),
            });
        }
        dropped.unwrap_or_default()
    }
}

/// The rows of B at a state, and M.
struct RowsOfB {
    mass: Matrix,
    rows: Matrix,
    affine: Vec<f64>,
    /// Which of all rows each is.
    places: Vec<usize>,
    /// The index of ∇g in `rows`; its length or more without a contact.
    gap: usize,
}

/// The rows B in the kinetic metric.
struct Metric {
    /// G⁻¹ of each row.
    sharp: Matrix,
    gram: Matrix,
    /// The inverse for the independent rows, 0 elsewhere.
    gram_inverse: Matrix,
    projector: Matrix,
    /// The independent rows.
    taken: Vec<usize>,
}

impl Metric {
    fn new(RowsOfB { mass, rows, .. }: &RowsOfB) -> Option<Self> {
        let (n, count) = (mass.len(), rows.len());
        let sharp: Matrix =
            rows.iter().map(|row| dense::solve(mass, row)).collect::<Option<_>>()?;
        let gram: Matrix =
            rows.iter().map(|a| sharp.iter().map(|w| dense::dot(a, w)).collect()).collect();
        let taken = dense::independent_rows(rows);
        let inverse = dense::inverse(&part(&gram, &taken))?;
        let mut gram_inverse = vec![vec![0.0; count]; count];
        for (a, row) in taken.iter().zip(&inverse) {
            taken.iter().zip(row).for_each(|(b, entry)| gram_inverse[*a][*b] = *entry);
        }
        let weights: Matrix = (0..n)
            .map(|j| {
                let column: Vec<f64> = rows.iter().map(|row| row[j]).collect();
                dense::times(&gram_inverse, &column)
            })
            .collect();
        let projector = (0..n)
            .map(|i| {
                let entries = weights.iter();
                entries
                    .map(|weight| sharp.iter().zip(weight).map(|(w, c)| w[i] * c).sum())
                    .collect()
            })
            .collect();
        Some(Self { sharp, gram, gram_inverse, projector, taken })
    }

    fn record(&self, RowsOfB { places, .. }: &RowsOfB, sample: &mut Sample, n: usize) {
        let whole = |m: &Matrix| m.iter().map(|row| largest(row)).fold(0.0, f64::max);
        let (gram, inverse) = (whole(&self.gram), whole(&self.gram_inverse));
        let projector = whole(&self.projector);
        for (a, row) in self.sharp.iter().enumerate() {
            let place = places[a];
            sample.set_all(|i| SymbolKind::Sharp(place, i), row, 0.0);
            sample.set_all(|b| SymbolKind::Gram(place, places[b]), &self.gram[a], gram);
            let entries = &self.gram_inverse[a];
            sample.set_all(|b| SymbolKind::GramInverse(place, places[b]), entries, inverse);
        }
        for i in 0..n {
            sample.set_all(|j| SymbolKind::Projector(i, j), &self.projector[i], projector);
        }
    }
}

/// The rows and columns of a matrix.
fn part(matrix: &[Vec<f64>], indices: &[usize]) -> Matrix {
    indices.iter().map(|a| indices.iter().map(|b| matrix[*a][*b]).collect()).collect()
}

/// An impact at a contact.
struct Impact<'a> {
    rows: &'a RowsOfB,
    metric: &'a Metric,
}

impl Impact<'_> {
    /// (v⁺, impulses with M(v⁺ − v⁻) = BᵀΛ).
    fn apply(
        &self,
        sampler: &Sampler<'_>,
        sample: &Sample,
        law: ImpactOf,
        v: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let gap = self.rows.gap;
        let all: Vec<usize> = (0..self.rows.rows.len()).collect();
        match law {
            ImpactOf::Law(Law::Restitution(e)) => {
                let e = sampler.evaluate(&e, sample);
                let class = |row: usize| usize::from(row >= gap) + usize::from(row > gap);
                self.remove(&all, |row| 1.0 + e[class(row)], v)
            }
            ImpactOf::Reflect => self.remove(&[gap], |_| 2.0, v),
            ImpactOf::Law(Law::Project) => {
                let (reflected, first) = self.remove(&[gap], |_| 2.0, v)?;
                let others: Vec<usize> = all.into_iter().filter(|row| *row != gap).collect();
                let (after, second) = self.remove(&others, |_| 1.0, &reflected)?;
                Some((after, first.iter().zip(second).map(|(a, b)| a + b).collect()))
            }
            ImpactOf::Corner => self.corner(v),
            ImpactOf::Law(Law::Assign) => None,
        }
    }

    /// v − G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹ diag(factor)(B v + b) for the independent of some rows.
    fn remove(
        &self,
        rows: &[usize],
        factor: impl Fn(usize) -> f64,
        v: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let offered: Matrix = rows.iter().map(|row| self.rows.rows[*row].clone()).collect();
        let taken: Vec<usize> =
            dense::independent_rows(&offered).into_iter().map(|index| rows[index]).collect();
        let rate = |row: usize| dense::dot(&self.rows.rows[row], v) + self.rows.affine[row];
        let rates: Vec<f64> = taken.iter().map(|&row| factor(row) * rate(row)).collect();
        let (mut after, mut impulses) = (v.to_vec(), vec![0.0; self.rows.rows.len()]);
        if taken.is_empty() {
            return Some((after, impulses));
        }
        let solved = dense::solve(&part(&self.metric.gram, &taken), &rates)?;
        for (row, rate) in taken.into_iter().zip(solved) {
            impulses[row] = -rate;
            for (v, w) in after.iter_mut().zip(&self.metric.sharp[row]) {
                *v += impulses[row] * w;
            }
        }
        Some((after, impulses))
    }

    /// The impulses where those of rows of A that depend on others are any number, with the same v⁺; what is claimed of them has
    /// to hold for every one. Also the size of what was added.
    fn spread(
        &self,
        mut impulses: Vec<f64>,
        v: &[f64],
        mut random: fastrand::Rng,
    ) -> (Vec<f64>, f64) {
        let (RowsOfB { rows, mass, gap, .. }, Metric { gram, taken, .. }) =
            (self.rows, self.metric);
        let momentum = largest(&dense::times(mass, v)).max(f64::MIN_POSITIVE);
        let before: Vec<usize> = taken.iter().copied().filter(|row| row < gap).collect();
        let mut size: f64 = 0.0;
        for row in (0..impulses.len().min(*gap)).filter(|row| !taken.contains(row)) {
            // The row is Σ share × row of those before it: (B G⁻¹ Bᵀ) share = its products with them.
            let products: Vec<f64> = before.iter().map(|&other| gram[other][row]).collect();
            let shares = dense::solve(&part(gram, &before), &products).unwrap_or_default();
            let arm = largest(&rows[row]).max(f64::MIN_POSITIVE);
            let added = momentum / arm * (2.0 * random.f64() - 1.0);
            impulses[row] += added;
            before.iter().zip(&shares).for_each(|(&other, share)| impulses[other] -= added * share);
            size = shares.iter().fold(size.max(added.abs()), |size, c| size.max((added * c).abs()));
        }
        (impulses, size)
    }

    /// The corner conditions (bouncing-penny (15)) as they stand, by (16) and (17): with
    /// ⟨a,b⟩ the metric on forms and p = M v⁻, λ is linear in α and α ≠ 0 solves
    ///
    /// ```text
    /// λ_k⟨ω^k,ω^l⟩ + α⟨dh,ω^l⟩ = 0
    /// 2λ_k⟨p,ω^k⟩ + 2α⟨p,dh⟩ + λ_iλ_j⟨ω^i,ω^j⟩ + 2λ_kα⟨ω^k,dh⟩ + α²⟨dh,dh⟩ = 0
    /// ```
    ///
    /// They are those of a contact without rows of its own: ∇g is the last row of B.
    fn corner(&self, v: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let gap = self.rows.gap;
        let gram = &self.metric.gram;
        let constraint: Matrix = gram[..gap].iter().map(|row| row[..gap].to_vec()).collect();
        let coupling: Vec<f64> = gram[..gap].iter().map(|row| -row[gap]).collect();
        let mut ratio = if gap == 0 { Vec::new() } else { dense::solve(&constraint, &coupling)? };
        ratio.push(1.0);
        let p = dense::times(&self.rows.mass, v);
        let linear: f64 =
            self.metric.sharp.iter().zip(&ratio).map(|(w, c)| 2.0 * c * dense::dot(&p, w)).sum();
        let quadratic = dense::dot(&ratio, &dense::times(gram, &ratio));
        let α = -linear / quadratic;
        let impulses: Vec<f64> = ratio.iter().map(|c| α * c).collect();
        let mut after = v.to_vec();
        for (impulse, w) in impulses.iter().zip(&self.metric.sharp) {
            after.iter_mut().zip(w).for_each(|(v, w)| *v += impulse * w);
        }
        Some((after, impulses))
    }
}
