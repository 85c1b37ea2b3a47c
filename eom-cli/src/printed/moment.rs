//! A random state of a model, with everything that the generated Rust says there.

use super::linear::{Matrix, apply, derivative, inverse, times, transposed};
use super::translate::Reader;
use crate::names::speeds_ascii;
use crate::numbers::evaluate;
use eom_codegen::ast::{self, ExprKind, LawKind};
use eom_core::impact::ImpactMap;
use eom_core::{Law, System};
use eom_symbolic::name::{Name, ascii_dotted};
use fastrand::Rng;
use models::ModelEntry;

/// How often a state is drawn before a condition counts as never met.
const ATTEMPTS: usize = 400;

/// Parameters, state, and what follows from them.
pub(super) struct Moment {
    pub(super) system: Box<dyn System>,
    pub(super) t: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) u: Vec<f64>,
    accelerations: Vec<f64>,
    /// v⁺ at the contact of the claim.
    pub(super) after: Option<Vec<f64>>,
    /// The contact of the claim.
    pub(super) contact: Option<usize>,
    /// Names with their values and with what their roundings are measured by.
    pub(super) known: Vec<(String, f64)>,
    pub(super) sizes: Vec<(String, f64)>,
    pub(super) mass: Matrix,
    /// B: the rows of A, then ∇g of the contact.
    pub(super) rows: Matrix,
    pub(super) gram: Matrix,
    pub(super) gram_inverse: Matrix,
    /// M⁻¹Bᵀ.
    pub(super) fields: Matrix,
    pub(super) projector: Matrix,
}

impl Moment {
    /// A state on the constraints, at the contact and under the conditions of a claim.
    pub(super) fn draw(
        model: &ModelEntry,
        declared: &ast::System,
        place: &ast::Place,
        seed: u64,
    ) -> Result<Self, String> {
        if !place.closed.is_empty() {
            return Err("closed contacts".to_owned());
        }
        let info = model.info;
        let contact = place.at.as_ref().map(|ident| {
            let key = ident.name().key;
            info.contacts.iter().position(|contact| contact.ascii == key)
        });
        let contact = match contact {
            Some(None) => return Err("an unknown contact".to_owned()),
            Some(found) => found,
            None => None,
        };
        if contact.is_some_and(|c| !info.contacts[c].rows.is_empty()) {
            return Err("rows of a contact".to_owned());
        }
        if info.holonomic_count() > 0 && info.positions() != info.speeds() {
            return Err("holonomic constraints of rotations".to_owned());
        }
        let mut random = Rng::with_seed(0x9E37 + seed);
        for _ in 0..ATTEMPTS {
            let drawn = Draft::new(model, place, contact, &mut random);
            let Some(moment) = drawn.and_then(|draft| draft.moment(declared, place)) else {
                continue;
            };
            let moment = moment?;
            if moment.meets(declared, place)? {
                return Ok(moment);
            }
        }
        Err("no state was found by drawing and setting".to_owned())
    }

    /// Whether the conditions of a claim hold.
    fn meets(&self, declared: &ast::System, place: &ast::Place) -> Result<bool, String> {
        for condition in &place.when {
            let mut reader = Reader::new(declared, self);
            for strings in reader.difference(&condition.lhs, &condition.rhs)? {
                let component = reader.evaluate(&strings)?;
                if component.value.abs() > 1e-12 * component.size {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Parameters and a state, before anything is computed of them.
struct Draft {
    system: Box<dyn System>,
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    u: Vec<f64>,
    contact: Option<usize>,
}

impl Draft {
    /// Random numbers, then what the conditions set; `None` where bounds or a projection refuse.
    fn new(
        model: &ModelEntry,
        place: &ast::Place,
        contact: Option<usize>,
        random: &mut Rng,
    ) -> Option<Self> {
        let info = model.info;
        let mut any = || 2.0 * random.f64() - 1.0;
        let mut values = vec![None; info.parameters.len()];
        let defaults = (model.build)(&values).ok()?;
        let mut numbers = vec![0.0; values.len()];
        defaults.parameters(&mut numbers);
        for (value, default) in values.iter_mut().zip(&numbers) {
            *value = Some(if *default == 0.0 { any() } else { default * (1.0 + 0.4 * any()) });
        }
        let mut q: Vec<f64> = (0..info.positions()).map(|_| any()).collect();
        for rotation in q[info.coordinates.len()..].chunks_mut(4) {
            let norm = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
            rotation.iter_mut().for_each(|x| *x /= norm);
        }
        let mut v: Vec<f64> = (0..info.speeds()).map(|_| any()).collect();
        let u = info.inputs.iter().map(|_| any()).collect();
        let t = 0.5 * (1.0 + any());
        for condition in &place.when {
            let (ExprKind::Name(ident), Ok(value)) =
                (&condition.lhs.kind, evaluate(&condition.rhs.to_string(), &[]))
            else {
                continue;
            };
            let name = ident.name();
            let speed = speeds_ascii(info).iter().position(|speed| *speed == name.ascii());
            if let Some(i) = speed {
                v[i] = value;
            } else if let Some(i) = info.coordinates.iter().position(|c| c.ascii == name.ascii()) {
                q[i] = value;
            } else if let Some(i) = info.parameters.iter().position(|p| p.ascii == name.ascii()) {
                values[i] = Some(value);
            }
        }
        let system = (model.build)(&values).ok()?;
        let mut draft = Self { system, t, q, v, u, contact };
        draft.project()?;
        Some(draft)
    }

    /// Onto φ = 0 and g = 0 by Newton, then onto A v + b = 0, approaching the contact.
    fn project(&mut self) -> Option<()> {
        let info = self.system.info();
        let (m, holonomic) = (info.speeds(), info.holonomic_count());
        if holonomic > 0 || self.contact.is_some() {
            if info.positions() != m {
                return None;
            }
            for _ in 0..50 {
                let (rows, residuals) = self.positions();
                let square = times(&rows, &transposed(&rows, m));
                let step = apply(&transposed(&rows, m), &apply(&inverse(&square)?, &residuals));
                self.q.iter_mut().zip(step).for_each(|(q, step)| *q -= step);
            }
            if self.positions().1.iter().any(|r| r.abs() > 1e-12) {
                return None;
            }
        }
        self.project_velocity()?;
        if self.approach().is_some_and(|rate| rate > 0.0) {
            self.v.iter_mut().for_each(|v| *v = -*v);
            self.project_velocity()?;
        }
        self.approach().is_none_or(|rate| rate < 0.0).then_some(())
    }

    /// The rows and residuals of φ and g.
    fn positions(&self) -> (Matrix, Vec<f64>) {
        let info = self.system.info();
        let (k, holonomic) = (info.rows.len(), info.holonomic_count());
        let mut residuals = vec![0.0; holonomic];
        self.system.holonomic(self.t, &self.q, &mut residuals);
        let (rows, _) = rows(&*self.system, self.t, &self.q, self.contact);
        if let Some(contact) = self.contact {
            let mut gaps = vec![0.0; info.contacts.len()];
            self.system.gaps(self.t, &self.q, &mut gaps);
            residuals.push(gaps[contact]);
        }
        (rows[k - holonomic..].to_vec(), residuals)
    }

    fn project_velocity(&mut self) -> Option<()> {
        let m = self.v.len();
        let (rows, offsets) = rows(&*self.system, self.t, &self.q, None);
        let mass = square(m, |entries| self.system.mass_matrix(self.t, &self.q, entries));
        let fields = times(&inverse(&mass)?, &transposed(&rows, m));
        let gram = times(&rows, &fields);
        let mut rates = apply(&rows, &self.v);
        rates.iter_mut().zip(offsets).for_each(|(rate, b)| *rate += b);
        let step = apply(&fields, &apply(&inverse(&gram)?, &rates));
        self.v.iter_mut().zip(step).for_each(|(v, step)| *v -= step);
        Some(())
    }

    /// ġ of the contact.
    fn approach(&self) -> Option<f64> {
        let contact = self.contact?;
        let info = self.system.info();
        let (m, c) = (info.speeds(), info.contacts.len());
        let (mut gradients, mut rates) = (vec![0.0; c * m], vec![0.0; c]);
        self.system.gap_rows(self.t, &self.q, &mut gradients, &mut rates);
        let row = &gradients[contact * m..][..m];
        Some(row.iter().zip(&self.v).map(|(g, v)| g * v).sum::<f64>() + rates[contact])
    }

    /// Everything that follows from the state; `None` where it is singular.
    fn moment(self, declared: &ast::System, place: &ast::Place) -> Option<Result<Moment, String>> {
        let Self { system, t, q, v, u, contact } = self;
        let m = v.len();
        let (rows, _) = rows(&*system, t, &q, contact);
        let mass = square(m, |entries| system.mass_matrix(t, &q, entries));
        let fields = times(&inverse(&mass)?, &transposed(&rows, m));
        let gram = times(&rows, &fields);
        let gram_inverse = inverse(&gram)?;
        let projector = times(&times(&fields, &gram_inverse), &rows);
        let mut moment = Moment {
            system,
            t,
            q,
            accelerations: vec![0.0; m],
            v,
            u,
            after: None,
            contact,
            known: Vec::new(),
            sizes: Vec::new(),
            mass,
            rows,
            gram,
            gram_inverse,
            fields,
            projector,
        };
        moment.name_state();
        if let Some(contact) = contact {
            match moment.impact(declared, place, contact) {
                Ok(Some(after)) => moment.after = Some(after),
                Ok(None) => return None,
                Err(reason) => return Some(Err(reason)),
            }
        }
        moment.name_results();
        Some(Ok(moment))
    }
}

/// The rows of A with their b, then ∇g of a contact.
fn rows(system: &dyn System, t: f64, q: &[f64], contact: Option<usize>) -> (Matrix, Vec<f64>) {
    let info = system.info();
    let (m, k, c) = (info.speeds(), info.rows.len(), info.contacts.len());
    let (mut a, mut b) = (vec![0.0; k * m], vec![0.0; k]);
    system.constraint_rows(t, q, &mut a, &mut b);
    let mut rows: Matrix = (0..k).map(|i| a[i * m..][..m].to_vec()).collect();
    if let Some(contact) = contact {
        let (mut gradients, mut rates) = (vec![0.0; c * m], vec![0.0; c]);
        system.gap_rows(t, q, &mut gradients, &mut rates);
        rows.push(gradients[contact * m..][..m].to_vec());
    }
    (rows, b)
}

fn square(n: usize, write: impl FnOnce(&mut [f64])) -> Matrix {
    let mut entries = vec![0.0; n * n];
    write(&mut entries);
    entries.chunks(n).map(<[f64]>::to_vec).collect()
}

impl Moment {
    fn name(&mut self, name: String, value: f64, size: f64) {
        self.sizes.push((name.clone(), size));
        self.known.push((name, value));
    }

    /// Names a list; roundings are measured by its largest entry.
    fn name_all(&mut self, names: Vec<String>, values: &[f64], scale: f64) {
        let largest = values.iter().fold(scale, |m, x| m.max(x.abs()));
        for (name, value) in names.into_iter().zip(values) {
            self.name(name, *value, value.abs() + largest);
        }
    }

    /// The ASCII names of the speeds with dots added: `theta_dot`, `theta_ddot`; for a
    /// quasi-velocity `u`, `u_dot`.
    pub(super) fn speeds(&self, dots: u8) -> Vec<String> {
        let names = speeds_ascii(self.system.info());
        names
            .iter()
            .map(|name| {
                let name = Name::parse(name);
                ascii_dotted(&name.key, name.dots + dots)
            })
            .collect()
    }

    fn name_state(&mut self) {
        let info = self.system.info();
        let mut parameters = vec![0.0; info.parameters.len()];
        self.system.parameters(&mut parameters);
        let (t, q, v, u) = (self.t, self.q.clone(), self.v.clone(), self.u.clone());
        self.name("t".to_owned(), t, t.abs());
        for (parameter, value) in info.parameters.iter().zip(parameters) {
            self.name(parameter.ascii.to_owned(), value, value.abs());
        }
        for (coordinate, value) in info.coordinates.iter().zip(q) {
            self.name(coordinate.ascii.to_owned(), value, value.abs());
        }
        for (input, value) in info.inputs.iter().zip(u) {
            self.name(input.ascii.to_owned(), value, value.abs());
        }
        for (name, value) in self.speeds(0).into_iter().zip(v) {
            self.name(format!("{name}_minus"), value, value.abs());
            self.name(name, value, value.abs());
        }
        // A 1-form is an identity in its differentials: any numbers will do.
        let mut differentials = vec![0.37];
        self.name("dt".to_owned(), 0.37, 0.37);
        for (i, coordinate) in info.coordinates.iter().enumerate() {
            let value = ((i as f64 + 1.0) * 0.618_034).fract() - 0.4;
            differentials.push(value);
            self.name(format!("d{}", coordinate.ascii), value, value.abs());
        }
        if info.coordinates.len() == info.speeds() {
            let k = info.rows.len();
            let (mut a, mut b) = (vec![0.0; k * self.v.len()], vec![0.0; k]);
            self.system.constraint_rows(self.t, &self.q, &mut a, &mut b);
            for (i, row) in info.rows.iter().enumerate() {
                let terms = a[i * self.v.len()..].iter().zip(&differentials[1..]);
                let value = b[i] * differentials[0] + terms.map(|(a, d)| a * d).sum::<f64>();
                self.name(row.ascii.to_owned(), value, value.abs());
            }
        }
    }

    /// v⁺; `None` where the impact is refused at this state.
    fn impact(
        &self,
        declared: &ast::System,
        place: &ast::Place,
        contact: usize,
    ) -> Result<Option<Vec<f64>>, String> {
        let law = match place.under.as_ref().map(|law| &law.kind) {
            None => self.system.law(contact),
            Some(LawKind::Elastic | LawKind::Corner) => Law::Elastic,
            Some(LawKind::Plastic) => Law::Plastic,
            Some(LawKind::Project) => Law::Project,
            Some(LawKind::Reflect) => return Ok(Some(self.reflected())),
            Some(LawKind::Restitution(e)) => {
                let mut reader = Reader::new(declared, self);
                Law::Restitution(reader.scalar(e)?.value)
            }
            #[allow(unreachable_patterns, reason = "laws that the language may learn")]
            Some(_) => return Err("a law of the declaration alone".to_owned()),
        };
        let mut map = ImpactMap::new(&*self.system);
        let mut v = self.v.clone();
        let applied = map
            .load(&*self.system, contact, self.t, &self.q)
            .and_then(|()| map.apply(&*self.system, law, &mut v));
        Ok(applied.is_ok().then_some(v))
    }

    /// v − 2 ∇g·v/(∇g M⁻¹∇gᵀ) M⁻¹∇gᵀ: as if no constraint existed.
    fn reflected(&self) -> Vec<f64> {
        let last = self.rows.len() - 1;
        let rate: f64 = self.rows[last].iter().zip(&self.v).map(|(g, v)| g * v).sum();
        let factor = 2.0 * rate / self.gram[last][last];
        self.v.iter().zip(&self.fields).map(|(v, field)| v - factor * field[last]).collect()
    }

    fn name_results(&mut self) {
        let info = self.system.info();
        let (m, k) = (self.v.len(), info.rows.len());
        let (mut a, mut λ) = (vec![0.0; m], vec![0.0; k]);
        self.system.accelerations(self.t, &self.q, &self.v, &self.u, &mut a, &mut λ);
        let square = self.v.iter().map(|v| v * v).sum();
        self.name_all(self.speeds(1), &a, square);
        let names = info.rows.iter().map(|row| format!("lambda_of_{}", row.ascii)).collect();
        self.name_all(names, &λ, 0.0);
        self.name_forces(&a, &λ);
        self.accelerations = a;
        self.name_energies("", &self.v.clone());
        let Some(after) = self.after.clone() else { return };
        let names = self.speeds(0).iter().map(|name| format!("{name}_plus")).collect();
        let largest = self.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        self.name_all(names, &after, largest);
        self.name_energies("_plus", &after);
        // M (v⁺ − v⁻) = Bᵀ·impulse.
        let jump: Vec<f64> =
            after.iter().zip(&self.v).map(|(after, before)| after - before).collect();
        let impulses = apply(&self.gram_inverse, &apply(&self.rows, &jump));
        let mut names: Vec<String> =
            info.rows.iter().map(|row| format!("impulse_of_{}", row.ascii)).collect();
        names.extend(self.contact.map(|c| format!("impulse_of_{}", info.contacts[c].ascii)));
        self.name_all(names, &impulses, 0.0);
    }

    /// Names with their values on the line (t + s, q + s q̇, v + s v̇).
    pub(super) fn ahead(&self, s: f64) -> Vec<(String, f64)> {
        let info = self.system.info();
        let mut rates = vec![0.0; self.q.len()];
        self.system.rates(self.t, &self.q, &self.v, &mut rates);
        let mut values = vec![("t".to_owned(), self.t + s)];
        for (i, coordinate) in info.coordinates.iter().enumerate() {
            values.push((coordinate.ascii.to_owned(), self.q[i] + s * rates[i]));
        }
        for (i, name) in self.speeds(0).into_iter().enumerate() {
            values.push((name, self.v[i] + s * self.accelerations[i]));
        }
        values
    }

    /// F = M v̇ + h − Aᵀλ with h = Ṁ v − ∂(T − V)/∂q by differences, where T = vᵀM v/2.
    fn name_forces(&mut self, a: &[f64], λ: &[f64]) {
        let (info, m) = (self.system.info(), self.v.len());
        let (t, q, v) = (self.t, &self.q, &self.v);
        let half: f64 = apply(&self.mass, v).iter().zip(v).map(|(p, v)| p * v / 2.0).sum();
        let kinetic = self.system.energy(t, q, v).kinetic;
        if !info.is_plain() || (half - kinetic).abs() > 1e-12 * half.abs().max(kinetic.abs()) {
            return;
        }
        let along = |s: f64, direction: &[f64]| -> Vec<f64> {
            q.iter().zip(direction).map(|(q, d)| q + s * d).collect()
        };
        let momenta = derivative(m, &|s| {
            let mass = square(m, |entries| self.system.mass_matrix(t + s, &along(s, v), entries));
            Ok(apply(&mass, v))
        });
        let Ok(momenta) = momenta else { return };
        let (k, inertia) = (info.rows.len(), apply(&self.mass, a));
        let mut forces = Vec::new();
        let mut scale = 0.0_f64;
        for i in 0..m {
            let unit: Vec<f64> = (0..m).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
            let slope = derivative(1, &|s| {
                let energy = self.system.energy(t, &along(s, &unit), v);
                Ok(vec![energy.kinetic - energy.potential])
            });
            let Ok(slope) = slope else { return };
            let reaction: f64 = (0..k).map(|row| self.rows[row][i] * λ[row]).sum();
            forces.push(inertia[i] + momenta[i] - slope[0] - reaction);
            scale = [inertia[i], momenta[i], slope[0], reaction, kinetic]
                .iter()
                .fold(scale, |m, x| m.max(x.abs()));
        }
        let names = info.coordinates.iter().map(|c| format!("force_of_{}", c.ascii)).collect();
        self.name_all(names, &forces, scale);
    }

    fn name_energies(&mut self, side: &str, v: &[f64]) {
        let energy = self.system.energy(self.t, &self.q, v);
        let size = energy.kinetic.abs() + energy.potential.abs();
        let values = [
            ("kinetic", energy.kinetic),
            ("potential", energy.potential),
            ("energy", energy.kinetic + energy.potential),
            ("lagrangian", energy.kinetic - energy.potential),
            ("jacobi", energy.jacobi),
        ];
        for (name, value) in values {
            self.name(format!("{name}{side}"), value, size.max(value.abs()));
        }
    }
}
