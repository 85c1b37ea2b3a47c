//! What the macro gives by name: places, sizes, starts, and the text that locks a system.

use eom_core::info::NameInfo;
use eom_core::{Declared, ScenarioError};
use eom_symbolic::name::dotted;
use eom_tests::systems::{Ball, BallByReset, Coin, QuasiSleigh, Snakeboard, Top};
use models::bouncing_penny::Penny;

/// A place by name is the place of that name in a list of names, and each has one.
macro_rules! check {
    ($places:expr, $names:expr, $($field:ident)+) => {
        let (places, names): (_, Vec<String>) = ($places, $names);
        assert_eq!(names, [$(stringify!($field)),+]);
        $(assert_eq!(names[places.$field], stringify!($field));)+
    };
}

fn names<T>(table: &[T], name: fn(&T) -> &'static str) -> Vec<String> {
    table.iter().map(|entry| name(entry).to_owned()).collect()
}

fn of_velocities(coordinates: &[NameInfo], rate: fn(&NameInfo) -> String) -> Vec<String> {
    coordinates.iter().map(rate).collect()
}

#[test]
fn coordinates_and_velocities_have_their_places() {
    let coordinates = Coin::INFO.coordinates;
    check!(Coin::Q, names(coordinates, |c| c.name), x y θ φ ψ);
    check!(Coin::Q, names(coordinates, |c| c.ascii), x y theta phi psi);
    check!(Coin::V, of_velocities(coordinates, |c| dotted(c.name, 1)), ẋ ẏ θ̇ φ̇ ψ̇);
    let ascii = of_velocities(coordinates, |c| format!("{}_dot", c.ascii));
    check!(Coin::V, ascii, x_dot y_dot theta_dot phi_dot psi_dot);
}

#[test]
fn rotations_and_speeds_of_ones_own_have_their_places() {
    let (top, sleigh) = (Top::INFO, QuasiSleigh::INFO);
    check!(Top::Q, (0..Top::NQ).map(|i| top.position_ascii(i)).collect(), R_w R_x R_y R_z);
    check!(Top::V, names(top.velocities, |v| v.name), ω_1 ω_2 ω_3);
    check!(Top::V, names(top.velocities, |v| v.ascii), omega_1 omega_2 omega_3);
    check!(QuasiSleigh::V, names(sleigh.velocities, |v| v.name), u w theta_dot);
}

#[test]
fn rows_inputs_contacts_events_and_outputs_have_their_places() {
    check!(Snakeboard::U, names(Snakeboard::INFO.inputs, |u| u.name), u1 u2);
    check!(Snakeboard::ROWS, names(Snakeboard::INFO.rows, |row| row.name), back front);
    check!(Snakeboard::OUTPUTS, names(Snakeboard::INFO.outputs, |o| o.name), power);
    check!(Penny::CONTACTS, names(Penny::INFO.contacts, |c| c.name), front back);
    check!(BallByReset::EVENTS, names(BallByReset::INFO.events, |e| e.name), bounce apex);
}

/// Sizes are those of what the runtime asks for.
#[test]
fn sizes_are_those_of_the_system() {
    fn check<T: Declared>([nq, nv, nu, rows, contacts]: [usize; 5]) {
        let info = T::INFO;
        let found = [info.positions(), info.speeds(), info.inputs.len(), info.rows.len()];
        assert_eq!(found, [nq, nv, nu, rows], "{}", info.name);
        assert_eq!(info.contacts.len(), contacts, "{}", info.name);
    }
    macro_rules! check_all {
        ($($system:ident),+) => {
            $(check::<$system>([
                $system::NQ, $system::NV, $system::NU, $system::NROWS, $system::NCONTACTS,
            ]);)+
        };
    }
    check_all!(Coin, Snakeboard, Top, QuasiSleigh, Ball, BallByReset, Penny);
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
