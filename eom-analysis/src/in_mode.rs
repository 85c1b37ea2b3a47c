//! Motion in a mode: with contacts closed, friction that sticks, friction that slides.
//!
//! ```text
//! M a = F − h + D₀ + Bᵀλ + Σ Dᵢ Nᵢ        D = −c Jᵀ w/‖w‖ of what slides, D₀ of what does so whatever its contact bears
//! B a = −∂(B v + b)/∂q q̇                  B: A, own rows of closed contacts, J of what sticks, A_h, ∇g; Nᵢ = λ of ∇gᵢ
//! ```
//!
//! Of friction of a constraint Nᵢ = |λᵢ| = σλᵢ: the sign σ is that with which all of these are right.
//!
//! Along a steady motion ẋ = 0, so that with λ known
//!
//! ```text
//! M δa − (B + D)ᵀ δλ = δ(F − h + D₀) − δM a + δ(B + D)ᵀ λ
//! B δa               = −δB a − ∂(B v + b)/∂q δq̇
//! ```
//!
//! is exact; away from one, where δ(∂(B v + b)/∂q) q̇ is left out, it is the matrix of a Newton step.

use crate::error::AnalysisError;
use crate::friction::Terms;
use crate::space::{Local, StateSpace};
use crate::tapes::{derivatives, symmetric};
use eom_core::State;
use eom_core::enclosure::Tape;
use eom_core::system::Bearer;
use nalgebra::{DMatrix, DVector};

/// Of a row what is left beside those before it is rounding below this part of it.
const DEPENDENT: f64 = 1e-9;

/// So many constraints slide with friction at most.
const PRESSING_MAX: usize = 10;

/// Values of a tape, and their derivatives by (q, v, u).
struct Read {
    values: DVector<f64>,
    by: DMatrix<f64>,
}

/// What a row in force is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowOf {
    /// A declared constraint.
    Constraint(usize),
    /// The gap of a contact.
    Gap(usize),
    /// Own rows of a contact.
    Own,
    /// A component of a term of friction that sticks.
    Stick(usize),
}

/// A row in force: its coefficients from a place of its tape on, then its affine part, or its value itself.
struct Line {
    name: String,
    of: RowOf,
    tape: usize,
    first: usize,
    offset: usize,
}

/// The tapes of rows.
const CONSTRAINTS: usize = 0;
const CONTACTS: usize = 1;
const FRICTIONS: usize = 2;

/// The motion in a mode at a state.
pub(crate) struct InMode {
    pub(crate) local: Local,
    /// What each row is of, and its λ.
    pub(crate) rows: Vec<(RowOf, f64)>,
    /// Whether a row depends on others, so that forces are not determined.
    pub(crate) redundant: bool,
    /// ‖F − h‖, the size of forces.
    pub(crate) size: f64,
    /// The point terms of friction: c, w and the others as the tape has them.
    pub(crate) friction: DVector<f64>,
}

impl StateSpace<'_> {
    /// Values and derivatives in the mode of this space.
    pub(crate) fn in_mode(&self, state: &State, inputs: &[f64]) -> Result<InMode, AnalysisError> {
        let (info, programs) = (self.programs.info, self.programs.system.programs());
        let (n, m, r) = (info.positions(), info.speeds(), inputs.len());
        let given = self.programs.given(state, inputs);
        let missing = |what| AnalysisError::NoProgram { system: info.name, what };
        let read = |tape: &Tape| {
            let (values, by) = derivatives(tape, &given, 1..1 + n + m + r);
            Read { values, by }
        };
        let or_none = |tape: Option<&Tape>| {
            let none = || Read { values: DVector::zeros(0), by: DMatrix::zeros(0, n + m + r) };
            tape.map_or_else(none, read)
        };
        let mass = read(programs.mass_matrix.ok_or_else(|| missing("mass matrix"))?);
        let forces = read(programs.forces.ok_or_else(|| missing("forces"))?);
        let terms = Terms::of(self.programs.system)?;
        if !terms.is_empty() && programs.frictions.is_none() {
            return Err(missing("friction"));
        }
        if !info.contacts.is_empty() && programs.contact_rows.is_none() {
            return Err(missing("contacts"));
        }
        let tapes = [
            or_none(self.programs.rows),
            or_none(programs.contact_rows),
            or_none(programs.frictions.filter(|_| !terms.is_empty())),
        ];
        let mut force = Read {
            values: forces.values.rows(0, m) - forces.values.rows(m, m),
            by: forces.by.rows(0, m) - forces.by.rows(m, m),
        };
        let size = force.values.norm();
        if let Some(tape) = programs.contact_forces {
            let own = read(tape);
            for contact in self.mode.closed() {
                force.values += own.values.rows(contact * m, m);
                force.by += own.by.rows(contact * m, m);
            }
        }
        let lines = self.lines(&terms);
        let (matrix, residual, by_position) = rows(&lines, &tapes, &state.v, n);
        let mut pushes: Vec<Option<Read>> = lines.iter().map(|_| None).collect();
        self.add_friction((&terms, &tapes[FRICTIONS]), &lines, &mut force, &mut pushes)?;
        let taken = independent(&lines, &matrix);
        let redundant = taken.len() < lines.len();
        if redundant && pushes.iter().any(Option::is_some) {
            let why = "the forces of contacts that slide are not determined".to_owned();
            return Err(AnalysisError::NotSmooth { why });
        }
        let (rates, rates_by) = self.kinematics(state, &given, r);
        let turned = -&by_position * &rates;
        let here = symmetric(m, |place| mass.values[place]);
        press((&lines, &tapes, &taken), (&here, &matrix), (&force.values, &turned), &mut pushes)?;
        let system = Balance { lines: &lines, tapes: &tapes, pushes: &pushes, taken: &taken, m };
        let undetermined = || AnalysisError::NotSmooth {
            why: "the accelerations are not determined in this mode".to_owned(),
        };
        let factors = system.matrix(&here, &matrix).lu();
        let solved =
            factors.solve(&system.right(&force.values, &turned)).ok_or_else(undetermined)?;
        let (a, multipliers) =
            (solved.rows(0, m).into_owned(), solved.rows(m, taken.len()).into_owned());
        let λ = system.spread(multipliers.as_slice());
        let mut slopes = DMatrix::zeros(m, n + m + r);
        for j in 0..n + m + r {
            let mut upper = force.by.column(j) - symmetric(m, |place| mass.by[(place, j)]) * &a;
            let mut lower = -&by_position * rates_by.column(j);
            for (row, line) in lines.iter().enumerate() {
                let change = tapes[line.tape].by.column(j);
                let change = change.rows(line.first, m);
                upper += change * λ[row];
                lower[row] -= change.dot(&a);
                if let Some(push) = &pushes[row] {
                    upper += push.by.column(j) * λ[row];
                }
            }
            let change = factors.solve(&system.right(&upper, &lower)).ok_or_else(undetermined)?;
            slopes.set_column(j, &change.rows(0, m));
        }
        let mut by_state = DMatrix::zeros(n + m, n + m);
        by_state.rows_mut(0, n).copy_from(&rates_by.columns(0, n + m));
        by_state.rows_mut(n, m).copy_from(&slopes.columns(0, n + m));
        let mut by_input = DMatrix::zeros(n + m, r);
        by_input.rows_mut(n, m).copy_from(&slopes.columns(n + m, r));
        let local = Local {
            frame: rates_by.columns(n, m).into_owned(),
            field: DVector::from_iterator(n + m, rates.iter().chain(a.iter()).copied()),
            by_state,
            by_input,
            rows: matrix,
            residual,
            residual_by_position: by_position,
            holonomic: self.holonomic_in_mode(state),
            names: lines.iter().map(|line| line.name.clone()).collect(),
        };
        let local = self.all_finite(local)?;
        let rows = lines.iter().zip(λ).map(|(line, λ)| (line.of, λ)).collect();
        let friction = tapes[FRICTIONS].values.clone();
        Ok(InMode { local, rows, redundant, size, friction })
    }

    /// φ, then the gaps of the closed contacts.
    fn holonomic_in_mode(&self, state: &State) -> DVector<f64> {
        let info = self.programs.info;
        let mut φ = vec![0.0; info.holonomic_count()];
        self.programs.system.holonomic(state.t, &state.q, &mut φ);
        let mut gaps = vec![0.0; info.contacts.len()];
        self.programs.system.gaps(state.t, &state.q, &mut gaps);
        let closed = self.mode.closed().iter().map(|contact| gaps[*contact]);
        let all: Vec<f64> = φ.into_iter().chain(closed).collect();
        DVector::from_vec(all)
    }

    /// The rows in force, holonomic ones last.
    fn lines(&self, terms: &Terms) -> Vec<Line> {
        let (info, m) = (self.programs.info, self.programs.info.speeds());
        let (k, h) = (info.rows.len(), info.holonomic_count());
        let constraint = |row: usize| Line {
            name: info.rows[row].name.to_owned(),
            of: RowOf::Constraint(row),
            tape: CONSTRAINTS,
            first: row * m,
            offset: k * m + row,
        };
        let own = |contact: usize| info.contacts[contact].rows.len();
        let first = |contact: usize| (0..contact).map(|c| (m + 1) * (1 + own(c))).sum::<usize>();
        let mut lines: Vec<Line> = (0..k - h).map(constraint).collect();
        for &contact in self.mode.closed() {
            let start = first(contact) + m + 1;
            lines.extend(info.contacts[contact].rows.iter().enumerate().map(|(j, row)| Line {
                name: row.name.to_owned(),
                of: RowOf::Own,
                tape: CONTACTS,
                first: start + j * m,
                offset: start + own(contact) * m + j,
            }));
        }
        for &term in self.mode.sticking() {
            lines.extend(terms.components(term).map(|component| Line {
                name: terms.name(term),
                of: RowOf::Stick(term),
                tape: FRICTIONS,
                first: terms.row(component),
                offset: terms.w(component),
            }));
        }
        lines.extend((k - h..k).map(constraint));
        lines.extend(self.mode.closed().iter().map(|&contact| Line {
            name: info.contacts[contact].name.to_owned(),
            of: RowOf::Gap(contact),
            tape: CONTACTS,
            first: first(contact),
            offset: first(contact) + m,
        }));
        lines
    }

    /// Adds D₀ to the forces, and D of the closed contacts and of the constraints to the pushes beside their rows.
    fn add_friction(
        &self,
        (terms, found): (&Terms, &Read),
        lines: &[Line],
        force: &mut Read,
        pushes: &mut [Option<Read>],
    ) -> Result<(), AnalysisError> {
        for term in terms.acting(&self.mode) {
            let Some(push) = push(terms, term, found)? else { continue };
            let of = match terms.bearer(term) {
                Some(Bearer::Contact(contact)) => RowOf::Gap(contact),
                Some(Bearer::Row(row)) => RowOf::Constraint(row),
                None => {
                    force.values += push.values;
                    force.by += push.by;
                    continue;
                }
            };
            let row = lines.iter().position(|line| line.of == of);
            let Some(to) = row.and_then(|row| pushes.get_mut(row)) else { continue };
            match to {
                None => *to = Some(push),
                Some(sum) => {
                    sum.values += push.values;
                    sum.by += push.by;
                }
            }
        }
        Ok(())
    }
}

/// B, B v + b, ∂(B v + b)/∂q.
fn rows(
    lines: &[Line],
    tapes: &[Read; 3],
    v: &[f64],
    n: usize,
) -> (DMatrix<f64>, DVector<f64>, DMatrix<f64>) {
    let (count, m) = (lines.len(), v.len());
    let v = DVector::from_column_slice(v);
    let mut matrix = DMatrix::zeros(count, m);
    let (mut residual, mut by_position) = (DVector::zeros(count), DMatrix::zeros(count, n));
    for (row, line) in lines.iter().enumerate() {
        let Read { values, by } = &tapes[line.tape];
        let coefficients = values.rows(line.first, m);
        matrix.row_mut(row).copy_from(&coefficients.transpose());
        // The value of w is written; of others the affine part.
        let is_value = line.tape == FRICTIONS;
        residual[row] = values[line.offset];
        if !is_value {
            residual[row] += coefficients.dot(&v);
        }
        for j in 0..n {
            by_position[(row, j)] = by[(line.offset, j)];
            if !is_value {
                by_position[(row, j)] += by.column(j).rows(line.first, m).dot(&v);
            }
        }
    }
    (matrix, residual, by_position)
}

/// −c Jᵀ w/‖w‖ of a term that slides, with its derivatives; none where its strength is 0.
fn push(terms: &Terms, term: usize, found: &Read) -> Result<Option<Read>, AnalysisError> {
    let m = terms.speeds();
    let c = found.values[term];
    if c == 0.0 && found.by.row(term).iter().all(|slope| *slope == 0.0) {
        return Ok(None);
    }
    let speed = terms.speed(term, found.values.as_slice());
    if speed == 0.0 {
        let why = format!("{} begins to slide", terms.name(term));
        return Err(AnalysisError::NotSmooth { why });
    }
    let (mut values, mut by) = (DVector::zeros(m), DMatrix::zeros(m, found.by.ncols()));
    let directions: Vec<f64> =
        terms.components(term).map(|component| found.values[terms.w(component)] / speed).collect();
    for (component, u) in terms.components(term).zip(&directions) {
        values -= found.values.rows(terms.row(component), m) * (c * u);
    }
    for j in 0..by.ncols() {
        let slope = |place: usize| found.by[(place, j)];
        let turned = terms.components(term).map(|component| slope(terms.w(component)));
        let along: f64 = turned.clone().zip(&directions).map(|(w, u)| w * u).sum();
        for ((component, u), w) in terms.components(term).zip(&directions).zip(turned) {
            let row = found.values.rows(terms.row(component), m);
            let change = found.by.column(j);
            let change = change.rows(terms.row(component), m);
            let turn = (w - u * along) / speed;
            let sum = row * (slope(term) * u + c * turn) + change * (c * u);
            let mut column = by.column_mut(j);
            column -= sum;
        }
    }
    Ok(Some(Read { values, by }))
}

/// Turns the pushes of constraints that press with λ < 0, so that friction grows with |λ|.
fn press(
    (lines, tapes, taken): (&[Line], &[Read; 3], &[usize]),
    (mass, rows): (&DMatrix<f64>, &DMatrix<f64>),
    (upper, lower): (&DVector<f64>, &DVector<f64>),
    pushes: &mut [Option<Read>],
) -> Result<(), AnalysisError> {
    let is_constraint = |row: &usize| matches!(lines[*row].of, RowOf::Constraint(_));
    let pushed = (0..lines.len()).filter(is_constraint).filter(|row| pushes[*row].is_some());
    let pushed: Vec<usize> = pushed.collect();
    let why = |what: &str| AnalysisError::NotSmooth { why: what.to_owned() };
    if pushed.len() > PRESSING_MAX {
        return Err(why("more constraints slide with friction than their signs can be tried of"));
    }
    let mut right: Vec<(u32, DVector<f64>)> = Vec::new();
    for signs in 0..1_u32 << pushed.len() {
        // Those that change from the signs before.
        let before = if signs == 0 { 0 } else { signs - 1 };
        turn(&pushed, signs ^ before, pushes);
        let system = Balance { lines, tapes, pushes, taken, m: mass.nrows() };
        let solved = system.matrix(mass, rows).lu().solve(&system.right(upper, lower));
        let Some(solved) = solved else { continue };
        let λ = system.spread(&solved.as_slice()[mass.nrows()..]);
        let least = -DEPENDENT * λ.iter().fold(0.0, |size: f64, λ| size.max(λ.abs()));
        let σ = |bit: usize| if signs >> bit & 1 == 1 { -1.0 } else { 1.0 };
        if pushed.iter().enumerate().all(|(bit, row)| σ(bit) * λ[*row] >= least) {
            right.push((signs, solved.rows(0, mass.nrows()).into_owned()));
        }
    }
    let Some((signs, a)) = right.first() else {
        return Err(why("Coulomb's law has no solution there, with any signs of the constraints"));
    };
    let far = |other: &DVector<f64>| (other - a).norm() > DEPENDENT * (other.norm() + a.norm());
    if right.iter().any(|(_, other)| far(other)) {
        return Err(why("Coulomb's law has several solutions there"));
    }
    let last = (1_u32 << pushed.len()) - 1;
    turn(&pushed, signs ^ last, pushes);
    Ok(())
}

/// Turns the pushes of some of these rows.
fn turn(rows: &[usize], which: u32, pushes: &mut [Option<Read>]) {
    for (bit, row) in rows.iter().enumerate() {
        if let (1, Some(push)) = (which >> bit & 1, &mut pushes[*row]) {
            push.values.neg_mut();
            push.by.neg_mut();
        }
    }
}

/// The rows that do not depend on those before: constraints first, then gaps, own rows, what sticks.
fn independent(lines: &[Line], matrix: &DMatrix<f64>) -> Vec<usize> {
    let rank = |of: RowOf| match of {
        RowOf::Constraint(_) => 0,
        RowOf::Gap(_) => 1,
        RowOf::Own => 2,
        RowOf::Stick(_) => 3,
    };
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|row| rank(lines[*row].of));
    let (mut taken, mut directions): (Vec<usize>, Vec<DVector<f64>>) = (Vec::new(), Vec::new());
    for row in order {
        let line = matrix.row(row).transpose();
        let mut left = line.clone();
        // Twice is enough.
        for _ in 0..2 {
            for direction in &directions {
                let along = direction.dot(&left);
                left -= direction * along;
            }
        }
        if left.norm() > DEPENDENT * line.norm() {
            directions.push(left.normalize());
            taken.push(row);
        }
    }
    taken
}

/// The linear system of accelerations and multipliers.
struct Balance<'a> {
    lines: &'a [Line],
    tapes: &'a [Read; 3],
    pushes: &'a [Option<Read>],
    taken: &'a [usize],
    m: usize,
}

impl Balance<'_> {
    /// M, −(B + D)ᵀ; B, 0.
    fn matrix(&self, mass: &DMatrix<f64>, rows: &DMatrix<f64>) -> DMatrix<f64> {
        let (m, count) = (self.m, self.taken.len());
        let mut matrix = DMatrix::zeros(m + count, m + count);
        matrix.view_mut((0, 0), (m, m)).copy_from(mass);
        for (place, &row) in self.taken.iter().enumerate() {
            let line = &self.lines[row];
            let mut force = self.tapes[line.tape].values.rows(line.first, m).into_owned();
            if let Some(push) = &self.pushes[row] {
                force += &push.values;
            }
            matrix.view_mut((0, m + place), (m, 1)).copy_from(&-force);
            matrix.view_mut((m + place, 0), (1, m)).copy_from(&rows.row(row));
        }
        matrix
    }

    /// The right side of an upper part, and of a lower one by all rows.
    fn right(&self, upper: &DVector<f64>, lower: &DVector<f64>) -> DVector<f64> {
        let lower = self.taken.iter().map(|row| lower[*row]);
        let all: Vec<f64> = upper.iter().copied().chain(lower).collect();
        DVector::from_vec(all)
    }

    /// λ of all rows, 0 of those that depend on others.
    fn spread(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.lines.len()];
        self.taken.iter().zip(multipliers).for_each(|(row, λ)| all[*row] = *λ);
        all
    }
}
