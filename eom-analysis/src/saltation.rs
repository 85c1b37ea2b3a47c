//! What an impact does to variations of a motion.
//!
//! ```text
//! M (v⁺ − v⁻) = BᵀΛ,  B v⁺ + b = −E (B v⁻ + b)            E = diag(eᵢ); B the rows of A that are kept, ∇g, own rows
//! M δv⁺ − BᵀδΛ = M δv⁻ − δM (v⁺ − v⁻) + δBᵀΛ
//! B δv⁺        = −(δB v⁺ + δb) − E (δB v⁻ + δb + B δv⁻)
//! ```

use crate::error::AnalysisError;
use crate::tapes::{Tapes, derivatives_along};
use eom_core::{Event, State};
use nalgebra::{DMatrix, DVector};

/// Below this part of the speeds that could make it a rate of a gap is a graze.
const GRAZE: f64 = 1e-10;

/// δy⁺ = D δy at fixed times, and δy at the event itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Saltation {
    /// At fixed times, before relabelling.
    pub(crate) fixed: DMatrix<f64>,
    /// Of the state at the event, whenever that is.
    pub(crate) at_event: DMatrix<f64>,
    /// δt* = τ δy⁻, a row.
    pub(crate) delay: DMatrix<f64>,
}

/// The rows in force at an impact.
struct Rows {
    b: DMatrix<f64>,
    offset: DVector<f64>,
    e: DVector<f64>,
}

/// What the impact has where it happens, and along a direction.
struct Metric {
    mass: DMatrix<f64>,
    rows: Rows,
}

impl Saltation {
    /// Carries variations, the columns, through.
    pub(crate) fn apply(&self, matrix: &mut DMatrix<f64>) {
        *matrix = &self.fixed * &*matrix;
    }

    /// That of an impact of one contact.
    pub(crate) fn of_impact(
        of: &Tapes<'_>,
        contact: usize,
        event: &Event,
        inputs: &[f64],
    ) -> Result<Self, AnalysisError> {
        let info = of.info;
        let (n, m) = (info.positions(), info.speeds());
        let [(q, minus), (after, plus)] = event.sides();
        // Before names are exchanged.
        let (mut q_plus, mut v_plus) = (after.to_vec(), plus.to_vec());
        relabel(of, contact, &mut q_plus, &mut v_plus);
        let name = info.contacts[contact].name;
        let refused = |why: &str| AnalysisError::NotSmooth {
            why: format!("at t = {}, the impact of `{name}` {why}", event.t),
        };
        let law = of.system.law(contact);
        let Some(e) = law.restitutions() else {
            return Err(refused("has a law without a derivative here"));
        };
        let jump = Jump { of, contact, t: event.t, q, minus, plus: &v_plus, e };
        let before = of.slopes(event.t, (q, minus), inputs)?;
        let behind = of.slopes(event.t, (after, plus), inputs)?;
        let gap = jump.gap()?;
        let rate = gap.columns(1, n).dot(&before.rows(0, n).transpose()) + gap[0];
        let scale = gap.columns(1, n).component_mul(&before.rows(0, n).transpose()).abs().sum()
            + gap[0].abs();
        if rate.is_nan() || rate.abs() <= GRAZE * scale {
            return Err(refused("grazes"));
        }
        // Directions: t, then all of y.
        let by_time =
            jump.along(&unit(1 + n + m, 0)).ok_or_else(|| refused("has dependent rows"))?;
        let mut by_state = DMatrix::zeros(n + m, n + m);
        for j in 0..n + m {
            let column =
                jump.along(&unit(1 + n + m, 1 + j)).ok_or_else(|| refused("has dependent rows"))?;
            by_state.set_column(j, &column);
        }
        let mut delay = DMatrix::zeros(1, n + m);
        delay.columns_mut(0, n).copy_from(&(gap.columns(1, n) * (-1.0 / rate)));
        let carried = &by_state * &before + by_time;
        let order = permutation(of, contact, n, m);
        let at_event = (&by_state + carried * &delay).select_rows(&order);
        let fixed = &at_event - behind * &delay;
        if !fixed.iter().all(|entry| entry.is_finite()) {
            return Err(refused("has no derivative"));
        }
        Ok(Self { fixed, at_event, delay })
    }
}

fn unit(length: usize, place: usize) -> DVector<f64> {
    DVector::from_fn(length, |i, _| f64::from(u8::from(i == place)))
}

/// Exchanges names, which undoes itself.
fn relabel(of: &Tapes<'_>, contact: usize, q: &mut [f64], v: &mut [f64]) {
    of.system.relabel(contact, q, v);
}

/// Where each entry of y after relabelling comes from.
fn permutation(of: &Tapes<'_>, contact: usize, n: usize, m: usize) -> Vec<usize> {
    let mut q: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let mut v: Vec<f64> = (n..n + m).map(|i| i as f64).collect();
    of.system.relabel(contact, &mut q, &mut v);
    let place = |mark: &f64| (0..n + m).find(|i| *i as f64 == *mark);
    q.iter().chain(&v).filter_map(place).collect()
}

/// An impact to be differentiated.
struct Jump<'j, 's> {
    of: &'j Tapes<'s>,
    contact: usize,
    t: f64,
    q: &'j [f64],
    minus: &'j [f64],
    plus: &'j [f64],
    /// On the rows kept, on ∇g, on own rows.
    e: [f64; 3],
}

impl Jump<'_, '_> {
    fn given(&self) -> Vec<f64> {
        let u = vec![0.0; self.of.info.inputs.len()];
        self.of.given(&State::new(self.t, self.q, self.minus), &u)
    }

    /// ∂g/∂(t, q), a row.
    fn gap(&self) -> Result<DMatrix<f64>, AnalysisError> {
        let tape = self
            .of
            .system
            .programs()
            .gaps
            .ok_or(AnalysisError::NoProgram { system: self.of.info.name, what: "gaps" })?;
        let n = self.q.len();
        let given = self.given();
        let directions = DMatrix::from_fn(given.len(), 1 + n, |i, j| f64::from(u8::from(i == j)));
        let (_, rates) = derivatives_along(tape, &given, &directions);
        Ok(rates.rows(self.contact, 1).into_owned())
    }

    /// M and the rows, and their derivatives along a direction of (t, q, v).
    fn metric(&self, direction: &DVector<f64>) -> Option<(Metric, Metric)> {
        let (of, m) = (self.of, self.minus.len());
        let programs = of.system.programs();
        let given = self.given();
        let mut whole = DMatrix::zeros(given.len(), 1);
        whole.view_mut((0, 0), (direction.len(), 1)).copy_from(direction);
        let mass = programs.mass_matrix?;
        let (values, rates) = derivatives_along(mass, &given, &whole);
        let square = |entries: &[f64]| {
            DMatrix::from_fn(m, m, |i, j| {
                let (i, j) = (i.max(j), i.min(j));
                entries[i * (i + 1) / 2 + j]
            })
        };
        let masses = [square(values.as_slice()), square(rates.as_slice())];
        let k = of.info.rows.len();
        let kept: Vec<usize> =
            (0..k).filter(|row| !of.info.contacts[self.contact].releases.contains(row)).collect();
        let rows = match programs.constraint_rows {
            Some(tape) => derivatives_along(tape, &given, &whole),
            None => (DVector::zeros(k * (m + 1)), DMatrix::zeros(k * (m + 1), 1)),
        };
        let contacts = derivatives_along(programs.contact_rows?, &given, &whole);
        let taken = |rows: &[f64], contacts: &[f64]| self.rows((k, &kept), rows, contacts);
        let [mass, change] = masses;
        let here = Metric { mass, rows: taken(rows.0.as_slice(), contacts.0.as_slice()) };
        let along = Metric { mass: change, rows: taken(rows.1.as_slice(), contacts.1.as_slice()) };
        Some((here, along))
    }

    /// B, b and E from A by rows with b, and from the rows of contacts.
    fn rows(&self, (k, kept): (usize, &[usize]), rows: &[f64], contacts: &[f64]) -> Rows {
        let m = self.minus.len();
        let own = |contact: usize| self.of.info.contacts[contact].rows.len();
        let first: usize = (0..self.contact).map(|contact| (m + 1) * (1 + own(contact))).sum();
        let (contact, s) = (&contacts[first..], own(self.contact));
        let count = kept.len() + 1 + s;
        let mut b = DMatrix::zeros(count, m);
        let (mut offset, mut e) = (DVector::zeros(count), DVector::zeros(count));
        let kept_rows =
            kept.iter().map(|row| (&rows[row * m..][..m], rows[k * m + row], self.e[0]));
        let gap = (&contact[..m], contact[m], self.e[1]);
        let own =
            (0..s).map(|j| (&contact[m + 1 + j * m..][..m], contact[m + 1 + s * m + j], self.e[2]));
        for (i, (row, affine, e_i)) in kept_rows.chain([gap]).chain(own).enumerate() {
            b.row_mut(i).iter_mut().zip(row).for_each(|(entry, row)| *entry = *row);
            offset[i] = affine;
            e[i] = e_i;
        }
        Rows { b, offset, e }
    }

    /// δy⁺ of a direction (δt, δq, δv); none where rows depend on each other.
    fn along(&self, direction: &DVector<f64>) -> Option<DVector<f64>> {
        let (n, m) = (self.q.len(), self.minus.len());
        let (here, along) = self.metric(direction)?;
        let (b, count) = (&here.rows.b, here.rows.e.len());
        let (minus, plus) =
            (DVector::from_column_slice(self.minus), DVector::from_column_slice(self.plus));
        let jump = &plus - &minus;
        let mut matrix = DMatrix::zeros(m + count, m + count);
        matrix.view_mut((0, 0), (m, m)).copy_from(&here.mass);
        matrix.view_mut((0, m), (m, count)).copy_from(&(-b.transpose()));
        matrix.view_mut((m, 0), (count, m)).copy_from(b);
        let factors = matrix.lu();
        let mut right = DVector::zeros(m + count);
        right.rows_mut(0, m).copy_from(&(&here.mass * &jump));
        right.rows_mut(m, count).copy_from(&(b * &jump));
        let impulses = factors.solve(&right)?.rows(m, count).into_owned();
        let δv = direction.rows(1 + n, m);
        let change = |v: &DVector<f64>| &along.rows.b * v + &along.rows.offset;
        let upper = &here.mass * δv - &along.mass * &jump + along.rows.b.tr_mul(&impulses);
        let lower = -change(&plus) - here.rows.e.component_mul(&(change(&minus) + b * δv));
        right.rows_mut(0, m).copy_from(&upper);
        right.rows_mut(m, count).copy_from(&lower);
        let solved = factors.solve(&right)?;
        let mut found = DVector::zeros(n + m);
        found.rows_mut(0, n).copy_from(&direction.rows(1, n));
        found.rows_mut(n, m).copy_from(&solved.rows(0, m));
        Some(found)
    }
}
