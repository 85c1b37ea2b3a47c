//! Drawing: random numbers for everything that a state consists of, on what must hold there.

use super::function::Polynomial;
use super::linear::{Matrix, apply, dot, independent, inverse, shortest, times, transposed};
use super::rows::{mass, rows_in_force, velocity_rows};
use super::subject::{Drawn, Stop, Subject, or_redraw};
use eom_cli::names::speeds_ascii;
use eom_cli::numbers::evaluate;
use eom_codegen::ast::ExprKind;
use eom_core::{SmoothFunction, System};
use eom_symbolic::name::{Side, ascii_dotted};
use fastrand::Rng;

/// A number of a draft.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Parameter(usize),
    Position(usize),
    Speed(usize),
    Input(usize),
    Coefficient(usize, usize),
}

/// Everything that a state consists of, before anything is computed of it.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) parameters: Vec<f64>,
    pub(super) functions: Vec<Polynomial>,
    pub(super) t: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) u: Vec<f64>,
    /// What the conditions of the form `name = number` set.
    pub(super) pinned: Vec<(Slot, f64)>,
}

impl Draft {
    /// Random numbers with what the conditions set; nothing else holds yet.
    pub(super) fn random(subject: &Subject<'_>, random: &mut Rng) -> Drawn<Self> {
        let info = subject.model.info;
        let functions: Vec<Polynomial> =
            info.functions.iter().map(|f| Polynomial::draw(f.arguments.len(), random)).collect();
        let mut any = || 2.0 * random.f64() - 1.0;
        let none = vec![None; info.parameters.len()];
        let defaults = (subject.model.build)(&none).map_err(|error| error.to_string())?;
        let mut parameters = vec![0.0; none.len()];
        defaults.parameters(&mut parameters);
        for value in &mut parameters {
            *value = if *value == 0.0 { any() } else { *value * (1.0 + 0.4 * any()) };
        }
        let q = (0..info.positions()).map(|_| any()).collect();
        let v = (0..info.speeds()).map(|_| any()).collect();
        let u = info.inputs.iter().map(|_| any()).collect();
        let t = 0.5 * (1.0 + any());
        let pinned = pins(subject);
        let mut draft = Self { parameters, functions, t, q, v, u, pinned };
        draft.normalise(info.coordinates.len());
        draft.pin();
        Ok(draft)
    }

    /// Onto φ = 0 and the gaps in force, then onto the rows in force, approaching the contact.
    pub(super) fn project(&mut self, subject: &Subject<'_>) -> Drawn<()> {
        let system = self.build(subject)?;
        for _ in 0..50 {
            let (rows, residuals) = rows_in_force(&*system, subject, self.t, &self.q);
            if rows.is_empty() {
                break;
            }
            // A step along speeds: q̇ = S(q) v takes it to the coordinates.
            let step = or_redraw(shortest(&rows, &residuals, self.v.len()))?;
            let mut change = vec![0.0; self.q.len()];
            system.rates(self.t, &self.q, &step, &mut change);
            self.q.iter_mut().zip(change).for_each(|(q, step)| *q -= step);
            self.normalise(subject.model.info.coordinates.len());
        }
        let (_, residuals) = rows_in_force(&*system, subject, self.t, &self.q);
        if residuals.iter().any(|r| r.abs() > 1e-12) {
            return Err(Stop::Redraw);
        }
        self.project_velocity(&*system, subject)?;
        if self.approach(&*system, subject).is_some_and(|rate| rate > 0.0) {
            self.v.iter_mut().for_each(|v| *v = -*v);
            self.project_velocity(&*system, subject)?;
        }
        Ok(())
    }

    fn project_velocity(&mut self, system: &dyn System, subject: &Subject<'_>) -> Drawn<()> {
        let (rows, offsets) = velocity_rows(system, subject, self.t, &self.q);
        let mut rates = apply(&rows, &self.v);
        rates.iter_mut().zip(offsets).for_each(|(rate, b)| *rate += b);
        let kept = independent(&rows);
        let rows: Matrix = kept.iter().map(|&i| rows[i].clone()).collect();
        let rates: Vec<f64> = kept.iter().map(|&i| rates[i]).collect();
        let mass = or_redraw(inverse(&mass(system, self.t, &self.q)))?;
        let fields = times(&mass, &transposed(&rows, self.v.len()));
        let gram = or_redraw(inverse(&times(&rows, &fields)))?;
        let step = apply(&fields, &apply(&gram, &rates));
        self.v.iter_mut().zip(step).for_each(|(v, step)| *v -= step);
        Ok(())
    }

    /// ġ of the contact of the claim.
    pub(super) fn approach(&self, system: &dyn System, subject: &Subject<'_>) -> Option<f64> {
        let (row, rate) = super::rows::gap(system, subject.contact?, self.t, &self.q);
        Some(dot(&row, &self.v) + rate)
    }

    /// The system with these parameters and functions.
    pub(super) fn build(&self, subject: &Subject<'_>) -> Drawn<Box<dyn System>> {
        let overrides: Vec<Option<f64>> = self.parameters.iter().copied().map(Some).collect();
        let functions: Vec<SmoothFunction> =
            self.functions.iter().map(Polynomial::smooth).collect();
        (subject.model.build_with)(&overrides, &functions).map_err(|_| Stop::Redraw)
    }

    /// Quaternions of length 1; they follow the coordinates in q.
    fn normalise(&mut self, coordinates: usize) {
        for rotation in self.q[coordinates..].chunks_mut(4) {
            let norm = dot(rotation, rotation).sqrt();
            for x in rotation {
                *x /= norm;
            }
        }
    }

    pub(super) fn pin(&mut self) {
        for (slot, value) in self.pinned.clone() {
            *self.at(slot) = value;
        }
    }

    /// All numbers but the time and what is pinned.
    pub(super) fn free(&self) -> Vec<Slot> {
        let functions = self.functions.iter().enumerate();
        (0..self.parameters.len())
            .map(Slot::Parameter)
            .chain((0..self.q.len()).map(Slot::Position))
            .chain((0..self.v.len()).map(Slot::Speed))
            .chain((0..self.u.len()).map(Slot::Input))
            .chain(functions.flat_map(|(f, polynomial)| {
                (0..polynomial.coefficients.len()).map(move |i| Slot::Coefficient(f, i))
            }))
            .filter(|slot| self.pinned.iter().all(|(pinned, _)| pinned != slot))
            .collect()
    }

    pub(super) fn at(&mut self, slot: Slot) -> &mut f64 {
        match slot {
            Slot::Parameter(i) => &mut self.parameters[i],
            Slot::Position(i) => &mut self.q[i],
            Slot::Speed(i) => &mut self.v[i],
            Slot::Input(i) => &mut self.u[i],
            Slot::Coefficient(f, i) => &mut self.functions[f].coefficients[i],
        }
    }
}

/// The conditions of the form `name = number`.
fn pins(subject: &Subject<'_>) -> Vec<(Slot, f64)> {
    let info = subject.model.info;
    let speeds = speeds_ascii(info);
    let mut pins = Vec::new();
    for condition in &subject.place.when {
        let (ExprKind::Name(ident), Ok(value)) =
            (&condition.lhs.kind, evaluate(&condition.rhs.to_string(), &[]))
        else {
            continue;
        };
        let name = ident.name();
        let ascii = ascii_dotted(&name.key, name.dots);
        let plain = (0..info.positions()).position(|i| info.position_ascii(i) == ascii);
        let slot = speeds
            .iter()
            .position(|speed| *speed == ascii)
            .map(Slot::Speed)
            .or(plain.map(Slot::Position))
            .or(info.parameters.iter().position(|p| p.ascii == ascii).map(Slot::Parameter))
            .or(info.inputs.iter().position(|u| u.ascii == ascii).map(Slot::Input));
        pins.extend(slot.filter(|_| name.side != Side::Plus).map(|slot| (slot, value)));
    }
    pins
}
