//! What an impact of one contact with friction by Poisson's or Stronge's law does to variations: its impulses
//! (`impact_process` of the core) are functions of a few numbers, and these of the state before and of parameters. With
//! N = M⁻¹ on the constraints, and R what declared forces do with the friction,
//!
//! ```text
//! B = (∇g, J)        F = (∇g, J + R)        X = N Fᵀ        G = B X = (a, pᵀ; b, C)        P = (Λ, −Φ)
//! v⁺ = v⁻ + X P(G, μ, e, ġ⁻, s⁻)
//!
//! δX = N (δFᵀ − δM X + δAᵀλ) on A δX = −δA X        δG = δB X + B δX
//! δv⁺ = δv⁻ + δX P + X (∂P/∂G δG + ∂P/∂μ δμ + ∂P/∂e δe + ∂P/∂ġ⁻ δġ⁻ + ∂P/∂s⁻ δs⁻)
//! ```
//!
//! λ are the multipliers of the constraints in X. All of it is taken at v⁻, as the impact takes it.

use super::law_slopes;
use super::struck::{Reader, Struck};
use crate::error::AnalysisError;
use crate::mode::balance::Balance;
use crate::mode::lines::{CONTACTS, FRICTIONS, Line, RowOf, independent};
use crate::tapes::friction::Terms;
use crate::tapes::{Read, Tapes};
use eom_core::elementary;
use eom_core::enclosure::Dual;
use eom_core::impact_process::{Blow, Impulses, NoImpulses, Response};
use eom_core::system::Restitution;
use eom_core::{Mode, State};
use nalgebra::{DMatrix, DVector};

/// What impulses are made of: a, b, p, C by rows, μ, e, ġ⁻, s⁻.
const GIVEN: usize = 14;

/// Where s⁻ begins there.
const SLIP: usize = 12;

/// A value with its derivatives by what is given.
type Varied = Dual<f64, GIVEN>;

/// A slip is zero, and v⁺ is that of the run, within this part of the velocities.
const NONE: f64 = 1e-8;

/// What of a system takes part, and the contact with its friction.
struct Parts<'s> {
    struck: Struck,
    /// ∂Q/∂λ and ∂Q/∂f of all that forces act with, where they act with this friction.
    borne: Option<Read>,
    constraints: Vec<Line>,
    gap: Line,
    terms: &'s Terms,
    term: usize,
    /// Its components that can change.
    components: Vec<usize>,
    positions: usize,
    before: DVector<f64>,
}

/// Bᵀ and X, one column an impulse, or how they change along a direction.
pub(crate) struct Columns {
    pub(crate) b: DMatrix<f64>,
    pub(crate) x: DMatrix<f64>,
}

/// A value of a tape, or its derivative along a direction.
pub(crate) fn entry(of: &Read, place: usize, along: Option<usize>) -> f64 {
    along.map_or_else(|| of.values[place], |j| of.by[(place, j)])
}

/// Bᵀ and X on constraints, and how they change along each direction, of Bᵀ and Fᵀ or their derivatives.
pub(crate) fn columns(
    struck: &Struck,
    lines: &[Line],
    of: &dyn Fn(Option<usize>) -> [DMatrix<f64>; 2],
) -> Result<(Columns, Vec<Columns>), AnalysisError> {
    let ([b, forces], rows, tapes) = (of(None), struck.rows(lines), &struck.tapes);
    let (m, taken) = (b.nrows(), independent(lines, &rows));
    let pushes = vec![None; lines.len()];
    let balance = Balance { lines, tapes, pushes: &pushes, taken: &taken, m };
    let factors = balance.matrix(&struck.mass(), &rows).lu();
    let solve = |upper: &DVector<f64>, lower: &DVector<f64>| {
        let solved = factors.solve(&balance.right(upper, lower));
        solved.ok_or_else(|| AnalysisError::not_smooth("has dependent rows"))
    };
    let (mut x, mut multipliers) = (DMatrix::zeros(m, b.ncols()), Vec::new());
    let none = DVector::zeros(lines.len());
    for column in 0..b.ncols() {
        let solved = solve(&forces.column(column).into_owned(), &none)?;
        x.set_column(column, &solved.rows(0, m));
        multipliers.push(balance.spread(&solved.as_slice()[m..]));
    }
    let along = (0..struck.directions()).map(|j| {
        let [b, forces] = of(Some(j));
        let right = &forces - struck.mass_by(j) * &x;
        let mut change = DMatrix::zeros(m, b.ncols());
        for (column, λ) in multipliers.iter().enumerate() {
            let (mut upper, mut lower) = (right.column(column).into_owned(), none.clone());
            balance.add_changes(j, (&x.column(column).into_owned(), λ), &mut upper, &mut lower);
            change.set_column(column, &solve(&upper, &lower)?.rows(0, m));
        }
        Ok(Columns { b, x: change })
    });
    let along: Result<Vec<Columns>, AnalysisError> = along.collect();
    Ok((Columns { b, x }, along?))
}

/// δv⁺ by (t, q, v⁻) and the seeds, of a contact that is struck alone by a law in phases, with friction; none where it is
/// another impact.
pub(crate) fn changes(
    of: &Tapes<'_>,
    terms: &Terms,
    contact: usize,
    (state, plus): (&State, &[f64]),
    (inputs, seeds): (&[f64], &DMatrix<f64>),
) -> Result<Option<DMatrix<f64>>, AnalysisError> {
    let (law, info) = (of.system.restitution(contact), &of.info.contacts[contact]);
    let mode = Mode::new(vec![contact]);
    let mut acting = (0..terms.count()).filter(|term| terms.bearer(*term).is_some());
    let term = acting.find(|term| terms.acts(*term, &mode));
    let Some(term) = term.filter(|term| terms.components(*term).len() <= 2) else {
        return Ok(None);
    };
    let Some([_, e, _]) = of.system.law(contact).restitutions() else { return Ok(None) };
    if law == Restitution::Newton || !info.rows.is_empty() || !info.releases.is_empty() {
        return Ok(None);
    }
    let reader = Reader::at(of, state, (inputs, seeds));
    let (mut constraints, mut gap) = (Vec::new(), None);
    for line in Line::all(of.info, &mode, terms) {
        match line.of {
            RowOf::Constraint(_) => constraints.push(line),
            _ => gap = Some(line),
        }
    }
    let Some(gap) = gap else { return Ok(None) };
    let bears = terms.info(term).bears;
    let borne = of.system.programs().borne_forces;
    let borne = reader.read(borne, bears, "forces with λ or friction of contacts")?;
    let struck = Struck::read(of, terms, &reader)?;
    let components = terms.components(term).filter(|component| {
        let row = terms.row(*component);
        !struck.tapes[FRICTIONS].is_zero(row..row + terms.speeds())
    });
    let components: Vec<usize> = components.collect();
    if components.is_empty() {
        return Ok(None);
    }
    let parts = Parts {
        components,
        struck,
        borne: bears.then_some(borne),
        constraints,
        gap,
        terms,
        term,
        positions: state.q.len(),
        before: DVector::from_column_slice(&state.v),
    };
    let laws = law_slopes(of, contact, seeds)?;
    parts.changes((law, e), &laws, &DVector::from_column_slice(plus)).map(Some)
}

impl Parts<'_> {
    fn changes(
        &self,
        (law, e): (Restitution, f64),
        laws: &DMatrix<f64>,
        plus: &DVector<f64>,
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let (here, along) = self.columns()?;
        let given = self.given(&here, e);
        let changes: Vec<[f64; GIVEN]> = along
            .iter()
            .enumerate()
            .map(|(j, change)| self.given_by(j, &here, change, laws))
            .collect();
        let moves = changes.iter().any(|given| given[SLIP..] != [0.0; 2]);
        let Impulses { normal, friction } = impulses(given, law, (here.x.ncols() > 2, moves))?;
        let signed = [normal, -friction[0], -friction[1]];
        let signed = &signed[..here.x.ncols()];
        let sum = |x: &DMatrix<f64>, of: &dyn Fn(&Varied) -> f64| {
            x * DVector::from_iterator(signed.len(), signed.iter().map(of))
        };
        let off = &self.before + sum(&here.x, &|impulse| impulse.value) - plus;
        let size = self.struck.size(&self.before) + self.struck.size(plus);
        let off = self.struck.size(&off);
        if off.is_nan() || off > NONE * size {
            return Err(AnalysisError::not_smooth("has a law without a derivative here"));
        }
        let mut found = DMatrix::zeros(plus.len(), along.len());
        for (j, (change, given)) in along.iter().zip(&changes).enumerate() {
            let by_given = |impulse: &Varied| -> f64 {
                impulse.rates.iter().zip(given).map(|(rate, change)| rate * change).sum()
            };
            let of_impulses = sum(&change.x, &|impulse| impulse.value) + sum(&here.x, &by_given);
            found.set_column(j, &of_impulses);
            if let Some(speed) = self.speed(j) {
                found[(speed, j)] += 1.0;
            }
        }
        Ok(found)
    }

    /// Bᵀ and X, and how they change along each direction.
    fn columns(&self) -> Result<(Columns, Vec<Columns>), AnalysisError> {
        let of = |j: Option<usize>| {
            let tapes = &self.struck.tapes;
            let b = self.impulses_of(&|tape, place| entry(&tapes[tape], place, j));
            let forces = &b + self.beside(&|borne, place| entry(borne, place, j));
            [b, forces]
        };
        columns(&self.struck, &self.constraints, &of)
    }

    /// ∇g and J, columns, of values or of their derivatives.
    fn impulses_of(&self, entry: &dyn Fn(usize, usize) -> f64) -> DMatrix<f64> {
        let slips = self.components.iter();
        let slips = slips.map(|component| (FRICTIONS, self.terms.row(*component)));
        let places: Vec<(usize, usize)> =
            std::iter::once((CONTACTS, self.gap.first)).chain(slips).collect();
        DMatrix::from_fn(self.before.len(), places.len(), |i, column| {
            let (tape, first) = places[column];
            entry(tape, first + i)
        })
    }

    /// R, columns beside those of ∇g and J, of values or of their derivatives.
    fn beside(&self, entry: &dyn Fn(&Read, usize) -> f64) -> DMatrix<f64> {
        let m = self.before.len();
        DMatrix::from_fn(m, 1 + self.components.len(), |i, column| {
            let component = column.checked_sub(1).map(|place| self.components[place]);
            let place = component.and_then(|component| self.terms.beside(self.term, component));
            let found = self.borne.as_ref().zip(place);
            found.map_or(0.0, |(borne, place)| entry(borne, place * m + i))
        })
    }

    /// The speed that a direction is of.
    fn speed(&self, j: usize) -> Option<usize> {
        j.checked_sub(1 + self.positions).filter(|speed| *speed < self.before.len())
    }

    /// Of G, of μ and s, and of e and ġ⁻, in the order of what is given.
    fn ordered(
        &self,
        g: &DMatrix<f64>,
        friction: &dyn Fn(usize) -> f64,
        [e, rate, across]: [f64; 3],
    ) -> [f64; GIVEN] {
        let place = |component: usize| self.terms.w(self.components[component]);
        let (μ, [a, b, p, c]) = (friction(self.term), [g[(0, 0)], g[(1, 0)], g[(0, 1)], g[(1, 1)]]);
        let s = friction(place(0));
        match g.ncols() {
            3 => {
                let other = friction(place(1));
                let [beside, pushed] = [g[(2, 0)], g[(0, 2)]];
                let [xy, yx, yy] = [g[(1, 2)], g[(2, 1)], g[(2, 2)]];
                [a, b, beside, p, pushed, c, xy, yx, yy, μ, e, rate, s, other]
            }
            _ => [a, b, 0.0, p, 0.0, c, 0.0, 0.0, across, μ, e, rate, s, 0.0],
        }
    }

    fn given(&self, here: &Columns, e: f64) -> [f64; GIVEN] {
        let found = &self.struck.tapes[FRICTIONS].values;
        let rate = here.b.column(0).dot(&self.before)
            + self.struck.tapes[CONTACTS].values[self.gap.offset];
        let g = here.b.tr_mul(&here.x);
        let mut given = self.ordered(&g, &|place| found[place], [e, rate, 1.0]);
        let slips = here.b.columns(1, here.b.ncols() - 1);
        let reaches = slips.column_iter().map(|row| self.struck.reach(&row.into_owned()));
        let size = reaches.fold(0.0, f64::max) * self.struck.size(&self.before);
        if elementary::hypot(given[SLIP], given[SLIP + 1]) <= NONE * size {
            given[SLIP..].fill(0.0);
        }
        given
    }

    fn given_by(
        &self,
        j: usize,
        here: &Columns,
        change: &Columns,
        laws: &DMatrix<f64>,
    ) -> [f64; GIVEN] {
        let seed = j.checked_sub(1 + self.positions + self.before.len());
        let e = seed.map_or(0.0, |seed| laws[(1, seed)]);
        let of_speed = self.speed(j).map_or(0.0, |speed| here.b[(speed, 0)]);
        let rate = change.b.column(0).dot(&self.before)
            + self.struck.tapes[CONTACTS].by[(self.gap.offset, j)]
            + of_speed;
        let g = change.b.tr_mul(&here.x) + here.b.tr_mul(&change.x);
        let found = &self.struck.tapes[FRICTIONS].by;
        self.ordered(&g, &|place| found[(place, j)], [e, rate, 0.0])
    }
}

/// Λ and Φ of what is given, of a slip in a plane or not, which variations move or not.
fn impulses(
    given: [f64; GIVEN],
    law: Restitution,
    (turns, moves): (bool, bool),
) -> Result<Impulses<Varied>, AnalysisError> {
    let varied = |place: usize| {
        let rates = std::array::from_fn(|i| f64::from(u8::from(i == place)));
        Varied { value: given[place], rates }
    };
    let response = Response {
        normal: varied(0),
        coupling: [1, 2].map(varied),
        pushed: [3, 4].map(varied),
        tangential: [[5, 6], [7, 8]].map(|row| row.map(varied)),
        friction: varied(9),
        turns,
    };
    let slip = [SLIP, SLIP + 1].map(varied);
    let blow = Blow { rate: varied(11), slip, law, e: varied(10), moves };
    response.impact(&blow).map_err(|why| AnalysisError::not_smooth(told(why)))
}

/// Why a process has no derivatives.
pub(crate) fn told(why: NoImpulses) -> &'static str {
    match why {
        NoImpulses::Endless => "has a law without a derivative here",
        NoImpulses::Meets => "ends a slip at the end of a phase",
        NoImpulses::AtEdge => "has a slip that sticks at the edge of its cone",
        NoImpulses::TurnsFromRest => "turns a slip that begins at zero",
        NoImpulses::Passes => "turns a slip that has all but come to rest",
        NoImpulses::WithoutRate => "ends a phase without a rate",
        NoImpulses::LeavesInPlane => "begins a slip in a plane beside other contacts",
        NoImpulses::Bears => "leaves a contact at the edge of bearing",
    }
}
