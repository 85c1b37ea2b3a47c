//! Savransky, *The Putting Green*: (1)–(62).
//!
//! Models: the particle on z = f(x, y) without friction and damped; the ball by Newton's way; the
//! particle on a hemisphere; the ball with Rosen's dissipation in Euler angles, and in angular
//! velocities; pure rolling.

use super::{Document, Entry, open};

pub(super) const DOCUMENT: Document = Document {
    key: "putting-green",
    title: "The Putting Green: the dynamics of a homogenous ball on an arbitrary surface",
    authors: "D. Savransky",
    about: "A particle and a ball on a surface z = f(x, y): frictionless, damped, by Newton's way \
        with the friction of a sliding ball, with Rosen's dissipation function, and rolling without \
        slipping as the limit of infinite roughness; and when the ball leaves the surface. The \
        surface stays a function f of which nothing is known but that it is smooth.",
    entries: ENTRIES,
};

const ENTRIES: &[Entry] = &[
    open("1", "definition: the position of the particle, z = f(x, y)"),
    open("2", "definition: its velocity, with ż = f_x ẋ + f_y ẏ"),
    open("3", "claim eq3: the Lagrangian of the particle on the surface"),
    open(
        "4",
        "claims eq4a, eq4b: ẍ and ÿ, each with the other (a dot lacks in the print of ẍ f_x)",
    ),
    open("5", "claims eq5a, eq5b: ẍ and ÿ alone (ẋẏ f_xy needs a factor 2)"),
    open("6", "claims eq6a, eq6b: ẍ and ÿ with the damping −μẋ, −μẏ"),
    open("7", "definition: the unit normal of the surface"),
    open("8", "claim eq8: z̈ along the surface; the acceleration of the centre"),
    open("9", "claim eq9: the vertical part of the normal force of the frictionless ball"),
    open("10", "claim eq10: the normal force is F_Nz (−f_x, −f_y, 1)"),
    open("11", "claims eq11: the friction force −μ |F_N| v/|v| by components, and C_f"),
    open("12", "claims eq12a, eq12b, eq12c: Newton's law for the centre"),
    open("13", "claims eq13a, eq13b, eq13c: the balance of angular momentum"),
    open("14", "claims eq14a … eq14d: the level plane, when f_x = f_y = … = 0"),
    open("15", "claims eq15: the position on the hemisphere in polar coordinates"),
    open("16", "claims eq16: its velocity"),
    open("17", "claim eq17: the Lagrangian of the hemisphere"),
    open("18", "claims eq18a, eq18b, eq18c: r̈, θ̈ with the multiplier, and r − R ≥ 0"),
    open("19", "claim eq19: the angular velocity at which the normal force vanishes"),
    open("20", "claim eq20: the angular velocity on the way, an integral of (18)"),
    open("21", "claim eq21: the angle of release (θ̇₀ needs a square)"),
    open("22", "definition: Rosen's function of the sliding and the pivoting velocity"),
    open("23", "general: the Euler–Lagrange equations with a dissipation function"),
    open("24", "definition: the velocity of the centre"),
    open("25", "definition: the angular velocity by components in space"),
    open("26", "claim eq26: ω_x in the Euler angles"),
    open("27", "claim eq27: ω_y in the Euler angles"),
    open("28", "claim eq28: ω_z in the Euler angles"),
    open("29", "claim eq29: the Lagrangian in the Euler angles (mgf stands for mgz)"),
    open("30", "definition: N = f_x² + f_y² + 1"),
    open("31", "claim eq31: the sliding velocity along x"),
    open("32", "claim eq32: the sliding velocity along y"),
    open("33", "claim eq33: the sliding velocity along z"),
    open("34", "claim eq34: the dissipation function"),
    open("35", "claim eq35: the equation of motion along x"),
    open("36", "claim eq36: the equation of motion along y"),
    open("37", "claim eq37: the equation of motion along z"),
    open("38", "claim eq38: the equation of motion along ψ (φ̇ cos θ stands for φ̈ cos θ)"),
    open("39", "claim eq39: the equation of motion along θ"),
    open("40", "claim eq40: the equation of motion along φ"),
    open("41", "definition: the ball is not below the surface, z − f ≥ 0"),
    open("42", "claim eq42: ψ̈ eliminated from (40)"),
    open("43", "claim eq43: the balance of angular momentum, ω_y"),
    open("44", "claim eq44: the balance of angular momentum, ω_x"),
    open("45", "claim eq45: the balance of angular momentum, ω_z"),
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
