//! What an impact by Poisson's law of a contact beside others that rest does to variations (`hybrid::two_phases` of the core):
//!
//! ```text
//! compression    from v⁻ to v_C      S_C of those with ġ = 0                      Λ_C
//! expansion      from v_C to v⁺      S_E of those with ġ = −e ġ⁻ by Newton's e, 0 by Poisson's, and Λ_E > e Λ_C
//!                                    R of the others, Λ_E = e Λ_C                 δΛ_E = e δΛ_C + Λ_C δe
//! ```
//!
//! Each is `one_phase`; which contacts bear is told by the rates at its end. A contact that neither opens nor bears is at the
//! edge of both: motions beside this one have other sets, and there is no derivative.

use super::one_phase::{Begin, EDGE, Ended, Impulse, NONE, OnePhase, at_impact, restitutions};
use super::struck::{Reader, Struck};
use crate::error::AnalysisError;
use crate::mode::lines::{CONTACTS, Line, RowOf};
use crate::tapes::Tapes;
use crate::tapes::friction::Terms;
use eom_core::impact::compressed;
use eom_core::system::Restitution;
use eom_core::{Mode, State};
use nalgebra::{DMatrix, DVector};

/// An impact with what takes part in it.
struct TwoPhases<'t> {
    of: &'t Tapes<'t>,
    terms: &'t Terms,
    state: &'t State,
    given: (&'t [f64], &'t DMatrix<f64>),
    contact: usize,
    struck: Struck,
    /// Those that take part, each with ∇g and ∂g/∂t.
    rates: Vec<(usize, DVector<f64>, f64)>,
}

/// δv⁺ by (t, q, v⁻) and the seeds, of a contact that is struck with those that take part in it.
pub(crate) fn changes(
    of: &Tapes<'_>,
    terms: &Terms,
    (contact, together): (usize, &[usize]),
    (state, plus): (&State, &[f64]),
    given: (&[f64], &DMatrix<f64>),
) -> Result<DMatrix<f64>, AnalysisError> {
    let v_c = compressed(of.system, (state, given.0), together);
    let v_c = v_c.ok_or_else(|| {
        AnalysisError::not_smooth("leaves the impulses of its compression undetermined")
    })?;
    let impact = TwoPhases::new(of, terms, (contact, together), state, given)?;
    let (velocity, by) = at_impact(state, given.1);
    let none = vec![0.0; given.1.ncols()];
    let bearing = impact.bearing(&v_c, 0.0);
    let begin = Begin {
        contact,
        bearing: &bearing,
        returned: &[],
        velocity,
        by,
        e: [0.0; 2],
        slopes: [none.clone(), none],
    };
    let compression = impact.phase(&begin, &v_c)?;
    impact.check_bearing(&compression, &[], &bearing)?;
    impact.expansion(&v_c, compression, plus)
}

impl<'t> TwoPhases<'t> {
    fn new(
        of: &'t Tapes<'t>,
        terms: &'t Terms,
        (contact, together): (usize, &[usize]),
        state: &'t State,
        given: (&'t [f64], &'t DMatrix<f64>),
    ) -> Result<Self, AnalysisError> {
        let struck = Struck::read(of, terms, &Reader::at(of, state, given))?;
        let found = &struck.tapes[CONTACTS].values;
        let lines = Line::all(of.info, &Mode::new(together.to_vec()), terms);
        let rates = lines.iter().filter_map(|line| match line.of {
            RowOf::Gap(contact) => {
                let row = found.rows(line.first, state.v.len()).into_owned();
                Some((contact, row, found[line.offset]))
            }
            _ => None,
        });
        let rates = rates.collect();
        Ok(Self { of, terms, state, given, contact, struck, rates })
    }

    /// The contacts whose rates at the end of a phase are what they have to be at least, −e ġ⁻ of what is struck.
    fn bearing(&self, v: &[f64], e: f64) -> Vec<usize> {
        let [end, before] = [v, &self.state.v].map(DVector::from_column_slice);
        let bears = |(contact, row, drift): &&(usize, DVector<f64>, f64)| {
            let least =
                if *contact == self.contact { -e * (row.dot(&before) + drift) } else { 0.0 };
            let speed = self.struck.size(&end) + self.struck.size(&before);
            let size = self.struck.reach(row) * speed;
            row.dot(&end) + drift - least <= NONE * size
        };
        self.rates.iter().filter(bears).map(|(contact, ..)| *contact).collect()
    }

    fn phase(&self, begin: &Begin<'_>, v: &[f64]) -> Result<Ended, AnalysisError> {
        OnePhase::new(self.of, self.terms, begin, (self.state, v), self.given)?.changes(self.of)
    }

    /// Refuses a contact that bears no more than comes back to it, and opens by no more than it has to.
    fn check_bearing(
        &self,
        ended: &Ended,
        returned: &[Impulse],
        bearing: &[usize],
    ) -> Result<(), AnalysisError> {
        let size = ended.impulses.iter().fold(0.0, |size: f64, of| size.max(of.value.abs()));
        for impulse in ended.impulses.iter().filter(|of| bearing.contains(&of.contact)) {
            let back = returned.iter().find(|back| back.contact == impulse.contact);
            let more = impulse.value - back.map_or(0.0, |back| back.value);
            if more < -EDGE * size {
                return Err(AnalysisError::not_smooth("has a law without a derivative here"));
            }
            if more <= EDGE * size {
                let name = self.of.info.contacts[impulse.contact].name;
                return Err(AnalysisError::not_smooth(format!(
                    "leaves `{name}` at the edge of bearing"
                )));
            }
        }
        Ok(())
    }

    /// From v_C to v⁺.
    fn expansion(
        &self,
        v_c: &[f64],
        compression: Ended,
        plus: &[f64],
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let (of, (contact, seeds)) = (self.of, (self.contact, self.given.1));
        let (mut e, mut slopes) = restitutions(of, contact, seeds)?;
        if of.system.restitution(contact) != Restitution::Newton {
            (e[0], slopes[0]) = (0.0, vec![0.0; seeds.ncols()]);
        }
        let returned = self.coming_back(&compression.impulses)?;
        let bearing = self.bearing(plus, e[0]);
        let beside = returned.iter().filter(|back| !bearing.contains(&back.contact));
        let beside: Vec<Impulse> = beside.cloned().collect();
        let (velocity, by) = (DVector::from_column_slice(v_c), compression.by);
        let (bears, back) = (&bearing[..], &beside[..]);
        let begin = Begin { contact, bearing: bears, returned: back, velocity, by, e, slopes };
        let ended = self.phase(&begin, plus)?;
        self.check_bearing(&ended, &returned, &bearing)?;
        Ok(ended.by)
    }

    /// e Λ_C.
    fn coming_back(&self, compressing: &[Impulse]) -> Result<Vec<Impulse>, AnalysisError> {
        let (first, seeds) = (1 + self.state.q.len() + self.state.v.len(), self.given.1);
        let mut returned = Vec::new();
        for Impulse { contact, value, by } in compressing {
            if self.of.system.restitution(*contact) != Restitution::Poisson {
                continue;
            }
            let ([e, _], [slopes, _]) = restitutions(self.of, *contact, seeds)?;
            let mut changes = by * e;
            for (seed, slope) in slopes.iter().enumerate() {
                changes[first + seed] += value * slope;
            }
            returned.push(Impulse { contact: *contact, value: e * value, by: changes });
        }
        Ok(returned)
    }
}
