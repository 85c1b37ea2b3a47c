//! A random state of a model, with everything that the generated Rust says there.

use super::draft::Draft;
use super::function::Polynomial;
use super::linear::{Matrix, Measured, dot, independent, transposed};
use super::rows::{gap, mass, named_rows};
use super::solve;
use super::subject::{Drawn, Stop, Subject, or_redraw};
use super::translate::Reader;
use eom_codegen::ast::{LawKind, Under};
use eom_core::contact::ContactForces;
use eom_core::impact::ImpactMap;
use eom_core::{Law, Mode, System};
use fastrand::Rng;
use std::collections::BTreeMap;

/// How often a state is drawn before a condition counts as never met.
const ATTEMPTS: usize = 400;

/// The states that were found, by where they serve and by seed: claims of one place share them.
pub(super) type Drafts = BTreeMap<(String, u64), Draft>;

/// Parameters, state, and what follows from them.
pub(super) struct Moment {
    pub(super) system: Box<dyn System>,
    pub(super) functions: Vec<Polynomial>,
    pub(super) t: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) u: Vec<f64>,
    /// Accelerations, multipliers of the rows of A and normal forces of the closed contacts, with
    /// these closed.
    pub(super) accelerations: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    pub(super) normal: Vec<f64>,
    pub(super) closed: Vec<usize>,
    /// v⁺ at the contact of the claim.
    pub(super) after: Option<Vec<f64>>,
    /// Names with their values and with what their roundings are measured by.
    pub(super) known: Vec<(String, f64)>,
    pub(super) sizes: Vec<(String, f64)>,
    pub(super) mass: Measured,
    /// The names of the rows of B, and B: independent rows.
    pub(super) names: Vec<String>,
    pub(super) rows: Measured,
    pub(super) gram: Measured,
    pub(super) gram_inverse: Measured,
    /// M⁻¹Bᵀ.
    pub(super) fields: Measured,
    pub(super) projector: Measured,
}

impl Moment {
    /// A state on the constraints, at the contacts and under the conditions of a claim.
    pub(super) fn draw(
        subject: &Subject<'_>,
        drafts: &mut Drafts,
        seed: u64,
    ) -> Result<Self, String> {
        let key = (subject.conditions_text(), seed);
        let found = drafts.get(&key).map(|draft| Self::of(subject, draft.clone()));
        if let Some(Ok(moment)) = found {
            return Ok(moment);
        }
        let mut random = Rng::with_seed(0x9E37 + seed);
        for _ in 0..ATTEMPTS {
            match Self::attempt(subject, &mut random) {
                Ok((draft, moment)) => {
                    drafts.insert(key, draft);
                    return Ok(moment);
                }
                Err(Stop::Redraw) => {}
                Err(Stop::Never(reason)) => return Err(reason),
            }
        }
        Err("no state was found by drawing and solving".to_owned())
    }

    fn attempt(subject: &Subject<'_>, random: &mut Rng) -> Drawn<(Draft, Self)> {
        let mut draft = Draft::random(subject, random)?;
        draft.project(subject)?;
        let mut moment = Self::of(subject, draft.clone())?;
        let is_pinned = draft.pinned.iter().all(|(slot, value)| draft.clone().at(*slot) == value);
        if !is_pinned || !solve::hold(subject, &moment)? {
            solve::solve(subject, &mut draft)?;
            moment = Self::of(subject, draft.clone())?;
        }
        let rate = draft.approach(&*moment.system, subject);
        if rate.is_none_or(|rate| rate < 0.0) { Ok((draft, moment)) } else { Err(Stop::Redraw) }
    }

    /// What follows from the numbers of a draft.
    pub(super) fn of(subject: &Subject<'_>, draft: Draft) -> Drawn<Self> {
        let system = draft.build(subject)?;
        let Draft { functions, t, q, v, u, .. } = draft;
        let m = v.len();
        let (names, rows) = named_rows(&*system, subject.contact, t, &q);
        let kept = independent(&rows);
        let names = kept.iter().map(|&i| names[i].clone()).collect();
        let rows: Matrix = kept.iter().map(|&i| rows[i].clone()).collect();
        let mass = Measured::exact(mass(&*system, t, &q));
        let across = Measured::exact(transposed(&rows, m));
        let rows = Measured::exact(rows);
        let fields = or_redraw(mass.inverse())?.times(&across);
        let gram = rows.times(&fields);
        let gram_inverse = or_redraw(gram.inverse())?;
        let projector = fields.times(&gram_inverse).times(&rows);
        let mut moment = Self {
            system,
            functions,
            t,
            q,
            v,
            u,
            accelerations: Vec::new(),
            multipliers: Vec::new(),
            normal: Vec::new(),
            closed: subject.closed.clone(),
            after: None,
            known: Vec::new(),
            sizes: Vec::new(),
            mass,
            names,
            rows,
            gram,
            gram_inverse,
            fields,
            projector,
        };
        moment.name_state();
        moment.accelerate()?;
        if let Some(contact) = subject.contact {
            moment.after = Some(moment.impact(subject, contact)?);
        }
        moment.name_results(subject)?;
        Ok(moment)
    }

    /// Changes each number by up to a part of what its roundings are measured by.
    pub(super) fn disturb(&mut self, part: f64) {
        let mut random = Rng::with_seed(0xD157);
        let mut any = || part * (2.0 * random.f64() - 1.0);
        let speed = self.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        self.accelerations.iter_mut().for_each(|a| *a += any() * (a.abs() + speed * speed));
        for ((_, value), (_, size)) in self.known.iter_mut().zip(&self.sizes) {
            *value += any() * size;
        }
    }

    /// Accelerations and forces, of the compiled system or of the runtime with contacts closed.
    fn accelerate(&mut self) -> Drawn<()> {
        let Self { system, t, q, v, u, .. } = self;
        let info = system.info();
        if self.closed.is_empty() {
            let (mut a, mut λ) = (vec![0.0; v.len()], vec![0.0; info.rows.len()]);
            system.accelerations(*t, q, v, u, &mut a, &mut λ);
            (self.accelerations, self.multipliers) = (a, λ);
            return Ok(());
        }
        let mut forces = ContactForces::new(&**system);
        let mode = Mode::new(self.closed.clone());
        forces.solve(&**system, &mode, (*t, q, v, u)).map_err(|_| Stop::Redraw)?;
        self.accelerations = forces.accelerations().to_vec();
        self.multipliers = forces.multipliers().to_vec();
        self.normal = forces.forces().to_vec();
        Ok(())
    }

    /// v⁺ by the impact laws of the runtime, which may refuse this state.
    fn impact(&self, subject: &Subject<'_>, contact: usize) -> Drawn<Vec<f64>> {
        let number =
            |e| Reader::new(subject.declared, self).scalar(e).map(|component| component.value);
        let law = match subject.place.under.as_ref() {
            None => self.system.law(contact),
            Some(Under::Reflect) => return Ok(self.reflected(contact)),
            Some(Under::Corner(_)) => Law::Elastic,
            Some(Under::Law(law)) => match &law.kind {
                LawKind::Elastic => Law::Elastic,
                LawKind::Plastic => Law::Plastic,
                LawKind::Project => Law::Project,
                LawKind::Restitution(e, None) => Law::Restitution(number(e)?),
                LawKind::Restitution(e, Some(tangential)) => {
                    Law::Oblique { normal: number(e)?, tangential: number(tangential)? }
                }
                LawKind::Process(..) => {
                    return Err(Stop::Never(
                        "an impact as a process has no map to apply".to_owned(),
                    ));
                }
                LawKind::Assign(_) => Law::Assign,
            },
        };
        let mut map = ImpactMap::new(&*self.system);
        let mut v = self.v.clone();
        map.load(&*self.system, contact, self.t, &self.q)
            .and_then(|()| map.apply(&*self.system, law, &mut v))
            .map_err(|_| Stop::Redraw)?;
        Ok(v)
    }

    /// v − 2 ġ/(∇g M⁻¹∇gᵀ) M⁻¹∇gᵀ: as if no constraint existed.
    fn reflected(&self, contact: usize) -> Vec<f64> {
        let (row, rate) = gap(&*self.system, contact, self.t, &self.q);
        let name = self.system.info().contacts[contact].ascii;
        let Some(at) = self.names.iter().position(|row| row == name) else {
            return self.v.clone();
        };
        let factor = 2.0 * (dot(&row, &self.v) + rate) / self.gram.value[at][at];
        self.v.iter().zip(&self.fields.value).map(|(v, field)| v - factor * field[at]).collect()
    }
}
