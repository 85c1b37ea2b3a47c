//! What one phase of an impact with friction does to variations, or of a contact beside others that rest.
//!
//! From v₀ to v₁, S the contacts that bear in it, R those to which Λ⁰ comes back and no more,
//!
//! ```text
//! M (v₁ − v₀) = BᵀΛ + Σ Dᵢ Λᵢ          D = −c Jᵀu of what slides behind it, u = s₁/‖s₁‖;  Λᵢ = Λ⁰ᵢ, i ∈ R
//! ∇g v₁ + ∂g/∂t = −e ġ⁻ of what is struck, 0 of what rests;  s₁ = 0 of what sticks;  A v₁ + b = 0
//!
//! (M − Σ Λᵢ ∂Dᵢ/∂v₁) δv₁ − (B + D)ᵀ δΛ = M δv₀ − δM (v₁ − v₀) + δ(B + D)ᵀ Λ          δΛᵢ = δΛ⁰ᵢ, i ∈ R
//! B δv₁ = −(δB v₁ + δb) − E (δB v⁻ + δb + B δv⁻)
//! ```
//!
//! Where rows depend on each other those that do not have the same v₁. What sticks at the edge of its cone has no derivative.

use super::law_slopes;
use super::struck::{Reader, Struck};
use crate::error::AnalysisError;
use crate::mode::balance::{Balance, borne, press_all, push};
use crate::mode::lengths::Length;
use crate::mode::lines::{FRICTIONS, Line, RowOf, bearing, independent};
use crate::tapes::friction::Terms;
use crate::tapes::{Read, Tapes};
use eom_core::system::Bearer;
use eom_core::{Mode, State};
use nalgebra::{DMatrix, DVector};

/// A slip is zero, and v₁ is that of the run, within this part of the velocities.
pub(crate) const NONE: f64 = 1e-8;

/// An impulse along a surface this near to the most that there is, is at the edge.
pub(crate) const EDGE: f64 = 1e-9;

/// What a phase begins with, and by which law it ends.
pub(crate) struct Begin<'b> {
    /// The contact that is struck.
    pub(crate) contact: usize,
    /// Those that bear, this one among them where it does.
    pub(crate) bearing: &'b [usize],
    /// Those of R, with Λ⁰ and how it changes along the directions.
    pub(crate) returned: &'b [Impulse],
    /// v₀, and how it changes along them.
    pub(crate) velocity: DVector<f64>,
    pub(crate) by: DMatrix<f64>,
    /// e of ∇g and of the own rows of what is struck, and how they change with the seeds.
    pub(crate) e: [f64; 2],
    pub(crate) slopes: [Vec<f64>; 2],
}

/// The impulse of a contact, and how it changes.
#[derive(Clone)]
pub(crate) struct Impulse {
    pub(crate) contact: usize,
    pub(crate) value: f64,
    pub(crate) by: DVector<f64>,
}

/// How a phase ends: δv₁, and the impulses of its contacts.
pub(crate) struct Ended {
    pub(crate) by: DMatrix<f64>,
    pub(crate) impulses: Vec<Impulse>,
}

/// A phase with what takes part in it.
pub(crate) struct OnePhase<'t> {
    lines: Vec<Line>,
    /// At v₁.
    struck: Struck,
    /// D beside the rows that bear what slides.
    pushes: Vec<Option<Read>>,
    /// What slides on the length of several multipliers.
    lengths: Vec<Length>,
    taken: Vec<usize>,
    /// Λ⁰ of R by rows.
    returned: Vec<Option<&'t Impulse>>,
    /// e by rows.
    e: Vec<f64>,
    begin: &'t Begin<'t>,
    minus: DVector<f64>,
    plus: DVector<f64>,
    terms: &'t Terms,
}

impl<'t> OnePhase<'t> {
    /// That which leads from what it begins with at a state before an impact to v₁.
    pub(crate) fn new(
        of: &Tapes<'_>,
        terms: &'t Terms,
        begin: &'t Begin<'t>,
        (state, plus): (&State, &[f64]),
        given: (&[f64], &DMatrix<f64>),
    ) -> Result<Self, AnalysisError> {
        let (info, contact) = (of.info, begin.contact);
        let after = State::new(state.t, state.q.clone(), plus);
        let reader = Reader::at(of, &after, given);
        let struck = Struck::read(of, terms, &reader)?;
        let back = begin.returned.iter().map(|impulse| impulse.contact);
        let contacts = Mode::new(begin.bearing.iter().copied().chain(back).collect());
        let (plus, minus) =
            (DVector::from_column_slice(plus), DVector::from_column_slice(&state.v));
        let rests = |term: &usize| {
            let values = &struck.tapes[FRICTIONS].values;
            let row =
                |component: usize| values.rows(terms.row(component), minus.len()).into_owned();
            let reaches = terms.components(*term).map(|component| struck.reach(&row(component)));
            let size = struck.size(&plus) + struck.size(&minus);
            terms.speed(*term, values.as_slice()) <= NONE * reaches.fold(0.0, f64::max) * size
        };
        let pressed = (0..terms.count()).filter(|term| terms.bearer(*term).is_some());
        let (sticking, sliding): (Vec<usize>, Vec<usize>) =
            pressed.filter(|term| terms.acts(*term, &contacts)).partition(rests);
        let mut lines = Line::all(info, &contacts.with_sticking(sticking), terms);
        let released = |of: RowOf| match of {
            RowOf::Constraint(row) => info.contacts[contact].releases.contains(&row),
            _ => false,
        };
        // Of friction that counts in one direction of two the other holds nothing.
        let holds = |line: &Line| {
            let places = line.first..line.first + minus.len();
            line.tape != FRICTIONS || !struck.tapes[FRICTIONS].is_zero(places)
        };
        lines.retain(|line| !released(line.of) && holds(line));
        let e = lines.iter().map(|line| match line.of {
            RowOf::Gap(struck) if struck == contact => begin.e[0],
            RowOf::Own(struck) if struck == contact => begin.e[1],
            _ => 0.0,
        });
        let e = e.collect();
        let returned = lines.iter().map(|line| {
            let is_of = |impulse: &&Impulse| line.of == RowOf::Gap(impulse.contact);
            begin.returned.iter().find(is_of)
        });
        let returned: Vec<Option<&Impulse>> = returned.collect();
        // The rows of R are not in force.
        let mut rows = struck.rows(&lines);
        for (row, _) in returned.iter().enumerate().filter(|(_, back)| back.is_some()) {
            rows.row_mut(row).fill(0.0);
        }
        let taken = independent(&lines, &rows);
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
            returned,
            e,
            begin,
            minus,
            plus,
            terms,
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

    /// How it ends, by (t, q, v⁻) and the seeds.
    pub(crate) fn changes(mut self, of: &Tapes<'_>) -> Result<Ended, AnalysisError> {
        let m = self.minus.len();
        let redundant = self.taken.len() + self.begin.returned.len() < self.lines.len();
        if redundant && (self.pushes.iter().any(Option::is_some) || !self.lengths.is_empty()) {
            return Err(AnalysisError::not_smooth("has dependent rows"));
        }
        let (here, rows) = (self.struck.mass(), self.struck.rows(&self.lines));
        let upper = &here * &self.begin.velocity + self.coming_back();
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
        let solved = solved.ok_or_else(|| AnalysisError::not_smooth("has dependent rows"))?;
        let size = |v: &DVector<f64>| self.struck.size(v);
        let off = size(&(solved.rows(0, m) - &self.plus));
        if off.is_nan() || off > NONE * (size(&self.plus) + size(&self.minus)) {
            return Err(AnalysisError::not_smooth("has a law without a derivative here"));
        }
        let mut impulses = system.spread(solved.rows(m, taken.len()).as_slice());
        for (impulse, back) in impulses.iter_mut().zip(&self.returned) {
            *impulse = back.map_or(*impulse, |back| back.value);
        }
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
        let mut found = DMatrix::zeros(m, self.struck.directions());
        let mut of_rows = DMatrix::zeros(self.lines.len(), found.ncols());
        for j in 0..found.ncols() {
            let (upper, lower) = self.right_by(j, of.info.positions(), &impulses);
            let change = factors.solve(&system.right(&upper, &lower));
            let change = change.ok_or_else(|| AnalysisError::not_smooth("has dependent rows"))?;
            found.set_column(j, &change.rows(0, m));
            of_rows.set_column(j, &DVector::from(system.spread(&change.as_slice()[m..])));
        }
        let impulses = self.lines.iter().zip(&self.returned).zip(&impulses).enumerate();
        let impulses = impulses.filter_map(|(row, ((line, back), value))| {
            let RowOf::Gap(contact) = line.of else { return None };
            let by = back.map_or_else(|| of_rows.row(row).transpose(), |back| back.by.clone());
            Some(Impulse { contact, value: *value, by })
        });
        Ok(Ended { impulses: impulses.collect(), by: found })
    }

    /// (B + D)ᵀΛ⁰ of R.
    fn coming_back(&self) -> DVector<f64> {
        self.force_of(&|back| back.value)
    }

    /// (B + D)ᵀ times something of R.
    fn force_of(&self, part: &dyn Fn(&Impulse) -> f64) -> DVector<f64> {
        let m = self.minus.len();
        let mut force = DVector::zeros(m);
        for ((line, back), push) in self.lines.iter().zip(&self.returned).zip(&self.pushes) {
            let Some(back) = back else { continue };
            let row = self.struck.tapes[line.tape].values.rows(line.first, m);
            force += row * part(back);
            if let Some(push) = push {
                force += &push.values * part(back);
            }
        }
        force
    }

    /// The right sides of (δv⁺, δΛ) along a direction.
    fn right_by(&self, j: usize, n: usize, impulses: &[f64]) -> (DVector<f64>, DVector<f64>) {
        let m = self.minus.len();
        let mut upper =
            self.struck.mass() * self.begin.by.column(j) + self.force_of(&|back| back.by[j]);
        if let Some(speed) = j.checked_sub(1 + n).filter(|speed| *speed < m) {
            let of_row = |row: usize| {
                let line = &self.lines[row];
                let entry = self.struck.tapes[line.tape].values[line.first + speed];
                if line.tape == FRICTIONS { 0.0 } else { -self.e[row] * entry }
            };
            return (upper, DVector::from_fn(self.lines.len(), |row, _| of_row(row)));
        }
        upper -= self.struck.mass_by(j) * (&self.plus - &self.begin.velocity);
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
            let law = seed.map_or(0.0, |seed| self.law(row, seed));
            -rate(&self.plus) - self.e[row] * rate(&self.minus) - law * self.rate(row, &self.minus)
        });
        (upper, lower)
    }

    /// How e of a row changes with a seed: 0 of what rests.
    fn law(&self, row: usize, seed: usize) -> f64 {
        match self.lines[row].of {
            RowOf::Gap(contact) if contact == self.begin.contact => self.begin.slopes[0][seed],
            RowOf::Own(contact) if contact == self.begin.contact => self.begin.slopes[1][seed],
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

/// v⁻, and how it changes by (t, q, v⁻) and the seeds.
pub(crate) fn at_impact(state: &State, seeds: &DMatrix<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let (first, m) = (1 + state.q.len(), state.v.len());
    let mut by = DMatrix::zeros(m, first + m + seeds.ncols());
    by.view_mut((0, first), (m, m)).fill_with_identity();
    (DVector::from_column_slice(&state.v), by)
}

/// e of ∇g and of the own rows of a contact, and how they change with the seeds.
pub(crate) fn restitutions(
    of: &Tapes<'_>,
    contact: usize,
    seeds: &DMatrix<f64>,
) -> Result<([f64; 2], [Vec<f64>; 2]), AnalysisError> {
    let Some([_, normal, tangential]) = of.system.law(contact).restitutions() else {
        return Err(AnalysisError::not_smooth("has a law without a derivative here"));
    };
    let slopes = law_slopes(of, contact, seeds)?;
    let of_rows = [1, 2].map(|kind| slopes.row(kind).iter().copied().collect());
    Ok(([normal, tangential], of_rows))
}
