//! The functions of a system at a state, by name.

use crate::eval::state::{Given, speed_keys};
use eom_core::contact::{Reactions, only_mode, open_accelerations};
use eom_core::impact::ImpactMap;
use eom_core::{State, System, impacts_together, total_energy};
use serde_json::{Map, Value};

/// Values at one state, and what must be said about them.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) values: Map<String, Value>,
    /// Functions whose values are not all numbers there.
    pub(crate) undefined: Vec<&'static str>,
    /// Whether outputs hold forces, which no state tells where there are contacts.
    pub(crate) holds_forces: bool,
    /// The smallest gap rate before the impact that was asked for, where it is not negative.
    pub(crate) leaving: Option<f64>,
}

/// Impacts of a sequence that are shown.
const IN_TURN: usize = 100;

/// Evaluates the system at a state; with contacts, their impact there.
pub(crate) fn at(system: &dyn System, given: &Given, contacts: &[usize]) -> Result<Answer, String> {
    let info = system.info();
    let State { t, q, v } = &given.state;
    let (m, k, c) = (info.speeds(), info.rows.len(), info.contacts.len());
    let speeds = speed_keys(info);
    let rows: Vec<String> = info.rows.iter().map(|row| row.name.to_owned()).collect();
    let contact_names: Vec<String> = info.contacts.iter().map(|c| c.name.to_owned()).collect();
    let mut answer = Answer::default();

    let (mut a, mut λ) = (vec![0.0; m], vec![0.0; k]);
    open_accelerations(system, (*t, q, v, &given.inputs), &mut a, &mut λ);
    answer.list("accelerations", &speeds, &a);
    answer.list("multipliers", &rows, &λ);

    let energy = system.energy(*t, q, v);
    let names = ["kinetic", "potential", "total", "jacobi"].map(str::to_owned);
    let energies =
        [energy.kinetic, energy.potential, total_energy(system, *t, q, v), energy.jacobi];
    answer.list("energy", &names, &energies);

    let mut mass = vec![0.0; m * m];
    system.mass_matrix_at(*t, q, v, &mut mass);
    answer.matrix("mass_matrix", &speeds, &mass);

    // A v + b
    let (mut coefficients, mut residuals) = (vec![0.0; k * m], vec![0.0; k]);
    system.constraint_rows_at(*t, q, v, &mut coefficients, &mut residuals);
    for (residual, row) in residuals.iter_mut().zip(coefficients.chunks_exact(m)) {
        *residual += row.iter().zip(v).map(|(a, v)| a * v).sum::<f64>();
    }
    answer.list("constraint_residuals", &rows, &residuals);
    if info.holonomic_count() > 0 {
        let mut φ = vec![0.0; info.holonomic_count()];
        system.holonomic(*t, q, &mut φ);
        answer.list("holonomic_residuals", &rows[k - φ.len()..], &φ);
    }

    let mut gaps = vec![0.0; c];
    system.gaps(*t, q, &mut gaps);
    answer.list("gaps", &contact_names, &gaps);
    if !info.outputs.is_empty() {
        let names: Vec<String> = info.outputs.iter().map(|o| o.name.to_owned()).collect();
        let mut outputs = vec![0.0; names.len()];
        match only_mode(system) {
            Some(mode) => Reactions::new(system).outputs(
                system,
                &given.inputs,
                &given.state,
                &mode,
                &mut outputs,
            ),
            // A state alone does not say what is closed: what holds forces is not a number.
            None => {
                answer.holds_forces = system.outputs_hold_forces();
                system.outputs(*t, q, v, &given.inputs, &mut outputs);
            }
        }
        answer.list("outputs", &names, &outputs);
    }
    match contacts {
        [] => {}
        [contact] => answer.impact(system, *contact, &given.state, &speeds)?,
        _ => answer.together(system, contacts, &given.state, &speeds)?,
    }
    Ok(answer)
}

impl Answer {
    fn add(&mut self, what: &'static str, numbers: &[f64], value: Value) {
        if !numbers.iter().all(|number| number.is_finite()) {
            self.undefined.push(what);
        }
        self.values.insert(what.to_owned(), value);
    }

    fn list(&mut self, what: &'static str, names: &[String], numbers: &[f64]) {
        self.add(what, numbers, named(names, numbers));
    }

    fn matrix(&mut self, what: &'static str, names: &[String], numbers: &[f64]) {
        let rows = names.iter().zip(numbers.chunks_exact(names.len().max(1)));
        let rows = rows.map(|(name, row)| (name.clone(), named(names, row)));
        self.add(what, numbers, Value::Object(rows.collect()));
    }

    /// The impact of several contacts, with its impulses.
    fn together(
        &mut self,
        system: &dyn System,
        contacts: &[usize],
        state: &State,
        speeds: &[String],
    ) -> Result<(), String> {
        let info = system.info();
        let name = |contact: &usize| info.contacts[*contact].name.to_owned();
        let names: Vec<String> = contacts.iter().map(name).collect();
        let failed = |error| format!("no impact at `{}`: {error}", names.join("`, `"));
        let impacts = impacts_together(system, contacts, state).map_err(failed)?;
        let after = impacts.last().map_or(&state.v, |impact| &impact.velocity);
        self.list("velocity_before", speeds, &state.v);
        self.list("velocity_after", speeds, after);
        let before = gap_rates(system, contacts, state, &state.v);
        self.list("gap_rates_before", &names, &before);
        self.list("gap_rates_after", &names, &gap_rates(system, contacts, state, after));
        if impacts.is_empty() {
            self.leaving = before.into_iter().reduce(f64::min);
        }
        let place = |contact: usize| contacts.iter().position(|known| *known == contact);
        let rows = impacts.iter().map(|impact| {
            let mut row = vec![0.0; contacts.len()];
            for hit in &impact.hits {
                row[place(hit.contact).unwrap_or_default()] += hit.impulse;
            }
            row
        });
        let rows: Vec<Vec<f64>> = rows.collect();
        let sum = |i: usize| rows.iter().map(|row| row[i]).sum();
        let sums: Vec<f64> = (0..contacts.len()).map(sum).collect();
        self.list("impulses", &names, &sums);
        if rows.len() > 1 {
            let shown = rows.iter().take(IN_TURN).enumerate();
            let rows = shown.map(|(i, row)| ((i + 1).to_string(), named(&names, row)));
            self.values.insert("impulses_in_turn".to_owned(), Value::Object(rows.collect()));
        }
        Ok(())
    }

    /// P of the impact, and v⁺ by the declared law with the names exchanged that it exchanges.
    fn impact(
        &mut self,
        system: &dyn System,
        contact: usize,
        State { t, q, v }: &State,
        speeds: &[String],
    ) -> Result<(), String> {
        let name = system.info().contacts[contact].name;
        let failed = |error| format!("no impact at `{name}`: {error}");
        let mut map = ImpactMap::new(system);
        map.load(system, contact, *t, q).map_err(failed)?;
        let mut projector = vec![0.0; v.len() * v.len()];
        map.projector(&mut projector);
        self.matrix("projector", speeds, &projector);
        let (mut q, mut after) = (q.clone(), v.clone());
        let rates = map.transform(system, system.law(contact), &mut after).map_err(failed)?;
        if rates.minus > -rates.tolerance {
            self.leaving = Some(rates.minus);
        }
        system.relabel(contact, &mut q, &mut after);
        self.list("velocity_after", speeds, &after);
        if !system.info().contacts[contact].relabels.is_empty() {
            let names: Vec<String> =
                (0..q.len()).map(|index| system.info().position_name(index)).collect();
            self.list("coordinates_after", &names, &q);
        }
        Ok(())
    }
}

/// ġ of these contacts.
fn gap_rates(
    system: &dyn System,
    contacts: &[usize],
    State { t, q, .. }: &State,
    v: &[f64],
) -> Vec<f64> {
    let (m, count) = (v.len(), system.info().contacts.len());
    let (mut gradients, mut rates) = (vec![0.0; count * m], vec![0.0; count]);
    system.gap_rows(*t, q, &mut gradients, &mut rates);
    let rate = |&contact: &usize| {
        let row = &gradients[contact * m..][..m];
        row.iter().zip(v).map(|(g, v)| g * v).sum::<f64>() + rates[contact]
    };
    contacts.iter().map(rate).collect()
}

/// `{"x": 1, …}`; what is not a number is null.
fn named(names: &[String], numbers: &[f64]) -> Value {
    let entries = names.iter().zip(numbers);
    Value::Object(entries.map(|(name, number)| (name.clone(), Value::from(*number))).collect())
}
