//! Treschev and Zubelevich, *On weak solutions to the Lagrange–d'Alembert equation*: (1.1)–(6.1),
//! Lemma 1, Definition 1, Hypotheses 1–3, Theorems 4.1, 4.2, 5.1, and its displayed results.
//!
//! Models: the ball thrown on a rough floor, elastic and with restitution; the nonholonomic
//! pendulum.

use super::nonholonomic_collisions::GARWIN;
use super::{Document, Entry, borne_out, definition, general, moves, of, refuted, stated, test};
use crate::collisions::{AngledFloorBall, AngledWallBall, FloorBall, WallBall};

pub(super) const DOCUMENT: Document = Document {
    key: "weak-solutions",
    title: "On weak solutions to the Lagrange–d'Alembert equation",
    authors: "D. Treschev, O. Zubelevich",
    about: "Motions with collisions as weak solutions: the weak form leaves one equation at the \
        collision, which with linearity, energy and reversibility gives v⁺ = (I − 2P) v⁻. A \
        superelastic ball on a rough floor, the nonholonomic pendulum, and a law of restitution. \
        Displays without a number are counted within their section. The text at hand has glyphs \
        only, no LaTeX: each transcription is that of the like display of *On collisions in nonholonomic \
        systems*, where the glyphs agree with it, and is written in the language where they do not.",
    entries: ENTRIES,
};

const PROSE: &str = "tests/tests/prose.rs";

const ENTRIES: &[Entry] = &[
    stated("1.1", &[of(FloorBall::INFO, &["rough"])]),
    stated("display 1.1", &[of(AngledWallBall::INFO, &["d1_2"])]),
    stated("display 1.2", &[of(WallBall::INFO, &["d1_5"])]),
    stated("display 2.1", &[of(AngledWallBall::INFO, &["d2_1"])]),
    stated("2.1", &[of(AngledWallBall::INFO, &["eq2_1"])]),
    stated("2.2", &[of(AngledWallBall::INFO, &["eq2_2"])]),
    stated("2.3", &[of(AngledWallBall::INFO, &["eq2_3"])]),
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
    stated("2.5", &[of(AngledWallBall::INFO, &["eq2_5"])]),
    definition(
        "display 2.2",
        "a motion before and after its collision",
        &[test("tests/tests/collisions.rs", "a_rolling_ball_meets_the_wall")],
    ),
    definition(
        "display 2.3",
        "position and velocity after the collision are limits",
        &[test("tests/tests/collisions.rs", "a_rolling_ball_meets_the_wall")],
    ),
    stated("2.6", &[of(AngledWallBall::INFO, &["d2_4"])]),
    stated("2.7", &[of(AngledWallBall::INFO, &["eq2_6"])]),
    stated("display 2.4", &[of(AngledWallBall::INFO, &["d2_5"])]),
    stated("2.8", &[of(AngledWallBall::INFO, &["eq2_7"])]),
    stated("2.9", &[of(AngledWallBall::INFO, &["eq2_8"])]),
    stated("2.10", &[of(AngledWallBall::INFO, &["eq2_9"])]),
    stated("display 2.5", &[of(AngledFloorBall::INFO, &["d2_6"])]),
    stated(
        "Lemma 1",
        &[of(FloorBall::INFO, &["lem1a", "lem1b", "lem1c"]), of(WallBall::INFO, &["eq3_2"])],
    ),
    stated("display 3.1", &[of(WallBall::INFO, &["d3_1"])]),
    stated("display 3.2", &[of(FloorBall::INFO, &["d3_2"])]),
    stated("3.1", &[of(FloorBall::INFO, &["eq3_1"])]),
    stated("3.2", &[of(WallBall::INFO, &["eq3_2"])]),
    stated("display 3.3", &[of(WallBall::INFO, &["d3_4"])]),
    stated("display 3.4", &[of(WallBall::INFO, &["d3_5"])]),
    stated("display 4.1", &[of(WallBall::INFO, &["d1_3"])]),
    stated("display 4.2", &[of(WallBall::INFO, &["d3_1"])]),
    stated("display 4.3", &[of(FloorBall::INFO, &["d4_1"])]),
    stated("display 4.4", &[of(FloorBall::INFO, &["d4_2"])]),
    stated("4.1", &[of(FloorBall::INFO, &["eq4_1"])]),
    stated("Hypothesis 1", &[of(FloorBall::INFO, &["hyp1"])]),
    stated("Hypothesis 2", &[of(FloorBall::INFO, &["hyp2"])]),
    stated("Hypothesis 3", &[of(FloorBall::INFO, &["hyp3"])]),
    stated("display 4.5", &[of(FloorBall::INFO, &["d4_3"])]),
    stated("display 4.6", &[of(FloorBall::INFO, &["d4_4"])]),
    stated("display 4.7", &[of(FloorBall::INFO, &["d4_5"])]),
    general(
        "Theorem 4.1",
        "under the hypotheses the map is I − 2P",
        &[of(FloorBall::INFO, &["hyp2", "hyp3", "eq4_2"])],
    ),
    stated("4.2", &[of(FloorBall::INFO, &["eq4_2"])]),
    definition(
        "display 4.8",
        "a solution by its start",
        &[test("tests/tests/collisions.rs", "nearby_throws_stay_near")],
    ),
    stated("display 4.9", &[of(AngledFloorBall::INFO, &["d4_7"])]),
    stated(
        "display 4.10",
        &[
            of(AngledFloorBall::INFO, &["d4_8"]),
            test("tests/tests/collisions.rs", "nearby_throws_stay_near"),
        ],
    ),
    general(
        "Theorem 4.2",
        "the solution depends continuously on its start",
        &[test("tests/tests/collisions.rs", "nearby_throws_stay_near")],
    ),
    stated("display 4.11", &[of(FloorBall::INFO, &["d4_9"])]),
    stated("display 4.12", &[of(FloorBall::INFO, &["d4_10"])]),
    stated("display 4.13", &[of(WallBall::INFO, &["d4_11"])]),
    stated("4.3", &[of(FloorBall::INFO, &["eq4_3"])]),
    stated("display 5.1", &[of(AngledFloorBall::INFO, &["weak_coordinates"])]),
    stated("display 5.2", &[of(FloorBall::INFO, &["d5_5"])]),
    stated("Theorem 5.1", &[of(FloorBall::INFO, &["thm5_2"])]),
    stated("display 5.3", &[of(FloorBall::INFO, &["d5_6"])]),
    stated("display 5.4", &[of(AngledFloorBall::INFO, &["d5_7"])]),
    stated("display 5.5", &[of(FloorBall::INFO, &["d5_8"])]),
    stated("display 5.6", &[of(FloorBall::INFO, &["d5_9"])]),
    stated("display 5.7", &[of(FloorBall::INFO, &["d5_10"])]),
    stated(
        "display 5.8",
        &[
            of(FloorBall::INFO, &["d5_11", "returns"]),
            test("tests/tests/collisions.rs", "the_nonholonomic_pendulum_is_periodic"),
        ],
    ),
    stated("6.1", &[of(FloorBall::INFO, &["eq6_1"])]),
    stated("display 6.1", &[of(FloorBall::INFO, &["d6_1"])]),
    stated("display 6.2", &[of(FloorBall::INFO, &["d6_2"])]),
    moves(
        "prose 1.1",
        "thrown to the floor under a table the ball returns to the hand: behind the floor, the table and the floor it goes \
         back with 333/343 of its speed (Garwin 1969)",
        &[GARWIN],
    ),
    stated("prose 1.2", &[of(FloorBall::INFO, &["spins"])]),
    stated("prose 5.1", &[of(FloorBall::INFO, &["prose5_1"])]),
    stated("prose 5.2", &[of(FloorBall::INFO, &["prose5_3"])]),
    stated("prose 5.3", &[of(AngledFloorBall::INFO, &["weak_spin"])]),
    stated("prose 5.4", &[of(FloorBall::INFO, &["prose5_8"])]),
    stated("prose 3.1", &[of(WallBall::INFO, &["prose3_1"])]),
    stated("prose 3.2", &[of(FloorBall::INFO, &["prose3_2"])]),
    stated("prose 3.3", &[of(WallBall::INFO, &["prose3_3"])]),
    stated("prose 4.1", &[of(FloorBall::INFO, &["prose4_1"])]),
    stated("prose 4.2", &[of(FloorBall::INFO, &["prose4_2"])]),
    stated("prose 4.3", &[of(FloorBall::INFO, &["prose4_3"])]),
    stated("prose 4.4", &[of(WallBall::INFO, &["prose4_4"])]),
    stated("prose 4.5", &[of(WallBall::INFO, &["prose4_5"])]),
    borne_out(
        "prose 4.6",
        "if dim ker B = dim ker A − 1 the last hypothesis is automatically satisfied",
        &[test(PROSE, "one_direction_across_leaves_no_choice_but_reversible_maps")],
    ),
    stated("prose 4.7", &[of(FloorBall::INFO, &["prose4_7"])]),
    refuted(
        "prose 6.1",
        "a collision with μ = 0 is called plastic: with (6.1) the ball keeps the spin about the vertical and rolls on, only \
         the velocity of its point of contact is lost",
        "\\text{for } \\mu = 0 \\text{ the point of contact stops, the ball rolls on}",
        &[test(PROSE, "the_plastic_map_leaves_a_ball_that_rolls_on")],
    ),
    stated("prose 6.2", &[of(FloorBall::INFO, &["prose6_2"])]),
];
