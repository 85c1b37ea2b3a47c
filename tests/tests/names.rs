//! What the macro gives by name: places, sizes, starts, and the text that locks a system.

use eom_core::{Contacts, Declared, Events, ScenarioError};
use eom_tests::systems::{Ball, BallByReset, Coin, QuasiSleigh, Snakeboard, Top};
use models::bouncing_penny::Penny;

/// Places as constants with the names that the tables have there.
#[track_caller]
fn check(places: &[usize], names: &[String]) {
    assert!(places.iter().copied().eq(0..names.len()), "{places:?} for {names:?}");
}

fn names<T>(table: &[T], name: fn(&T) -> &'static str) -> Vec<String> {
    table.iter().map(|entry| name(entry).to_owned()).collect()
}

#[test]
fn coordinates_and_velocities_have_their_places() {
    let (q, v) = (Coin::Q, Coin::V);
    check(&[q.x, q.y, q.θ, q.φ, q.ψ], &names(Coin::INFO.coordinates, |c| c.name));
    check(&[q.x, q.y, q.theta, q.phi, q.psi], &names(Coin::INFO.coordinates, |c| c.ascii));
    check(&[v.ẋ, v.ẏ, v.θ̇, v.φ̇, v.ψ̇], &names(Coin::INFO.coordinates, |c| c.name));
    check(
        &[v.x_dot, v.y_dot, v.theta_dot, v.phi_dot, v.psi_dot],
        &["", "", "", "", ""].map(String::from),
    );
}

#[test]
fn rotations_and_speeds_of_ones_own_have_their_places() {
    let position = |index| Top::INFO.position_ascii(index);
    let (q, v) = (Top::Q, Top::V);
    check(&[q.R_w, q.R_x, q.R_y, q.R_z], &[position(0), position(1), position(2), position(3)]);
    check(&[v.ω_1, v.ω_2, v.ω_3], &names(Top::INFO.velocities, |v| v.name));
    check(&[v.omega_1, v.omega_2, v.omega_3], &names(Top::INFO.velocities, |v| v.ascii));
    let v = QuasiSleigh::V;
    check(&[v.u, v.w, v.theta_dot], &names(QuasiSleigh::INFO.velocities, |v| v.name));
}

#[test]
fn rows_inputs_contacts_events_and_outputs_have_their_places() {
    check(&[Snakeboard::U.u1, Snakeboard::U.u2], &names(Snakeboard::INFO.inputs, |u| u.name));
    let rows = Snakeboard::ROWS;
    check(&[rows.back, rows.front], &names(Snakeboard::INFO.rows, |row| row.name));
    check(&[Snakeboard::OUTPUTS.power], &names(Snakeboard::INFO.outputs, |o| o.name));
    let contacts = Penny::CONTACTS;
    check(&[contacts.front, contacts.back], &names(Penny::INFO.contacts, |c| c.name));
    check(
        &[BallByReset::EVENTS.bounce, BallByReset::EVENTS.apex],
        &names(BallByReset::INFO.events, |e| e.name),
    );
}

/// Sizes are those of what the runtime asks for.
#[test]
fn sizes_are_those_of_the_system() {
    fn check<T: Declared + Contacts + Events>([nq, nv, nu, rows, contacts]: [usize; 5]) {
        let info = T::INFO;
        let found = [info.positions(), info.speeds(), info.inputs.len(), info.rows.len()];
        assert_eq!(found, [nq, nv, nu, rows], "{}", info.name);
        assert_eq!(info.contacts.len(), contacts, "{}", info.name);
    }
    macro_rules! check {
        ($($system:ident),+) => {
            $(check::<$system>([
                $system::NQ, $system::NV, $system::NU, $system::NROWS, $system::NCONTACTS,
            ]);)+
        };
    }
    check!(Coin, Snakeboard, Top, QuasiSleigh, Ball, BallByReset, Penny);
}

/// The coin rolls: ẋ = R ψ̇ cos φ and ẏ = R ψ̇ sin φ with φ = 0, ψ̇ = 4, R = 1.
#[test]
fn a_start_has_its_unknowns_solved() {
    let start = Coin::default().start("leaning").expect("a scenario");
    let (q, v) = (Coin::Q, Coin::V);
    assert_eq!((start.q[q.θ], start.v[v.ψ̇], start.v[v.φ̇]), (0.3, 4.0, 1.0));
    assert!((start.v[v.ẋ] - 4.0).abs() < 1e-15 && start.v[v.ẏ].abs() < 1e-15, "{start:?}");
}

#[test]
fn a_start_that_is_not_there_is_told() {
    let error = Coin::default().start("upright").expect_err("no such scenario");
    assert!(matches!(error, ScenarioError::Unknown { .. }));
    assert_eq!(error.to_string(), "`Coin` has no scenario `upright`; it has: leaning");
    let coin = Coin { R: f64::NAN, ..Coin::default() };
    assert!(matches!(coin.start("leaning"), Err(ScenarioError::Start(_))));
}

/// The operations of a kernel are those that the listing of its program counts.
#[test]
fn kernels_are_those_of_the_listing() {
    let listings = eom_codegen::derive_source(Coin::INFO.source).expect("it is right").listings();
    assert!(Coin::INFO.kernels.iter().any(|kernel| kernel.name == "dynamics"));
    for kernel in Coin::INFO.kernels {
        let line = format!("{}: {}", kernel.name, kernel.counts);
        assert!(listings.lines().any(|found| found == line), "{line}");
        assert!(kernel.counts.starts_with(&format!("{} operations", kernel.operations)), "{line}");
    }
}

#[test]
fn a_system_is_locked_as_one_text() {
    eom_core::snapshot!(Ball, Penny);
}
