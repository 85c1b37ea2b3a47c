//! Impacts with rows of the contact's own: a rough disc, by hand.
//!
//! A disc of mass m, inertia J, radius r in the plane, coordinates x, z, θ with θ̇ > 0 from z to x:
//! its lowest point has the velocity ẋ − r θ̇ along a rough floor z = r (nonholonomic-collisions
//! 5.2, with v₁ = ẋ, ω₂ = θ̇).

mod common;

use common::run;
use common::{Model, describe};
use eom_core::impact::ImpactMap;
use eom_core::info::{ContactInfo, NameInfo, RowKind, SystemInfo};
use eom_core::{End, EventKind, ImpactError, Law, Options, State};

const M: f64 = 0.3;
const J: f64 = 0.007;
const R: f64 = 0.2;

/// The disc with constraints of these names, and a contact with these own rows that releases some.
fn disc(
    rows: &[&'static str],
    own: &'static [NameInfo],
    releases: &'static [usize],
) -> &'static SystemInfo {
    let rows: Vec<_> = rows.iter().map(|name| (*name, RowKind::Velocity)).collect();
    let plain = describe("Disc", &["x", "z", "θ"], &rows, &["floor"], &[]);
    let contact = ContactInfo { rows: own, releases, ..plain.contacts[0] };
    Box::leak(Box::new(SystemInfo { contacts: Vec::leak(vec![contact]), ..*plain }))
}

const fn named(name: &'static str) -> NameInfo {
    NameInfo { name, ascii: name, doc: "" }
}

static NO_SLIP: [NameInfo; 1] = [named("no_slip")];
static THREE: [NameInfo; 3] = [named("lift"), named("slip"), named("turn")];

fn model(info: &'static SystemInfo) -> Model {
    let mut model = Model::new(info, &[M, M, J]);
    model.gaps = Box::new(|_, q, _, g| g[0] = q[1] - R);
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[0.0, 1.0, 0.0]);
        rate[0] = 0.0;
    });
    model.own_rows = Box::new(|_, _, a, b| {
        a.copy_from_slice(&[1.0, 0.0, -R]);
        b[0] = 0.0;
    });
    model
}

fn rough() -> Model {
    model(disc(&[], &NO_SLIP, &[]))
}

const STATES: [[f64; 3]; 4] =
    [[1.0, -2.0, 0.0], [0.3, -0.1, 40.0], [-2.0, -5.0, 3.0], [0.0, -1.0, -7.0]];

fn hit(model: &Model, law: Law, v: [f64; 3]) -> Result<[f64; 3], ImpactError> {
    let mut map = ImpactMap::new(model);
    map.load(model, 0, 0.0, &[0.0, R, 0.0])?;
    let mut after = v;
    map.apply(model, law, &mut after).map(|_| after)
}

fn check(found: [f64; 3], wanted: [f64; 3], what: &str) {
    let size = wanted.iter().fold(1.0_f64, |m, w| m.max(w.abs()));
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-13 * size, "{what}: {found} for {wanted}");
    }
}

/// Section 6 of the document, μ its restitution: Theorem 5.2 for μ = 1.
fn of_document([x, z, θ]: [f64; 3], μ: f64) -> [f64; 3] {
    let total = J + M * R * R;
    [
        (M * R * R - μ * J) / total * x + J * R * (1.0 + μ) / total * θ,
        -μ * z,
        R * M * (1.0 + μ) / total * x + (J - μ * M * R * R) / total * θ,
    ]
}

/// Garwin's ball (1969): the slip s = ẋ − r θ̇ reverses, and m r ẋ + J θ̇ about the point of contact
/// is kept, so that the impulse is I = −(1 + e_t) s/(1/m + r²/J).
fn garwin([x, z, θ]: [f64; 3], e: f64, tangential: f64) -> [f64; 3] {
    let impulse = -(1.0 + tangential) * (x - R * θ) / (1.0 / M + R * R / J);
    [x + impulse / M, -e * z, θ - R * impulse / J]
}

#[test]
fn a_rough_disc_bounces_as_in_the_document() {
    for v in STATES {
        for μ in [0.0, 0.4, 1.0] {
            let after = hit(&rough(), Law::Restitution(μ), v).unwrap();
            check(after, of_document(v, μ), "restitution(μ)");
        }
        check(hit(&rough(), Law::Elastic, v).unwrap(), of_document(v, 1.0), "elastic");
        check(hit(&rough(), Law::Plastic, v).unwrap(), of_document(v, 0.0), "plastic");
    }
}

#[test]
fn slip_and_gap_have_coefficients_of_their_own() {
    for v in STATES {
        for (normal, tangential) in [(1.0, 0.0), (0.7, 0.3), (0.0, 1.0), (0.9, -1.0), (0.2, 0.2)] {
            let after = hit(&rough(), Law::Oblique { normal, tangential }, v).unwrap();
            check(after, garwin(v, normal, tangential), "oblique");
        }
    }
}

/// `project` reflects the gap rate as if there were no rows, then takes the slip away.
#[test]
fn project_takes_the_slip_away() {
    for v in STATES {
        check(hit(&rough(), Law::Project, v).unwrap(), garwin(v, 1.0, 0.0), "project");
    }
}

/// With a constraint ẋ = r θ̇ that holds before, a contact that releases it is a smooth floor.
#[test]
fn released_rows_are_left_out() {
    let constrained = |releases| {
        let mut model = model(disc(&["roll"], &NO_SLIP, releases));
        model.rows = Box::new(|_, _, a, b| {
            a.copy_from_slice(&[1.0, -0.5, 0.0]);
            b[0] = 0.0;
        });
        model
    };
    let v = [-0.5, -1.0, 2.0];
    // With ẋ = ż/2 in force, x and z reverse together, and θ takes the impulse of the slip.
    let held = hit(&constrained(&[]), Law::Elastic, v).unwrap();
    assert!((held[0] - 0.5 * held[1]).abs() < 1e-15, "{held:?}");
    check(hit(&constrained(&[0]), Law::Elastic, v).unwrap(), of_document(v, 1.0), "released");
}

/// Own rows that repeat the gap, or each other, are dropped: the map is that of the others.
#[test]
fn dependent_own_rows_are_dropped() {
    let mut model = model(disc(&[], &THREE, &[]));
    model.own_rows = Box::new(|_, _, a, b| {
        a.copy_from_slice(&[0.0, 2.0, 0.0, 1.0, 0.0, -R, 2.0, 1.0, -2.0 * R]);
        b.fill(0.0);
    });
    let mut map = ImpactMap::new(&model);
    map.load(&model, 0, 0.0, &[0.0, R, 0.0]).unwrap();
    assert_eq!(map.dropped(), [1, 3], "`lift` and `turn`, behind the gap");
    for v in STATES {
        check(hit(&model, Law::Elastic, v).unwrap(), of_document(v, 1.0), "elastic");
    }
}

#[test]
fn assigned_velocities_are_checked() {
    let mut landing = rough();
    landing.assign = Box::new(|_, v| v[1] = 0.0);
    check(hit(&landing, Law::Assign, [1.0, -2.0, 3.0]).unwrap(), [1.0, 0.0, 3.0], "landing");

    landing.assign = Box::new(|_, v| v[1] = -1.0);
    let refused = hit(&landing, Law::Assign, [1.0, -2.0, 3.0]);
    assert_eq!(refused, Err(ImpactError::LeavesGapClosing { rate: -1.0 }));

    let mut rolling = model(disc(&["roll"], &NO_SLIP, &[]));
    rolling.rows = Box::new(|_, _, a, b| {
        a.copy_from_slice(&[1.0, 0.0, -R]);
        b[0] = 0.0;
    });
    rolling.assign = Box::new(|_, v| v.copy_from_slice(&[1.0, 0.0, 0.0]));
    let refused = hit(&rolling, Law::Assign, [R, -2.0, 1.0]);
    assert_eq!(refused, Err(ImpactError::LeavesConstraint { row: 0, residual: 1.0 }));
}

/// Where ∇g and the own row are not orthogonal, unequal coefficients can add energy.
#[test]
fn coefficients_that_add_energy_are_refused() {
    let mut leaning = rough();
    leaning.own_rows = Box::new(|_, _, a, b| {
        a.copy_from_slice(&[1.0, 1.0, 0.0]);
        b[0] = 0.0;
    });
    let law = Law::Oblique { normal: 1.0, tangential: 0.0 };
    let refused = hit(&leaning, law, [0.5, -1.0, 0.0]);
    // v⁺ = (−1, 1) for v⁻ = (0.5, −1).
    let Err(ImpactError::AddsEnergy { factor }) = refused else { panic!("{refused:?}") };
    assert!((factor - 2.0 / 1.25).abs() < 1e-14, "{factor}");
    let law = Law::Oblique { normal: 0.5, tangential: 1.5 };
    let refused = hit(&rough(), law, [0.5, -1.0, 0.0]);
    assert_eq!(refused, Err(ImpactError::Restitution { e: 1.5, low: -1.0 }));
}

/// The same on a floor that rises and a belt that runs, seen by who goes along with them: energy is told beside what moves.
#[test]
fn what_moves_by_itself_hides_no_gain() {
    let drive = [0.7, 0.4, 0.0];
    let mut leaning = rough();
    leaning.gap_rows = Box::new(move |_, _, grad, rate| {
        grad.copy_from_slice(&[0.0, 1.0, 0.0]);
        rate[0] = -drive[1];
    });
    leaning.own_rows = Box::new(move |_, _, a, b| {
        a.copy_from_slice(&[1.0, 1.0, 0.0]);
        b[0] = -drive[0] - drive[1];
    });
    let law = Law::Oblique { normal: 1.0, tangential: 0.0 };
    let refused = hit(&leaning, law, [0.5 + drive[0], -1.0 + drive[1], 0.0]);
    let Err(ImpactError::AddsEnergy { factor }) = refused else { panic!("{refused:?}") };
    assert!((factor - 2.0 / 1.25).abs() < 1e-14, "{factor}");
    // The floor throws it up by e = 1/2, and takes its slip: no gain, though it is faster than before.
    let law = Law::Oblique { normal: 0.5, tangential: 0.0 };
    let thrown = hit(&leaning, law, [0.3 + drive[0], -0.3 + drive[1], 0.0]).unwrap();
    check(thrown, [-0.15 + drive[0], 0.15 + drive[1], 0.0], "thrown");
}

/// A disc of weight m g that a force f pushes along the floor.
fn pushed(f: f64, law: Law) -> Model {
    let mut model = rough();
    model.law = law;
    model.force = Box::new(move |_, _, _, out| out.copy_from_slice(&[f, -M * 9.81, 0.0]));
    model
}

/// While it is closed the no-slip row is in force: (J + m r²) ẍ = r² f.
#[test]
fn own_rows_are_in_force_while_the_contact_is_closed() {
    let f = 0.25;
    let model = pushed(f, Law::Plastic);
    let start = State { t: 0.0, q: vec![0.0, R, 0.0], v: vec![0.5, 0.0, 0.5 / R] };
    let options = Options { until_time: Some(2.0), ..Options::default() };
    let trajectory = run(&model, &start, &options);
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{:?}", trajectory.end);
    let last = trajectory.samples.last().unwrap();
    let a = R * R * f / (J + M * R * R);
    assert!((last.q[0] - (1.0 + 2.0 * a)).abs() < 1e-12, "{last:?}");
    assert!((last.q[2] - last.q[0] / R).abs() < 1e-11, "{last:?}");
    assert!((last.v[0] - R * last.v[2]).abs() < 1e-15, "{last:?}");
}

/// It falls, slips at the landing, and rolls from there on.
#[test]
fn a_landing_disc_rolls_on() {
    let model = pushed(0.0, Law::Plastic);
    let fall = 0.5 * 9.81;
    let start = State { t: 0.0, q: vec![0.0, R + fall, 0.0], v: vec![1.0, 0.0, -3.0] };
    let options = Options { until_time: Some(2.0), ..Options::default() };
    let trajectory = run(&model, &start, &options);
    let [x, _, θ] = of_document([1.0, -9.81, -3.0], 0.0);
    let last = trajectory.samples.last().unwrap();
    assert!((last.q[0] - (1.0 + x)).abs() < 1e-11, "{last:?}");
    assert!((last.q[2] - (-3.0 + θ)).abs() < 1e-10, "{last:?}");
    let landings = trajectory.events.iter();
    let landings = landings.filter(|event| matches!(event.kind, EventKind::Impact { .. }));
    assert_eq!(landings.count(), 1);
}

/// A start in contact that slips is refused, with the slip.
#[test]
fn a_slipping_start_is_refused() {
    let model = pushed(0.0, Law::Plastic);
    let start = State { t: 0.0, q: vec![0.0, R, 0.0], v: vec![1.0, 0.0, 0.0] };
    let options = Options { until_time: Some(2.0), ..Options::default() };
    let trajectory = run(&model, &start, &options);
    let End::ImpossibleImpact { error, contact, .. } = trajectory.end else {
        panic!("{:?}", trajectory.end)
    };
    assert_eq!((contact, error), ("floor", ImpactError::Slips { row: "no_slip", rate: 1.0 }));
}

/// It rolls on the floor against a smooth wall: the floor's row stays in force in the impact, so
/// that x and θ reverse together.
#[test]
fn rows_of_closed_contacts_stay_in_force_at_impacts_of_others() {
    let plain = describe("Disc", &["x", "z", "θ"], &[], &["floor", "wall"], &[]);
    let floor = ContactInfo { rows: &NO_SLIP, ..plain.contacts[0] };
    let contacts = Vec::leak(vec![floor, plain.contacts[1]]);
    let mut model = model(Box::leak(Box::new(SystemInfo { contacts, ..*plain })));
    model.force = Box::new(|_, _, _, out| out.copy_from_slice(&[0.0, -M * 9.81, 0.0]));
    model.gaps = Box::new(|_, q, _, g| g.copy_from_slice(&[q[1] - R, 1.0 - q[0]]));
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[0.0, 1.0, 0.0, -1.0, 0.0, 0.0]);
        rate.fill(0.0);
    });
    let start = State { t: 0.0, q: vec![0.0, R, 0.0], v: vec![0.5, 0.0, 0.5 / R] };
    let options = Options { until_time: Some(3.0), ..Options::default() };
    let trajectory = run(&model, &start, &options);
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{:?}", trajectory.end);
    let last = trajectory.samples.last().unwrap();
    for (found, wanted) in last.q.iter().chain(&last.v).zip([0.5, R, 2.5, -0.5, 0.0, -2.5]) {
        assert!((found - wanted).abs() < 1e-12, "{last:?}");
    }
}
