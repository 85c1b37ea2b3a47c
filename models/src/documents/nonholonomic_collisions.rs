//! Treschev and Zubelevich, *On collisions in nonholonomic systems*: (1.1)–(6.1), Lemma 1,
//! Definition 1, Hypotheses 1–3, Theorems 4.1, 4.2, 5.1, 5.2, and its displayed results.
//!
//! Models: the ball that rolls on a floor and meets a rough wall; the ball thrown on a rough floor,
//! elastic and with restitution; the nonholonomic pendulum; Garwin's ball under a table; the ball in
//! a box of rough walls.

use super::{Document, Entry, definition, general, of, refuted, stated, test};
use crate::collisions::{FloorBall, WallBall};

pub(super) const DOCUMENT: Document = Document {
    key: "nonholonomic-collisions",
    title: "On collisions in nonholonomic systems",
    authors: "D. Treschev, O. Zubelevich",
    about: "The theory of *On weak solutions to the Lagrange–d'Alembert equation*, applied to a \
        ball that rolls on a rough floor and meets a rough wall, to a ball thrown on a rough floor, \
        to the nonholonomic pendulum, and to inelastic collisions. Displays without a number are \
        counted within their section, those of results only.",
    entries: ENTRIES,
};

const PROSE: &str = "tests/tests/prose.rs";

const ENTRIES: &[Entry] = &[
    stated("1.1", &[of(WallBall::INFO, &["eq1_1"])]),
    stated("1.2", &[of(WallBall::INFO, &["eq1_2"])]),
    definition(
        "2.1",
        "test functions along ker A with compact support",
        &[test("tests/tests/weak_form.rs", "the_weak_form_holds_on_trajectories_with_impacts")],
    ),
    general(
        "2.2",
        "the Lagrange–d'Alembert equation along test functions",
        &[test("tests/tests/weak_form.rs", "the_weak_form_holds_on_trajectories_with_impacts")],
    ),
    general("2.3", "the velocity is in ker A", &[of(WallBall::INFO, &["eq5_1"])]),
    definition(
        "Definition 1",
        "a weak solution satisfies the constraints and the weak form",
        &[test("tests/tests/weak_form.rs", "the_weak_form_holds_on_trajectories_with_impacts")],
    ),
    general(
        "2.4",
        "the weak form of the equations of motion",
        &[test("tests/tests/weak_form.rs", "the_weak_form_holds_on_trajectories_with_impacts")],
    ),
    definition(
        "2.5",
        "at the collision test functions are in ker B",
        &[test("tests/tests/weak_form.rs", "the_weak_form_holds_on_trajectories_with_impacts")],
    ),
    general(
        "display 2.1",
        "before and after the collision the velocity is in ker A",
        &[test("tests/tests/collisions.rs", "a_rolling_ball_meets_the_wall")],
    ),
    general(
        "2.6",
        "a velocity that does not jump is in ker B: with μ = 0 it is projected there",
        &[of(FloorBall::INFO, &["d6_1"])],
    ),
    general(
        "2.7",
        "the equation of motion before the collision",
        &[test("tests/tests/weak_form.rs", "the_weak_form_holds_on_trajectories_with_impacts")],
    ),
    general(
        "2.8",
        "the equation of motion after the collision",
        &[test("tests/tests/weak_form.rs", "the_weak_form_holds_on_trajectories_with_impacts")],
    ),
    general("2.9", "the momentum jumps only across ker B", &[of(FloorBall::INFO, &["eq4_1"])]),
    stated(
        "Lemma 1",
        &[of(FloorBall::INFO, &["lem1a", "lem1b", "lem1c"]), of(WallBall::INFO, &["eq3_2"])],
    ),
    stated("3.1", &[of(FloorBall::INFO, &["eq3_1"])]),
    stated("3.2", &[of(WallBall::INFO, &["eq3_2"])]),
    stated("4.1", &[of(FloorBall::INFO, &["eq4_1"])]),
    general(
        "Hypothesis 1",
        "v⁺ depends on v⁻ by a linear map R = I − 2P",
        &[of(FloorBall::INFO, &["eq4_2"])],
    ),
    stated("Hypothesis 2", &[of(FloorBall::INFO, &["hyp2"])]),
    stated("Hypothesis 3", &[of(FloorBall::INFO, &["hyp3"])]),
    general(
        "Theorem 4.1",
        "under the hypotheses the map is I − 2P",
        &[of(FloorBall::INFO, &["hyp2", "hyp3", "eq4_2"])],
    ),
    stated("4.2", &[of(FloorBall::INFO, &["eq4_2"])]),
    general(
        "Theorem 4.2",
        "the solution depends continuously on its start",
        &[test("tests/tests/collisions.rs", "nearby_throws_stay_near")],
    ),
    general("4.3", "v⁺ = Q v⊥ + v∥, and Q = −I", &[of(FloorBall::INFO, &["eq4_2"])]),
    stated("5.1", &[of(WallBall::INFO, &["eq5_1"])]),
    stated("Theorem 5.1", &[of(WallBall::INFO, &["thm5_1"])]),
    stated("display 5.1", &[of(WallBall::INFO, &["d5_1"])]),
    stated("display 5.2", &[of(WallBall::INFO, &["d5_2"])]),
    stated("Theorem 5.2", &[of(FloorBall::INFO, &["thm5_2"])]),
    stated("display 5.3", &[of(FloorBall::INFO, &["d5_3"])]),
    stated("display 5.4", &[of(FloorBall::INFO, &["d5_4a", "d5_4b", "d5_4c", "d5_4d"])]),
    stated("display 5.5", &[of(FloorBall::INFO, &["d5_5"])]),
    definition(
        "display 5.6",
        "the throw of the nonholonomic pendulum, the scenario `pendulum`",
        &[test("tests/tests/collisions.rs", "the_nonholonomic_pendulum_is_periodic")],
    ),
    stated("display 5.7", &[of(FloorBall::INFO, &["d5_7"])]),
    stated("6.1", &[of(FloorBall::INFO, &["eq6_1"])]),
    stated("display 6.1", &[of(FloorBall::INFO, &["d6_1"])]),
    stated("display 6.2", &[of(FloorBall::INFO, &["d6_2"])]),
    stated("prose 5.1", &[of(FloorBall::INFO, &["prose5_1"])]),
    refuted(
        "prose 6.1",
        "for μ = 0 the collision is called plastic: with (6.1) the ball keeps the spin about the vertical and rolls on, \
         only the velocity of its point of contact is lost",
        "\\text{for } \\mu = 0 \\text{ the point of contact stops, the ball rolls on}",
        &[test(PROSE, "the_plastic_map_leaves_a_ball_that_rolls_on")],
    ),
];
