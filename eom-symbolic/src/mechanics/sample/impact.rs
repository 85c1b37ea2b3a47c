//! The impact laws of claims, at one state: the rows B in the kinetic metric, v⁺ and impulses.

use super::dynamics::Dynamics;
use super::{Sample, Sampler, largest};
use crate::dense::{self, Matrix};
use crate::mechanics::system::Law;
use crate::node::SymbolKind;

impl Sampler<'_> {
    /// G⁻¹Bᵀ, B G⁻¹ Bᵀ, its inverse, P and v⁺.
    pub(super) fn solve_impact(
        &self,
        dynamics: Dynamics,
        sample: &mut Sample,
        at: Option<(usize, Law)>,
    ) -> Option<()> {
        let n = self.model.dimension();
        let Dynamics { mut rows, mut affine, mass, .. } = dynamics;
        if let Some((contact, _)) = at {
            let (_, gradient, rate) = self.contact(contact, sample);
            rows.push(gradient);
            affine.push(rate);
        }
        if rows.is_empty() {
            return Some(());
        }
        let metric = Metric::new(&mass, &rows)?;
        metric.record(sample, n);
        if let Some((_, law)) = at {
            let v = sample.get_all(SymbolKind::Velocity, n);
            let impact = Impact { mass: &mass, rows: &rows, affine: &affine, metric: &metric };
            let (after, impulses) = impact.apply(self, sample, law, &v)?;
            sample.set_all(SymbolKind::VelocityAfter, &after, largest(&v));
            sample.set_all(SymbolKind::Impulse, &impulses, 0.0);
        }
        Some(())
    }
}

/// The rows B in the kinetic metric.
struct Metric {
    /// G⁻¹ of each row.
    sharp: Matrix,
    gram: Matrix,
    gram_inverse: Matrix,
    projector: Matrix,
}

impl Metric {
    fn new(mass: &[Vec<f64>], rows: &[Vec<f64>]) -> Option<Self> {
        let n = mass.len();
        let sharp: Matrix =
            rows.iter().map(|row| dense::solve(mass, row)).collect::<Option<_>>()?;
        let gram: Matrix =
            rows.iter().map(|a| sharp.iter().map(|w| dense::dot(a, w)).collect()).collect();
        let gram_inverse = dense::inverse(&gram)?;
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
        Some(Self { sharp, gram, gram_inverse, projector })
    }

    fn record(&self, sample: &mut Sample, n: usize) {
        let whole = |m: &Matrix| m.iter().map(|row| largest(row)).fold(0.0, f64::max);
        let (gram, inverse) = (whole(&self.gram), whole(&self.gram_inverse));
        let projector = whole(&self.projector);
        for (a, row) in self.sharp.iter().enumerate() {
            sample.set_all(|i| SymbolKind::Sharp(a, i), row, 0.0);
            sample.set_all(|b| SymbolKind::Gram(a, b), &self.gram[a], gram);
            sample.set_all(|b| SymbolKind::GramInverse(a, b), &self.gram_inverse[a], inverse);
        }
        for i in 0..n {
            sample.set_all(|j| SymbolKind::Projector(i, j), &self.projector[i], projector);
        }
    }
}

/// An impact with the contact's row last in B.
struct Impact<'a> {
    mass: &'a [Vec<f64>],
    rows: &'a [Vec<f64>],
    affine: &'a [f64],
    metric: &'a Metric,
}

impl Impact<'_> {
    /// (v⁺, impulses with M(v⁺ − v⁻) = BᵀΛ).
    fn apply(
        &self,
        sampler: &Sampler<'_>,
        sample: &Sample,
        law: Law,
        v: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let all = 0..self.rows.len();
        let gap = self.rows.len() - 1;
        match law {
            Law::Elastic => self.remove(all, 2.0, v),
            Law::Plastic => self.remove(all, 1.0, v),
            Law::Restitution(e) => {
                let e = sampler.evaluate(&[e], sample)[0];
                self.remove(all, 1.0 + e, v)
            }
            Law::Reflect => self.remove(gap..gap + 1, 2.0, v),
            Law::Project => {
                let (reflected, first) = self.remove(gap..gap + 1, 2.0, v)?;
                let (after, second) = self.remove(0..gap, 1.0, &reflected)?;
                Some((after, first.iter().zip(second).map(|(a, b)| a + b).collect()))
            }
            Law::Corner => self.corner(v),
        }
    }

    /// v − factor·G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹(B v + b) for the rows of a range.
    fn remove(
        &self,
        range: std::ops::Range<usize>,
        factor: f64,
        v: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut impulses = vec![0.0; self.rows.len()];
        if range.is_empty() {
            return Some((v.to_vec(), impulses));
        }
        let gram: Matrix =
            range.clone().map(|a| self.metric.gram[a][range.clone()].to_vec()).collect();
        let rates: Vec<f64> =
            range.clone().map(|a| dense::dot(&self.rows[a], v) + self.affine[a]).collect();
        let mut after = v.to_vec();
        for (a, rate) in range.zip(dense::solve(&gram, &rates)?) {
            impulses[a] = -factor * rate;
            for (v, w) in after.iter_mut().zip(&self.metric.sharp[a]) {
                *v += impulses[a] * w;
            }
        }
        Some((after, impulses))
    }

    /// The corner conditions (bouncing-penny (15)) as they stand, by (16) and (17): with
    /// ⟨a,b⟩ the metric on forms and p = M v⁻, λ is linear in α and α ≠ 0 solves
    ///
    /// ```text
    /// λ_k⟨ω^k,ω^l⟩ + α⟨dh,ω^l⟩ = 0
    /// 2λ_k⟨p,ω^k⟩ + 2α⟨p,dh⟩ + λ_iλ_j⟨ω^i,ω^j⟩ + 2λ_kα⟨ω^k,dh⟩ + α²⟨dh,dh⟩ = 0
    /// ```
    fn corner(&self, v: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let gap = self.rows.len() - 1;
        let gram = &self.metric.gram;
        let constraint: Matrix = gram[..gap].iter().map(|row| row[..gap].to_vec()).collect();
        let coupling: Vec<f64> = gram[..gap].iter().map(|row| -row[gap]).collect();
        let mut ratio = if gap == 0 { Vec::new() } else { dense::solve(&constraint, &coupling)? };
        ratio.push(1.0);
        let p = dense::times(self.mass, v);
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
