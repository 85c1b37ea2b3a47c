//! The names under which the numbers of a moment are known to the strings.

use super::linear::{apply, derivative, dot};
use super::moment::Moment;
use super::rows::{constraints, gap, mass};
use super::subject::Subject;
use eom_cli::names::speeds_ascii;
use eom_symbolic::name::{Name, ascii_dotted};

/// The name of λ(row), impulse(row) or force(coordinate).
pub(super) fn name_of(what: &str, of: &str) -> String {
    format!("{what}_of_{}", of.replace(['.', '[', ']'], "_"))
}

/// The name of what the roundings of a name are measured by.
pub(super) fn sized(name: &str) -> String {
    format!("{name}_size")
}

impl Moment {
    fn name(&mut self, name: String, value: f64, size: f64) {
        self.sizes.push((sized(&name), size));
        self.known.push((name, value));
    }

    fn name_each<'a>(&mut self, names: impl Iterator<Item = &'a str>, values: &[f64]) {
        for (name, value) in names.zip(values) {
            self.name(name.to_owned(), *value, value.abs());
        }
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

    pub(super) fn name_state(&mut self) {
        let info = self.system.info();
        let mut parameters = vec![0.0; info.parameters.len()];
        self.system.parameters(&mut parameters);
        let (t, q, v, u) = (self.t, self.q.clone(), self.v.clone(), self.u.clone());
        self.name("t".to_owned(), t, t.abs());
        self.name_each(info.parameters.iter().map(|parameter| parameter.ascii), &parameters);
        let positions: Vec<String> = (0..q.len()).map(|i| info.position_ascii(i)).collect();
        self.name_each(positions.iter().map(String::as_str), &q);
        self.name_each(info.inputs.iter().map(|input| input.ascii), &u);
        for (name, value) in self.speeds(0).into_iter().zip(v) {
            self.name(format!("{name}_minus"), value, value.abs());
            self.name(name, value, value.abs());
        }
        self.name_differentials();
    }

    /// A 1-form is an identity in its differentials: any numbers will do.
    fn name_differentials(&mut self) {
        let info = self.system.info();
        let dt = 0.37;
        self.name("dt".to_owned(), dt, dt);
        let mut differentials = Vec::new();
        for (i, coordinate) in info.coordinates.iter().enumerate() {
            let value = ((i as f64 + 1.0) * 0.618_034).fract() - 0.4;
            differentials.push(value);
            self.name(format!("d{}", coordinate.ascii), value, value.abs());
        }
        if info.is_plain() {
            let (a, b) = constraints(&*self.system, self.t, &self.q);
            for ((row, a), b) in info.rows.iter().zip(a).zip(b) {
                let value = b * dt + dot(&a, &differentials);
                self.name(row.ascii.to_owned(), value, value.abs());
            }
        }
    }

    pub(super) fn name_results(&mut self, subject: &Subject<'_>) -> Result<(), String> {
        let info = self.system.info();
        let square = self.v.iter().map(|v| v * v).sum();
        self.name_all(self.speeds(1), &self.accelerations.clone(), square);
        let names = info.rows.iter().map(|row| name_of("lambda", row.ascii)).collect();
        self.name_all(names, &self.multipliers.clone(), 0.0);
        for contact in self.closed.clone() {
            let (name, force) = (info.contacts[contact].ascii, self.normal[contact]);
            self.name(name_of("lambda", name), force, force.abs());
        }
        if subject.forces {
            self.name_forces()?;
        }
        self.name_energies("", &self.v.clone());
        let Some(after) = self.after.clone() else { return Ok(()) };
        let names = self.speeds(0).iter().map(|name| format!("{name}_plus")).collect();
        let largest = self.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        self.name_all(names, &after, largest);
        self.name_energies("_plus", &after);
        // M (v⁺ − v⁻) = Bᵀ·impulse.
        let jump: Vec<f64> =
            after.iter().zip(&self.v).map(|(after, before)| after - before).collect();
        let impulses = apply(&self.gram_inverse.value, &apply(&self.rows.value, &jump));
        let names = self.names.iter().map(|row| name_of("impulse", row)).collect();
        self.name_all(names, &impulses, 0.0);
        Ok(())
    }

    /// Names with their values on the line (t + s, q + s q̇, v + s v̇).
    pub(super) fn ahead(&self, s: f64) -> Vec<(String, f64)> {
        let mut rates = vec![0.0; self.q.len()];
        self.system.rates(self.t, &self.q, &self.v, &mut rates);
        let mut values = self.moved(s, &rates);
        let speeds = self.speeds(0).into_iter().zip(self.v.iter().zip(&self.accelerations));
        values.extend(speeds.map(|(name, (v, a))| (name, v + s * a)));
        values
    }

    /// Names with their values on the line (t + s dt, q + s dq): only coordinates have differentials.
    pub(super) fn beside(&self, s: f64) -> Vec<(String, f64)> {
        let known = |name: &str| {
            let found = self.known.iter().find(|(known, _)| known == name);
            found.map_or(0.0, |(_, value)| *value)
        };
        let coordinates = self.system.info().coordinates.iter();
        let dq: Vec<f64> = coordinates.map(|c| known(&format!("d{}", c.ascii))).collect();
        let mut values = self.moved(s, &dq);
        values[0].1 = self.t + s * known("dt");
        values
    }

    fn moved(&self, s: f64, rates: &[f64]) -> Vec<(String, f64)> {
        let mut values = vec![("t".to_owned(), self.t + s)];
        for (i, rate) in rates.iter().enumerate() {
            values.push((self.system.info().position_ascii(i), self.q[i] + s * rate));
        }
        values
    }

    /// F = M v̇ + h − Aᵀλ − ∇gᵀμ on the coordinates whose speeds are their velocities, with
    /// h = Ṁ v − ∂(T − V)/∂q by differences, where T = vᵀM v/2. The fields ∂/∂q of such coordinates
    /// commute with each other and with rotations, so that h has no other terms.
    fn name_forces(&mut self) -> Result<(), String> {
        let (info, system) = (self.system.info(), &*self.system);
        let (t, q, v) = (self.t, &self.q, &self.v);
        let kinetic = system.energy(t, q, v).kinetic;
        let half = dot(&apply(&self.mass.value, v), v) / 2.0;
        if (half - kinetic).abs() > 1e-12 * half.abs().max(kinetic.abs()) {
            return Err("forces where the kinetic energy is not quadratic".to_owned());
        }
        if self.closed.iter().any(|&contact| !info.contacts[contact].rows.is_empty()) {
            return Err("forces beside those of rows of closed contacts".to_owned());
        }
        let mut rates = vec![0.0; q.len()];
        system.rates(t, q, v, &mut rates);
        let along = |s: f64, direction: &[f64]| -> Vec<f64> {
            q.iter().zip(direction).map(|(q, d)| q + s * d).collect()
        };
        let momenta = derivative(&|s| Ok(apply(&mass(system, t + s, &along(s, &rates)), v)))?;
        let (rows, _) = constraints(system, t, q);
        let (inertia, speeds) = (apply(&self.mass.value, &self.accelerations), self.speeds(0));
        let (mut names, mut forces, mut scale) = (Vec::new(), Vec::new(), kinetic.abs());
        for (i, coordinate) in info.coordinates.iter().enumerate() {
            if speeds.get(i) != Some(&ascii_dotted(coordinate.ascii, 1)) {
                continue;
            }
            let unit: Vec<f64> = (0..q.len()).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
            let slope = derivative(&|s| {
                let energy = system.energy(t, &along(s, &unit), v);
                Ok(vec![energy.kinetic - energy.potential])
            })?;
            let mut reaction: f64 =
                rows.iter().zip(&self.multipliers).map(|(row, λ)| row[i] * λ).sum();
            for &contact in &self.closed {
                reaction += gap(system, contact, t, q).0[i] * self.normal[contact];
            }
            let parts = [inertia[i], momenta[i], -slope[0], -reaction];
            forces.push(parts.iter().sum());
            scale = parts.iter().fold(scale, |m, x| m.max(x.abs()));
            names.push(name_of("force", coordinate.ascii));
        }
        self.name_all(names, &forces, scale);
        Ok(())
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
