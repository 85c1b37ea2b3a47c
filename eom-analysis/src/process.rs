//! An impact of one contact with friction along one direction by Poisson's or Stronge's law, with its derivatives: a process in
//! the normal impulse Λ. With N = M⁻¹ on the constraints, a = ∇g N∇gᵀ, b = J N∇gᵀ, C = J NJᵀ,
//!
//! ```text
//! v⁺ = v⁻ + N (∇gᵀΛ − JᵀΦ)
//! slides     dġ/dΛ = a − μ b σ        ds/dΛ = b − μ C σ        dΦ/dΛ = μ σ        σ the sign of s
//! sticks     dġ/dΛ = a − b φ          s = 0                    dΦ/dΛ = φ          φ = C⁻¹b, |φ| ≤ μ
//! ```
//!
//! Compression ends where ġ = 0, restitution where Λ = (1 + e) Λ_c (Poisson) or W = (1 − e²) W_c, W = ∫ġ dΛ (Stronge). Each way of
//! the slip is straight, so that what a variation does to its end is the chain rule. Where two ends meet, where the slip begins at
//! zero and leaves, and where it sticks at the edge of its cone, the ways on either side are others: there is no derivative.

use crate::error::AnalysisError;
use crate::friction::Terms;
use crate::lines::{CONTACTS, FRICTIONS, Line, RowOf};
use crate::saltation::law_slopes;
use crate::tapes::{Read, Tapes, directions, symmetric};
use eom_core::enclosure::{Derivative, Dual, Number, Tape};
use eom_core::system::Restitution;
use eom_core::{Mode, State};
use nalgebra::{DMatrix, DVector};

/// A value with its derivative along one direction.
type Varied = Dual<f64, 1>;

/// Ways of the slip, one after another.
const WAYS_MAX: usize = 16;

/// Ends nearer than this part of their length are at one place, and so is the edge of a cone.
const EDGE: f64 = 1e-9;

/// A slip is zero, and v⁺ is that of the run, within this part of the velocities.
const NONE: f64 = 1e-8;

/// How a contact responds to impulses, and how it is struck.
struct Blow {
    normal: Varied,
    coupling: Varied,
    tangential: Varied,
    friction: Varied,
    e: Varied,
    law: Restitution,
    rate: Varied,
    slip: Varied,
}

/// A process under way.
struct Process<'b> {
    blow: &'b Blow,
    impulse: Varied,
    rate: Varied,
    work: Varied,
    slip: Varied,
    friction: Varied,
    compressed: Option<[Varied; 2]>,
    /// The sign of the slip, 0 of what rests.
    way: f64,
}

/// Rates that stay: dġ/dΛ, ds/dΛ, dΦ/dΛ; up to this Λ from here, where they end.
struct Straight {
    rate: Varied,
    slip: Varied,
    friction: Varied,
    longest: Option<Varied>,
}

fn of(value: f64) -> Varied {
    Varied::of(value)
}

fn refused<T>(why: &str) -> Result<T, AnalysisError> {
    Err(AnalysisError::NotSmooth { why: why.to_owned() })
}

impl Blow {
    /// Λ and Φ.
    fn impulses(&self) -> Result<[Varied; 2], AnalysisError> {
        let zero = of(0.0);
        let Self { rate, slip, .. } = *self;
        let way = if slip.value == 0.0 { 0.0 } else { slip.value.signum() };
        let mut process = Process {
            blow: self,
            impulse: zero,
            rate,
            work: zero,
            slip,
            friction: zero,
            compressed: None,
            way,
        };
        if way == 0.0 {
            process.begin_at_rest()?;
        }
        for _ in 0..WAYS_MAX {
            if process.goes_on()? {
                return Ok([process.impulse, process.friction]);
            }
        }
        refused("has a law without a derivative here")
    }
}

impl Process<'_> {
    /// What a variation makes of a slip that is zero is brought to zero at once, where it sticks.
    fn begin_at_rest(&mut self) -> Result<(), AnalysisError> {
        if !self.sticks()? && self.slip.rates != [0.0] {
            return refused("turns a slip that begins at zero");
        }
        let held = self.slip / self.blow.tangential;
        self.friction = self.friction + held;
        self.rate = self.rate - self.blow.coupling * held;
        self.slip = of(0.0);
        Ok(())
    }

    /// Whether what rests is held.
    fn sticks(&self) -> Result<bool, AnalysisError> {
        let Blow { coupling, tangential, friction, .. } = self.blow;
        let (held, most) = ((*coupling / *tangential).value.abs(), friction.value);
        if (held - most).abs() <= EDGE * most {
            return refused("has a slip that sticks at the edge of its cone");
        }
        Ok(held < most)
    }

    fn straight(&self) -> Result<Straight, AnalysisError> {
        let Blow { normal: a, coupling: b, tangential: c, friction: μ, .. } = *self.blow;
        if self.way == 0.0 && self.sticks()? {
            let φ = b / c;
            return Ok(Straight { rate: a - b * φ, slip: of(0.0), friction: φ, longest: None });
        }
        let leaves = self.way == 0.0;
        let σ = of(if leaves { b.value.signum() } else { self.way });
        let slip = b - μ * c * σ;
        let ends = !leaves && (slip * σ).value < 0.0;
        let longest = ends.then(|| -self.slip / slip);
        Ok(Straight { rate: a - μ * b * σ, slip, friction: μ * σ, longest })
    }

    /// How far it is to the end of compression, or of restitution. None where it does not come.
    fn left(&self, straight: &Straight) -> Option<Varied> {
        let Blow { e, law, .. } = *self.blow;
        let Some([impulse, work]) = self.compressed else {
            return (straight.rate.value > 0.0).then(|| -self.rate / straight.rate);
        };
        let left = match law {
            Restitution::Newton | Restitution::Poisson => (of(1.0) + e) * impulse - self.impulse,
            // From rest by the root of what is left, which is e times that of the work.
            Restitution::Stronge if self.rate.value == 0.0 => {
                e * (of(-2.0) * work / straight.rate).sqrt()
            }
            Restitution::Stronge => {
                let missing = (of(1.0) - e * e) * work - self.work;
                let square = self.rate * self.rate + of(2.0) * straight.rate * missing;
                of(2.0) * missing / (self.rate + square.sqrt())
            }
        };
        left.value.is_finite().then_some(left)
    }

    /// Goes on to the next change of the slip's way, or to the end of a phase: whether all is over.
    fn goes_on(&mut self) -> Result<bool, AnalysisError> {
        let straight = self.straight()?;
        let left = self.left(&straight);
        if let (Some(left), Some(longest)) = (left, straight.longest)
            && (left.value - longest.value).abs() <= EDGE * longest.value
        {
            return refused("ends a slip at the end of a phase");
        }
        let ends = |longest: &Varied| left.is_none_or(|left| longest.value < left.value);
        if let Some(longest) = straight.longest.filter(ends) {
            self.advance(&straight, longest);
            (self.slip, self.way) = (of(0.0), 0.0);
            return Ok(false);
        }
        let Some(left) = left else { return refused("has a law without a derivative here") };
        self.advance(&straight, left);
        if self.way == 0.0 && self.slip.value != 0.0 {
            self.way = self.slip.value.signum();
        }
        if self.compressed.is_some() {
            return Ok(true);
        }
        self.rate = of(0.0);
        self.compressed = Some([self.impulse, self.work]);
        Ok(false)
    }

    fn advance(&mut self, straight: &Straight, by: Varied) {
        self.impulse = self.impulse + by;
        self.work = self.work + by * (self.rate + of(0.5) * straight.rate * by);
        self.rate = self.rate + straight.rate * by;
        self.slip = self.slip + straight.slip * by;
        self.friction = self.friction + straight.friction * by;
    }
}

/// What of the system takes part, at (t, q, v⁻), along (t, q, v⁻) and the seeds.
struct Parts {
    mass: Read,
    /// Of constraints, contacts, friction.
    tapes: [Read; 3],
    /// The constraints, then the gap.
    lines: Vec<Line>,
    /// The row of the slip, by its places in the tape: of J, of s, of μ.
    slip: [usize; 3],
}

/// δv⁺ by (t, q, v⁻) and the seeds, of a contact that is struck alone, with friction along one direction; none where it is
/// another impact.
pub(crate) fn changes(
    of_system: &Tapes<'_>,
    terms: &Terms,
    contact: usize,
    (state, plus): (&State, &[f64]),
    (inputs, seeds): (&[f64], &DMatrix<f64>),
) -> Result<Option<DMatrix<f64>>, AnalysisError> {
    let system = of_system.system;
    let law = system.restitution(contact);
    let mode = Mode::new(vec![contact]);
    let mut acting = (0..terms.count()).filter(|term| terms.bearer(*term).is_some());
    let term = acting.find(|term| terms.acts(*term, &mode));
    let Some(term) = term.filter(|term| terms.components(*term).len() == 1) else {
        return Ok(None);
    };
    let Some([_, e, _]) = system.law(contact).restitutions() else { return Ok(None) };
    let info = &of_system.info.contacts[contact];
    if law == Restitution::Newton || !info.rows.is_empty() || !info.releases.is_empty() {
        return Ok(None);
    }
    let component = terms.components(term).start;
    let slip = [terms.row(component), terms.w(component), term];
    let parts = Parts::new(of_system, terms, (state, inputs, seeds), (&mode, slip))?;
    let laws = law_slopes(of_system, contact, seeds)?;
    let first = 1 + state.q.len() + state.v.len();
    let by_seed = |j: usize| j.checked_sub(first).map_or(0.0, |seed| laws[(1, seed)]);
    parts.changes((law, e), &by_seed, (state, plus)).map(Some)
}

impl Parts {
    fn new(
        of_system: &Tapes<'_>,
        terms: &Terms,
        (state, inputs, seeds): (&State, &[f64], &DMatrix<f64>),
        (mode, slip): (&Mode, [usize; 3]),
    ) -> Result<Self, AnalysisError> {
        let (info, programs) = (of_system.info, of_system.system.programs());
        let x = of_system.given(state, inputs);
        let directions = directions(x.len(), 1 + state.q.len() + state.v.len(), seeds);
        let read = |tape: Option<&Tape>, what| match tape {
            None => Err(AnalysisError::NoProgram { system: info.name, what }),
            Some(tape) => Ok(Read::of(&mut Derivative::new(tape), &x, &directions)),
        };
        let rows = match info.rows {
            [] => Read::none(directions.ncols()),
            _ => read(of_system.rows, "constraint rows")?,
        };
        let tapes =
            [rows, read(programs.contact_rows, "contacts")?, read(programs.frictions, "friction")?];
        let lines = Line::all(info, mode, terms);
        Ok(Self { mass: read(programs.mass_matrix, "mass matrix")?, tapes, lines, slip })
    }

    /// The rows of the constraints.
    fn constraints(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| matches!(line.of, RowOf::Constraint(_)))
    }

    /// M, −Aᵀ; A, 0, of values, or of their derivatives along a direction.
    fn matrix(&self, entry: impl Fn(&Read, usize) -> f64, m: usize) -> DMatrix<f64> {
        let k = self.constraints().count();
        let mut matrix = DMatrix::zeros(m + k, m + k);
        matrix.view_mut((0, 0), (m, m)).copy_from(&symmetric(m, |place| entry(&self.mass, place)));
        for (row, line) in self.constraints().enumerate() {
            for j in 0..m {
                let value = entry(&self.tapes[line.tape], line.first + j);
                matrix[(j, m + row)] = -value;
                matrix[(m + row, j)] = value;
            }
        }
        matrix
    }

    /// ∇g and J, of values, or of their derivatives along a direction, with zeros below.
    fn pair(&self, entry: impl Fn(&Read, usize) -> f64, (m, size): (usize, usize)) -> DMatrix<f64> {
        let gap = self.lines.iter().find(|line| matches!(line.of, RowOf::Gap(_)));
        let first = gap.map_or(0, |line| line.first);
        DMatrix::from_fn(size, 2, |i, column| match column {
            _ if i >= m => 0.0,
            0 => entry(&self.tapes[CONTACTS], first + i),
            _ => entry(&self.tapes[FRICTIONS], self.slip[0] + i),
        })
    }

    fn changes(
        &self,
        (law, e): (Restitution, f64),
        by_seed: &dyn Fn(usize) -> f64,
        (state, plus): (&State, &[f64]),
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let (n, m) = (state.q.len(), state.v.len());
        let v = DVector::from_column_slice(&state.v);
        let whole = self.matrix(|read, place| read.values[place], m);
        let factors = whole.lu();
        let dependent = || AnalysisError::NotSmooth { why: "has dependent rows".to_owned() };
        let size = factors.l().nrows();
        let rows = self.pair(|read, place| read.values[place], (m, size));
        let response = factors.solve(&rows).ok_or_else(dependent)?;
        let count = self.mass.by.ncols();
        let gap = self.lines.iter().find(|line| matches!(line.of, RowOf::Gap(_)));
        let offset = gap.map_or(0, |line| line.offset);
        let [.., friction] = &self.tapes;
        let mut found = DMatrix::zeros(m, count);
        for j in 0..count {
            let entry = |read: &Read, place: usize| read.by[(place, j)];
            let (rows_by, matrix_by) = (self.pair(entry, (m, size)), self.matrix(entry, m));
            let right = &rows_by - matrix_by * &response;
            let response_by = factors.solve(&right).ok_or_else(dependent)?;
            let product = |one: usize, other: usize| Varied {
                value: rows.column(one).dot(&response.column(other)),
                rates: [rows_by.column(one).dot(&response.column(other))
                    + rows.column(one).dot(&response_by.column(other))],
            };
            let is_speed = j.checked_sub(1 + n).filter(|speed| *speed < m);
            let of_speed = |column: usize| is_speed.map_or(0.0, |speed| rows[(speed, column)]);
            let contacts = &self.tapes[CONTACTS];
            let upper = |of: &DMatrix<f64>| of.view((0, 0), (m, 1)).dot(&v);
            let rate = Varied {
                value: upper(&rows) + contacts.values[offset],
                rates: [upper(&rows_by) + contacts.by[(offset, j)] + of_speed(0)],
            };
            let read = |place: usize| Varied {
                value: friction.values[place],
                rates: [friction.by[(place, j)]],
            };
            let mut slip = read(self.slip[1]);
            if slip.value.abs() <= NONE * rows.column(1).norm() * v.norm() {
                slip.value = 0.0;
            }
            let blow = Blow {
                normal: product(0, 0),
                coupling: product(1, 0),
                tangential: product(1, 1),
                friction: read(self.slip[2]),
                e: Varied { value: e, rates: [by_seed(j)] },
                law,
                rate,
                slip,
            };
            let [impulse, held] = blow.impulses()?;
            let [values, by] = [&response, &response_by].map(|of| of.rows(0, m).into_owned());
            let after = &v + values.column(0) * impulse.value - values.column(1) * held.value;
            if (after - DVector::from_column_slice(plus)).norm() > NONE * (1.0 + v.norm()) {
                return refused("has a law without a derivative here");
            }
            let mut change = values.column(0) * impulse.rates[0] + by.column(0) * impulse.value
                - values.column(1) * held.rates[0]
                - by.column(1) * held.value;
            if let Some(speed) = is_speed {
                change[speed] += 1.0;
            }
            found.set_column(j, &change);
        }
        Ok(found)
    }
}
