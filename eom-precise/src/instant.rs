//! The functions of a state that an instant asks for, and the impact of one contact.
//!
//! ```text
//! v⁺ = v⁻ − M⁻¹Bᵀ(BM⁻¹Bᵀ)⁻¹ diag(1+eᵢ)(B v⁻ + b)        B the independent rows of [A; ∇g; the contact's own]
//! project: v⁺ = (1 − P_A)(1 − 2 P_g) v⁻
//! ```

use crate::graph::Node;
use crate::motion::Exact;
use crate::number::{Precision, Real};
use crate::outline::{ContactLaw, ContactOutline, Outline};
use crate::series::{NoValue, Series};
use crate::solve::{Factored, dot};
use eom_core::{ImpactError, Law};

/// Why an impact has no result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Impossible {
    NoValue(NoValue),
    Law(ImpactError),
}

impl From<NoValue> for Impossible {
    fn from(why: NoValue) -> Self {
        Self::NoValue(why)
    }
}

/// What an impact did.
#[derive(Debug, Clone)]
pub(crate) struct Struck {
    /// (q⁺, v⁺).
    pub(crate) y: Vec<Real>,
    /// ġ⁻ and ġ⁺.
    pub(crate) rates: [Real; 2],
    /// Λ along ∇g.
    pub(crate) impulse: Real,
    /// Rows that depend on those before them.
    pub(crate) dropped: Vec<usize>,
}

/// The values at one state.
#[derive(Debug)]
pub(crate) struct Instant<'o> {
    outline: &'o Outline,
    precision: Precision,
    series: Series<'o>,
    y: Vec<Real>,
}

/// A row r of velocities with what M⁻¹ makes of it: r v + b.
#[derive(Debug, Clone)]
struct Line {
    row: Vec<Real>,
    offset: Real,
    direction: Vec<Real>,
    /// Its place among all rows: those of A, k for ∇g, k + 1 + j for own rows.
    place: usize,
}

impl<'o> Instant<'o> {
    /// Room for the values of a system.
    pub(crate) fn new(outline: &'o Outline, precision: Precision) -> Self {
        let series = Series::new(&outline.graph, precision, (&outline.of_instants(), 0));
        Self { outline, precision, series, y: Vec::new() }
    }

    /// Computes the values at a state.
    pub(crate) fn load(&mut self, at: &Exact, fixed: &[Real]) -> Result<(), NoValue> {
        self.series.restart();
        let given = [&at.t].into_iter().chain(&at.y).chain(fixed).cloned();
        self.y.clone_from(&at.y);
        self.series.advance(0, &given.collect::<Vec<Real>>())
    }

    /// A value.
    pub(crate) fn value(&self, node: Node) -> Real {
        self.series.coefficient(node, 0)
    }

    /// What rounding makes of values, by their places.
    pub(crate) fn sizes(&self, scales: &[f64]) -> Vec<f64> {
        self.series.sizes(scales)
    }

    fn v(&self) -> &[Real] {
        &self.y[self.outline.positions..]
    }

    fn mass(&self) -> Result<Factored, NoValue> {
        let entries = self.outline.mass.iter().flatten().map(|node| self.value(*node)).collect();
        Factored::of(self.precision, self.outline.speeds, entries)
            .ok_or_else(|| NoValue("a mass matrix that loses rank".to_owned()))
    }

    /// Whether all conditions of a contact hold.
    pub(crate) fn is_armed(&self, contact: &ContactOutline) -> bool {
        contact.when.iter().all(|(left, relation, right)| {
            // Of the difference the sign is exact in doubles.
            let difference = &self.value(*left) - &self.value(*right);
            relation.holds(f64::from(difference.sign()), 0.0)
        })
    }

    /// ġ = ∇g v + ∂g/∂t.
    pub(crate) fn rate(&self, contact: &ContactOutline) -> Real {
        let gradient = self.series.values(&contact.gradient);
        &dot(self.precision, &gradient, self.v()) + &self.value(contact.rate)
    }

    /// A v + b of each row, and how large its terms are.
    pub(crate) fn residuals(&self) -> Vec<(f64, f64)> {
        let rows = self.outline.rows.iter().zip(&self.outline.affine);
        let residual = |(row, affine): (&Vec<Node>, &Node)| {
            let (row, affine) = (self.series.values(row), self.value(*affine));
            let terms = row.iter().zip(self.v()).map(|(row, v)| (row * v).to_f64().abs());
            let size = terms.sum::<f64>() + affine.to_f64().abs();
            ((&dot(self.precision, &row, self.v()) + &affine).to_f64(), size)
        };
        rows.map(residual).collect()
    }

    /// Moves q and v to the constraints: Gauss and Newton in the metric of the kinetic energy.
    pub(crate) fn corrected(&self, holonomic: bool) -> Result<Vec<Real>, NoValue> {
        let Outline { rows, affine, holonomic: residuals, positions, .. } = self.outline;
        let mass = self.mass()?;
        let first = rows.len() - residuals.len();
        let lines: Vec<Line> = rows
            .iter()
            .enumerate()
            .skip(if holonomic { first } else { 0 })
            .map(|(place, row)| {
                let row = self.series.values(row);
                let direction = mass.solve(&row);
                let offset = if holonomic {
                    self.value(residuals[place - first])
                } else {
                    &dot(self.precision, &row, self.v()) + &self.value(affine[place])
                };
                Line { row, offset, direction, place }
            })
            .collect();
        let (lines, _) = self.independent(lines);
        let residuals: Vec<Real> = lines.iter().map(|line| line.offset.clone()).collect();
        let change = self.counter(&lines, &residuals)?;
        let mut y = self.y.clone();
        if !holonomic {
            for (entry, change) in y[*positions..].iter_mut().zip(&change) {
                *entry = &*entry + change;
            }
            return Ok(y);
        }
        // δq = S δv; S follows from the rates, which are linear in v.
        let moved = self.along(&change)?;
        for (entry, change) in y.iter_mut().zip(&moved) {
            *entry = &*entry + change;
        }
        Ok(y)
    }

    /// S δ: the rates at v + δ less those at v.
    fn along(&self, change: &[Real]) -> Result<Vec<Real>, NoValue> {
        let mut other = Series::new(&self.outline.graph, self.precision, (&self.outline.rates, 0));
        let positions = self.outline.positions;
        let moved = self.v().iter().zip(change).map(|(v, change)| v + change);
        let state = self.y[..positions].iter().cloned().chain(moved);
        let given: Vec<Real> = [self.precision.zero()].into_iter().chain(state).collect();
        other.advance(0, &given)?;
        let both = self.outline.rates.iter();
        Ok(both.map(|rate| &other.coefficient(*rate, 0) - &self.value(*rate)).collect())
    }

    /// −M⁻¹Bᵀ(BM⁻¹Bᵀ)⁻¹ r.
    fn counter(&self, lines: &[Line], residuals: &[Real]) -> Result<Vec<Real>, NoValue> {
        let multipliers = self.multipliers(lines, residuals)?;
        let mut change = vec![self.precision.zero(); self.outline.speeds];
        for (line, multiplier) in lines.iter().zip(&multipliers) {
            for (change, direction) in change.iter_mut().zip(&line.direction) {
                *change = &*change - &(direction * multiplier);
            }
        }
        Ok(change)
    }

    /// (BM⁻¹Bᵀ)⁻¹ r.
    fn multipliers(&self, lines: &[Line], residuals: &[Real]) -> Result<Vec<Real>, NoValue> {
        let gram = lines.iter().flat_map(|one| {
            lines.iter().map(|other| dot(self.precision, &one.row, &other.direction))
        });
        let gram = Factored::of(self.precision, lines.len(), gram.collect());
        let gram = gram.ok_or_else(|| NoValue("rows that depend on each other".to_owned()))?;
        Ok(gram.solve(residuals))
    }

    /// The rows that do not depend on those before them, and the places of the others.
    fn independent(&self, lines: Vec<Line>) -> (Vec<Line>, Vec<usize>) {
        let (mut kept, mut dropped): (Vec<Line>, Vec<usize>) = (Vec::new(), Vec::new());
        let least = self.precision.tolerance() / 2.0;
        for line in lines {
            let own = dot(self.precision, &line.row, &line.direction);
            let cross: Vec<Real> =
                kept.iter().map(|other| dot(self.precision, &other.row, &line.direction)).collect();
            // What of it the rows before do not span: r M⁻¹rᵀ − c (BM⁻¹Bᵀ)⁻¹ cᵀ.
            let spanned = self.multipliers(&kept, &cross);
            let spanned = spanned.map(|factors| dot(self.precision, &factors, &cross));
            let rest = spanned.map_or_else(|_| own.clone(), |spanned| &own - &spanned);
            if own.is_zero() || rest.log2() <= own.log2() + least {
                dropped.push(line.place);
            } else {
                kept.push(line);
            }
        }
        (kept, dropped)
    }

    /// The impact of a contact, by its own law or by one for all.
    pub(crate) fn impact(
        &self,
        contact: &ContactOutline,
        given: Option<Law>,
    ) -> Result<Struck, Impossible> {
        let k = self.outline.rows.len();
        let (lines, dropped) = self.independent(self.lines_at(contact)?);
        if dropped.contains(&k) {
            return Err(Impossible::Law(ImpactError::Dependent));
        }
        let v = self.velocity_after(contact, given, &lines)?;
        let plus = self.rates_of(&lines, &v);
        let minus = self.rates_of(&lines, self.v());
        let place = lines.iter().position(|line| line.place == k).unwrap_or(0);
        let jumps: Vec<Real> = plus.iter().zip(&minus).map(|(plus, minus)| plus - minus).collect();
        let impulse = self.multipliers(&lines, &jumps)?[place].clone();
        let rates = [minus[place].clone(), plus[place].clone()];
        Ok(Struck { y: self.relabelled(contact, v), rates, impulse, dropped })
    }

    /// The rows in force at an impact: of A those that it does not release, ∇g, the contact's own.
    fn lines_at(&self, contact: &ContactOutline) -> Result<Vec<Line>, NoValue> {
        let Outline { rows, affine, .. } = self.outline;
        let (k, mass) = (rows.len(), self.mass()?);
        let line = |row: &[Node], offset: Node, place: usize| {
            let row = self.series.values(row);
            let direction = mass.solve(&row);
            Line { row, offset: self.value(offset), direction, place }
        };
        let kept = (0..k).filter(|row| !contact.releases.contains(row));
        let kept = kept.map(|row| line(&rows[row], affine[row], row));
        let gap = line(&contact.gradient, contact.rate, k);
        let own = contact.rows.iter().enumerate();
        let own = own.map(|(own, (row, affine))| line(row, *affine, k + 1 + own));
        Ok(kept.chain([gap]).chain(own).collect())
    }

    /// v⁺.
    fn velocity_after(
        &self,
        contact: &ContactOutline,
        given: Option<Law>,
        lines: &[Line],
    ) -> Result<Vec<Real>, Impossible> {
        let k = self.outline.rows.len();
        match self.law(contact, given) {
            Some(e) => self.restituted(lines, k, &e),
            None if given.is_none() && matches!(contact.law, ContactLaw::Assign) => {
                Ok(self.assigned(contact))
            }
            None => self.projected(lines, k),
        }
    }

    /// (q, v⁺) with the names that the contact leaves.
    fn relabelled(&self, contact: &ContactOutline, v: Vec<Real>) -> Vec<Real> {
        let positions = self.outline.positions;
        let mut y = self.y[..positions].to_vec();
        y.extend(v);
        for (one, other) in &contact.relabel {
            y.swap(*one, *other);
            y.swap(positions + one, positions + other);
        }
        y
    }

    /// r v + b of rows.
    fn rates_of(&self, lines: &[Line], v: &[Real]) -> Vec<Real> {
        lines.iter().map(|line| &dot(self.precision, &line.row, v) + &line.offset).collect()
    }

    /// eᵢ, where the law is told by them.
    fn law(&self, contact: &ContactOutline, given: Option<Law>) -> Option<[Real; 3]> {
        match given {
            Some(law) => {
                let e = law.restitutions()?;
                Some(e.map(|e| self.precision.written(e).unwrap_or_else(|| self.precision.zero())))
            }
            None => match contact.law {
                ContactLaw::Restitution(e) => Some(e.map(|node| self.value(node))),
                ContactLaw::Project | ContactLaw::Assign => None,
            },
        }
    }

    /// v⁻ − M⁻¹Bᵀ(BM⁻¹Bᵀ)⁻¹ diag(1+eᵢ)(B v⁻ + b).
    fn restituted(&self, lines: &[Line], k: usize, e: &[Real; 3]) -> Result<Vec<Real>, Impossible> {
        let one = self.precision.integer(1);
        let rates = self.rates_of(lines, self.v());
        let residuals: Vec<Real> = lines
            .iter()
            .zip(&rates)
            .map(|(line, rate)| {
                let which = match line.place.cmp(&k) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                };
                &(&one + &e[which]) * rate
            })
            .collect();
        let change = self.counter(lines, &residuals)?;
        let v: Vec<Real> = self.v().iter().zip(&change).map(|(v, change)| v + change).collect();
        self.check_energy(lines, e, &v)?;
        Ok(v)
    }

    /// Restitutions that differ may add energy, where the rows are not orthogonal.
    fn check_energy(&self, lines: &[Line], e: &[Real; 3], v: &[Real]) -> Result<(), Impossible> {
        if e[1] == e[2] || !lines.iter().all(|line| line.offset.is_zero()) {
            return Ok(());
        }
        let energy = |v: &[Real]| {
            let rows = self.outline.mass.iter();
            let momenta: Vec<Real> =
                rows.map(|row| dot(self.precision, &self.series.values(row), v)).collect();
            dot(self.precision, &momenta, v).to_f64()
        };
        let factor = energy(v) / energy(self.v());
        if factor > 1.0 + 1e-12 {
            return Err(Impossible::Law(ImpactError::AddsEnergy { factor }));
        }
        Ok(())
    }

    /// (1 − P_A)(1 − 2 P_g) v⁻.
    fn projected(&self, lines: &[Line], k: usize) -> Result<Vec<Real>, Impossible> {
        let (gap, others): (Vec<Line>, Vec<Line>) =
            lines.iter().cloned().partition(|line| line.place == k);
        let add = |v: &[Real], change: &[Real]| -> Vec<Real> {
            v.iter().zip(change).map(|(v, change)| v + change).collect()
        };
        let two = self.precision.integer(2);
        let rates: Vec<Real> =
            self.rates_of(&gap, self.v()).iter().map(|rate| &two * rate).collect();
        let reflected = add(self.v(), &self.counter(&gap, &rates)?);
        let residuals = self.rates_of(&others, &reflected);
        Ok(add(&reflected, &self.counter(&others, &residuals)?))
    }

    /// v⁺ as the contact assigns it.
    fn assigned(&self, contact: &ContactOutline) -> Vec<Real> {
        let mut v = self.v().to_vec();
        for (speed, node) in &contact.assigned {
            v[*speed] = self.value(*node);
        }
        v
    }

    /// The state after the resets of an event.
    pub(crate) fn reset(&self, event: usize) -> Vec<Real> {
        let mut y = self.y.clone();
        for (place, node) in &self.outline.events[event].resets {
            y[*place] = self.value(*node);
        }
        y
    }
}
