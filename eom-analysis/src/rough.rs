//! What an impact with friction, or of a contact beside others that rest, does to variations.
//!
//! ```text
//! M (v⁺ − v⁻) = BᵀΛ + Σ Dᵢ Λᵢ          D = −c Jᵀu of what slides behind it, u = s⁺/‖s⁺‖
//! ∇g v⁺ + ∂g/∂t = −e ġ⁻ of what is struck, 0 of what rests;  s⁺ = 0 of what sticks;  A v⁺ + b = 0
//!
//! (M − Σ Λᵢ ∂Dᵢ/∂v⁺) δv⁺ − (B + D)ᵀ δΛ = M δv⁻ − δM (v⁺ − v⁻) + δ(B + D)ᵀ Λ
//! B δv⁺ = −(δB v⁺ + δb) − E (δB v⁻ + δb + B δv⁻)
//! ```
//!
//! Where rows depend on each other those that do not have the same v⁺.
//!
//! It is that of Newton's law in one phase (`hybrid::rough_impact` of the core). Where these equations do not give the v⁺ of
//! the run, its law is another one, and there is no derivative here.

use crate::balance::{Balance, borne, press_all, push};
use crate::error::AnalysisError;
use crate::friction::Terms;
use crate::lengths::Length;
use crate::lines::{FRICTIONS, Line, RowOf, bearing, independent};
use crate::process;
use crate::saltation::{Passage, Saltation, law_slopes, permutation};
use crate::struck::{Reader, Struck};
use crate::tapes::{Read, Tapes, clear_rate};
use eom_core::system::{Bearer, Restitution};
use eom_core::{Event, EventKind, Mode, State};
use nalgebra::{DMatrix, DVector};

/// A slip is zero, and v⁺ is that of the run, within this part of the velocities.
const NONE: f64 = 1e-8;

/// An impulse along a surface this near to the most that there is, is at the edge.
const EDGE: f64 = 1e-9;

/// An impact with what takes part in it.
struct OnePhase<'t> {
    lines: Vec<Line>,
    /// At v⁺.
    struck: Struck,
    /// D beside the rows that bear what slides.
    pushes: Vec<Option<Read>>,
    /// What slides on the length of several multipliers.
    lengths: Vec<Length>,
    taken: Vec<usize>,
    /// e by rows.
    e: Vec<f64>,
    minus: DVector<f64>,
    plus: DVector<f64>,
    terms: &'t Terms,
    /// The contact that is struck.
    contact: usize,
}

impl Saltation {
    /// That of an impact of one contact with friction, or beside others that rest.
    pub(crate) fn of_rough_impact(
        of: &Tapes<'_>,
        terms: &Terms,
        event: &Event,
        (inputs, seeds): (&[f64], &DMatrix<f64>),
        [before, behind]: [&DVector<f64>; 2],
    ) -> Result<Self, AnalysisError> {
        let EventKind::Impact { contact, others, .. } = &event.kind else {
            return Err(AnalysisError::NotFinite { what: "an impact".to_owned() });
        };
        let (contact, (n, m)) = (*contact, (of.info.positions(), of.info.speeds()));
        let [(q, minus), (after, plus)] = event.sides();
        let refused = |why: &str| {
            let why = format!(
                "at t = {}, the impact of `{}` {why}",
                event.t, of.info.contacts[contact].name
            );
            AnalysisError::NotSmooth { why }
        };
        let state = State::new(event.t, q, minus);
        let (_, gaps) = of.along((of.system.programs().gaps, "gaps"), &state, inputs)?;
        let gap = gaps.view((contact, 0), (1, 1 + n)).into_owned();
        let rate = clear_rate(&gap, before).ok_or_else(|| refused("grazes"))?;
        let (mut exchanged, mut v_plus) = (after.to_vec(), plus.to_vec());
        of.system.relabel(contact, &mut exchanged, &mut v_plus);
        let others: Vec<usize> = others.iter().map(|hit| hit.contact).collect();
        let given = (inputs, seeds);
        let told = |why| match why {
            AnalysisError::NotSmooth { why } => refused(&why),
            other => other,
        };
        let alone = others.is_empty() && of.row_friction().is_none();
        let process = if alone {
            process::changes(of, terms, contact, (&state, &v_plus), given).map_err(told)?
        } else {
            None
        };
        let changes = match process {
            Some(changes) => changes,
            None if !is_in_one_phase(of, contact, &others, seeds)? => {
                return Err(refused("has a law without a derivative here"));
            }
            None => OnePhase::new(of, terms, (contact, &others), (&state, &v_plus), given)?
                .changes(of, seeds)
                .map_err(told)?,
        };
        let count = 1 + n + m;
        let mut by_all = DMatrix::zeros(n + m, count + seeds.ncols());
        by_all.view_mut((0, 1), (n, n)).fill_with_identity();
        by_all.rows_mut(n, m).copy_from(&changes);
        let gaps = of.with_seeds((of.system.programs().gaps, "gaps"), &state, (inputs, seeds))?;
        let changed = by_all.columns(count, seeds.ncols()).into_owned();
        let map = [by_all.columns(0, count).into_owned(), changed];
        let guard = [gap, gaps.rows(contact, 1).into_owned()];
        let passage = Passage { map, guard, rate };
        let found = passage.saltation([before, behind], &permutation(of, contact));
        found.ok_or_else(|| refused("has no derivative"))
    }
}

impl<'t> OnePhase<'t> {
    fn new(
        of: &Tapes<'_>,
        terms: &'t Terms,
        (contact, others): (usize, &[usize]),
        (state, plus): (&State, &[f64]),
        given: (&[f64], &DMatrix<f64>),
    ) -> Result<Self, AnalysisError> {
        let info = of.info;
        let after = State::new(state.t, state.q.clone(), plus);
        let reader = Reader::at(of, &after, given);
        let struck = Struck::read(of, terms, &reader)?;
        let contacts = Mode::new(others.iter().copied().chain([contact]).collect());
        let (plus, minus) =
            (DVector::from_column_slice(plus), DVector::from_column_slice(&state.v));
        let rests = |term: &usize| {
            let values = &struck.tapes[FRICTIONS].values;
            let row = |component: usize| values.rows(terms.row(component), minus.len()).norm();
            let size = terms.components(*term).map(row).fold(0.0, f64::max);
            terms.speed(*term, values.as_slice()) <= NONE * size * (plus.norm() + minus.norm())
        };
        let pressed = (0..terms.count()).filter(|term| terms.bearer(*term).is_some());
        let (sticking, sliding): (Vec<usize>, Vec<usize>) =
            pressed.filter(|term| terms.acts(*term, &contacts)).partition(rests);
        let mut lines = Line::all(info, &contacts.with_sticking(sticking), terms);
        let released = |of: RowOf| match of {
            RowOf::Constraint(row) => info.contacts[contact].releases.contains(&row),
            _ => false,
        };
        lines.retain(|line| !released(line.of));
        let e = restitutions(of, contact, &lines)?;
        let taken = independent(&lines, &struck.rows(&lines));
        let bears = info.has_borne_forces();
        let borne_forces = of.system.programs().borne_forces;
        let all = reader.read(borne_forces, bears, "forces with λ or friction of contacts")?;
        let pushes = borne(&lines, bears.then_some(&all), (info, terms));
        let mut impact = Self {
            lines,
            struck,
            pushes,
            lengths: Vec::new(),
            taken,
            e,
            minus,
            plus,
            terms,
            contact,
        };
        for term in sliding {
            impact.slide(term, bears.then_some(&all))?;
        }
        Ok(impact)
    }

    /// Adds D of a term that slides beside the row that bears it.
    fn slide(&mut self, term: usize, borne: Option<&Read>) -> Result<(), AnalysisError> {
        let found = (&self.struck.tapes[FRICTIONS], borne);
        let Some(found) = push(self.terms, (term, term), found, None)? else {
            return Ok(());
        };
        let rows = bearing(&self.lines, self.terms, term);
        if let Some(Bearer::Rows { .. }) = self.terms.bearer(term) {
            self.lengths.push(Length { rows, push: found, name: self.terms.name(term) });
            return Ok(());
        }
        let Some(to) = rows.first().and_then(|row| self.pushes.get_mut(*row)) else {
            return Ok(());
        };
        match to {
            None => *to = Some(found),
            Some(sum) => sum.add(&found),
        }
        Ok(())
    }

    /// δv⁺ by (t, q, v⁻) and the seeds.
    fn changes(
        mut self,
        of: &Tapes<'_>,
        seeds: &DMatrix<f64>,
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let m = self.minus.len();
        let not = |why: &str| AnalysisError::NotSmooth { why: why.to_owned() };
        let redundant = self.taken.len() < self.lines.len();
        if redundant && (self.pushes.iter().any(Option::is_some) || !self.lengths.is_empty()) {
            return Err(not("has dependent rows"));
        }
        let (here, rows) = (self.struck.mass(), self.struck.rows(&self.lines));
        let upper = &here * &self.minus;
        let lower = self.lower();
        press_all(
            (&self.lines, &self.struck.tapes, &self.taken),
            (&here, &rows),
            (&upper, &lower),
            (&self.lengths, &mut self.pushes),
            false,
        )?;
        let Self { lines, struck, pushes, taken, .. } = &self;
        let system = Balance { lines, tapes: &struck.tapes, pushes, taken, m };
        let solved = system.matrix(&here, &rows).lu().solve(&system.right(&upper, &lower));
        let solved = solved.ok_or_else(|| not("has dependent rows"))?;
        let off = (solved.rows(0, m) - &self.plus).norm();
        if off > NONE * (self.plus.norm() + self.minus.norm()) {
            return Err(not("has a law without a derivative here"));
        }
        let impulses = system.spread(solved.rows(m, taken.len()).as_slice());
        if !redundant {
            self.check_edges(&impulses)?;
        }
        let mut matrix = system.matrix(&here, &rows);
        for (push, impulse) in pushes.iter().zip(&impulses) {
            let Some(push) = push else { continue };
            let by_speed = push.by.columns(1 + of.info.positions(), m) * *impulse;
            let mut block = matrix.view_mut((0, 0), (m, m));
            block -= by_speed;
        }
        let factors = matrix.lu();
        let laws = law_slopes(of, self.contact, seeds)?;
        let mut found = DMatrix::zeros(m, self.struck.directions());
        for j in 0..found.ncols() {
            let (upper, lower) = self.right_by(j, of.info.positions(), &impulses, &laws);
            let change = factors.solve(&system.right(&upper, &lower));
            let change = change.ok_or_else(|| not("has dependent rows"))?;
            found.set_column(j, &change.rows(0, m));
        }
        Ok(found)
    }

    /// The right sides of (δv⁺, δΛ) along a direction.
    fn right_by(
        &self,
        j: usize,
        n: usize,
        impulses: &[f64],
        laws: &DMatrix<f64>,
    ) -> (DVector<f64>, DVector<f64>) {
        let m = self.minus.len();
        if let Some(speed) = j.checked_sub(1 + n).filter(|speed| *speed < m) {
            let upper = self.struck.mass().column(speed).into_owned();
            let of_row = |row: usize| {
                let line = &self.lines[row];
                let entry = self.struck.tapes[line.tape].values[line.first + speed];
                if line.tape == FRICTIONS { 0.0 } else { -self.e[row] * entry }
            };
            return (upper, DVector::from_fn(self.lines.len(), |row, _| of_row(row)));
        }
        let mut upper = -(self.struck.mass_by(j) * (&self.plus - &self.minus));
        for (row, line) in self.lines.iter().enumerate() {
            let of_row = self.struck.tapes[line.tape].by.column(j);
            upper += of_row.rows(line.first, m) * impulses[row];
            if let Some(push) = &self.pushes[row] {
                upper += push.by.column(j) * impulses[row];
            }
        }
        let seed = j.checked_sub(1 + n + m);
        let lower = DVector::from_fn(self.lines.len(), |row, _| {
            let line = &self.lines[row];
            let of_row = self.struck.tapes[line.tape].by.column(j);
            if line.tape == FRICTIONS {
                return -of_row[line.offset];
            }
            let rate = |v: &DVector<f64>| of_row.rows(line.first, m).dot(v) + of_row[line.offset];
            let law = seed.map_or(0.0, |seed| self.law(row, seed, laws));
            -rate(&self.plus) - self.e[row] * rate(&self.minus) - law * self.rate(row, &self.minus)
        });
        (upper, lower)
    }

    /// How e of a row changes with a seed: 0 of what rests.
    fn law(&self, row: usize, seed: usize, laws: &DMatrix<f64>) -> f64 {
        match self.lines[row].of {
            RowOf::Gap(contact) if contact == self.contact => laws[(1, seed)],
            RowOf::Own(contact) if contact == self.contact => laws[(2, seed)],
            _ => 0.0,
        }
    }

    /// B v + b of a row.
    fn rate(&self, row: usize, v: &DVector<f64>) -> f64 {
        let line = &self.lines[row];
        let values = &self.struck.tapes[line.tape].values;
        values.rows(line.first, v.len()).dot(v) + values[line.offset]
    }

    /// −E (B v⁻ + b) − b of rows, and of what sticks J v⁺ − s⁺.
    fn lower(&self) -> DVector<f64> {
        DVector::from_fn(self.lines.len(), |row, _| {
            let (line, of_plus) = (&self.lines[row], self.rate(row, &self.plus));
            let values = &self.struck.tapes[line.tape].values;
            let linear = values.rows(line.first, self.plus.len()).dot(&self.plus);
            match line.tape {
                FRICTIONS => linear - values[line.offset],
                _ => linear - of_plus - self.e[row] * self.rate(row, &self.minus),
            }
        })
    }

    /// Refuses what sticks with as much as it can.
    fn check_edges(&self, impulses: &[f64]) -> Result<(), AnalysisError> {
        let size = |is_of: &dyn Fn(usize) -> bool| {
            let rows = impulses.iter().enumerate().filter(|(row, _)| is_of(*row));
            rows.map(|(_, impulse)| impulse * impulse).sum::<f64>().sqrt()
        };
        for line in &self.lines {
            let RowOf::Stick(term) = line.of else { continue };
            if self.terms.bearer(term).is_none() {
                continue;
            }
            let rows = bearing(&self.lines, self.terms, term);
            let most = self.struck.tapes[FRICTIONS].values[term] * size(&|row| rows.contains(&row));
            if size(&|row| self.lines[row].of == line.of) >= (1.0 - EDGE) * most {
                let why = format!("has {} at the edge of its cone", self.terms.name(term));
                return Err(AnalysisError::NotSmooth { why });
            }
        }
        Ok(())
    }
}

/// Whether the law of an impact, and of what is beside it, is that of one phase: Newton's; Poisson's without restitution; Stronge's
/// of what only bears, beside a restitution by Newton's.
fn is_in_one_phase(
    of: &Tapes<'_>,
    contact: usize,
    others: &[usize],
    seeds: &DMatrix<f64>,
) -> Result<bool, AnalysisError> {
    let e = |of_contact: usize| of.system.law(of_contact).restitutions().map_or(0.0, |[_, e, _]| e);
    let newtons = of.system.restitution(contact) == Restitution::Newton && e(contact) != 0.0;
    for &one in others.iter().chain([&contact]) {
        let is_plain = match of.system.restitution(one) {
            Restitution::Newton => true,
            Restitution::Poisson => {
                e(one) == 0.0
                    && law_slopes(of, one, seeds)?.row(1).iter().all(|slope| *slope == 0.0)
            }
            Restitution::Stronge => one != contact && newtons,
        };
        if !is_plain {
            return Ok(false);
        }
    }
    Ok(true)
}

/// e of each row: of the contact that is struck by its law, of what rests 0.
fn restitutions(of: &Tapes<'_>, contact: usize, lines: &[Line]) -> Result<Vec<f64>, AnalysisError> {
    let Some([_, normal, tangential]) = of.system.law(contact).restitutions() else {
        let why = "has a law without a derivative here".to_owned();
        return Err(AnalysisError::NotSmooth { why });
    };
    let e = |line: &Line| match line.of {
        RowOf::Gap(struck) if struck == contact => normal,
        RowOf::Own(struck) if struck == contact => tangential,
        _ => 0.0,
    };
    Ok(lines.iter().map(e).collect())
}
