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
    definition(
        "1",
        "♭ and ♯, the isomorphisms between velocities and momenta that the kinetic energy gives",
        &[of(Penny::INFO, &["eq1", "eq30a", "eq30b"])],
    ),
    general(
        "2",
        "the Euler–Lagrange equations",
        &[
            of(SlidingPenny::INFO, &["eq2a", "eq2b", "eq2c", "eq2d"]),
            test("tests/tests/sympy.rs", "double_pendulum"),
        ],
    ),
    general(
        "3",
        "the corner conditions at an impact without constraints: FL⁺ − FL⁻ = α dh, and v·FL − L is kept",
        &[of(SlidingPenny::INFO, &["eq3a", "eq3b"])],
    ),
    general(
        "4",
        "the same in Hamiltonian form: p⁺ = p⁻ + α dh and H⁺ = H⁻",
        &[of(SlidingPenny::INFO, &["eq4a", "eq4b"])],
    ),
    general(
        "Theorem III.1",
        "for a natural Lagrangian the impact map is (5)",
        &[of(SlidingPenny::INFO, &["eq5"])],
    ),
    general(
        "5",
        "the elastic impact without constraints: v − 2 dh(v)/g(∇h, ∇h) ∇h",
        &[
            of(SlidingPenny::INFO, &["eq5"]),
            of(Penny::INFO, &["eq28a", "eq28b", "eq28c", "eq28d", "eq29"]),
        ],
    ),
    general(
        "6",
        "the same with a coefficient of restitution, 1 + e in place of 2",
        &[of(SlidingPenny::INFO, &["eq6"])],
    ),
    definition(
        "7",
        "the constraint distribution is where the constraining 1-forms vanish",
        &[of(Penny::INFO, &["eq24a", "eq24b"])],
    ),
    definition(
        "8",
        "a constraining 1-form in coordinates: a_j(q) q̇ʲ = 0",
        &[of(Penny::INFO, &["eq23a", "eq23b"])],
    ),
    general(
        "9",
        "the Lagrange–d'Alembert principle, for displacements as in (10)",
        &[of(Penny::INFO, &["eq9"])],
    ),
    general("10", "virtual displacements satisfy the constraints", &[of(Penny::INFO, &["eq9"])]),
    definition(
        "11",
        "coordinates (r, s) in which the 1-forms are ds + A(r, s) dr; here r = (θ, φ), s = (x, y)",
        &[of(Penny::INFO, &["eq24a", "eq24b"])],
    ),
    general(
        "12",
        "the equations of motion along r, without multipliers",
        &[of(Penny::INFO, &["eq12a", "eq12b"])],
    ),
    general("13", "the constraints, solved for ṡ", &[of(Penny::INFO, &["eq13a", "eq13b"])]),
    general(
        "14",
        "the variational impact equations, for displacements that satisfy the constraints and dh",
        &[of(Penny::INFO, &["eq14a", "eq14b"])],
    ),
    stated(
        "15",
        &[of(
            Penny::INFO,
            &["eq15a", "eq15b", "eq15c", "eq15d", "eq15_projector", "eq15_projector_back"],
        )],
    ),
    general(
        "Proposition IV.1",
        "the impact equations (15) have one solution besides v⁺ = v⁻",
        &[
            of(Penny::INFO, &["eq15_projector", "eq15_projector_back"]),
            test("eom-core/tests/impact.rs", "elastic_impacts_solve_the_corner_conditions"),
        ],
    ),
    stated("16", &[of(Penny::INFO, &["eq16a", "eq16b"])]),
    stated("17", &[of(Penny::INFO, &["eq17"])]),
    definition(
        "18",
        "the plastic impact: the impact without constraints, then the orthogonal projection on them",
        &[of(Penny::INFO, &["eq33_map"])],
    ),
    general(
        "Proposition IV.2",
        "the plastic impact in closed form, with the matrices (19)",
        &[of(Penny::INFO, &["eq20"])],
    ),
    definition(
        "19",
        "the matrix of the constraining forms on their own vector fields, and its inverse",
        &[of(Penny::INFO, &["eq19", "eq31"])],
    ),
    stated("20", &[of(Penny::INFO, &["eq20"])]),
    stated("21", &[of(Penny::INFO, &["eq21"])]),
    stated("22", &[of(Penny::INFO, &["eq22"])]),
    stated("23", &[of(Penny::INFO, &["eq23a", "eq23b"])]),
    stated("24", &[of(Penny::INFO, &["eq24a", "eq24b"])]),
    stated("25", &[of(Penny::INFO, &["eq25a", "eq25b", "eq25c", "eq25d"])]),
    stated("26", &[of(Penny::INFO, &["eq26"])]),
    stated("27", &[of(Penny::INFO, &["eq27"])]),
    stated("28", &[of(Penny::INFO, &["eq28a", "eq28b", "eq28c", "eq28d"])]),
    stated("29", &[of(Penny::INFO, &["eq29"])]),
    stated("30", &[of(Penny::INFO, &["eq30a", "eq30b"])]),
    stated("31", &[of(Penny::INFO, &["eq31"])]),
    stated("32", &[of(Penny::INFO, &["eq32"])]),
    stated("33", &[of(Penny::INFO, &["eq33", "eq33_map"])]),
    stated("34", &[of(Penny::INFO, &["eq34", "eq34_map"])]),
    definition(
        "35",
        "the edge of the elliptical table: h = x²/a² + y²/b² − 1",
        &[
            of(Penny::INFO, &["eq27", "eq34"]),
            test(TESTS, "the_rim_meets_the_ellipse_at_an_impact"),
        ],
    ),
    definition(
        "Table I",
        "the parameters of the simulations: radius, mass, moments of inertia, table",
        &[test(TESTS, "the_defaults_are_those_of_table_i")],
    )
    .noted("the text runs numbers together: 1.251071.25… is read as 1.25·10⁻⁷, which is m R²/2"),
    stated("section VII", &[of(ControlledPenny::INFO, &["secVIIa", "secVIIb"])]),
];
