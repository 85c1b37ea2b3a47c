//! Sentences: what a claim says of a whole motion, `claim weave of straight: critical(ẋ, 0.5, 10)[1] = 4.29238;`. The
//! equations alone do not decide it: who runs motions does.

use crate::mechanics::system::declared::{Named, Relation};
use crate::node::ExprId;

/// What a sentence speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// An eigenvalue of the linear system along a steady motion, the largest real part first.
    Eigenvalues,
    /// A value of a name at which eigenvalues cross the imaginary axis, in rising order.
    Critical,
    /// The frequency of what crosses there.
    Frequency,
    /// A multiplier of a periodic orbit, the largest first.
    Multipliers,
    /// How long the orbit takes.
    Period,
    /// A Lyapunov exponent, the largest first.
    Lyapunov,
    /// When the motion comes to rest for good, in a run of a span.
    Stops,
    /// A coordinate or a velocity at a time.
    Value,
    /// How far the state is from its start after a span, angles but for whole turns.
    Returns,
    /// Whether there is such a motion over a span: 1, or 0 where the rows or the forces have no solution.
    Possible,
}

/// A row of the table of quantities.
#[derive(Debug, Clone, Copy)]
pub struct QuantityRow {
    /// The quantity.
    pub quantity: Quantity,
    /// As it is written.
    pub word: &'static str,
    /// What is named first in its brackets.
    pub first: Argument,
    /// The fewest and the most numbers behind it.
    pub numbers: [usize; 2],
    /// Whether one of several is meant, by its index.
    pub is_indexed: bool,
    /// How it is written.
    pub form: &'static str,
}

/// What stands first in the brackets of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// A number like the others.
    Number,
    /// The name of a parameter, an input or an entry of the state.
    Name,
    /// The name of an entry of the state.
    Entry,
    /// A contact or an event; or a number, the period.
    Section,
}

impl Quantity {
    /// All quantities.
    pub const TABLE: [QuantityRow; 10] = [
        row(Self::Eigenvalues, "eigenvalues", (Argument::Number, [0, 0], true), "eigenvalues[1]"),
        row(Self::Critical, "critical", (Argument::Name, [2, 2], true), "critical(p, from, to)[1]"),
        row(
            Self::Frequency,
            "frequency",
            (Argument::Name, [2, 2], true),
            "frequency(p, from, to)[1]",
        ),
        row(
            Self::Multipliers,
            "multipliers",
            (Argument::Section, [0, 1], true),
            "multipliers(contact)[1]",
        ),
        row(Self::Period, "period", (Argument::Section, [0, 1], false), "period(contact, returns)"),
        row(
            Self::Lyapunov,
            "lyapunov",
            (Argument::Number, [0, 2], true),
            "lyapunov(span, spans)[1]",
        ),
        row(Self::Stops, "stops", (Argument::Number, [1, 1], false), "stops(span)"),
        row(Self::Value, "value", (Argument::Entry, [1, 1], false), "value(x, t)"),
        row(Self::Returns, "returns", (Argument::Number, [1, 1], false), "returns(span)"),
        row(Self::Possible, "possible", (Argument::Number, [1, 1], false), "possible(span)"),
    ];

    /// The quantity of a word.
    pub fn of_word(word: &str) -> Option<&'static QuantityRow> {
        const { &Self::TABLE }.iter().find(|row| row.word == word)
    }
}

const fn row(
    quantity: Quantity,
    word: &'static str,
    (first, numbers, is_indexed): (Argument, [usize; 2], bool),
    form: &'static str,
) -> QuantityRow {
    QuantityRow { quantity, word, first, numbers, is_indexed, form }
}

/// What is taken of a complex number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it: it is real.
    Whole,
    /// `re(…)`
    Real,
    /// `im(…)`
    Imaginary,
    /// `abs(…)`
    Size,
}

impl Part {
    /// The parts that have a word.
    pub const WORDS: [(&'static str, Self); 3] =
        [("re", Self::Real), ("im", Self::Imaginary), ("abs", Self::Size)];
}

/// A sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Name and documentation.
    pub named: Named,
    /// The scenario from which the motion starts, by its index.
    pub scenario: usize,
    /// Parameters, inputs and entries of the state that are other than there: their ASCII names and values.
    pub settings: Vec<(String, ExprId)>,
    /// What it speaks of.
    pub quantity: Quantity,
    /// The name of its first argument, in ASCII: what is varied, or the contact or event of a section. Empty without.
    pub subject: String,
    /// The numbers of its brackets.
    pub numbers: Vec<ExprId>,
    /// Which of several, from 0.
    pub index: usize,
    /// What of it.
    pub part: Part,
    /// How it compares; `None` for =.
    pub relation: Option<Relation>,
    /// With what.
    pub value: ExprId,
    /// How far it may be off: as stated, or half a unit of the last digit printed. `None` of a formula.
    pub within: Option<ExprId>,
    /// As written.
    pub text: String,
}

impl Sentence {
    /// Its expressions, of parameters all of them: settings, numbers, the value, how far it may be off.
    pub fn expressions(&self) -> impl Iterator<Item = ExprId> {
        let settings = self.settings.iter().map(|(_, value)| *value);
        settings.chain(self.numbers.iter().copied()).chain([self.value]).chain(self.within)
    }
}
