//! Savransky, *The Putting Green*: (1)–(62).
//!
//! Models: the particle on z = f(x, y) without friction and damped; the ball by Newton's way; the
//! particle on a hemisphere; the ball with Rosen's dissipation in Euler angles, and in angular
//! velocities; pure rolling.

use super::motion::{Motion, Says};
use super::{Document, Entry, general, moves, moves_not, of, refuted, stated, test};
use crate::putting_green::{
    DampedParticle, EulerBall, Hemisphere, NewtonBall, PuttedBall, RollingBall, SurfaceParticle,
};

pub(super) const DOCUMENT: Document = Document {
    key: "putting-green",
    title: "The Putting Green: the dynamics of a homogenous ball on an arbitrary surface",
    authors: "D. Savransky",
    about: "A particle and a ball on a surface z = f(x, y): frictionless, damped, by Newton's way \
        with the friction of a sliding ball, with Rosen's dissipation function, and rolling without \
        slipping as the limit of infinite roughness; and when the ball leaves the surface. The \
        surface stays a function f of which nothing is known but that it is smooth. Of (4) and (5) \
        the cross terms are wrong, those of (6) are right. The angular velocity (26)–(28) is along \
        the axes of the ball, not along e₁, e₂, e₃ as (25) has it; since a ball is the same about all \
        axes, (43)–(45) and the motion of the centre are right nevertheless. The multiplier λ_h has \
        the sign of f − z. Of the four constraints of rolling, (53)–(56), three are independent, so \
        that the multipliers of (47)–(52) are determined but for one number. Section 5 sets ż to 0 \
        where the ball lands, which on a slope is not the rate of f; the models land plastically.",
    entries: ENTRIES,
};

const TESTS: &str = "tests/tests/putting_green.rs";

const ENTRIES: &[Entry] = &[
    stated("1", &[of(SurfaceParticle::INFO, &["eq1"])]),
    stated("2", &[of(SurfaceParticle::INFO, &["eq2"])]),
    stated("3", &[of(SurfaceParticle::INFO, &["eq3"])]),
    stated("4", &[of(SurfaceParticle::INFO, &["eq4"])]),
    stated("5", &[of(SurfaceParticle::INFO, &["eq5"])]),
    stated("6", &[of(DampedParticle::INFO, &["eq6"])])
        .noted("∂f/∂y² stands for (∂f/∂y)²; read as ∂²f/∂y² or as ∂f/∂(y²) it has another unit"),
    stated("7", &[of(NewtonBall::INFO, &["eq7"])]),
    stated("8", &[of(NewtonBall::INFO, &["eq8"])]),
    stated("9", &[of(NewtonBall::INFO, &["eq9"])]),
    stated("10", &[of(NewtonBall::INFO, &["eq10"])]),
    stated("11", &[of(NewtonBall::INFO, &["eq11"])]),
    stated("12", &[of(NewtonBall::INFO, &["eq12"])]),
    stated("13", &[of(NewtonBall::INFO, &["eq13"])]),
    stated("14", &[of(NewtonBall::INFO, &["eq14", "eq14_vector"])]),
    stated("15", &[of(Hemisphere::INFO, &["eq15"])]),
    stated("16", &[of(Hemisphere::INFO, &["eq16"])]),
    stated("17", &[of(Hemisphere::INFO, &["eq17"])]),
    stated("18", &[of(Hemisphere::INFO, &["eq18", "eq18_flight"])]),
    stated("19", &[of(Hemisphere::INFO, &["eq19"])]),
    stated("20", &[of(Hemisphere::INFO, &["eq20"])]),
    stated("21", &[of(Hemisphere::INFO, &["eq21"])]),
    stated("22", &[of(PuttedBall::INFO, &["eq22"])]),
    stated("23", &[of(EulerBall::INFO, &["eq23"])]),
    stated("24", &[of(EulerBall::INFO, &["eq24"])]),
    stated("25", &[of(EulerBall::INFO, &["eq25"])]),
    stated("26", &[of(EulerBall::INFO, &["eq26"])]),
    stated("27", &[of(EulerBall::INFO, &["eq27"])]),
    stated("28", &[of(EulerBall::INFO, &["eq28"])]),
    stated("29", &[of(EulerBall::INFO, &["eq29"])]),
    stated("30", &[of(EulerBall::INFO, &["eq30"])]),
    stated("31", &[of(EulerBall::INFO, &["eq31"])]),
    stated("32", &[of(EulerBall::INFO, &["eq32"])]),
    stated("33", &[of(EulerBall::INFO, &["eq33"])]),
    stated("34", &[of(PuttedBall::INFO, &["eq34"])]),
    stated("35", &[of(EulerBall::INFO, &["eq35"])]),
    stated("36", &[of(EulerBall::INFO, &["eq36"])]),
    stated("37", &[of(EulerBall::INFO, &["eq37"])]),
    stated("38", &[of(EulerBall::INFO, &["eq38"])]),
    stated("39", &[of(EulerBall::INFO, &["eq39"])]),
    stated("40", &[of(EulerBall::INFO, &["eq40"])]),
    stated("41", &[of(EulerBall::INFO, &["eq41"])]),
    stated("42", &[of(EulerBall::INFO, &["eq42"])]),
    stated("43", &[of(EulerBall::INFO, &["eq43"])]),
    stated("44", &[of(EulerBall::INFO, &["eq44"])]),
    stated("45", &[of(EulerBall::INFO, &["eq45"])]),
    general(
        "46",
        "the limit of infinite friction is rolling: γ → 0, and μγ → λ, as 1/μ",
        &[test(TESTS, "infinite_friction_is_rolling")],
    )
    .noted(
        "where the coefficients differ, λ_x, λ_y, λ_z depend on their ratios, the motion does not",
    ),
    stated("47", &[of(RollingBall::INFO, &["eq47"])]),
    stated("48", &[of(RollingBall::INFO, &["eq48"])]),
    stated("49", &[of(RollingBall::INFO, &["eq49"])]),
    stated("50", &[of(RollingBall::INFO, &["eq50"])]),
    stated("51", &[of(RollingBall::INFO, &["eq51"])]),
    stated("52", &[of(RollingBall::INFO, &["eq52"])]),
    stated("53", &[of(RollingBall::INFO, &["eq53"])]),
    stated("54", &[of(RollingBall::INFO, &["eq54"])]),
    stated("55", &[of(RollingBall::INFO, &["eq55"]), of(PuttedBall::INFO, &["dependent"])]),
    stated("56", &[of(RollingBall::INFO, &["eq56"])]),
    stated("57", &[of(PuttedBall::INFO, &["eq57"])]),
    stated("58", &[of(PuttedBall::INFO, &["eq58"])]),
    stated("59", &[of(PuttedBall::INFO, &["eq59"])]),
    stated("60", &[of(PuttedBall::INFO, &["eq60"])]),
    stated("61", &[of(PuttedBall::INFO, &["eq61"])]),
    stated("62", &[of(PuttedBall::INFO, &["eq62"])]),
    stated("prose 2.1", &[of(SurfaceParticle::INFO, &["prose2_1"])]),
    stated("prose 2.2", &[of(DampedParticle::INFO, &["prose2_2"])]),
    stated("prose 3.1", &[of(NewtonBall::INFO, &["prose3_1"])]),
    stated("prose 3.2", &[of(NewtonBall::INFO, &["prose3_2"])]),
    stated("prose 3.3", &[of(NewtonBall::INFO, &["prose3_3"])]),
    stated("prose 3.4", &[of(NewtonBall::INFO, &["prose3_4"])]),
    stated("prose 3.5", &[of(NewtonBall::INFO, &["prose3_5"])]),
    stated("prose 3.6", &[of(NewtonBall::INFO, &["prose3_6"])]),
    stated("prose 3.7", &[of(NewtonBall::INFO, &["prose3_7"])]),
    stated("prose 3.8", &[of(NewtonBall::INFO, &["prose3_8"])]),
    stated("prose 3.9", &[of(NewtonBall::INFO, &["prose3_9"])]),
    stated("prose 3.10", &[of(NewtonBall::INFO, &["prose3_10"])]),
    stated("prose 4.1", &[of(Hemisphere::INFO, &["prose4_1"])]),
    stated("prose 4.2", &[of(Hemisphere::INFO, &["prose4_2"])]),
    stated("prose 4.3", &[of(EulerBall::INFO, &["prose4_3"])]),
    stated("prose 4.4", &[of(EulerBall::INFO, &["prose4_4"])]),
    stated("prose 4.5", &[of(EulerBall::INFO, &["prose4_5"])]),
    stated("prose 4.6", &[of(EulerBall::INFO, &["prose4_6"])]),
    stated("prose 4.7", &[of(EulerBall::INFO, &["prose4_7"])]),
    refuted(
        "prose 4.8",
        "six equations and four constraints make ten unknowns a well characterised system: (55) follows from (53), (54) and \
         (56), so that one of the four multipliers is not determined",
        r"\text{nine independent equations for ten unknowns}",
        &[of(PuttedBall::INFO, &["dependent"])],
    ),
    stated("prose 5.1", &[of(EulerBall::INFO, &["prose5_1"])]),
    stated("prose 5.4", &[of(EulerBall::INFO, &["prose5_4"])]),
    stated("prose 5.2", &[of(EulerBall::INFO, &["prose5_2"])]),
    moves_not(
        "prose 5.3",
        "the only way to leave the surface immediately is a large initial velocity upwards, or a surface that is discontinuous: over a smooth top a fast start along it is enough",
        &[Motion {
            system: Hemisphere::INFO,
            with: &[],
            start: &[("r", 0.5), ("theta_dot", 5.0)],
            until: |_| 0.1,
            says: Says::Is("r", |p| p("R")),
        }],
        (
            r"\text{or the surface falls away: } \dot{\theta}_0^2 > g/R",
            &[Motion {
                system: Hemisphere::INFO,
                with: &[],
                start: &[("r", 0.5), ("theta_dot", 5.0)],
                until: |_| 0.1,
                says: Says::Is("r", |p| {
                    f64::hypot(p("R") * 5.0 * 0.1, p("R") - p("g") * 0.1 * 0.1 / 2.0)
                }),
            }],
        ),
    ),
    moves_not(
        "prose 5.5",
        "it shall invariably fall back down after every flight: from the top of the hemisphere of section 4.1 a fast one flies away from it for good",
        &[Motion {
            system: Hemisphere::INFO,
            with: &[],
            start: &[("r", 0.5), ("theta_dot", 5.0)],
            until: |_| 3.0,
            says: Says::Is("r", |p| p("R")),
        }],
        (
            r"\text{where the surface does not fall away as fast as it does}",
            &[
                Motion {
                    system: Hemisphere::INFO,
                    with: &[],
                    start: &[("r", 0.5), ("theta_dot", 5.0)],
                    until: |_| 3.0,
                    says: Says::Is("r", |p| {
                        f64::hypot(p("R") * 5.0 * 3.0, p("R") - p("g") * 3.0 * 3.0 / 2.0)
                    }),
                },
                // Of a level green.
                Motion {
                    system: PuttedBall::INFO,
                    with: &[("s", 0.0), ("h", 0.0)],
                    start: &[("z_dot", 1.0)],
                    until: |p| 2.5 / p("g"),
                    says: Says::Is("z", |_| 0.0),
                },
            ],
        ),
    ),
    moves(
        "prose 4.9",
        "started slowly at the top it stays on the surface at first",
        &[Motion {
            system: Hemisphere::INFO,
            with: &[],
            start: &[("r", 0.5), ("theta_dot", 1.5)],
            until: |_| 0.1,
            says: Says::Is("r", |p| p("R")),
        }],
    ),
];
