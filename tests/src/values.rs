//! Every function of a system at a state, by the names that generated code gives them.

use eom_core::info::{FrictionKind, SystemInfo};
use eom_core::{State, System};

/// What a number is before a function writes it.
pub const UNTOUCHED: f64 = 0.123;

/// Every function of a system at a state by name, each written into numbers that stay visible where
/// it writes nothing.
pub fn all(system: &dyn System, State { t, q, v }: &State, u: &[f64]) -> Vec<(String, Vec<f64>)> {
    let info = system.info();
    let (n, m, k, c) = (info.positions(), info.speeds(), info.rows.len(), info.contacts.len());
    let new = |sizes: &[usize]| -> Vec<Vec<f64>> {
        sizes.iter().map(|size| vec![UNTOUCHED; *size]).collect()
    };
    let mut found: Vec<(String, Vec<f64>)> = Vec::new();
    let mut add = |name: &str, parts: Vec<Vec<f64>>| found.push((name.to_owned(), parts.concat()));
    let with = |sizes: &[usize], f: &dyn Fn(&mut [Vec<f64>])| {
        let mut parts = new(sizes);
        f(&mut parts);
        parts
    };
    let components: Vec<usize> = info.frictions.iter().map(|f| f.components).collect();
    let (f, r) = (coefficients(info), components.iter().sum::<usize>());
    add("rates", with(&[n], &|p| system.rates(*t, q, v, &mut p[0])));
    add(
        "accelerations",
        with(&[m, k], &|p| {
            let [a, λ] = p else { unreachable!() };
            system.accelerations(*t, q, v, u, a, λ);
        }),
    );
    add(
        "frictionless",
        with(&[m, k], &|p| {
            let [a, λ] = p else { unreachable!() };
            system.frictionless(*t, q, v, u, a, λ);
        }),
    );
    add(
        "frictions",
        with(&[f, r, r * m, r], &|p| {
            let [c, w, rows, drift] = p else { unreachable!() };
            system.frictions(*t, q, v, c, w, rows, drift);
        }),
    );
    add("dry_friction", with(&[m, 1], &|p| p[1][0] = system.dry_friction(*t, q, v, &mut p[0])));
    add("mass_matrix", with(&[m * m], &|p| system.mass_matrix(*t, q, &mut p[0])));
    add("mass_matrix_at", with(&[m * m], &|p| system.mass_matrix_at(*t, q, v, &mut p[0])));
    add(
        "constraint_rows",
        with(&[k * m, k], &|p| {
            let [a, b] = p else { unreachable!() };
            system.constraint_rows(*t, q, a, b);
        }),
    );
    add(
        "constraint_rows_at",
        with(&[k * m, k], &|p| {
            let [a, b] = p else { unreachable!() };
            system.constraint_rows_at(*t, q, v, a, b);
        }),
    );
    add("holonomic", with(&[info.holonomic_count()], &|p| system.holonomic(*t, q, &mut p[0])));
    let energy = system.energy(*t, q, v);
    add("energy", vec![vec![energy.kinetic, energy.potential, energy.jacobi]]);
    let λ: Vec<f64> = (0..held(info)).map(|row| 0.3 - 0.7 * row as f64).collect();
    add("powers", with(&[info.powers.len()], &|p| system.powers(*t, q, v, u, &λ, &mut p[0])));
    add("gaps", with(&[c], &|p| system.gaps(*t, q, &mut p[0])));
    add(
        "gap_rows",
        with(&[c * m, c], &|p| {
            let [grad, rate] = p else { unreachable!() };
            system.gap_rows(*t, q, grad, rate);
        }),
    );
    add("contact_forces", with(&[c * m], &|p| system.contact_forces(*t, q, v, &mut p[0])));
    add(
        "borne_forces",
        with(&[info.bearers() * m], &|p| system.borne_forces(*t, q, v, u, &mut p[0])),
    );
    add("gap_drift", with(&[c], &|p| system.gap_drift(*t, q, v, &mut p[0])));
    add("guards", with(&[info.events.len()], &|p| system.guards(*t, q, v, u, &mut p[0])));
    add("outputs", with(&[info.outputs.len()], &|p| system.outputs(*t, q, v, u, &mut p[0])));
    for (index, contact) in info.contacts.iter().enumerate() {
        let s = contact.rows.len();
        let named = |what: &str| format!("{what}_{}", contact.ascii);
        add(
            &named("contact_rows"),
            with(&[s * m, s], &|p| {
                let [a, b] = p else { unreachable!() };
                system.contact_rows(index, *t, q, a, b);
            }),
        );
        add(
            &named("contact_drift"),
            with(&[s], &|p| system.contact_drift(index, *t, q, v, &mut p[0])),
        );
        add(&named("armed"), vec![vec![f64::from(u8::from(system.armed(index, *t, q, v, u)))]]);
        let (mut after_q, mut after_v) = (q.clone(), v.clone());
        system.relabel(index, &mut after_q, &mut after_v);
        system.assign(index, *t, q, &mut after_v);
        add(&named("after"), vec![after_q, after_v]);
    }
    for (index, event) in info.events.iter().enumerate() {
        let (mut after_q, mut after_v) = (q.clone(), v.clone());
        system.reset(index, *t, &mut after_q, &mut after_v, u);
        add(&format!("reset_{}", event.ascii), vec![after_q, after_v]);
    }
    found
}

/// How many coefficients the friction of a system has: of what slides, then of what sticks that a force presses on.
pub fn coefficients(info: &SystemInfo) -> usize {
    let points = info.frictions.iter().filter(|friction| friction.components > 0);
    points.map(|point| 1 + usize::from(point.kind != FrictionKind::Dissipation)).sum()
}

/// How many forces of a mode powers are told with: λ of the rows and of the contacts, and all friction where a force holds some.
pub fn held(info: &SystemInfo) -> usize {
    let (rows, contacts) = (info.rows.len(), info.contacts.len());
    let of_rows = info.frictions.iter().filter(|friction| friction.kind == FrictionKind::Row);
    let components: usize = of_rows.map(|friction| friction.components).sum();
    let friction =
        if info.friction_bears() { FrictionKind::PLACES * contacts + components } else { 0 };
    rows + contacts + friction
}
