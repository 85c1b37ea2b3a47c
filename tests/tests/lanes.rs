//! Batches of states: each has the bits that it has alone, whatever stands beside it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_core::batch::{self, LengthError, States};
use eom_core::{Declared, Lanes};
use eom_tests::random;
use eom_tests::systems;
use fastrand::Rng;

/// v̇ and λ, component by component.
type Results = (Vec<f64>, Vec<f64>);

/// Random states of a system, component by component.
struct Drawn {
    t: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    u: Vec<f64>,
}

impl Drawn {
    fn new<S: Declared>(rng: &mut Rng, count: usize) -> Self {
        let sizes = [1, S::INFO.positions(), S::INFO.speeds(), S::INFO.inputs.len()];
        let [mut t, mut q, mut v, mut u] = sizes.map(|size| vec![0.0; size * count]);
        for j in 0..count {
            let state = random::state(rng, S::INFO);
            t[j] = state.t;
            state.q.iter().enumerate().for_each(|(i, x)| q[i * count + j] = *x);
            state.v.iter().enumerate().for_each(|(i, x)| v[i * count + j] = *x);
            (0..sizes[3]).for_each(|i| u[i * count + j] = random::between(rng, -2.0, 2.0));
        }
        Self { t, q, v, u }
    }

    fn states(&self) -> States<'_> {
        States { t: &self.t, q: &self.q, v: &self.v, u: &self.u }
    }
}

fn evaluated<S: Declared>(
    states: States<'_>,
    evaluate: impl FnOnce(States<'_>, &mut [f64], &mut [f64]) -> Result<(), LengthError>,
) -> Results {
    let [m, k] = [S::INFO.speeds(), S::INFO.rows.len()];
    let (mut a, mut λ) = (vec![0.5; m * states.t.len()], vec![0.5; k * states.t.len()]);
    evaluate(states, &mut a, &mut λ).unwrap();
    (a, λ)
}

fn bits((a, λ): &Results) -> Vec<u64> {
    // Not numbers have no bits of their own.
    let bits = |x: &f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    a.iter().chain(λ).map(bits).collect()
}

/// Batches of every length about those of packs, and of several chunks; some states out of range.
fn check<S: Declared + Lanes + Sync>() {
    let rng = &mut Rng::with_seed(0x1A_4E5);
    for count in [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 37, 1030] {
        let values: Vec<_> =
            S::INFO.parameters.iter().map(|_| Some(random::between(rng, 0.5, 2.0))).collect();
        let system = S::with_parameters(&values)
            .unwrap_or_else(|_| S::with_parameters(&vec![None; values.len()]).unwrap());
        let mut drawn = Drawn::new::<S>(rng, count);
        if count > 8 {
            // An angle beyond the straight code of the sine, beside others.
            drawn.q[5] = 1e9;
        }
        let states = drawn.states();
        let alone = evaluated::<S>(states, |s, a, λ| batch::one_by_one(&system, s, a, λ));
        let lanes = evaluated::<S>(states, |s, a, λ| batch::accelerations(&system, s, a, λ));
        let threads =
            evaluated::<S>(states, |s, a, λ| batch::accelerations_in_threads(&system, s, a, λ));
        assert_eq!(bits(&lanes), bits(&alone), "{} × {count} in lanes", S::INFO.name);
        assert_eq!(bits(&threads), bits(&alone), "{} × {count} in threads", S::INFO.name);
    }
}

macro_rules! check_each {
    ($($module:ident: $($system:ident),*;)*) => {
        $($(check::<$module::$system>();)*)*
    };
}

#[test]
fn a_batch_has_the_bits_of_its_states() {
    use models::{bouncing_penny, collisions, putting_green, rough_plane};
    check_each! {
        systems: RollingPenny, DoublePendulum, Particle, Sleigh, RheonomicPendulum, KnifeEdge,
            Pendulum, RodPendulum, ShakenPendulum, Coin, Snakeboard, RollingDisk, Cyclotron, Ball,
            BallByReset, Paddle, Stepper, Puck, Dumbbell, BeltBlock, Top, Turntable,
            TurntableInBody, SpinningBall, QuasiSleigh, RoughDisc, RollingToWall, CompassWalker,
            Landing;
        bouncing_penny: Penny, ControlledPenny, SlidingPenny;
        collisions: AngledFloorBall, AngledWallBall, BoxBall, FloorBall, TableBall, WallBall;
        putting_green: Hemisphere;
        rough_plane: RoughParticle, RoughParticles, TwoParticles, ViscousParticle,
            ViscousParticles, ViscousTwoParticles;
    }
}

#[test]
fn lists_of_wrong_lengths_are_refused() {
    let penny = models::Penny::default();
    let (t, q, v) = ([0.0; 3], [0.1; 12], [0.2; 12]);
    let states = States { t: &t, q: &q, v: &v, u: &[] };
    let check = |states: States<'_>, a: usize, λ: usize, message: &str| {
        let evaluations = [batch::accelerations, batch::accelerations_in_threads];
        for evaluate in evaluations {
            let (mut own_a, mut own_λ) = (vec![0.5; a], vec![0.5; λ]);
            let error = evaluate(&penny, states, &mut own_a, &mut own_λ).unwrap_err();
            assert_eq!(error.to_string(), message);
            assert!(own_a.iter().chain(&own_λ).all(|x| *x == 0.5), "nothing is written");
        }
        let error =
            batch::one_by_one(&penny, states, &mut vec![0.5; a], &mut vec![0.5; λ]).unwrap_err();
        assert_eq!(error.to_string(), message);
    };
    let short = &q[..11];
    let twelve = "4 for each of 3 states are 12";
    check(States { q: short, ..states }, 12, 6, &format!("q has 11 numbers, but {twelve}"));
    check(States { v: short, ..states }, 12, 6, &format!("v has 11 numbers, but {twelve}"));
    check(
        States { u: short, ..states },
        12,
        6,
        "u has 11 numbers, but 0 for each of 3 states are 0",
    );
    check(states, 13, 6, &format!("a has 13 numbers, but {twelve}"));
    check(states, 12, 5, "λ has 5 numbers, but 2 for each of 3 states are 6");
}
