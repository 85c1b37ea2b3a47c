//! Savransky, *The Putting Green*: (1)–(62).
//!
//! Models: the particle on z = f(x, y) without friction and damped; the ball by Newton's way; the
//! particle on a hemisphere; the ball with Rosen's dissipation in Euler angles, and in angular
//! velocities; pure rolling.

use super::{Document, Entry, definition, general, of, open, stated};
use crate::putting_green::{DampedParticle, EulerBall, Hemisphere, SurfaceParticle};

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

const ENTRIES: &[Entry] = &[
    definition(
        "1",
        "the position of the particle, with z = f(x, y)",
        &[of(SurfaceParticle::INFO, &["eq2"])],
    ),
    stated("2", &[of(SurfaceParticle::INFO, &["eq2"])]),
    stated("3", &[of(SurfaceParticle::INFO, &["eq3"])]),
    stated("4", &[of(SurfaceParticle::INFO, &["eq4a", "eq4b"])]),
    stated("5", &[of(SurfaceParticle::INFO, &["eq5a", "eq5b"])]),
    stated("6", &[of(DampedParticle::INFO, &["eq6a", "eq6b"])])
        .noted("∂f/∂y² stands for (∂f/∂y)²; read as ∂²f/∂y² or as ∂f/∂(y²) it has another unit"),
    open("7", "definition: the unit normal of the surface"),
    open("8", "claim eq8: z̈ along the surface; the acceleration of the centre"),
    open("9", "claim eq9: the vertical part of the normal force of the frictionless ball"),
    open("10", "claim eq10: the normal force is F_Nz (−f_x, −f_y, 1)"),
    open("11", "claims eq11: the friction force −μ |F_N| v/|v| by components, and C_f"),
    open("12", "claims eq12a, eq12b, eq12c: Newton's law for the centre"),
    open("13", "claims eq13a, eq13b, eq13c: the balance of angular momentum"),
    open("14", "claims eq14a … eq14d: the level plane, when f_x = f_y = … = 0"),
    definition(
        "15",
        "the position of the particle on the hemisphere",
        &[of(Hemisphere::INFO, &["eq16"])],
    ),
    stated("16", &[of(Hemisphere::INFO, &["eq16"])]),
    stated("17", &[of(Hemisphere::INFO, &["eq17"])]),
    stated("18", &[of(Hemisphere::INFO, &["eq18a", "eq18b", "eq18b_contact", "eq18c"])]),
    stated("19", &[of(Hemisphere::INFO, &["eq19"])]),
    stated("20", &[of(Hemisphere::INFO, &["eq20"])]),
    stated("21", &[of(Hemisphere::INFO, &["eq21"])]),
    open("22", "definition: Rosen's function of the sliding and the pivoting velocity"),
    general(
        "23",
        "the Euler–Lagrange equations with a dissipation function",
        &[of(EulerBall::INFO, &["eq35", "eq36", "eq37", "eq39", "eq40"])],
    ),
    definition(
        "24",
        "the velocity of the centre",
        &[of(EulerBall::INFO, &["eq31", "eq32", "eq33"])],
    ),
    stated("25", &[of(EulerBall::INFO, &["eq25"])]),
    stated("26", &[of(EulerBall::INFO, &["eq26"])]),
    stated("27", &[of(EulerBall::INFO, &["eq27"])]),
    stated("28", &[of(EulerBall::INFO, &["eq28"])]),
    stated("29", &[of(EulerBall::INFO, &["eq29"])]),
    definition(
        "30",
        "N = f_x² + f_y² + 1, the square of the normal (−f_x, −f_y, 1)",
        &[of(EulerBall::INFO, &["eq31", "eq32", "eq33"])],
    ),
    stated("31", &[of(EulerBall::INFO, &["eq31"])]),
    stated("32", &[of(EulerBall::INFO, &["eq32"])]),
    stated("33", &[of(EulerBall::INFO, &["eq33"])]),
    open("34", "claim eq34: the dissipation function"),
    stated("35", &[of(EulerBall::INFO, &["eq35"])]),
    stated("36", &[of(EulerBall::INFO, &["eq36"])]),
    stated("37", &[of(EulerBall::INFO, &["eq37"])]),
    stated("38", &[of(EulerBall::INFO, &["eq38"])]),
    stated("39", &[of(EulerBall::INFO, &["eq39"])]),
    stated("40", &[of(EulerBall::INFO, &["eq40"])]),
    definition(
        "41",
        "the ball is not below the surface, z − f ≥ 0: the gap of the contact",
        &[of(EulerBall::INFO, &["eq41"])],
    ),
    stated("42", &[of(EulerBall::INFO, &["eq42"])]),
    stated("43", &[of(EulerBall::INFO, &["eq43"])]),
    stated("44", &[of(EulerBall::INFO, &["eq44"])]),
    stated("45", &[of(EulerBall::INFO, &["eq45"])]),
    open("46", "general: the limit of infinite roughness is pure rolling; a test with the rate"),
    open("47", "claim eq47: pure rolling along x"),
    open("48", "claim eq48: pure rolling along y"),
    open("49", "claim eq49: pure rolling along z"),
    open("50", "claim eq50: pure rolling, ω_y"),
    open("51", "claim eq51: pure rolling, ω_x"),
    open("52", "claim eq52: pure rolling, ω_z"),
    open("53", "claim eq53: no sliding along x"),
    open("54", "claim eq54: no sliding along y"),
    open("55", "claim eq55: no sliding along z"),
    open("56", "definition: the ball is not below the surface, z − f ≥ 0"),
    open("57", "claim eq57: ẍ of the simulation"),
    open("58", "claim eq58: ÿ of the simulation"),
    open("59", "claim eq59: z̈ of the simulation"),
    open("60", "claim eq60: ω̇_y of the simulation"),
    open("61", "claim eq61: ω̇_x of the simulation"),
    open("62", "claim eq62: ω̇_z of the simulation"),
];
