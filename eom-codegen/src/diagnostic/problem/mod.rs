//! Every mistake that a parser can find in a declaration; the words stand in `words`.

mod elsewhere;
mod spelling;
mod words;

use eom_symbolic::tex::MistakeKind;

pub(crate) use words::suggestion;

/// How a scenario ends.
pub(crate) const ENDS: &str = "write `until t = 3;` or `until impacts = 20;`; that a motion passes a place is an event, \
    `event passes { guard = x - 1; rising; }`, and ends it by `until passes;`";

/// What to write where an index is no whole number.
pub(crate) const WHOLE_NUMBER: &str = "write an index as `3`, by the indices around it, `2*i - 1`, or by a parameter that \
    sizes an array, a whole number without a bound: `N = 4`";

/// What to write for what switches in a formula, and for what jumps in one.
pub(crate) const SWITCH: &str =
    "write `ramp(x, a, b)` or `smoothstep(x, a, b)`; what switches is an `event` or a contact";
pub(crate) const NO_JUMPS: &str = "a formula has no jumps: what jumps is an `event` with a `reset`";

/// A mistake of the parser. Texts in its fields are the user's own words.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// A character that is no token of Rust.
    Unreadable {
        /// The character.
        found: char,
    },
    /// `tex "m\ddot{x}"`: a string in which `\` begins what it has no meaning for.
    Escape {
        /// What is written before the raw string: `tex `.
        before: &'static str,
    },
    /// A text that does not fall into tokens, for a reason that is not known.
    Unbalanced,
    /// A bracket that is not closed, or not by its like.
    NotClosed {
        /// What would close it.
        wanted: char,
    },
    /// A bracket that closes nothing.
    NotOpened {
        /// The bracket.
        found: char,
    },
    /// `/*` without `*/`.
    OpenComment,
    /// No `system Name { … }`.
    NoSystem {
        /// What stands there.
        found: String,
    },
    /// Something follows the system.
    AfterSystem,
    /// Brackets, signs or powers are nested too deep.
    TooDeep {
        /// The greatest depth.
        limit: usize,
    },
    /// More tokens than a declaration has.
    TooLong {
        /// The most.
        limit: usize,
    },
    /// More letters than a name has.
    LongName {
        /// The most.
        limit: usize,
    },
    /// More than a block may declare.
    TooMany {
        /// What there is too much of, in the plural.
        what: &'static str,
        /// The most.
        limit: usize,
    },
    /// Arrays whose elements, written out, come to too much.
    LongUnrolling {
        /// The most, in names and signs.
        limit: usize,
    },
    /// An expected piece of syntax is not there.
    Expected {
        /// What is expected.
        what: String,
        /// What stands there.
        found: String,
    },
    /// A word that begins no item of this block.
    UnknownItem {
        /// The word.
        word: String,
        /// The block, with its article.
        block: &'static str,
        /// What it may hold.
        known: &'static [&'static str],
    },
    /// `m*ẍ + k*x = 0;` among the items of a system.
    EquationOfMotion {
        /// Its first word.
        word: String,
    },
    /// `impact = elastic;` among the items of a system.
    InContact {
        /// The item.
        word: String,
    },
    /// A name with `=` among the items of a system.
    Definition {
        /// The name.
        word: String,
    },
    /// A part of the language that this version does not have.
    Later {
        /// The word.
        word: String,
        /// What can be written instead.
        instead: &'static str,
    },
    /// An item that stands once stands twice.
    Twice {
        /// The item.
        what: String,
        /// What to do with two.
        instead: &'static str,
    },
    /// A block without a part it needs.
    Lacks {
        /// The block with its name.
        block: String,
        /// The part with its article.
        part: &'static str,
        /// The part as it is written.
        form: &'static str,
    },
    /// An option that a shape does not have.
    ShapeOption {
        /// The option.
        option: String,
        /// The shape.
        shape: &'static str,
        /// What it has.
        takes: Vec<&'static str>,
    },
    /// A word of prose among the arguments of a shape.
    ShapeWord {
        /// The word.
        word: String,
        /// The shape as it is written.
        form: String,
    },
    /// A colour that is no word of one, and no number.
    UnknownColor {
        /// As written.
        written: String,
    },
    /// `;` is missing.
    NoSemicolon {
        /// What it should follow.
        after: String,
    },
    /// `;` where `,` separates.
    SemicolonInList {
        /// The entries of the list, in the plural.
        entries: &'static str,
    },
    /// `1 kg`
    Unit {
        /// The unit.
        unit: String,
    },
    /// `10 s;`
    UnitOrFactor {
        /// The word.
        word: String,
    },
    /// `50%`
    Percent,
    /// `"l": 1`
    QuotedName,
    /// `x_1..x_3` where names are declared.
    RangeOfNames,
    /// `ẋ = 0;` among rows.
    NoRowName {
        /// The whole row.
        row: String,
    },
    /// `claim c: kinetic >= 0;`
    ClaimedBound {
        /// Whether `<` or `>`.
        strict: bool,
    },
    /// `claim c: m*ẍ + k*x;`
    NoSides {
        /// What should be an equation.
        of: String,
    },
    /// `(0, 1)`
    SeveralInBrackets,
    /// `… = 0 when y = 0`
    WhenBehind,
    /// `x in [0, 1]`
    Interval {
        /// What is written instead.
        instead: String,
    },
    /// `0,5`
    DecimalComma {
        /// Its digits before the comma.
        whole: String,
        /// Those behind it.
        part: String,
    },
    /// `my-pendulum`, a name with signs in it.
    NameWithSign {
        /// The name, with `_` for them.
        meant: String,
    },
    /// `x += F`: a sign of other languages that changes a value.
    Compound {
        /// The sign.
        sign: &'static str,
    },
    /// `force F @ x`.
    ForceAt {
        /// The coordinate.
        coordinate: String,
        /// The force.
        force: String,
    },
    /// `guard = x == 1`, `gap = y >= 0`.
    OneSide {
        /// `guard` or `gap`.
        word: String,
        /// The side that passes 0.
        meant: String,
    },
    /// `if`
    Branch {
        /// The word.
        word: String,
    },
    /// `velocities { ẋ, ẏ }`
    SpeedAlone {
        /// The name.
        name: String,
    },
    /// `coordinates { x = 0 }`
    ValueInList {
        /// The entries of the list, in the plural.
        entries: &'static str,
    },
    /// `coordinates { x(t) }`
    OfTime {
        /// The entries of the list, in the plural.
        entries: &'static str,
    },
    /// Two operands without an operator.
    NoOperator {
        /// The second operand.
        right: String,
    },
    /// No operand where one must stand.
    NoExpression {
        /// What stands there.
        found: String,
    },
    /// `**`.
    StarStar,
    /// `.*`, as other languages multiply arrays.
    Elementwise {
        /// The sign.
        sign: &'static str,
        /// What is written.
        instead: &'static str,
    },
    /// `claim c when x > 0: …`
    ConditionCompares,
    /// `sin^2(x)`
    PowerOfFunction {
        /// As it is written here.
        meant: String,
    },
    /// `x % 2`
    Remainder,
    /// `x(0) = 1`, where a value is given.
    ValueAt {
        /// The name.
        name: String,
        /// What stands in the brackets.
        at: String,
    },
    /// `==`.
    EqualEqual,
    /// A second `=` in one equation.
    EqualsAgain,
    /// `restitution(e = 0.5)`
    NamedArgument,
    /// A comparison where a value or an equation is expected.
    Comparison {
        /// The sign.
        sign: String,
    },
    /// `0 < x < 1`.
    ComparisonChain,
    /// `|x|`.
    Bars,
    /// `x'`.
    Prime,
    /// `.5`.
    LeadingPoint,
    /// `2m`, `2e*x`, `1f64`.
    Suffix {
        /// The number without the suffix.
        number: String,
        /// The suffix.
        suffix: String,
    },
    /// `0xff`.
    NotDecimal {
        /// The literal.
        literal: String,
    },
    /// More digits or a larger exponent than a quantity has.
    HugeNumber {
        /// The most digits.
        digits: usize,
        /// The largest power of ten.
        order: i32,
    },
    /// A string or character literal in an expression.
    NotANumber {
        /// The literal.
        literal: String,
    },
    /// A word that Rust keeps for itself as a name.
    Keyword {
        /// The word.
        word: String,
    },
    /// `r#name`.
    RawName {
        /// The name without `r#`.
        name: String,
    },
    /// An index or an end of a range that is no whole number.
    NotWhole,
    /// A negative index of a name.
    NegativeIndex,
    /// A range in which nothing lies.
    EmptyRange,
    /// A range of more than is unrolled.
    LongRange {
        /// The most.
        limit: i64,
    },
    /// No `i in` where an index must be named.
    NoIndex {
        /// What is missing.
        what: &'static str,
        /// The whole as it is written.
        form: &'static str,
        /// What stands there.
        found: String,
    },
    /// The index of a sum within what has the same index.
    IndexTwice {
        /// Its name.
        name: String,
    },
    /// `a..=b` as the ends of an integral.
    ClosedIntegral,
    /// Arguments after the name of a `let`.
    LetWithArguments {
        /// The name.
        name: String,
    },
    /// A word that is near one that can stand here.
    Misspelt {
        /// The word.
        word: String,
        /// The other.
        meant: &'static str,
    },
    /// `#` or `%` before what is meant as a comment.
    Comment {
        /// The sign.
        sign: char,
    },
    /// `np.cos`
    OfModule {
        /// As written.
        written: String,
        /// The name without the module.
        name: String,
    },
    /// `x.sin()`
    Method {
        /// As written, without its brackets.
        written: String,
        /// The function.
        function: String,
    },
    /// `summ(…, i in 1..=3)`
    NoTotal {
        /// The function.
        function: String,
    },
    /// `force { x: 1; }`
    Block {
        /// The word of the item.
        item: &'static str,
        /// How it is written.
        form: String,
    },
    /// A range `a..b` in an expression.
    Range,
    /// A doc comment behind what it is meant to document.
    DocBehind,
    /// An attribute other than a doc comment.
    Attribute,
    /// `//!` or `#![…]`.
    InnerAttribute,
    /// A word that is no impact law.
    UnknownLaw {
        /// The word.
        word: String,
    },
    /// A word after `impacts =` that says nothing of impacts.
    UnknownImpacts {
        /// The word.
        word: String,
    },
    /// A law that only claims know.
    LawOfClaims {
        /// The law.
        law: &'static str,
    },
    /// Arguments of a law: too many, or some where there are none.
    LawArguments {
        /// The law.
        law: String,
    },
    /// The coefficients of friction are one or two.
    FrictionArguments {
        /// The word before them.
        word: &'static str,
    },
    /// Friction of a row among the rows.
    FrictionAmongRows {
        /// The row.
        row: String,
    },
    /// A law that only contacts know.
    LawOfContacts {
        /// The law.
        law: String,
    },
    /// `under` without `at`.
    UnderWithoutAt,
    /// A number of impacts or events that is no whole number.
    NotACount {
        /// What counts them, such as `until impacts`.
        word: String,
    },
    /// `until` names nothing.
    UnknownEnd {
        /// The word.
        word: String,
    },
    /// LaTeX that cannot be read.
    Tex {
        /// What it is.
        kind: MistakeKind,
        /// The piece of the text.
        found: String,
    },
    /// A symbol without a meaning.
    NoMeaning {
        /// As printed.
        symbol: String,
        /// A declared name that is near.
        near: Option<String>,
    },
    /// A symbol with two meanings.
    TwoMeanings {
        /// As printed.
        symbol: String,
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// `x(t)`, `L(q)` where nothing says whether that is a product.
    Arguments {
        /// As printed.
        printed: String,
    },
    /// Brackets, a region or a branch that need a word of explanation.
    Unexplained {
        /// What it is.
        what: &'static str,
        /// What to do.
        help: String,
    },
    /// A printed form and its correction that have not the same rows.
    RowsDiffer {
        /// Rows of the print.
        printed: usize,
        /// Rows of the correction.
        corrected: usize,
    },
    /// A correction that corrects nothing.
    NothingCorrected {
        /// The name of the erratum.
        name: String,
    },
    /// A string that is no number of an equation.
    NotANumberOfEquation {
        /// The string.
        text: String,
    },
    /// An erratum without its corrected form.
    NoCorrection {
        /// The name of the erratum.
        name: String,
    },
}
