//! The message table of the parser: what is wrong, in the user's own words, with one thing to do.

use super::elsewhere::{self, synonym};
use super::spelling::{shown, spelling_of};
use super::{ENDS, NO_JUMPS, Problem, SWITCH, WHOLE_NUMBER};
use eom_symbolic::name::{Name, lookalike};
use eom_symbolic::tex::MistakeKind;

impl Problem {
    /// Whether an unknown item has no name that is near to that of one, here or elsewhere.
    pub(crate) fn is_like_no_item(&self) -> bool {
        let Self::UnknownItem { word, known, .. } = self else { return false };
        let near = eom_symbolic::name::nearest(word, known.iter().copied());
        near.is_none() && synonym(word, known).is_none() && elsewhere::item(word, known).is_none()
    }

    /// The message and the help.
    // table
    #[must_use]
    #[expect(clippy::too_many_lines, reason = "a table: one row a message")]
    pub fn words(&self) -> (String, Option<String>) {
        match self {
            Self::Unreadable { found } => {
                said(format!("`{}` cannot be read here", shown(*found)), spelling_of(*found))
            }
            Self::Escape { before } => said(
                "`\\` has another meaning in this string",
                format!("write `{before}r\"…\"`: a raw string, in which `\\` stands for itself"),
            ),
            Self::Unbalanced => said(
                "the brackets do not match",
                "look for a `(`, `[` or `{` that is not closed, or closed twice",
            ),
            Self::NotClosed { wanted } => {
                said(format!("this is not closed by `{wanted}`"), format!("add `{wanted}`"))
            }
            Self::NotOpened { found } => said(
                format!("`{found}` closes nothing"),
                format!("remove `{found}`, or open it before"),
            ),
            Self::OpenComment => said("the comment does not end", "add `*/`, or write `//`"),
            Self::NoSystem { found }
                if matches!(found.as_str(), "`use`" | "`lagrangian`" | "`mod`") =>
            {
                said(
                    format!("expected a declaration, found {found}"),
                    "a file holds what stands inside `lagrangian! { … }`: write `system Name { … }` alone",
                )
            }
            Self::NoSystem { found } => {
                said(format!("expected a declaration, found {found}"), "write `system Name { … }`")
            }
            Self::AfterSystem => {
                said("a declaration holds one system", "declare the second system on its own")
            }
            Self::TooDeep { limit } => said(
                format!("the expression is nested more than {limit} deep"),
                "name an inner part with `let`",
            ),
            Self::TooLong { limit } => said(
                format!("the declaration goes on beyond {limit} words and signs"),
                "write repetitions with indices, `x[1..=9]` and `sum(…, i in 1..=9)`, or leave parts out",
            ),
            Self::LongName { limit } => {
                said(format!("a name has at most {limit} letters"), "choose a shorter name")
            }
            Self::TooMany { what, limit } => said(
                format!("a system has at most {limit} {what}"),
                "describe it by fewer, or as several systems",
            ),
            Self::LongUnrolling { limit } => said(
                format!(
                    "with its elements written out the declaration goes beyond {limit} words and signs"
                ),
                "shorten the ranges",
            ),
            Self::Expected { what, found } => {
                said(format!("expected {what}, found {found}"), step_to(what))
            }
            Self::UnknownItem { word, .. } if word == "system" => Self::AfterSystem.words(),
            Self::UnknownItem { word, block, known } => {
                let near = || eom_symbolic::name::nearest(word, known.iter().copied());
                let help = match synonym(word, known).or_else(near) {
                    Some(near) => suggestion(word, near),
                    None => format!("it may hold {}", list(known)),
                };
                let help = elsewhere::item(word, known).map_or(help, str::to_owned);
                said(format!("`{word}` is not an item of {block}"), help)
            }
            Self::EquationOfMotion { word } => {
                said(format!("`{word} …` begins no item of a system"), elsewhere::EQUATIONS)
            }
            Self::InContact { word } => said(
                format!("`{word}` is an item of a contact"),
                "write it there: `contact floor { gap = y; impact = elastic; }`",
            ),
            Self::Definition { word } => said(
                format!("`{word}` is not an item of a system"),
                format!(
                    "a definition is `let {word} = …;`, a force `force x = …;`, a value stands in `parameters`"
                ),
            ),
            Self::Misspelt { word, meant } if word == meant && word == "where" => {
                said("`where` stands twice", "join conditions by `&&`: `where e >= 0 && e <= 1`")
            }
            Self::Misspelt { word, meant } => {
                said(format!("`{word}` cannot stand here"), suggestion(word, meant))
            }
            Self::Comment { sign } => {
                said(format!("`{sign}` does not begin a comment"), "write comments as `// …`")
            }
            Self::OfModule { written, name } => said(
                format!("`{written}`: functions and numbers of the language stand in no module"),
                format!("write `{name}`"),
            ),
            Self::Method { written, function } => said(
                format!("`{written}(…)`: a function stands before its brackets"),
                format!("write `{function}`"),
            ),
            Self::NoTotal { function } => said(
                format!("`{function}` does not run over an index"),
                "write `sum(…, i in 1..=3)`, or `integral(…, s in 0..l)`",
            ),
            Self::Block { item, form } => {
                said(format!("`{item}` is no block: it names one thing"), format!("write `{form}`"))
            }
            Self::Later { word, instead } => {
                said(format!("`{word}` is not part of the language yet"), *instead)
            }
            Self::Twice { what, instead } => said(format!("{what} is stated twice"), *instead),
            Self::Lacks { block, part, form } => {
                said(format!("{block} has no {part}"), format!("add `{form}`"))
            }
            Self::ShapeOption { option, shape, takes } => {
                let help = match eom_symbolic::name::nearest(option, takes.iter().copied()) {
                    Some(near) => suggestion(option, near),
                    None => format!("its options are {}", list(takes)),
                };
                said(format!("`{shape}` has no `{option}`"), help)
            }
            Self::ShapeWord { word, form } => {
                said(format!("shapes are written without `{word}`"), format!("write `{form}`"))
            }
            Self::UnknownColor { written } => {
                let colors = eom_symbolic::mechanics::drawing::COLORS;
                let help = match eom_symbolic::name::nearest(written, colors) {
                    Some(near) => suggestion(written, near),
                    None => format!("the colours are {}, or `\"#2b5c9e\"`", list(&colors)),
                };
                said(format!("`{written}` is not a colour"), help)
            }
            Self::NoSemicolon { after } => said(format!("`;` is missing after {after}"), "add `;`"),
            Self::SemicolonInList { entries } => {
                said(format!("{entries} are separated by `,`"), "write `,` for `;`")
            }
            Self::Unit { unit } if unit.starts_with("deg") => said(
                format!("`{unit}` is no part of a number"),
                "write an angle in radians: `30*pi/180`",
            ),
            Self::Unit { unit } => said(
                format!("`{unit}` is no part of a number"),
                format!("say units in a comment: `// {unit}`"),
            ),
            Self::UnitOrFactor { word } => said(
                format!("an operator is missing before `{word}`"),
                format!("write `*` for a product; a unit stands in a comment: `// {word}`"),
            ),
            Self::Percent => said("`%` is no part of a number", "write `0.5` for `50%`"),
            Self::QuotedName => {
                said("a name stands without quotes", "write `l = 1` for `\"l\": 1`")
            }
            Self::DecimalComma { whole, part } => said(
                "a number has a decimal point",
                format!("write `{whole}.{part}` for `{whole},{part}`"),
            ),
            Self::NameWithSign { meant } => {
                said("a name has letters, digits and `_`", format!("write `{meant}`"))
            }
            Self::Compound { sign } => said(
                format!("`{sign}` is not a sign of the language"),
                "write the whole value behind `=`: `x = x + 1` in a reset, one sum in `force x = …;`",
            ),
            Self::ForceAt { coordinate, force } => said(
                "a force is written behind the coordinate on which it acts",
                format!("write `force {coordinate} = {force};`"),
            ),
            Self::OneSide { word, meant } => said(
                match word.as_str() {
                    "guard" => "a guard is one value: the event is where it passes 0",
                    _ => "a gap is one value, which stays positive",
                },
                format!("write `{word} = {meant};`"),
            ),
            Self::Branch { word } => said(format!("`{word}` is no part of a formula"), SWITCH),
            Self::SpeedAlone { name } => said(
                format!("the quasi-velocity `{name}` is not given in velocities of coordinates"),
                "leave out what is the velocity of a coordinate; another speed is given: `u = ẋ + ẏ`",
            ),
            Self::ValueInList { entries } => said(
                format!("{entries} are declared without a value"),
                if *entries == "inputs" {
                    "leave it out: an input is 0 until a scenario, `scenario pushed { F = 1; until t = 10; }`, or who runs it \
                     gives a value; what stays is a parameter, `parameters { F = 1 }`"
                } else {
                    "say how a motion starts in a scenario: `scenario start { x = 1; until t = 10; }`"
                },
            ),
            Self::OfTime { entries } => {
                said(format!("{entries} are functions of time as they are"), "leave `(t)` out")
            }
            Self::NoOperator { right } => said(
                format!("an operator is missing before {right}"),
                "write `*` for a product, brackets for a function: `sin(x)`",
            ),
            Self::NoExpression { found } => said(
                format!("expected an expression, found {found}"),
                "write a number, a name, or a formula such as `m*g*y`",
            ),
            Self::StarStar => said("`**` is not an operator", "write `^` for a power"),
            Self::Elementwise { sign, instead } => {
                said(format!("`{sign}` is not an operator"), format!("write `{instead}`"))
            }
            Self::ConditionCompares => said(
                "a condition of a claim is an equation",
                "write `when x = 0`; where `x > 0` is meant write `abs(x)` for `x`",
            ),
            Self::PowerOfFunction { meant } => said(
                "the power of a function stands behind its brackets",
                format!("write `{meant}`"),
            ),
            Self::Remainder => said("`%` is not an operator", NO_JUMPS),
            Self::ValueAt { name, at } if matches!(name.as_str(), "λ" | "lambda" | "friction") => {
                said(
                    format!("`{name}({at})` cannot be set: forces follow from the motion"),
                    "leave it out",
                )
            }
            Self::ValueAt { name, at } => said(
                format!("`{name}({at})` cannot be set: a value is given to `{name}`"),
                format!("leave `({at})` out"),
            ),
            Self::EqualEqual => said("`==` is not a sign of an equation", "write `=`"),
            Self::EqualsAgain => said(
                "an equation has one `=`",
                "state the second equation in an item of its own; a guard or a gap is the side that becomes zero",
            ),
            Self::NamedArgument => said(
                "`=` stands between the sides of an equation, not in brackets",
                "write the value alone: `restitution(0.5)`",
            ),
            Self::Comparison { sign } => said(
                format!("`{sign}` cannot stand here"),
                "bounds stand at a parameter, joined by `&&`: `R = 1 where R > 0 && R < 2`; what switches is an `event`, \
                 a contact, `ramp` or `smoothstep`; a gap is what stays positive, `gap = y;`",
            ),
            Self::ComparisonChain => said(
                "a bound compares two values",
                "write two, `0 < x && x < 1` at a parameter, `0 < x, x < 1` in `when`",
            ),
            Self::Bars => said("`|` is not an operator", "write `abs(x)` for |x|"),
            Self::Prime => said("`'` is not a derivative", "write `ẋ` or `x_dot`"),
            Self::LeadingPoint => said("a number begins with a digit", "write `0.5` for `.5`"),
            Self::Suffix { number, suffix } if is_rust_type(suffix) => said(
                format!("`{number}{suffix}`: numbers carry no type here"),
                format!("write `{number}`"),
            ),
            Self::Suffix { number, suffix } if suffix.starts_with("deg") => said(
                format!("`{suffix}` is no part of a number"),
                format!("write an angle in radians: `{number}*pi/180`"),
            ),
            Self::Suffix { number, suffix } if matches!(suffix.as_str(), "rad" | "radians") => {
                said(
                    format!("`{suffix}` is no part of a number"),
                    format!("an angle is in radians: write `{number}`"),
                )
            }
            Self::Suffix { number, suffix } => said(
                format!("an operator is missing in `{number}{suffix}`"),
                format!("write `{number}*{suffix}`"),
            ),
            Self::NotDecimal { literal } => {
                said(format!("`{literal}` is not a decimal number"), "write it in base ten")
            }
            Self::HugeNumber { digits, order } => said(
                format!(
                    "a number has at most {digits} digits and lies between 1e-{order} and 1e{order}"
                ),
                "choose other units",
            ),
            Self::NotANumber { literal } => {
                said(format!("{literal} is not a number"), "write a number or a name")
            }
            Self::Keyword { word } => {
                said(format!("`{word}` is a word of Rust"), "choose another name")
            }
            Self::RawName { name } => {
                said(format!("`r#{name}` is not a name here"), "leave out `r#`")
            }
            Self::NotWhole => said("this is not a whole number", WHOLE_NUMBER),
            Self::NegativeIndex => said("a name has no negative index", "count from 0 or 1"),
            Self::EmptyRange => said(
                "nothing lies in this range",
                "the end of `a..b` does not belong to it, that of `a..=b` does",
            ),
            Self::LongRange { limit } => said(
                format!("a range holds at most {limit} numbers"),
                "shorten it; a body of many points has an `integral`",
            ),
            Self::NoIndex { what, form, found } => {
                said(format!("expected the {what}, found {found}"), format!("write `{form}`"))
            }
            Self::IndexTwice { name } => said(
                format!("`{name}` is already the index of what this stands in"),
                "choose another name",
            ),
            Self::ClosedIntegral => {
                said("an integral has no last term", "write its ends as `a..b`")
            }
            Self::LetWithArguments { name } => said(
                format!("`{name}(…)`: a definition has no arguments"),
                format!("write `{name} = …;`, or `function {name}(x, y) = …;` of coordinates"),
            ),
            Self::RangeOfNames => said(
                "names do not run from one to another",
                "write `x[1..=3]` for x[1], x[2], x[3]",
            ),
            Self::NoRowName { row } => {
                said("the row has no name", format!("name the row: `row: {row};`"))
            }
            Self::ClaimedBound { strict } => said(
                "what is claimed of states is an equation",
                if *strict {
                    "write `sign(b - a) = 1` for `a < b`"
                } else {
                    "write `abs(b - a) = b - a` for `a <= b`"
                },
            ),
            Self::NoSides { of } => {
                said(format!("{of} states no equation"), "write both sides, `… = 0`")
            }
            Self::SeveralInBrackets => said(
                "round brackets hold one value",
                "write the range of a sum or an integral as `s in 0..1`, a vector as `[0, 1]`",
            ),
            Self::WhenBehind => said(
                "`when` does not stand behind a formula",
                "write `claim name when x = 0: …`, in a contact `when x > 0;` as an item of its own",
            ),
            Self::Interval { instead } => {
                said("`in` stands before a range of a sum or an integral", instead.clone())
            }
            Self::Range => said(
                "a range stands in `sum`, `integral` and behind a name that is declared only",
                "write the terms out, or `sum`",
            ),
            Self::DocBehind => said(
                "a doc comment documents what follows it",
                "write it on the line above, or as a plain comment, `// …`",
            ),
            Self::Attribute => said("only doc comments can stand here", "write `/// …`"),
            Self::InnerAttribute => said(
                "`//!` and `#![…]` cannot stand here",
                "document the item that follows with `///`",
            ),
            Self::UnknownLaw { word } => said(
                format!("`{word}` is not an impact law"),
                elsewhere::law(word).map_or_else(|| near_or(word, LAWS, SOME_LAWS), str::to_owned),
            ),
            Self::UnknownImpacts { word } => said(
                format!("`{word}` does not say what contacts do that are struck at one time"),
                near_or(
                    word,
                    &["joint", "sequential", "tangential"],
                    "write `joint`, all together, `sequential`, one after another, or `tangential`, with impacts of \
                     what jams",
                ),
            ),
            Self::LawOfClaims { law } => said(
                format!("`{law}` is a law for claims only"),
                "write elastic, plastic, restitution(e) or project",
            ),
            Self::LawArguments { law } if law == "restitution" => said(
                "restitution takes one number, or one for the gap and one for the contact's rows",
                "write `restitution(e)` with e in [0, 1]",
            ),
            Self::LawArguments { law } if law == "poisson" || law == "stronge" => said(
                format!("{law} takes one number"),
                format!("write `{law}(e)` with e in [0, 1]"),
            ),
            Self::FrictionArguments { word } => said(
                format!(
                    "{word} takes one coefficient, or one for what sticks and one for what slides"
                ),
                format!("write `{word} = μ;` or `{word}(μ_s, μ);`"),
            ),
            Self::FrictionAmongRows { row } => said(
                "the friction of a row stands beside the rows, with what slips along it",
                format!("write `row {row} {{ slip = ẋ; friction = μ; }}` as an item of the system"),
            ),
            Self::LawOfContacts { law } => said(
                format!("`{law}` is a law of contacts only"),
                "state the claim at a contact with that law, without `under`",
            ),
            Self::LawArguments { law } => {
                said(format!("`{law}` takes no arguments"), format!("write `{law}`"))
            }
            Self::UnderWithoutAt => {
                said("a law belongs to a contact", "write `at contact under law`")
            }
            Self::NotACount { word } => said(
                "impacts and events are counted in whole numbers",
                format!("write `{word} = 20;`"),
            ),
            Self::UnknownEnd { word } => said(format!("a scenario cannot end by `{word}`"), ENDS),
            Self::Tex { kind, found } => tex(kind, found),
            Self::NoMeaning { symbol, near } => said(
                format!("`{symbol}` has no meaning here"),
                match near {
                    Some(near) => {
                        format!("write `notation {{ r\"{symbol}\" = {near}; }}`, if that is meant")
                    }
                    None => format!("write `notation {{ r\"{symbol}\" = …; }}`"),
                },
            ),
            Self::TwoMeanings { symbol, first, second } => said(
                format!("`{symbol}` has two meanings: {first} and {second}"),
                format!("say which: `notation {{ reading r\"{symbol}\" = …; }}`"),
            ),
            Self::Arguments { printed } => said(
                format!("`{printed}` may be a value or a product"),
                format!("write `notation {{ r\"{printed}\" = …; }}`"),
            ),
            Self::Unexplained { what, help } => said(*what, help.clone()),
            Self::RowsDiffer { printed, corrected } => said(
                format!("the print has {printed} rows, the correction {corrected}"),
                "write the whole display in both",
            ),
            Self::NothingCorrected { name } => said(
                format!("erratum `{name}` corrects nothing: both forms are the same"),
                "state it as a `claim`",
            ),
            Self::NotANumberOfEquation { text } => said(
                format!("`{text}` is not the number of an equation"),
                "write `\"(2.10)\"`, `\"display 2.10\"`, `\"prose 3.2\"`, or a name",
            ),
            Self::NoCorrection { name } => said(
                format!("erratum `{name}` has no corrected form"),
                "write `; corrected: …;` after the printed equation",
            ),
        }
    }
}

/// What is said of LaTeX that cannot be read.
fn tex(kind: &MistakeKind, found: &str) -> (String, Option<String>) {
    match kind {
        MistakeKind::Character(c) => said(
            format!("`{}` cannot be read in LaTeX", shown(*c)),
            "write it as a command or leave it out",
        ),
        MistakeKind::Command(command) => said(
            format!("`\\{command}` is not a command that has a meaning here"),
            "write the formula with fractions, roots, sums, integrals and symbols",
        ),
        MistakeKind::Expected(what) => {
            let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
            said(format!("expected {what}, found {found}"), format!("write {what}"))
        }
        MistakeKind::NotClosed(opened) => said(
            format!("`{opened}` is not closed here"),
            "close it, or put what follows in brackets",
        ),
        MistakeKind::TooDeep => {
            said("the formula is nested too deep", "name an inner part in `notation`")
        }
        MistakeKind::NoRelation => {
            said("this is no equation", "write both sides, with `=` between them")
        }
        MistakeKind::OnlyGiven => said(
            "all of it is given, so that nothing is claimed",
            "state something of it, or leave the claim away",
        ),
        MistakeKind::Argument(function) => said(
            format!("where the argument of `\\{function}` ends is not printed"),
            format!("write brackets: `\\{function}(…)`"),
        ),
        MistakeKind::Derivative => said(
            "where the derivative ends is not printed",
            "write brackets around what is differentiated",
        ),
        MistakeKind::Braces => said(
            format!("`{found}`: braces are not printed"),
            "write brackets, `\\left(…\\right)`, or leave the braces out",
        ),
        MistakeKind::Numbers => said(
            format!("`{found}` may be one number or a product"),
            "write its digits without a space, or `\\cdot` between two numbers",
        ),
        MistakeKind::Slash { slash, behind } => {
            let piece = |from: usize, to: usize| found.get(from..to).unwrap_or_default().trim();
            let above = piece(0, *slash);
            let (below, rest) = (piece(slash + 1, *behind), piece(*behind, found.len()));
            said(
                format!("`{found}` may be `({above}/{below}){rest}` or `{above}/({below}{rest})`"),
                "write the one that is meant, with its brackets or as `\\frac{…}{…}`",
            )
        }
        MistakeKind::Undecidable(what) => said(
            format!("`{what}` cannot be decided at one state"),
            "state what it comes to, or give the symbol a value in `notation`",
        ),
        MistakeKind::NotASymbol => said(
            "a notation explains a symbol, with arguments where it has some",
            "write a letter with its font, dots and index, such as `r\"\\mathbf{V}_0\"`",
        ),
    }
}

const SOME_LAWS: &str = "write `elastic`, `plastic`, `restitution(e)` with e in [0, 1], `restitution(e, e_t)` or `project`";

/// The laws of impact.
const LAWS: &[&str] = &[
    "elastic",
    "plastic",
    "restitution",
    "poisson",
    "stronge",
    "project",
    "assign",
    "reflect",
    "corner",
];

/// What may be meant by a word that is not known; where both look the same, the letter that differs.
pub(crate) fn suggestion(written: &str, near: &str) -> String {
    // `y_dot` looks like `ẏ` of a declared y.
    let dotted = || lookalike::difference(&Name::parse(written).unicode(), near);
    let Some((found, meant)) = lookalike::difference(written, near).or_else(dotted) else {
        return format!("did you mean `{near}`?");
    };
    let (told, other) = (lookalike::described(found), lookalike::described(meant));
    if found.is_ascii() && lookalike::is_cyrillic(meant) {
        format!("write {told} where it is declared, too: it is {other} there")
    } else {
        format!("write {other} for {told}")
    }
}

/// The nearest of some words, or else what is said without one.
fn near_or(word: &str, known: &[&'static str], otherwise: &str) -> String {
    let near = eom_symbolic::name::nearest(word, known.iter().copied());
    near.map_or_else(|| otherwise.to_owned(), |near| suggestion(word, near))
}

fn said(message: impl Into<String>, help: impl Into<String>) -> (String, Option<String>) {
    (message.into(), Some(help.into()))
}

/// What to do where a piece of syntax is expected: to write it.
fn step_to(what: &str) -> String {
    let sign = what.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    match sign {
        Some((sign, _)) => format!("write `{sign}`"),
        None if what == "an item" => "remove it".to_owned(),
        None if what == "a law of impact" => SOME_LAWS.to_owned(),
        None if what.starts_with("the name of the coordinate on which") => {
            "write `force x = …;`, one for each coordinate".to_owned()
        }
        None if what.contains("name") => {
            "write a name: letters, digits and `_`, a letter first".to_owned()
        }
        None => format!("write {what}"),
    }
}

fn list(words: &[&str]) -> String {
    words.join(", ")
}

fn is_rust_type(suffix: &str) -> bool {
    let digits = suffix.strip_prefix(['f', 'i', 'u']).unwrap_or("");
    matches!(digits, "8" | "16" | "32" | "64" | "128" | "size")
}
