//! What an impact by Stronge's law of a contact beside others that rest does to variations: the change y of what they can change
//! (`hybrid::work_process` of the core) is a function of how they respond, and that of the state before and of parameters. With the
//! rows B of ∇g and J of all that take part, X = N Bᵀ, N = M⁻¹ on the constraints,
//!
//! ```text
//! G = B X = L Lᵀ                     rows of L are those of B in y; one that depends on others adds no column
//! v⁺ = v⁻ + X L⁻ᵀ y(L, ġ⁻, s⁻, μ, e)
//! ```
//!
//! all of it in numbers with derivatives, along directions in which closed gaps stay closed and what sticks does: of others nothing
//! is asked.

use super::one_phase::{NONE, restitutions};
use super::process::{Columns, columns, entry, told};
use super::struck::{Reader, Struck};
use crate::error::AnalysisError;
use crate::mode::lines::{CONTACTS, FRICTIONS, Line, RowOf};
use crate::tapes::Tapes;
use crate::tapes::friction::Terms;
use eom_core::elementary::Number;
use eom_core::enclosure::Dual;
use eom_core::impact_process::{Spring, Term, together};
use eom_core::span::{basis, kernel};
use eom_core::system::Restitution;
use eom_core::{Mode, State};
use nalgebra::{DMatrix, DVector};

/// Directions that are carried at once.
const AT_ONCE: usize = 6;

/// A row of which no more than this part is beside those before it depends on them.
const DEPENDENT: f64 = 1e-9;

/// A part of a row is zero within so many units of rounding of it.
const ROUNDINGS: f64 = 64.0;

/// A value with its derivatives along some directions.
type Varied = Dual<f64, AT_ONCE>;

/// Whether the impact of these is a process of works: one is by Stronge's law, and others give nothing back.
pub(crate) fn are_of(of: &Tapes<'_>, together: &[usize]) -> bool {
    let is_stronges = |contact: &usize| of.system.restitution(*contact) == Restitution::Stronge;
    let gives_nothing = |contact: &usize| {
        let e = of.system.law(*contact).restitutions().map_or(1.0, |[_, e, _]| e);
        e == 0.0 && of.info.contacts[*contact].rows.is_empty()
    };
    together.iter().any(is_stronges)
        && together.iter().all(|contact| is_stronges(contact) || gives_nothing(contact))
        && of.row_friction().is_none()
}

/// What of a system takes part.
struct Parts<'s> {
    struck: Struck,
    constraints: Vec<Line>,
    /// One a contact.
    gaps: Vec<Line>,
    /// Terms with the places of their contacts.
    frictions: Vec<(usize, usize)>,
    terms: &'s Terms,
    before: DVector<f64>,
    /// Of t and q.
    places: usize,
    /// e by contacts, and how they change along all directions.
    e: Vec<(f64, Vec<f64>)>,
}

/// A process that is made ready: along all directions, the numbers of which it is one.
struct Ready {
    /// G.
    g: DMatrix<f64>,
    /// δG.
    g_by: Vec<DMatrix<f64>>,
    /// ġ and s by the rows of B, and how they change.
    rates: (DVector<f64>, DMatrix<f64>),
}

/// δv⁺ by (t, q, v⁻) and the seeds, of a contact that is struck with those that take part in it.
pub(crate) fn changes(
    of: &Tapes<'_>,
    terms: &Terms,
    (contact, taking_part, mode): (usize, &[usize], &Mode),
    (state, plus): (&State, &[f64]),
    given: (&[f64], &DMatrix<f64>),
) -> Result<DMatrix<f64>, AnalysisError> {
    let reader = Reader::at(of, state, given);
    let parts = Parts::new(of, terms, taking_part, (state, given.1), &reader)?;
    let (here, along) = parts.columns()?;
    let ready = parts.ready(&here, &along, contact);
    let gaps = reader.read(of.system.programs().gaps, true, "gaps")?;
    let conditions = parts.conditions(taking_part, &gaps.by, (&ready, contact), mode);
    let tangent = basis(&kernel(&conditions));
    let mut found = DMatrix::zeros(plus.len(), tangent.ncols());
    for first in (0..tangent.ncols()).step_by(AT_ONCE) {
        let count = AT_ONCE.min(tangent.ncols() - first);
        let seeds = tangent.columns(first, count).into_owned();
        let impulses = parts.impulses(&ready, &seeds)?;
        let (mut v, mut by) = (parts.before.clone(), DMatrix::zeros(plus.len(), count));
        for (row, impulse) in impulses {
            v += here.x.column(row) * impulse.value;
            for k in 0..count {
                let mut column = by.column_mut(k);
                column += here.x.column(row) * impulse.rates[k];
                for (j, change) in along.iter().enumerate() {
                    column += change.x.column(row) * (impulse.value * seeds[(j, k)]);
                }
            }
        }
        let plus = DVector::from_column_slice(plus);
        let size = |v: &DVector<f64>| parts.struck.size(v);
        let off = size(&(v - &plus));
        if off.is_nan() || off > NONE * (size(&parts.before) + size(&plus)) {
            return Err(AnalysisError::not_smooth("has a law without a derivative here"));
        }
        by += seeds.rows(parts.places, plus.len());
        found.columns_mut(first, count).copy_from(&by);
    }
    Ok(found * tangent.transpose())
}

impl<'s> Parts<'s> {
    fn new(
        of: &Tapes<'_>,
        terms: &'s Terms,
        taking_part: &[usize],
        (state, seeds): (&State, &DMatrix<f64>),
        reader: &Reader,
    ) -> Result<Self, AnalysisError> {
        let struck = Struck::read(of, terms, reader)?;
        let (mut constraints, mut gaps) = (Vec::new(), Vec::new());
        for line in Line::all(of.info, &Mode::new(taking_part.to_vec()), terms) {
            match line.of {
                RowOf::Constraint(_) => constraints.push(line),
                RowOf::Gap(_) => gaps.push(line),
                RowOf::Own(_) | RowOf::Stick(_) => {}
            }
        }
        let (mut frictions, mut e) = (Vec::new(), Vec::new());
        let first = 1 + state.q.len() + state.v.len();
        for (place, &contact) in taking_part.iter().enumerate() {
            let mode = Mode::new(vec![contact]);
            let acting = (0..terms.count())
                .filter(|term| terms.bearer(*term).is_some() && terms.acts(*term, &mode));
            frictions.extend(acting.map(|term| (place, term)));
            let ([value, _], [slopes, _]) = restitutions(of, contact, seeds)?;
            let mut by = vec![0.0; first];
            by.extend(slopes);
            e.push((value, by));
        }
        gaps.sort_by_key(|line| match line.of {
            RowOf::Gap(contact) => taking_part.iter().position(|one| *one == contact),
            _ => None,
        });
        let before = DVector::from_column_slice(&state.v);
        let places = 1 + state.q.len();
        Ok(Self { struck, constraints, gaps, frictions, terms, before, places, e })
    }

    /// The place of something of each row of B: ∇g of all, then J.
    fn places_of(
        &self,
        of_line: impl Fn(&Line) -> usize,
        of_component: impl Fn(&Terms, usize) -> usize,
    ) -> Vec<(usize, usize)> {
        let gaps = self.gaps.iter().map(|line| (CONTACTS, of_line(line)));
        let slips = self.frictions.iter().flat_map(|(_, term)| self.terms.components(*term));
        gaps.chain(slips.map(|c| (FRICTIONS, of_component(self.terms, c)))).collect()
    }

    fn columns(&self) -> Result<(Columns, Vec<Columns>), AnalysisError> {
        let rows = self.places_of(|line| line.first, Terms::row);
        let of = |j: Option<usize>| {
            let b = DMatrix::from_fn(self.before.len(), rows.len(), |i, column| {
                let (tape, first) = rows[column];
                entry(&self.struck.tapes[tape], first + i, j)
            });
            [b.clone(), b]
        };
        columns(&self.struck, &self.constraints, &of)
    }

    fn ready(&self, here: &Columns, along: &[Columns], contact: usize) -> Ready {
        // Where ġ − ∇g v and s are.
        let offsets = self.places_of(|line| line.offset, Terms::w);
        let count = along.len();
        let (mut values, mut by) =
            (DVector::zeros(offsets.len()), DMatrix::zeros(offsets.len(), count));
        for (row, &(tape, place)) in offsets.iter().enumerate() {
            let (read, b) = (&self.struck.tapes[tape], here.b.column(row));
            let is_gap = tape == CONTACTS;
            let of_speeds = if is_gap { b.dot(&self.before) } else { 0.0 };
            let value = read.values[place] + of_speeds;
            let size = self.struck.reach(&b.clone_owned()) * self.struck.size(&self.before);
            let rests = value.abs() <= NONE * size;
            let is_struck = is_gap && self.gaps[row].of == RowOf::Gap(contact);
            values[row] = if rests && !is_struck { 0.0 } else { value };
            for j in 0..count {
                let mut change = read.by[(place, j)];
                if is_gap {
                    change += along[j].b.column(row).dot(&self.before);
                    let speed = j.checked_sub(self.places).filter(|i| *i < self.before.len());
                    change += speed.map_or(0.0, |speed| b[speed]);
                }
                by[(row, j)] = change;
            }
        }
        let g_by = along.iter().map(|change| change.b.tr_mul(&here.x) + here.b.tr_mul(&change.x));
        Ready { g: here.b.tr_mul(&here.x), g_by: g_by.collect(), rates: (values, by) }
    }

    /// What stays zero: all gaps, the rates of those that rest, what sticks.
    fn conditions(
        &self,
        taking_part: &[usize],
        gaps: &DMatrix<f64>,
        (ready, struck): (&Ready, usize),
        mode: &Mode,
    ) -> DMatrix<f64> {
        let mut rows = Vec::new();
        for (place, contact) in taking_part.iter().enumerate() {
            rows.push(gaps.row(*contact).into_owned());
            if *contact != struck {
                rows.push(ready.rates.1.row(place).into_owned());
            }
        }
        let mut place = taking_part.len();
        for (_, term) in &self.frictions {
            for _ in self.terms.components(*term) {
                if mode.sticks(*term) {
                    rows.push(ready.rates.1.row(place).into_owned());
                }
                place += 1;
            }
        }
        DMatrix::from_rows(&rows)
    }

    /// The impulses of the rows of B that do not depend on others, along some directions.
    fn impulses(
        &self,
        ready: &Ready,
        seeds: &DMatrix<f64>,
    ) -> Result<Vec<(usize, Varied)>, AnalysisError> {
        let along = |value: f64, change: &dyn Fn(usize) -> f64| {
            let mut rates = [0.0; AT_ONCE];
            for (k, rate) in rates.iter_mut().take(seeds.ncols()).enumerate() {
                let parts = (0..seeds.nrows()).map(|j| seeds[(j, k)]);
                let terms = parts.enumerate().filter(|(_, seed)| *seed != 0.0);
                *rate = terms.map(|(j, seed)| seed * change(j)).sum();
            }
            Varied { value, rates }
        };
        let g = |i: usize, j: usize| along(ready.g[(i, j)], &|d| ready.g_by[d][(i, j)]);
        let (rows, taken) = on_basis(ready.g.nrows(), &g);
        let rate = |row: usize| along(ready.rates.0[row], &|d| ready.rates.1[(row, d)]);
        let mass = self.struck.mass();
        let speed = self.before.dot(&(mass * &self.before)).sqrt();
        let springs = self.e.iter().enumerate().map(|(place, (e, by))| {
            Spring::new(rows[place].clone(), rate(place), along(*e, &|d| by[d]), speed)
        });
        let springs: Vec<Spring<Varied>> = springs.collect();
        let (mut terms, mut place) = (Vec::new(), springs.len());
        let found = &self.struck.tapes[FRICTIONS];
        for (spring, term) in &self.frictions {
            let count = self.terms.components(*term).len();
            let components = place..place + count;
            place += count;
            let friction = along(found.values[*term], &|d| found.by[(*term, d)]);
            let of = components.clone().map(|row| rows[row].clone()).collect();
            let slip = components.map(rate).collect();
            terms.push(Term::new((*spring, friction), of, slip, speed));
        }
        let made = together(&springs, &terms, (taken.len(), speed));
        let (change, _) = made.map_err(|why| AnalysisError::not_smooth(told(why)))?;
        // L⁻ᵀ y.
        let mut impulses: Vec<Varied> = change;
        for k in (0..taken.len()).rev() {
            for above in k + 1..taken.len() {
                impulses[k] = impulses[k] - rows[taken[above]][k] * impulses[above];
            }
            impulses[k] = impulses[k] / rows[taken[k]][k];
        }
        Ok(taken.into_iter().zip(impulses).collect())
    }
}

/// The rows of L, and those that do not depend on others.
fn on_basis(count: usize, g: &dyn Fn(usize, usize) -> Varied) -> (Vec<Vec<Varied>>, Vec<usize>) {
    let zero = Varied::of(0.0);
    let (mut rows, mut taken): (Vec<Vec<Varied>>, Vec<usize>) = (Vec::new(), Vec::new());
    for row in 0..count {
        let (all, mut left) = (g(row, row), g(row, row));
        let size = all.value.sqrt();
        let mut entries: Vec<Varied> = Vec::new();
        for (k, &pivot) in taken.iter().enumerate() {
            let mut entry = g(row, pivot);
            for (one, other) in entries.iter().zip(&rows[pivot]) {
                entry = entry - *one * *other;
            }
            let mut entry: Varied = entry / rows[pivot][k];
            if entry.value.abs() <= ROUNDINGS * f64::EPSILON * size {
                entry.value = 0.0;
            }
            left = left - entry * entry;
            entries.push(entry);
        }
        if left.value > (DEPENDENT * DEPENDENT).max(ROUNDINGS * f64::EPSILON) * all.value {
            entries.push(left.sqrt());
            taken.push(row);
        }
        rows.push(entries);
    }
    for row in &mut rows {
        row.resize(taken.len(), zero);
    }
    (rows, taken)
}
