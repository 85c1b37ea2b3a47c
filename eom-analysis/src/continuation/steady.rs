//! Steady motions along a value.

use super::branches::{Spectrum, explore};
use super::walk::{Place, Problem, Slopes, Walk};
use super::{Branch, ContinuationOptions, Family, Member};
use crate::critical::Boundary;
use crate::error::AnalysisError;
use crate::space::StateSpace;
use crate::steady::units::{Units, even_moves};
use crate::steady::{SteadyOptions, displace};
use eom_core::info::SystemInfo;
use eom_core::{Mode, State};
use nalgebra::{DMatrix, DVector};

/// The branches of steady motions that are reached from the one near a guess at the first value: itself, and those
/// that branch off. The options of the search are those of [`StateSpace::steady`]; what is held stays all along.
///
/// # Errors
/// Where there is no steady motion near the guess, no system at the first value, or no linearisation on the way.
pub fn continue_steady(
    family: &Family<'_>,
    guess: &State,
    search: &SteadyOptions<'_>,
    options: ContinuationOptions,
) -> Result<Vec<Branch>, AnalysisError> {
    let first = family(options.range[0])?;
    let space = StateSpace::new(&*first.system)?;
    let name = options.entry.and_then(|place| space.entries.get(place)).map(|it| it.name.clone());
    let hold = search.hold.iter().copied().chain(name.as_deref()).collect();
    let found = space.steady(
        guess,
        &first.inputs,
        &SteadyOptions { hold, free_inputs: search.free_inputs.clone() },
    )?;
    let mode = space.in_mode_of(&found.state, &found.inputs)?.mode;
    // At one value alone it may be linear, as without a load.
    let at = |part: f64| {
        let member = family(options.value(part)).ok()?;
        let space =
            StateSpace::new(&*member.system).and_then(|it| it.with_mode(mode.clone())).ok()?;
        space.units(&found.state, &member.inputs)
    };
    let units = PARTS.into_iter().filter_map(at);
    let units = units.min_by(|one, other| one.shortest().total_cmp(&other.shortest()));
    let held = search.hold.iter().map(|name| space.place(name)).collect::<Result<Vec<_>, _>>()?;
    let held = held.into_iter().filter(|place| Some(*place) != options.entry);
    let y = Place { state: found.state.clone(), μ: 0.0 }.entries();
    let held = held.map(|place| (place, y[place])).collect();
    let problem = Steadies { family, options, info: space.programs.info, mode, units, held };
    let walk = Walk { problem: &problem, options };
    let mut toward = DVector::zeros(guess.q.len() + guess.v.len() + 1);
    toward[guess.q.len() + guess.v.len()] = 1.0;
    let station = walk.start(Place { state: found.state, μ: 0.0 }, &toward)?;
    explore(&walk, station)
}

/// Where in the range lengths are looked for.
const PARTS: [f64; 3] = [0.0, 0.5, 1.0];

/// r(y, μ) of steady motions.
struct Steadies<'f> {
    family: &'f Family<'f>,
    options: ContinuationOptions,
    info: &'static SystemInfo,
    /// That of the first one: a branch ends where it does.
    mode: Mode,
    /// Those there.
    units: Option<Units>,
    /// The entries that are held, and at what.
    held: Vec<(usize, f64)>,
}

impl Steadies<'_> {
    fn member(&self, μ: f64) -> Result<Member, AnalysisError> {
        (self.family)(self.options.value(μ))
    }

    /// The unit of an entry.
    fn unit(&self, entry: usize) -> f64 {
        self.units.as_ref().map_or(1.0, |units| units.entries[entry])
    }

    /// The places of the entries that are the value or held.
    fn given(&self) -> impl Iterator<Item = usize> + '_ {
        self.options.entry.into_iter().chain(self.held.iter().map(|(place, _)| *place))
    }

    /// r with those entries, less what they are.
    fn extended(&self, residual: &DVector<f64>, at: &Place) -> DVector<f64> {
        let (y, value) = (at.entries(), self.options.value(at.μ));
        let values =
            self.options.entry.map(|_| value).into_iter().chain(self.held.iter().map(|it| it.1));
        let off = self.given().zip(values).map(|(place, is)| (y[place] - is) / self.unit(place));
        let off: Vec<f64> = off.collect();
        let all = residual.iter().copied().chain(off.iter().copied());
        DVector::from_iterator(residual.len() + off.len(), all)
    }
}

impl Problem for Steadies<'_> {
    const NOISE: f64 = 1e-14;

    fn residual(&self, at: &Place) -> Result<DVector<f64>, AnalysisError> {
        let member = self.member(at.μ)?;
        let space = StateSpace::new(&*member.system)?.with_mode(self.mode.clone())?;
        let local = space.local(&at.state, &member.inputs)?;
        let mut residual = space.residual(&local);
        if let Some(units) = &self.units {
            space.rows_in_units(units, &local, (&mut residual, None));
        }
        Ok(self.extended(&residual, at))
    }

    fn linear(&self, at: &Place) -> Result<Slopes, AnalysisError> {
        let member = self.member(at.μ)?;
        let space = StateSpace::new(&*member.system)?.with_mode(self.mode.clone())?;
        let local = space.local(&at.state, &member.inputs)?;
        let mut residual = space.residual(&local);
        let (mut moves, mut steady) = (space.displacement(&local), space.steady_matrix(&local));
        if let Some(units) = &self.units {
            space.rows_in_units(units, &local, (&mut residual, Some(&mut steady)));
        }
        let residual = self.extended(&residual, at);
        let columns = moves.ncols();
        let mut matrix = DMatrix::zeros(residual.len(), columns);
        matrix.rows_mut(0, steady.nrows()).copy_from(&steady.columns(0, columns));
        if let Some(units) = &self.units {
            even_moves(&units.entries, &mut moves, &mut matrix);
        }
        for (row, place) in self.given().enumerate() {
            matrix.row_mut(steady.nrows() + row).copy_from(&moves.row(place));
        }
        Ok((residual, matrix, moves))
    }

    fn entries(&self, at: &Place) -> DVector<f64> {
        let mut entries = at.entries();
        let last = entries.len() - 1;
        entries.rows_mut(0, last).iter_mut().enumerate().for_each(|(i, y)| *y /= self.unit(i));
        entries
    }

    fn displace(&self, state: &mut State, step: &DVector<f64>) {
        let mut step = step.clone();
        step.iter_mut().enumerate().for_each(|(i, step)| *step *= self.unit(i));
        displace(self.info, state, &step);
    }

    fn settle(&self, _at: &mut Place) -> Result<(), AnalysisError> {
        Ok(())
    }

    fn check(&self, at: &Place) -> Result<(), AnalysisError> {
        let member = self.member(at.μ)?;
        let space = StateSpace::new(&*member.system)?.with_mode(self.mode.clone())?;
        space.parts(&at.state, &member.inputs)?;
        let local = space.local(&at.state, &member.inputs)?;
        space.check_constraints(self.units.as_ref(), &at.state, &local)?;
        space.check_steady(self.units.as_ref(), &at.state, &local)
    }
}

impl Spectrum for Steadies<'_> {
    const BOUNDARY: Boundary = Boundary::Axis;

    fn spectrum(&self, at: &Place) -> Result<(DMatrix<f64>, f64), AnalysisError> {
        let member = self.member(at.μ)?;
        let space = StateSpace::new(&*member.system)?;
        Ok((space.linearise(&at.state, &member.inputs)?.a, 0.0))
    }

    fn inputs(&self, at: &Place) -> Result<Vec<f64>, AnalysisError> {
        Ok(self.member(at.μ)?.inputs)
    }
}
