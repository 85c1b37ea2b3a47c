//! Treschev and Zubelevich, *On collisions in nonholonomic systems*: (1.1)–(6.1), Lemma 1,
//! Definition 1, Hypotheses 1–3, Theorems 4.1, 4.2, 5.1, 5.2, and its displayed results.
//!
//! Models: the ball that rolls on a floor and meets a rough wall; the ball thrown on a rough floor,
//! elastic and with restitution; the nonholonomic pendulum; Garwin's ball under a table; the ball in
//! a box of rough walls.

use super::{Document, Entry, open};

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

const ENTRIES: &[Entry] = &[
    open("1.1", "claims eq1_1a, eq1_1b: the ball does not slide on the floor"),
    open("1.2", "claims eq1_2a, eq1_2b, eq1_2c: the ball does not slide on the wall"),
    open("2.1", "definition: test functions, along ker A, with compact support"),
    open("2.2", "general: the Lagrange–d'Alembert equation along test functions"),
    open("2.3", "general: the velocity is in ker A"),
    open("Definition 1", "definition: a weak solution satisfies (2.3) and (2.4)"),
    open("2.4", "general: the weak form; a test on computed trajectories with collisions"),
    open("2.5", "definition: at the collision, test functions are in ker B"),
    open("display 2.1", "general: before and after the collision the velocity is in ker A"),
    open("2.6", "general: a velocity that does not jump is in ker B"),
    open("2.7", "general: the equation of motion before the collision"),
    open("2.8", "general: the equation of motion after the collision"),
    open("2.9", "general: the momentum jumps only across ker B"),
    open("Lemma 1", "claims lem1a, lem1b: P projects orthogonally along ker B, and AP = A"),
    open("3.1", "claim eq3_1: P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B"),
    open("3.2", "claim eq3_2: AP = A where ker B ⊆ ker A"),
    open("4.1", "claim eq4_1: v⁺ − v⁻ is orthogonal to ker B"),
    open("Hypothesis 1", "general: v⁺ depends on v⁻ by a linear map R"),
    open("Hypothesis 2", "claim hyp2: the energy is kept"),
    open("Hypothesis 3", "claim hyp3: R² = I on ker A"),
    open("Theorem 4.1", "general: under the hypotheses (4.2) holds"),
    open("4.2", "claim eq4_2: v⁺ = (I − 2P) v⁻"),
    open("Theorem 4.2", "general: the solution depends continuously on its start; a test"),
    open("4.3", "general: v⁺ = Q v⊥ + v∥, where Q = −I"),
    open("5.1", "claims eq5_1a, eq5_1b: rolling, v₁ = r ω₂ and v₂ = −r ω₁"),
    open("Theorem 5.1", "claims thm5_1a, thm5_1b, thm5_1c: the rolling ball off the rough wall"),
    open("display 5.1", "claim d5_1: G, A and B of the ball at the wall"),
    open("display 5.2", "claim d5_2: the projector P (entries 1 stand for 2J̃)"),
    open("Theorem 5.2", "claims thm5_2a … thm5_2f: the ball thrown on a rough floor"),
    open("display 5.3", "claim d5_3: the angular momentum about the point of contact is kept"),
    open("display 5.4", "claim d5_4: G, A = 0 and B of the ball at the floor"),
    open("display 5.5", "claim d5_5: the projector P (an entry 1 stands for J′)"),
    open("display 5.6", "definition: the throw of the nonholonomic pendulum"),
    open("display 5.7", "claim d5_7: it comes back as it came, v⁺ = −v⁻ and ω⁺ = −ω⁻"),
    open("6.1", "claim eq6_1: v⁺ = −μ v⊥ + v∥"),
    open("display 6.1", "claim d6_1: v⁺ = (I − (1 + μ)P) v⁻"),
    open("display 6.2", "claims d6_2a … d6_2f: the ball on the floor with restitution"),
];
