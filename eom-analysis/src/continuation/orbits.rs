//! Periodic orbits along a value.

use super::branches::{Spectrum, explore};
use super::walk::{Place, Problem, Slopes, Station, Walk};
use super::{Branch, ContinuationOptions, Family, Member, SpecialKind};
use crate::critical::Boundary;
use crate::error::AnalysisError;
use crate::orbit::sizes::Sizes;
use crate::orbit::{CLOSED, Return, Section};
use crate::steady::displace;
use crate::variation::Variations;
use eom_core::info::SystemInfo;
use eom_core::{Event, EventKind, Options, State};
use nalgebra::{DMatrix, DVector};

/// The branches of periodic orbits that are reached from the one near a guess at the first value. A branch has the
/// same impacts and resets all along; it ends where they change, at a graze.
///
/// # Errors
/// Where there is no orbit near the guess, or no system at the first value.
pub fn continue_orbit(
    family: &Family<'_>,
    guess: &State,
    section: Section,
    run: &Options,
    options: ContinuationOptions,
) -> Result<Vec<Branch>, AnalysisError> {
    let first = family(options.range[0])?;
    let variations = Variations::new(&*first.system)?;
    let here = first.section(section);
    let orbit = variations.orbit(guess, &first.inputs, run, here)?;
    let found = variations.first_return(&orbit.state, &first.inputs, run, here)?;
    let info = first.system.info();
    let jumps = jumps(info, &found.events);
    let sizes =
        variations.sizes(&orbit.state, &found, &variations.difference(&orbit.state, &found));
    let mut run = run.clone();
    sizes.refine(&mut run);
    let run = &run;
    let problem = Orbits { family, options, run, section, info, jumps, sizes };
    let walk = Walk { problem: &problem, options };
    let mut toward = DVector::zeros(guess.q.len() + guess.v.len() + 1);
    toward[guess.q.len() + guess.v.len()] = 1.0;
    let station = walk.start(Place { state: orbit.state, μ: 0.0 }, &toward)?;
    explore(&walk, station)
}

/// What changes the state at an event: an impact of a contact, or a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    Impact(usize),
    Reset(usize),
}

/// The jumps among events.
pub(super) fn jumps(info: &SystemInfo, events: &[Event]) -> Vec<Jump> {
    let jump = |event: &Event| match &event.kind {
        EventKind::Impact { contact, .. } => Some(Jump::Impact(*contact)),
        EventKind::Declared { event } if info.events[*event].resets => Some(Jump::Reset(*event)),
        _ => None,
    };
    events.iter().filter_map(jump).collect()
}

impl Member {
    /// A section with the period that there is here.
    fn section(&self, section: Section) -> Section {
        match (section, self.period) {
            (Section::Period(_), Some(period)) => Section::Period(period),
            (section, _) => section,
        }
    }
}

/// r(y, μ) of orbits: what has not returned, and the conditions of a start.
pub(super) struct Orbits<'f> {
    family: &'f Family<'f>,
    options: ContinuationOptions,
    pub(super) run: &'f Options,
    section: Section,
    pub(super) info: &'static SystemInfo,
    pub(super) jumps: Vec<Jump>,
    /// The units of the first one.
    sizes: Sizes,
}

impl Orbits<'_> {
    pub(super) fn member(&self, μ: f64) -> Result<Member, AnalysisError> {
        (self.family)(self.options.value(μ))
    }

    /// The return from a place, with the variations that are the columns of a matrix.
    pub(super) fn returned(
        &self,
        member: &Member,
        at: &Place,
        matrix: DMatrix<f64>,
    ) -> Result<Return, AnalysisError> {
        let variations = Variations::new(&*member.system)?;
        let asked = (&at.state, &member.inputs[..], self.run);
        variations.returned(asked, member.section(self.section), matrix)
    }

    /// The same, refused where it has other jumps than the branch.
    fn alike(
        &self,
        member: &Member,
        at: &Place,
        matrix: DMatrix<f64>,
    ) -> Result<Return, AnalysisError> {
        let found = self.returned(member, at, matrix)?;
        if jumps(self.info, &found.events) == self.jumps {
            return Ok(found);
        }
        Err(AnalysisError::Lost { why: "the orbit has other impacts beyond".to_owned() })
    }

    fn off(&self, at: &Place) -> Option<f64> {
        let entry = self.options.entry?;
        Some((at.entries()[entry] - self.options.value(at.μ)) / self.sizes.units[entry])
    }

    /// r and its derivative by the moves, for as many variations as are asked for.
    fn closure(&self, at: &Place, variations: usize) -> Result<Slopes, AnalysisError> {
        let member = self.member(at.μ)?;
        let of = Variations::new(&*member.system)?;
        let space = of.space_of(&at.state, &member.inputs);
        let section = member.section(self.section);
        let around = of.around(&space, &at.state, &member.inputs, section)?;
        let size = at.state.q.len() + at.state.v.len();
        let mut found = self.alike(&member, at, DMatrix::identity(size, variations))?;
        if variations == 0 {
            found.matrix = DMatrix::identity(size, size);
        }
        let (mut residual, mut matrix) = of.closure(&at.state, &found, &around);
        let (moves, _) = self.sizes.even((&mut residual, &mut matrix), &around.map);
        let off = self.off(at);
        let count = residual.len() + usize::from(off.is_some());
        let residual = DVector::from_iterator(count, residual.iter().copied().chain(off));
        let mut whole = DMatrix::zeros(count, matrix.ncols());
        whole.rows_mut(0, matrix.nrows()).copy_from(&matrix);
        if let Some(entry) = self.options.entry {
            whole.row_mut(count - 1).copy_from(&moves.row(entry));
        }
        Ok((residual, whole, moves))
    }
}

impl Problem for Orbits<'_> {
    const NOISE: f64 = 1e-9;

    fn residual(&self, at: &Place) -> Result<DVector<f64>, AnalysisError> {
        Ok(self.closure(at, 0)?.0)
    }

    fn linear(&self, at: &Place) -> Result<Slopes, AnalysisError> {
        self.closure(at, at.state.q.len() + at.state.v.len())
    }

    fn entries(&self, at: &Place) -> DVector<f64> {
        let mut entries = at.entries();
        entries.iter_mut().zip(&self.sizes.units).for_each(|(y, unit)| *y /= unit);
        entries
    }

    fn displace(&self, state: &mut State, step: &DVector<f64>) {
        let units = DVector::from_column_slice(&self.sizes.units);
        displace(self.info, state, &step.component_mul(&units));
    }

    fn settle(&self, at: &mut Place) -> Result<(), AnalysisError> {
        let member = self.member(at.μ)?;
        let of = Variations::new(&*member.system)?;
        let section = member.section(self.section);
        let space = of.space_of(&at.state, &member.inputs);
        of.settled(&space, &mut at.state, &member.inputs, section).map(|_| ())
    }

    fn check(&self, at: &Place) -> Result<(), AnalysisError> {
        let residual = self.residual(at)?;
        let scale = self.entries(at).amax();
        if residual.amax() <= CLOSED * scale {
            return Ok(());
        }
        Err(AnalysisError::Lost { why: "the orbit does not close".to_owned() })
    }
}

impl Spectrum for Orbits<'_> {
    const BOUNDARY: Boundary = Boundary::Circle;

    fn spectrum(&self, at: &Place) -> Result<(DMatrix<f64>, f64), AnalysisError> {
        let member = self.member(at.μ)?;
        let of = Variations::new(&*member.system)?;
        let space = of.space_of(&at.state, &member.inputs);
        let section = member.section(self.section);
        let around = of.around(&space, &at.state, &member.inputs, section)?;
        let size = at.state.q.len() + at.state.v.len();
        let found = self.alike(&member, at, DMatrix::identity(size, size))?;
        let units = self.sizes.of_entries();
        let turn = of.turn(&space, (&around, &found, &units), &member.inputs, section)?;
        Ok((turn, found.state.t - at.state.t))
    }

    fn inputs(&self, at: &Place) -> Result<Vec<f64>, AnalysisError> {
        Ok(self.member(at.μ)?.inputs)
    }

    fn edge(
        &self,
        walk: &Walk<'_, Self>,
        stations: &[Station],
    ) -> Result<Option<(f64, SpecialKind)>, AnalysisError> {
        self.grazing(walk, stations)
    }
}
