//! Treschev and Zubelevich, *On weak solutions to the Lagrange–d'Alembert equation*: (1.1)–(6.1),
//! Lemma 1, Definition 1, Hypotheses 1–3, Theorems 4.1, 4.2, 5.1, and its displayed results.
//!
//! Models: the ball thrown on a rough floor, elastic and with restitution; the nonholonomic
//! pendulum.

use super::{Document, Entry, definition, general, of, stated, test};
use crate::collisions::{FloorBall, WallBall};

pub(super) const DOCUMENT: Document = Document {
    key: "weak-solutions",
    title: "On weak solutions to the Lagrange–d'Alembert equation",
    authors: "D. Treschev, O. Zubelevich",
    about: "Motions with collisions as weak solutions: the weak form leaves one equation at the \
        collision, which with linearity, energy and reversibility gives v⁺ = (I − 2P) v⁻. A \
        superelastic ball on a rough floor, the nonholonomic pendulum, and a law of restitution. \
        Displays without a number are counted within their section, those of results only. The \
        text at hand is garbled; where a formula cannot be read, it is that of *On collisions in \
        nonholonomic systems*, which is clean and says the same.",
    entries: ENTRIES,
};

const ENTRIES: &[Entry] = &[
    stated("1.1", &[of(FloorBall::INFO, &["d5_4b", "d5_4c"])]),
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
        "2.6",
        "before and after the collision the velocity is in ker A",
        &[test("tests/tests/collisions.rs", "a_rolling_ball_meets_the_wall")],
    ),
    general(
        "2.7",
        "a velocity that does not jump is in ker B: with μ = 0 it is projected there",
        &[of(FloorBall::INFO, &["d6_1"])],
    ),
    general(
        "2.8",
        "the equation of motion before the collision",
        &[test("tests/tests/weak_form.rs", "the_weak_form_holds_on_trajectories_with_impacts")],
    ),
    general(
        "2.9",
        "the equation of motion after the collision",
        &[test("tests/tests/weak_form.rs", "the_weak_form_holds_on_trajectories_with_impacts")],
    ),
    general("2.10", "the momentum jumps only across ker B", &[of(FloorBall::INFO, &["eq4_1"])]),
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
    stated("Theorem 5.1", &[of(FloorBall::INFO, &["thm5_2"])]),
    stated("display 5.1", &[of(FloorBall::INFO, &["d5_3"])]),
    stated("display 5.2", &[of(FloorBall::INFO, &["d5_4a", "d5_4b", "d5_4c", "d5_4d"])]),
    stated("display 5.3", &[of(FloorBall::INFO, &["d5_5"])]),
    definition(
        "display 5.4",
        "the throw of the nonholonomic pendulum, the scenario `pendulum`",
        &[test("tests/tests/collisions.rs", "the_nonholonomic_pendulum_is_periodic")],
    ),
    stated("display 5.5", &[of(FloorBall::INFO, &["d5_7"])]),
    stated("6.1", &[of(FloorBall::INFO, &["eq6_1"])]),
    stated("display 6.1", &[of(FloorBall::INFO, &["d6_1"])]),
    stated("display 6.2", &[of(FloorBall::INFO, &["d6_2"])]),
];
