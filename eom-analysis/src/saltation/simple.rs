//! v⁺ of the impact of one contact without friction, and how it changes: one linear step by rows B, or two of them by
//! `project`, on ∇g with e = 1 and then on the others with e = 0. `assign` says v⁺ itself.
//!
//! ```text
//! M (v⁺ − v⁻) = BᵀΛ,  B v⁺ + b = −E (B v⁻ + b)            E = diag(eᵢ); B the rows of A that are kept, ∇g, own rows
//! M δv⁺ − BᵀδΛ = M δv⁻ − δM (v⁺ − v⁻) + δBᵀΛ
//! B δv⁺        = −(δB v⁺ + δb) − E (δB v⁻ + δb + B δv⁻) − δE (B v⁻ + b)
//! ```
//!
//! A row r = c B that depends on those before it is left out, as the run does. It has to depend on them nearby, too: what
//! δr − c δB leaves on the kernel of B would be a row in force there.

use super::law_slopes;
use crate::error::AnalysisError;
use crate::tapes::{Tapes, symmetric};
use eom_core::State;
use eom_core::metric::RowSpace;
use eom_core::system::Law;
use nalgebra::{DMatrix, DVector, Dyn, LU};

/// A row that comes to no more than this part of its terms still depends on others.
const DEPENDENT: f64 = 1e-9;

/// What is said to be missing where a system has no such programs.
const ROWS: &str = "rows of contacts";

/// ∂y⁺ by (t, y⁻) and by the seeds, of a contact from a state to v⁺, before names are exchanged.
pub(super) fn changes(
    of: &Tapes<'_>,
    contact: usize,
    (state, plus): (&State, &[f64]),
    (inputs, seeds): (&[f64], &DMatrix<f64>),
) -> Result<[DMatrix<f64>; 2], AnalysisError> {
    let (n, m) = (state.q.len(), state.v.len());
    let mut by_all = DMatrix::zeros(n + m, 1 + n + m);
    by_all.view_mut((0, 1), (n, n)).fill_with_identity();
    let mut changed = DMatrix::zeros(n + m, seeds.ncols());
    let law = of.system.law(contact);
    if law == Law::Assign {
        let (resets, first) = ((of.system.programs().resets, "resets"), assigned(of, contact));
        let by = of.along(resets, state, inputs)?.1;
        by_all.rows_mut(n, m).copy_from(&by.rows(first, m));
        let by = of.with_seeds(resets, state, (inputs, seeds))?;
        changed.rows_mut(n, m).copy_from(&by.rows(first, m));
        return Ok([by_all, changed]);
    }
    let (here, by_places) = Metric::here(of, contact, state)?;
    let impact = Impact::new(of, contact, (here, state, plus), law)?;
    for (place, change) in by_places.iter().enumerate() {
        let by = impact.carry(Some(change), [0.0; 3], DVector::zeros(m))?;
        by_all.view_mut((n, place), (m, 1)).copy_from(&by);
    }
    for speed in 0..m {
        let by = impact.carry(None, [0.0; 3], DVector::from_fn(m, |i, _| unit(i == speed)))?;
        by_all.view_mut((n, 1 + n + speed), (m, 1)).copy_from(&by);
    }
    let laws = law_slopes(of, contact, seeds)?;
    for (j, change) in Metric::with_seeds(of, contact, state, seeds)?.iter().enumerate() {
        let e = [0, 1, 2].map(|kind| laws[(kind, j)]);
        let by = impact.carry(Some(change), e, DVector::zeros(m))?;
        changed.view_mut((n, j), (m, 1)).copy_from(&by);
    }
    Ok([by_all, changed])
}

fn unit(is_one: bool) -> f64 {
    f64::from(u8::from(is_one))
}

/// Where v⁺ of a contact that assigns it stands in the tape of resets.
fn assigned(of: &Tapes<'_>, contact: usize) -> usize {
    let earlier = (0..contact).filter(|contact| of.system.law(*contact) == Law::Assign).count();
    let blocks = of.info.events.iter().filter(|event| event.resets).count() + earlier;
    blocks * (of.info.positions() + of.info.speeds()) + of.info.positions()
}

/// M, B and b, or how they change along a direction.
struct Metric {
    mass: DMatrix<f64>,
    b: DMatrix<f64>,
    offset: DVector<f64>,
}

impl Metric {
    /// Of M by its lower triangle, the rows of A and those of contacts.
    fn new(of: &Tapes<'_>, contact: usize, [mass, rows, contacts]: [&[f64]; 3]) -> Self {
        let (b, offset) = in_force(of, contact, rows, contacts);
        Self { mass: symmetric(of.info.speeds(), |place| mass[place]), b, offset }
    }

    /// At a state, and how it changes by t and each entry of q.
    fn here(
        of: &Tapes<'_>,
        contact: usize,
        state: &State,
    ) -> Result<(Self, Vec<Self>), AnalysisError> {
        let (places, u) = (1 + state.q.len(), vec![0.0; of.info.inputs.len()]);
        let along = |tape| of.along((tape, ROWS), state, &u);
        let programs = of.system.programs();
        let (mass, contacts) = (along(programs.mass_matrix)?, along(programs.contact_rows)?);
        let rows = match of.info.rows.len() {
            0 => (DVector::zeros(0), DMatrix::zeros(0, places)),
            _ => along(of.rows)?,
        };
        let here = [&mass, &rows, &contacts].map(|(values, _)| values.as_slice());
        let by = [&mass, &rows, &contacts].map(|(_, by)| by);
        Ok((Self::new(of, contact, here), Self::each(of, contact, by, places)))
    }

    /// How it changes with each seed.
    fn with_seeds(
        of: &Tapes<'_>,
        contact: usize,
        state: &State,
        seeds: &DMatrix<f64>,
    ) -> Result<Vec<Self>, AnalysisError> {
        let (count, u) = (seeds.ncols(), vec![0.0; of.info.inputs.len()]);
        let along = |tape| of.with_seeds((tape, ROWS), state, (&u, seeds));
        let programs = of.system.programs();
        let (mass, contacts) = (along(programs.mass_matrix)?, along(programs.contact_rows)?);
        let rows = match of.info.rows.len() {
            0 => DMatrix::zeros(0, count),
            _ => along(of.rows)?,
        };
        Ok(Self::each(of, contact, [&mass, &rows, &contacts], count))
    }

    /// One for each of the first columns.
    fn each(of: &Tapes<'_>, contact: usize, by: [&DMatrix<f64>; 3], count: usize) -> Vec<Self> {
        let column = |j: usize| {
            let columns = by.map(|by| by.column(j).into_owned());
            Self::new(of, contact, columns.each_ref().map(DVector::as_slice))
        };
        (0..count).map(column).collect()
    }
}

/// An impact, ready to be differentiated.
struct Impact {
    here: Metric,
    steps: Vec<Step>,
}

impl Impact {
    fn new(
        of: &Tapes<'_>,
        contact: usize,
        (here, state, plus): (Metric, &State, &[f64]),
        law: Law,
    ) -> Result<Self, AnalysisError> {
        let count = here.offset.len();
        let gap = count - 1 - of.info.contacts[contact].rows.len();
        let kind = |row: usize| usize::from(row >= gap) + usize::from(row > gap);
        let v = [&state.v[..], plus].map(DVector::from_column_slice);
        let step = |rows: &[usize], e: [f64; 3], sides: [&DVector<f64>; 2]| {
            let rows: Vec<(usize, usize)> = rows.iter().map(|row| (*row, kind(*row))).collect();
            Step::new(&here, &rows, e, sides).ok_or_else(no_metric)
        };
        let all: Vec<usize> = (0..count).collect();
        let steps = match law.restitutions() {
            Some(e) => vec![step(&all, e, v.each_ref())?],
            None => {
                let gradient = here.b.row(gap).transpose();
                let w = here.mass.clone().cholesky().ok_or_else(no_metric)?.solve(&gradient);
                let rate = gradient.dot(&v[0]) + here.offset[gap];
                let reflected = &v[0] - &w * (2.0 * rate / gradient.dot(&w));
                let others = [&all[..gap], &all[gap + 1..]].concat();
                let first = step(&[gap], [1.0; 3], [&v[0], &reflected])?;
                vec![first, step(&others, [0.0; 3], [&reflected, &v[1]])?]
            }
        };
        Ok(Self { here, steps })
    }

    /// δv⁺ of δv⁻, where M, B and b change, and eᵢ on the rows of A, on ∇g and on own rows.
    fn carry(
        &self,
        change: Option<&Metric>,
        e: [f64; 3],
        δv: DVector<f64>,
    ) -> Result<DVector<f64>, AnalysisError> {
        let stays = |change| self.steps.iter().all(|step| step.stays(&self.here, change));
        if !change.is_none_or(stays) {
            let why = "has rows that depend on others at this place alone";
            return Err(AnalysisError::not_smooth(why));
        }
        let carry = |δv, step: &Step| step.carry(&self.here, change, e, &δv);
        let carried = self.steps.iter().try_fold(δv, carry);
        carried.ok_or_else(no_metric)
    }
}

fn no_metric() -> AnalysisError {
    AnalysisError::not_smooth("has no metric")
}

/// One step, by the rows that do not depend on those before them.
struct Step {
    minus: DVector<f64>,
    plus: DVector<f64>,
    taken: Vec<usize>,
    b: DMatrix<f64>,
    /// eᵢ by the rows taken, and of what each is: of A, ∇g, its own.
    e: DVector<f64>,
    kinds: Vec<usize>,
    /// Λ.
    impulses: DVector<f64>,
    /// M, −Bᵀ; B, 0.
    factors: LU<f64, Dyn, Dyn>,
    /// The rows left out, with c.
    dropped: Vec<(usize, DVector<f64>)>,
}

impl Step {
    /// By rows, each with its kind, from v⁻ to v⁺; none where M is no metric.
    fn new(
        here: &Metric,
        rows: &[(usize, usize)],
        e: [f64; 3],
        [minus, plus]: [&DVector<f64>; 2],
    ) -> Option<Self> {
        let m = minus.len();
        let mut space = RowSpace::new(m, rows.len());
        space.set_metric(here.mass.as_slice()).ok()?;
        let of_b = |row: usize| here.b.row(row).transpose();
        let is_new = |(row, _): &(usize, usize)| space.push(of_b(*row).as_slice(), 0.0);
        let (taken, left): (Vec<_>, Vec<_>) = rows.iter().copied().partition(is_new);
        let (taken, kinds): (Vec<usize>, Vec<usize>) = taken.into_iter().unzip();
        let (b, count) = (here.b.select_rows(&taken), taken.len());
        let e = DVector::from_fn(count, |i, _| e[kinds[i]]);
        let mut matrix = DMatrix::zeros(m + count, m + count);
        matrix.view_mut((0, 0), (m, m)).copy_from(&here.mass);
        matrix.view_mut((0, m), (m, count)).copy_from(&(-b.transpose()));
        matrix.view_mut((m, 0), (count, m)).copy_from(&b);
        let factors = matrix.lu();
        // M x − Bᵀ(−Λ) = f, B x = 0.
        let multipliers = |f: DVector<f64>| {
            let right = f.resize_vertically(m + count, 0.0);
            Some(-factors.solve(&right)?.rows(m, count))
        };
        let dropped = left.into_iter().map(|(row, _)| Some((row, multipliers(of_b(row))?)));
        let dropped = dropped.collect::<Option<_>>()?;
        let impulses = multipliers(&here.mass * (plus - minus))?;
        let (minus, plus) = (minus.clone(), plus.clone());
        Some(Self { minus, plus, taken, b, e, kinds, impulses, factors, dropped })
    }

    /// δv⁺ of δv⁻, where M, B and b change, and eᵢ.
    fn carry(
        &self,
        here: &Metric,
        change: Option<&Metric>,
        e: [f64; 3],
        δv: &DVector<f64>,
    ) -> Option<DVector<f64>> {
        let (m, count) = (self.minus.len(), self.e.len());
        let mut upper = &here.mass * δv;
        let mut lower = -self.e.component_mul(&(&self.b * δv));
        if let Some(change) = change {
            let b = change.b.select_rows(&self.taken);
            let rate = |v: &DVector<f64>| &b * v + change.offset.select_rows(&self.taken);
            upper += b.tr_mul(&self.impulses) - &change.mass * (&self.plus - &self.minus);
            lower -= rate(&self.plus) + self.e.component_mul(&rate(&self.minus));
        }
        let before = &self.b * &self.minus + here.offset.select_rows(&self.taken);
        let e = DVector::from_fn(count, |i, _| e[self.kinds[i]]);
        lower -= e.component_mul(&before);
        let mut right = upper.resize_vertically(m + count, 0.0);
        right.rows_mut(m, count).copy_from(&lower);
        Some(self.factors.solve(&right)?.rows(0, m).into_owned())
    }

    /// Whether the rows left out depend on the others where M, B and b change, too.
    fn stays(&self, here: &Metric, change: &Metric) -> bool {
        let (m, count) = (self.minus.len(), self.e.len());
        if self.dropped.is_empty() {
            return true;
        }
        let Some(metric) = here.mass.clone().cholesky() else { return false };
        let size = |row: &DVector<f64>| row.dot(&metric.solve(row)).sqrt();
        let of_b = |row: usize| change.b.row(row).transpose();
        self.dropped.iter().all(|(row, c)| {
            let parts = self.taken.iter().zip(c.iter()).map(|(row, c)| of_b(*row) * -*c);
            let parts: Vec<DVector<f64>> = parts.chain([of_b(*row)]).collect();
            let sum = parts.iter().fold(DVector::zeros(m), |sum, part| sum + part);
            let terms: f64 = parts.iter().map(size).sum();
            let right = sum.resize_vertically(m + count, 0.0);
            let beside = self.factors.solve(&right).map(|x| x.rows(0, m).into_owned());
            beside.is_some_and(|x| x.dot(&(&here.mass * &x)).sqrt() <= DEPENDENT * terms)
        })
    }
}

/// B and b of a contact: of A by rows with its b what is kept, then from the rows of contacts its own.
fn in_force(
    of: &Tapes<'_>,
    contact: usize,
    rows: &[f64],
    contacts: &[f64],
) -> (DMatrix<f64>, DVector<f64>) {
    let (info, m, k) = (of.info, of.info.speeds(), of.info.rows.len());
    let own = |contact: usize| info.contacts[contact].rows.len();
    let first: usize = (0..contact).map(|contact| (m + 1) * (1 + own(contact))).sum();
    let (of_contact, s) = (&contacts[first..], own(contact));
    let kept = (0..k).filter(|row| !info.contacts[contact].releases.contains(row));
    let kept = kept.map(|row| (&rows[row * m..][..m], rows[k * m + row]));
    let gap = (&of_contact[..m], of_contact[m]);
    let own = (0..s).map(|j| (&of_contact[m + 1 + j * m..][..m], of_contact[m + 1 + s * m + j]));
    let (lines, offsets): (Vec<&[f64]>, Vec<f64>) = kept.chain([gap]).chain(own).unzip();
    (DMatrix::from_row_slice(lines.len(), m, &lines.concat()), DVector::from_vec(offsets))
}
