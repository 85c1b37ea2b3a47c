//! Clark and Bloch, *The Bouncing Penny and Nonholonomic Impacts*: (1)–(35), its theorem and
//! propositions, Table I, section VII.

use super::{Document, Entry, definition, general, of, stated, test};
use crate::bouncing_penny::{ControlledPenny, Penny, SlidingPenny};

pub(super) const DOCUMENT: Document = Document {
    key: "bouncing-penny",
    title: "The Bouncing Penny and Nonholonomic Impacts",
    authors: "W. Clark, A. Bloch",
    about: "Impacts of mechanical systems with constraints that cannot be integrated. An elastic \
        impact solves the Weierstrass–Erdmann corner conditions under the constraints; the plastic \
        impact of this document reflects as if no constraint existed and then projects on the \
        constraints. A disk that rolls upright on a table and bounces off its edge shows both. \
        The document writes the edge as h = 0 with h > 0 outside; the gap of the models is −h.",
    entries: ENTRIES,
};

const TESTS: &str = "tests/tests/penny.rs";

const ENTRIES: &[Entry] = &[
    stated("1", &[of(Penny::INFO, &["eq1"])]),
    stated(
        "2",
        &[of(SlidingPenny::INFO, &["eq2"]), test("tests/tests/sympy.rs", "double_pendulum")],
    ),
    stated("3", &[of(SlidingPenny::INFO, &["eq3"])]),
    stated("4", &[of(SlidingPenny::INFO, &["eq4"])]),
    general(
        "Theorem III.1",
        "for a natural Lagrangian the impact map is (5)",
        &[of(SlidingPenny::INFO, &["eq5"])],
    ),
    stated("5", &[of(SlidingPenny::INFO, &["eq5"])]),
    stated("6", &[of(SlidingPenny::INFO, &["eq6"])]),
    stated("7", &[of(Penny::INFO, &["eq7"])]),
    stated("8", &[of(Penny::INFO, &["eq8"])]),
    stated("9", &[of(Penny::INFO, &["eq9"])]),
    stated("10", &[of(Penny::INFO, &["eq10"])]),
    stated("11", &[of(Penny::INFO, &["eq11"])]),
    stated("12", &[of(Penny::INFO, &["eq12"])]),
    stated("13", &[of(Penny::INFO, &["eq13"])]),
    stated("14", &[of(Penny::INFO, &["eq14"])]),
    stated("15", &[of(Penny::INFO, &["eq15", "eq15_projector", "eq15_projector_back"])]),
    general(
        "Proposition IV.1",
        "the impact equations (15) have one solution besides v⁺ = v⁻",
        &[
            of(Penny::INFO, &["eq15_projector", "eq15_projector_back"]),
            test("eom-core/tests/impact.rs", "elastic_impacts_solve_the_corner_conditions"),
        ],
    ),
    stated("16", &[of(Penny::INFO, &["eq16"])]),
    stated("17", &[of(Penny::INFO, &["eq17"])]),
    stated("18", &[of(Penny::INFO, &["eq18"])]),
    general(
        "Proposition IV.2",
        "the plastic impact in closed form, with the matrices (19)",
        &[of(Penny::INFO, &["eq20"])],
    ),
    stated("19", &[of(Penny::INFO, &["eq19"])]),
    stated("20", &[of(Penny::INFO, &["eq20"])]),
    stated("21", &[of(Penny::INFO, &["eq21"])]),
    stated("22", &[of(Penny::INFO, &["eq22"])]),
    stated("23", &[of(Penny::INFO, &["eq23"])]),
    stated("24", &[of(Penny::INFO, &["eq24"])]),
    stated("25", &[of(Penny::INFO, &["eq25"])]),
    stated("26", &[of(Penny::INFO, &["eq26"])]),
    stated("27", &[of(Penny::INFO, &["eq27"])]),
    stated("28", &[of(Penny::INFO, &["eq28"])]),
    stated("29", &[of(Penny::INFO, &["eq29"])]),
    stated("30", &[of(Penny::INFO, &["eq30"])]),
    stated("31", &[of(Penny::INFO, &["eq31"])]),
    stated("32", &[of(Penny::INFO, &["eq32"])]),
    stated("33", &[of(Penny::INFO, &["eq33", "eq33_map"])]),
    stated("34", &[of(Penny::INFO, &["eq34", "eq34_map"])]),
    stated(
        "35",
        &[of(Penny::INFO, &["eq35"]), test(TESTS, "the_rim_meets_the_ellipse_at_an_impact")],
    ),
    definition(
        "Table I",
        "the parameters of the simulations: radius, mass, moments of inertia, table",
        &[test(TESTS, "the_defaults_are_those_of_table_i")],
    )
    .noted("the text runs numbers together: 1.251071.25… is read as 1.25·10⁻⁷, which is m R²/2"),
    stated("prose 3.1", &[of(SlidingPenny::INFO, &["prose3_1"])]),
    stated("prose 3.2", &[of(SlidingPenny::INFO, &["prose3_2"])]),
    stated("prose 3.3", &[of(SlidingPenny::INFO, &["prose3_3"])]),
    stated("prose 3.4", &[of(SlidingPenny::INFO, &["prose3_4"])]),
    stated("prose 4.1", &[of(Penny::INFO, &["prose4_1"])]),
    stated("prose 4.2", &[of(Penny::INFO, &["prose4_2"])]),
    stated("prose 4.3", &[of(Penny::INFO, &["prose4_3"])]),
    stated("prose 4.4", &[of(Penny::INFO, &["prose4_4"])]),
    stated("prose 4.5", &[of(Penny::INFO, &["prose4_5"])]),
    stated("prose 5.1", &[of(Penny::INFO, &["prose5_1"])]),
    stated("prose 5.2", &[of(Penny::INFO, &["prose5_2"])]),
    stated("section VII", &[of(ControlledPenny::INFO, &["secVIIa", "secVIIb"])]),
];
