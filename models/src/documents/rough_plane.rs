//! Eberly, *Rough Plane Analysis*: its displays, counted within their sections.
//!
//! Models: one particle, dry and viscous; two particles; N particles; the thin rod, with its
//! integrals by quadrature and in closed form; the flat board; the solid box; the decoupled hacks.

use super::motion::{Motion, Says};
use super::{Document, Entry, borne_out, moves, moves_not, of, refuted, stated, test};
use crate::rough_plane::{
    FlatBoard, FlatBoardHack, RoughParticle, RoughParticles, SolidBox, SolidBoxHack, ThinRod,
    ThinRodHack, TwoParticles, ViscousParticle, ViscousParticles, ViscousTwoParticles,
};
use eom_core::info::SystemInfo;

pub(super) const DOCUMENT: Document = Document {
    key: "rough-plane",
    title: "Rough Plane Analysis",
    authors: "D. Eberly",
    about: "Bodies that slide on a rough plane: friction −c V/|V| on a particle, on two and on many \
        in a rigid row, on a thin rod, on a flat board and on a box, with viscous friction beside \
        it for comparison, and decoupled systems that replace the exact friction. The document does \
        not number its equations: display 2.10 is the tenth of section 2, prose 2.3 a statement of its text.",
    entries: ENTRIES,
};

const PROSE: &str = "tests/tests/prose.rs";

/// Four equal particles, 0.2 m from the centre.
const CROSS: &[(&str, f64)] = &[
    ("m1", 1.0),
    ("m2", 1.0),
    ("m3", 1.0),
    ("m4", 1.0),
    ("a1", 0.2),
    ("b1", 0.0),
    ("a2", 0.0),
    ("b2", 0.2),
    ("a3", -0.2),
    ("b3", 0.0),
    ("a4", 0.0),
    ("b4", -0.2),
];

/// Thrown across the plane without spin, it gets none.
const fn without_spin(system: &'static SystemInfo) -> Motion {
    let start = &[("x_dot", 1.0), ("y_dot", 0.5)];
    let says = Says::Is("theta_dot", |_| 0.0);
    Motion { system, with: &[], start, until: |_| 0.3, says }
}

/// ∬ r/∬ r² over a rectangle of sides 2a and 2b, by hand: with d² = a² + b²
/// ∬ r = 4/3 a b d + 2/3 (a³ ln((b + d)/a) + b³ ln((a + d)/b)), ∬ r² = 4/3 a b d².
fn mean_arm(a: f64, b: f64) -> f64 {
    let d = a.hypot(b);
    let ends = a.powi(3) * ((b + d) / a).ln() + b.powi(3) * ((a + d) / b).ln();
    (4.0 * a * b * d + 2.0 * ends) / (4.0 * a * b * d * d)
}

const ENTRIES: &[Entry] = &[
    stated("display 1.1", &[of(RoughParticle::INFO, &["d1_1"])]),
    stated("display 1.2", &[of(RoughParticle::INFO, &["d1_2"])]).noted(
        "the branches with zero velocity are those of a particle at rest: prose 1.9 and 1.10",
    ),
    stated("display 1.3", &[of(RoughParticle::INFO, &["d1_3"])]),
    stated("display 1.4", &[of(RoughParticle::INFO, &["d1_4"])]),
    stated("display 1.5", &[of(RoughParticle::INFO, &["d1_5"])]),
    stated("display 1.6", &[of(RoughParticle::INFO, &["d1_6"])]),
    stated("display 1.7", &[of(RoughParticle::INFO, &["d1_7"])]),
    stated("display 1.8", &[of(RoughParticle::INFO, &["d1_8"])]),
    stated("display 1.9", &[of(ViscousParticle::INFO, &["d1_9"])]),
    stated("display 1.10", &[of(ViscousParticle::INFO, &["d1_10"])]),
    stated("display 1.11", &[of(ViscousParticle::INFO, &["d1_11"])]),
    stated("display 1.12", &[of(ViscousParticle::INFO, &["d1_12"])]),
    stated("display 1.13", &[of(ViscousParticle::INFO, &["d1_13"])]),
    stated("display 1.14", &[of(ViscousParticle::INFO, &["d1_14"])]),
    stated("display 1.15", &[of(ViscousParticle::INFO, &["d1_15"])]),
    stated("display 1.16", &[of(RoughParticle::INFO, &["d1_16"])]),
    stated("display 1.17", &[of(RoughParticle::INFO, &["d1_17"])]),
    stated("display 1.18", &[of(RoughParticle::INFO, &["d1_18"])]),
    stated("display 1.19", &[of(RoughParticle::INFO, &["d1_19"])]),
    stated("display 1.20", &[of(RoughParticle::INFO, &["d1_20"])]),
    stated("display 1.21", &[of(RoughParticle::INFO, &["d1_21"])]),
    stated("display 1.22", &[of(RoughParticle::INFO, &["d1_22"])]),
    stated("display 1.23", &[of(RoughParticle::INFO, &["d1_23"])]),
    stated("display 1.24", &[of(ViscousParticle::INFO, &["d1_24"])]),
    stated("display 1.25", &[of(ViscousParticle::INFO, &["d1_25"])]),
    stated("display 1.26", &[of(ViscousParticle::INFO, &["d1_26"])]),
    borne_out(
        "display 1.27",
        "a run comes to this speed whatever its start",
        &[test(PROSE, "viscous_friction_has_a_steady_speed")],
    ),
    borne_out(
        "display 1.28",
        "where μ < tan φ the speed downwards grows at a constant rate",
        &[test(PROSE, "dry_friction_has_no_steady_speed")],
    ),
    stated("prose 1.1", &[of(RoughParticle::INFO, &["prose1_1"])]),
    stated("prose 1.2", &[of(RoughParticle::INFO, &["prose1_2"])]),
    stated("prose 1.3", &[of(RoughParticle::INFO, &["prose1_3"])]),
    stated("prose 1.4", &[of(RoughParticle::INFO, &["prose1_4"])]),
    stated("prose 1.5", &[of(RoughParticle::INFO, &["prose1_5"])]),
    stated("prose 1.6", &[of(RoughParticle::INFO, &["prose1_6"])]),
    stated("prose 1.7", &[of(RoughParticle::INFO, &["prose1_7"])]),
    stated("prose 1.8", &[of(RoughParticle::INFO, &["prose1_8"])]),
    moves(
        "prose 1.9",
        "u̇ = 0 at rest: across the slope nothing moves the particle",
        &[Motion {
            system: RoughParticle::INFO,
            with: &[],
            start: &[],
            until: |_| 1.0,
            says: Says::Is("x", |_| 0.0),
        }],
    ),
    moves_not(
        "prose 1.10",
        "v̇ = 0 at rest: where μ < tan φ the particle slides",
        &[Motion {
            system: RoughParticle::INFO,
            with: &[],
            start: &[],
            until: |_| 1.0,
            says: Says::Stays,
        }],
        (
            r"\dot{v} = \alpha - \beta \text{ at rest, where } \beta > \alpha",
            &[
                Motion {
                    system: RoughParticle::INFO,
                    with: &[],
                    start: &[],
                    until: |_| 1.0,
                    says: Says::Is("w_dot", |p| {
                        p("g") * (p("mu") * p("phi").cos() - p("phi").sin())
                    }),
                },
                Motion {
                    system: RoughParticle::INFO,
                    with: &[("phi", 0.1)],
                    start: &[],
                    until: |_| 1.0,
                    says: Says::Stays,
                },
            ],
        ),
    ),
    moves(
        "prose 1.11",
        "on the level dry friction stops the particle in finite time",
        &[Motion {
            system: RoughParticle::INFO,
            with: &[("phi", 0.0)],
            start: &[("x_dot", 1.5)],
            until: |_| 2.0,
            says: Says::Stops(|p| 1.5 / (p("mu") * p("g"))),
        }],
    ),
    moves_not(
        "prose 1.12",
        "the maximum time is proportional to the mass, the heavier the longer: c = μmg grows with the mass, and m is not in t_max",
        &[Motion {
            system: RoughParticle::INFO,
            with: &[("phi", 0.0), ("m", 2.0)],
            start: &[("x_dot", 1.5)],
            until: |_| 4.0,
            says: Says::Stops(|p| 2.0 * 1.5 / (p("mu") * p("g"))),
        }],
        (
            r"t_{\max} = |\mathbf{V}_0|/(\mu g)",
            &[Motion {
                system: RoughParticle::INFO,
                with: &[("phi", 0.0), ("m", 2.0)],
                start: &[("x_dot", 1.5)],
                until: |_| 4.0,
                says: Says::Stops(|p| 1.5 / (p("mu") * p("g"))),
            }],
        ),
    ),
    moves(
        "prose 1.13",
        "the maximum time is proportional to the initial speed",
        &[Motion {
            system: RoughParticle::INFO,
            with: &[("phi", 0.0)],
            start: &[("x_dot", 3.0)],
            until: |_| 4.0,
            says: Says::Stops(|p| 2.0 * 1.5 / (p("mu") * p("g"))),
        }],
    ),
    moves(
        "prose 1.14",
        "the maximum time is inversely proportional to the coefficient of friction",
        &[Motion {
            system: RoughParticle::INFO,
            with: &[("phi", 0.0), ("mu", 0.4)],
            start: &[("x_dot", 1.5)],
            until: |_| 2.0,
            says: Says::Stops(|p| 1.5 / (0.2 * p("g")) / 2.0),
        }],
    ),
    moves(
        "prose 1.15",
        "with viscous friction, c of any value held fixed, the maximum time is proportional to the mass and inversely proportional to c",
        &[
            Motion {
                system: ViscousParticle::INFO,
                with: &[("phi", 0.0), ("m", 2.0), ("mu", 0.1)],
                start: &[("x_dot", 2.0)],
                until: |p| 2.0 * (2.0_f64 / 0.01).ln() / (0.2 * p("g")),
                says: Says::Is("x_dot", |_| 0.01),
            },
            Motion {
                system: ViscousParticle::INFO,
                with: &[("phi", 0.0), ("mu", 0.4)],
                start: &[("x_dot", 2.0)],
                until: |p| (2.0_f64 / 0.01).ln() / (0.2 * p("g")) / 2.0,
                says: Says::Is("x_dot", |_| 0.01),
            },
        ],
    )
    .noted("`for some coefficient of friction c > 0`: with the c = μmg of section 2 the mass is not in it"),
    moves_not(
        "prose 1.16",
        "the maximum time is proportional to the logarithm of the initial speed: from 2 to 4 m/s ln|V₀| doubles, the time does not",
        &[Motion {
            system: ViscousParticle::INFO,
            with: &[("phi", 0.0)],
            start: &[("x_dot", 4.0)],
            until: |p| 2.0 * (2.0_f64 / 0.01).ln() / (p("mu") * p("g")),
            says: Says::Is("x_dot", |_| 0.01),
        }],
        (
            r"t_{\max} = \frac{1}{\alpha}(\ln |\mathbf{V}_0| - \ln \varepsilon)",
            &[Motion {
                system: ViscousParticle::INFO,
                with: &[("phi", 0.0)],
                start: &[("x_dot", 4.0)],
                until: |p| (4.0_f64 / 0.01).ln() / (p("mu") * p("g")),
                says: Says::Is("x_dot", |_| 0.01),
            }],
        ),
    ),
    moves(
        "prose 1.17",
        "with viscous friction the particle does not stop in finite time, but travels |V₀|/α",
        &[
            Motion {
                system: ViscousParticle::INFO,
                with: &[("phi", 0.0)],
                start: &[("x_dot", 2.0)],
                until: |_| 5.0,
                says: Says::Moves,
            },
            Motion {
                system: ViscousParticle::INFO,
                with: &[("phi", 0.0)],
                start: &[("x_dot", 2.0)],
                until: |_| 20.0,
                says: Says::Is("x", |p| 2.0 / (p("mu") * p("g"))),
            },
        ],
    ),
    moves(
        "prose 1.18",
        "for a large enough initial speed, beyond 2 m/s, the particle travels farther with rough friction than with viscous friction",
        &[
            Motion {
                system: RoughParticle::INFO,
                with: &[("phi", 0.0)],
                start: &[("x_dot", 3.0)],
                until: |_| 3.0,
                says: Says::Is("x", |p| 4.5 / (p("mu") * p("g"))),
            },
            Motion {
                system: ViscousParticle::INFO,
                with: &[("phi", 0.0)],
                start: &[("x_dot", 3.0)],
                until: |_| 20.0,
                says: Says::Is("x", |p| 3.0 / (p("mu") * p("g"))),
            },
        ],
    ),
    moves(
        "prose 1.19",
        "thrown up the slope it stops at t₀, then moves downward: where μ < tan φ, as in the scenario `climb`",
        &[Motion {
            system: RoughParticle::INFO,
            with: &[],
            start: &[("w_dot", 2.0)],
            until: |_| 2.0,
            says: Says::Is("w_dot", |p| {
                let t = (p("mu") * p("phi").cos(), p("phi").sin());
                p("g") * (t.0 - t.1) * (2.0 - 2.0 / (p("g") * (t.0 + t.1)))
            }),
        }],
    ),
    moves(
        "prose 1.20",
        "what if c is large enough: where μ > tan φ it stops at t₀ and stays",
        &[Motion {
            system: RoughParticle::INFO,
            with: &[("phi", 0.1)],
            start: &[("w_dot", 2.0)],
            until: |_| 2.0,
            says: Says::Stops(|p| 2.0 / (p("g") * (p("mu") * p("phi").cos() + p("phi").sin()))),
        }],
    ),
    moves(
        "prose 1.21",
        "without speed across the slope at the start there is none later",
        &[Motion {
            system: RoughParticle::INFO,
            with: &[],
            start: &[("w_dot", 2.0)],
            until: |_| 2.0,
            says: Says::Is("x", |_| 0.0),
        }],
    ),
    stated("display 2.1", &[of(TwoParticles::INFO, &["d2_1"])]),
    stated("display 2.2", &[of(TwoParticles::INFO, &["d2_2"])]),
    stated("display 2.3", &[of(TwoParticles::INFO, &["d2_3"])]),
    stated("display 2.4", &[of(TwoParticles::INFO, &["d2_4"])]),
    stated("display 2.5", &[of(TwoParticles::INFO, &["d2_5"])]),
    stated("display 2.6", &[of(TwoParticles::INFO, &["d2_6"])]),
    stated("display 2.7", &[of(TwoParticles::INFO, &["d2_7"])]),
    stated("display 2.8", &[of(TwoParticles::INFO, &["d2_8"])]),
    stated("display 2.9", &[of(TwoParticles::INFO, &["d2_9"])]),
    stated("display 2.10", &[of(TwoParticles::INFO, &["d2_10"])]),
    stated("display 2.11", &[of(TwoParticles::INFO, &["d2_11"])]),
    stated("display 2.12", &[of(TwoParticles::INFO, &["d2_12"])]),
    stated("display 2.13", &[of(ViscousTwoParticles::INFO, &["d2_13"])]),
    stated("display 2.14", &[of(ViscousTwoParticles::INFO, &["d2_14"])]),
    stated("display 2.15", &[of(ViscousTwoParticles::INFO, &["d2_15"])]),
    stated("display 2.16", &[of(ViscousTwoParticles::INFO, &["d2_16"])]),
    stated("display 2.17", &[of(ViscousTwoParticles::INFO, &["d2_17"])]),
    stated("prose 2.1", &[of(TwoParticles::INFO, &["prose2_1"])]),
    stated("prose 2.2", &[of(TwoParticles::INFO, &["prose2_2"])]),
    stated("prose 2.3", &[of(TwoParticles::INFO, &["prose2_3"])]),
    stated("prose 2.4", &[of(TwoParticles::INFO, &["prose2_4"])]),
    stated("prose 2.5", &[of(TwoParticles::INFO, &["prose2_5"])]),
    stated("prose 2.6", &[of(ViscousTwoParticles::INFO, &["prose2_6"])]),
    stated("prose 2.7", &[of(ViscousTwoParticles::INFO, &["prose2_7"])]),
    stated("prose 2.8", &[of(ViscousTwoParticles::INFO, &["prose2_8"])]),
    borne_out(
        "prose 2.9",
        "with different masses the centre starts to move again",
        &[test(PROSE, "unequal_masses_drag_the_centre_along")],
    ),
    borne_out(
        "prose 2.10",
        "with equal masses the centre stays where it is, and the spin stops in finite time",
        &[test(PROSE, "equal_masses_spin_on_the_spot_and_stop")],
    ),
    moves(
        "prose 2.11",
        "viscous friction stops the pair in infinite time only",
        &[Motion {
            system: ViscousTwoParticles::INFO,
            with: &[],
            start: &[("x_dot", 1.0), ("theta_dot", 6.0)],
            until: |_| 5.0,
            says: Says::Moves,
        }],
    ),
    moves(
        "prose 2.12",
        "in infinite time x(∞) = x₀ + ẋ₀/(μg), y(∞) = y₀ + ẏ₀/(μg) and θ(∞) = θ₀ + θ̇₀/(μg)",
        &[
            Motion {
                system: ViscousTwoParticles::INFO,
                with: &[],
                start: &[("y_dot", 2.0), ("theta_dot", 6.0)],
                until: |_| 20.0,
                says: Says::Is("y", |p| 2.0 / (p("mu") * p("g"))),
            },
            Motion {
                system: ViscousTwoParticles::INFO,
                with: &[],
                start: &[("x_dot", 1.0), ("theta_dot", 6.0)],
                until: |_| 20.0,
                says: Says::Is("x", |p| 1.0 / (p("mu") * p("g"))),
            },
            Motion {
                system: ViscousTwoParticles::INFO,
                with: &[],
                start: &[("x_dot", 1.0), ("theta_dot", 6.0)],
                until: |_| 20.0,
                says: Says::Is("theta", |p| 6.0 / (p("mu") * p("g"))),
            },
        ],
    ),
    moves(
        "prose 2.13",
        "a pair without spin gets none",
        &[without_spin(TwoParticles::INFO)],
    ),
    stated("prose 2.14", &[of(TwoParticles::INFO, &["prose2_14a", "prose2_14b"])]),
    stated("prose 2.15", &[of(ViscousTwoParticles::INFO, &["prose2_15"])]),
    stated("prose 2.16", &[of(ViscousTwoParticles::INFO, &["prose2_16"])]),
    stated("display 3.1", &[of(RoughParticles::INFO, &["d3_1"])]),
    stated("display 3.2", &[of(RoughParticles::INFO, &["d3_2"])]),
    stated("display 3.3", &[of(RoughParticles::INFO, &["d3_3"])]),
    stated("display 3.4", &[of(RoughParticles::INFO, &["d3_4"])]),
    stated("display 3.5", &[of(RoughParticles::INFO, &["d3_5"])]),
    stated("display 3.6", &[of(ViscousParticles::INFO, &["d3_6"])]),
    stated("display 3.7", &[of(ViscousParticles::INFO, &["d3_7"])]),
    stated("prose 3.1", &[of(RoughParticles::INFO, &["prose3_1"])]),
    stated("prose 3.2", &[of(RoughParticles::INFO, &["prose3_2"])]),
    stated("prose 3.3", &[of(RoughParticles::INFO, &["prose3_3"])]),
    moves(
        "prose 3.4",
        "particles without spin get none",
        &[without_spin(RoughParticles::INFO)],
    ),
    moves(
        "prose 3.5",
        "balanced, the centre remains where it is, and the spin stops in finite time",
        &[
            Motion {
                system: RoughParticles::INFO,
                with: CROSS,
                start: &[("theta_dot", 6.0)],
                until: |_| 2.0,
                says: Says::Is("x", |_| 0.0),
            },
            Motion {
                system: RoughParticles::INFO,
                with: CROSS,
                start: &[("theta_dot", 6.0)],
                until: |_| 2.0,
                // Σ m L/Σ m L² = 1/L.
                says: Says::Stops(|p| 6.0 * 0.2 / (p("mu") * p("g"))),
            },
        ],
    ),
    stated("display 4.1", &[of(ThinRod::INFO, &["d4_1"])]),
    stated("display 4.2", &[of(ThinRod::INFO, &["d4_2"])]),
    stated("display 4.3", &[of(ThinRod::INFO, &["d4_3"])]),
    stated("display 4.4", &[of(ThinRod::INFO, &["d4_4"])]),
    stated("display 4.5", &[of(ThinRod::INFO, &["d4_5"])]),
    stated("display 4.6", &[of(ThinRod::INFO, &["d4_6"])]),
    stated("display 4.7", &[of(ThinRod::INFO, &["d4_7"])]),
    stated("display 4.8", &[of(ThinRod::INFO, &["d4_8"])]),
    stated("display 4.9", &[of(ThinRod::INFO, &["d4_9"])]),
    stated("display 4.10", &[of(ThinRod::INFO, &["d4_10"])]),
    stated("display 4.11", &[of(ThinRod::INFO, &["d4_11"])]),
    stated("display 4.12", &[of(ThinRod::INFO, &["d4_12"])]),
    stated("display 4.13", &[of(ThinRod::INFO, &["d4_13"])]),
    stated("display 4.14", &[of(ThinRod::INFO, &["d4_14"])]),
    stated("display 4.15", &[of(ThinRod::INFO, &["d4_15"])]),
    stated("display 4.16", &[of(ThinRod::INFO, &["d4_16"])]),
    stated("display 4.17", &[of(ThinRod::INFO, &["d4_17"])]),
    stated("display 4.18", &[of(ThinRod::INFO, &["d4_18"])]),
    stated("display 4.19", &[of(ThinRod::INFO, &["d4_19"])]),
    stated("display 4.20", &[of(ThinRod::INFO, &["d4_20"])]),
    stated("display 4.21", &[of(ThinRod::INFO, &["d4_21"])]),
    stated("display 4.22", &[of(ThinRod::INFO, &["d4_22"])]),
    stated("display 4.23", &[of(ThinRodHack::INFO, &["d4_23"])]),
    stated("display 4.24", &[of(ThinRodHack::INFO, &["d4_24"])]),
    stated("display 4.25", &[of(ThinRodHack::INFO, &["d4_25"])]),
    stated("display 4.26", &[of(ThinRodHack::INFO, &["d4_26"])]),
    stated("display 4.27", &[of(ThinRodHack::INFO, &["d4_27"])]),
    stated("prose 4.1", &[of(ThinRod::INFO, &["prose4_1"])]),
    stated("prose 4.2", &[of(ThinRodHack::INFO, &["prose4_2"])]),
    stated("prose 4.3", &[of(ThinRod::INFO, &["prose4_3"])]),
    stated("prose 4.4", &[of(ThinRod::INFO, &["prose4_4"])]),
    borne_out(
        "prose 4.5",
        "the rod stops spinning in finite time",
        &[test(PROSE, "a_rod_spins_on_the_spot_and_stops")],
    ),
    refuted(
        "prose 4.6",
        "Kt ≤ |θ̇₀| for as long as the rod spins: the printed K is negative, so that this never ends, but the rod stops",
        r"-Kt \leq |\dot{\theta}_0|",
        &[test(PROSE, "the_decoupled_rod_stops_though_the_printed_bound_holds_for_ever")],
    ),
    moves_not(
        "prose 4.7",
        "the spin is (1 − Kt/|θ̇₀|)θ̇₀ for as long as Kt ≤ |θ̇₀|, the angle then that at Kt = |θ̇₀|: with the K of the text there is no such time",
        &[Motion {
            system: ThinRodHack::INFO,
            with: &[],
            start: &[("theta_dot", 6.0)],
            until: |_| 3.0,
            says: Says::Is("theta_dot", |p| {
                6.0 + 1.5 * p("mu") * p("g") * (p("L1").powi(2) + p("L2").powi(2))
                    / (p("L1").powi(3) + p("L2").powi(3))
                    * 3.0
            }),
        }],
        (
            r"\text{the angle is that when } -Kt = |\dot{\theta}_0|",
            &[Motion {
                system: ThinRodHack::INFO,
                with: &[],
                start: &[("theta_dot", 6.0)],
                until: |_| 3.0,
                says: Says::Stops(|p| {
                    6.0 / (1.5 * p("mu") * p("g") * (p("L1").powi(2) + p("L2").powi(2))
                        / (p("L1").powi(3) + p("L2").powi(3)))
                }),
            }],
        ),
    ),
    refuted(
        "prose 4.8",
        "degenerate cases: λ₁ = 0 or λ₂ = 0 or θ̇ = 0. With λ₂ = 0 the integrals are as printed, nothing degenerates",
        r"\lambda_1 = 0 \text{ or } \dot{\theta} = 0",
        &[of(ThinRod::INFO, &["nothing_degenerates"])],
    ),
    moves(
        "prose 4.9",
        "the decoupled centre stops when μgt = |v₀|",
        &[Motion {
            system: ThinRodHack::INFO,
            with: &[],
            start: &[("x_dot", 1.0)],
            until: |_| 2.0,
            says: Says::Stops(|p| 1.0 / (p("mu") * p("g"))),
        }],
    ),
    moves(
        "prose 4.10",
        "a rod without spin gets none",
        &[without_spin(ThinRod::INFO)],
    ),
    stated("display 5.1", &[of(FlatBoard::INFO, &["d5_1"])]),
    stated("display 5.2", &[of(FlatBoard::INFO, &["d5_2"])]),
    stated("display 5.3", &[of(FlatBoard::INFO, &["d5_3"])]),
    stated("display 5.4", &[of(FlatBoard::INFO, &["d5_4"])]),
    stated("display 5.5", &[of(FlatBoard::INFO, &["d5_5"])]),
    stated("display 5.6", &[of(FlatBoard::INFO, &["d5_6"])]),
    stated("display 5.7", &[of(FlatBoard::INFO, &["d5_7"])]),
    stated("display 5.8", &[of(FlatBoard::INFO, &["d5_8"])]),
    stated("display 5.9", &[of(FlatBoard::INFO, &["d5_9"])]),
    stated("display 5.10", &[of(FlatBoard::INFO, &["d5_10"])]),
    stated("display 5.11", &[of(FlatBoard::INFO, &["d5_11"])]),
    stated("display 5.12", &[of(FlatBoard::INFO, &["d5_12"])]),
    stated("display 5.13", &[of(FlatBoard::INFO, &["d5_13"])]),
    stated("display 5.14", &[of(FlatBoardHack::INFO, &["d5_14"])]),
    stated("display 5.15", &[of(FlatBoardHack::INFO, &["d5_15"])]),
    stated("display 5.16", &[of(FlatBoardHack::INFO, &["d5_16"])]),
    stated("display 5.17", &[of(FlatBoard::INFO, &["d5_17"])]),
    stated("display 5.18", &[of(FlatBoard::INFO, &["d5_18"])]),
    stated("prose 5.1", &[of(FlatBoard::INFO, &["prose5_1"])]),
    stated("prose 5.2", &[of(FlatBoard::INFO, &["prose5_2"])]),
    moves(
        "prose 5.3",
        "a board without spin gets none",
        &[without_spin(FlatBoard::INFO)],
    ),
    moves(
        "prose 5.4",
        "the centre of a board that spins on the spot remains where it is, and the spin stops in finite time",
        &[
            Motion {
                system: FlatBoard::INFO,
                with: &[],
                start: &[("theta_dot", 6.0)],
                until: |_| 2.0,
                says: Says::Is("x", |_| 0.0),
            },
            Motion {
                system: FlatBoard::INFO,
                with: &[],
                start: &[("theta_dot", 6.0)],
                until: |_| 2.0,
                says: Says::Stops(|p| 6.0 / (p("mu") * p("g") * mean_arm(p("alpha_0"), p("beta_0")))),
            },
        ],
    ),
    stated("display 6.1", &[of(SolidBox::INFO, &["d6_1"])]),
    stated("display 6.2", &[of(SolidBox::INFO, &["d6_2"])]),
    stated("display 6.3", &[of(SolidBox::INFO, &["d6_3"])]),
    stated("display 6.4", &[of(SolidBox::INFO, &["d6_4"])]),
    stated("display 6.5", &[of(SolidBox::INFO, &["d6_5"])]),
    stated("display 6.6", &[of(SolidBox::INFO, &["d6_6"])]),
    stated("display 6.7", &[of(SolidBox::INFO, &["d6_7"])]),
    stated("display 6.8", &[of(SolidBox::INFO, &["d6_8"])]),
    stated("display 6.9", &[of(SolidBox::INFO, &["d6_9"])]),
    stated("display 6.10", &[of(SolidBox::INFO, &["d6_10"])]),
    stated("display 6.11", &[of(SolidBoxHack::INFO, &["d6_11"])]),
    stated("display 6.12", &[of(SolidBoxHack::INFO, &["d6_12"])]),
    stated("display 6.13", &[of(SolidBoxHack::INFO, &["d6_13"])]),
    stated("prose 6.1", &[of(SolidBox::INFO, &["prose6_1"])]),
    stated("prose 6.2", &[of(SolidBox::INFO, &["prose6_2"])]),
];
