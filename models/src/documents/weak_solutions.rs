//! Treschev and Zubelevich, *On weak solutions to the Lagrange–d'Alembert equation*: (1.1)–(6.1),
//! Lemma 1, Definition 1, Hypotheses 1–3, Theorems 4.1, 4.2, 5.1, and its displayed results.
//!
//! Models: the ball thrown on a rough floor, elastic and with restitution; the nonholonomic
//! pendulum.

use super::{Document, Entry, open};

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
    open("1.1", "claims eq1_1a, eq1_1b, eq1_1c: the point that touches the floor does not slide"),
    open("2.1", "definition: test functions, along ker A, with compact support"),
    open("2.2", "general: the Lagrange–d'Alembert equation along test functions"),
    open("2.3", "general: the velocity is in ker A"),
    open("Definition 1", "definition: a weak solution satisfies (2.3) and (2.4)"),
    open("2.4", "general: the weak form; a test on computed trajectories with collisions"),
    open("2.5", "definition: at the collision, test functions are in ker B"),
    open("2.6", "general: before and after the collision the velocity is in ker A"),
    open("2.7", "general: a velocity that does not jump is in ker B"),
    open("2.8", "general: the equation of motion before the collision"),
    open("2.9", "general: the equation of motion after the collision"),
    open("2.10", "general: the momentum jumps only across ker B"),
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
    open("Theorem 5.1", "claims thm5_1a … thm5_1f: the superelastic ball on a rough floor"),
    open("display 5.1", "claim d5_1: the angular momentum about the point of contact is kept"),
    open("display 5.2", "claim d5_2: the matrices G and B of the ball; A = 0"),
    open("display 5.3", "claim d5_3: the projector P (an entry 1 stands for J′)"),
    open("display 5.4", "definition: the throw of the nonholonomic pendulum"),
    open("display 5.5", "claim d5_5: it comes back as it came, v⁺ = −v⁻ and ω⁺ = −ω⁻"),
    open("6.1", "claim eq6_1: v⁺ = −μ v⊥ + v∥"),
    open("display 6.1", "claim d6_1: v⁺ = (I − (1 + μ)P) v⁻"),
    open("display 6.2", "claims d6_2a … d6_2f: the ball on the floor with restitution"),
];
