//! The tree back as text: readable, in as few brackets as keep the tree, and read back as the same.

use super::{
    Assignment, Bound, Claim, Equation, Erratum, Expr, ExprKind, Factor, Motion, Place, Range,
    Relation, Row, Sentence, Statement, Term,
};
use std::fmt::{self, Display, Formatter, Write};

/// How tightly a form binds; an operand that binds less tightly than its place takes brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Negation,
    Product,
    Power,
    Atom,
}

impl Expr {
    /// The expression as it can be written in a declaration.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.to_string()
    }

    fn binding(&self) -> Binding {
        match self.kind {
            ExprKind::Sum(_) => Binding::Sum,
            ExprKind::Neg(_) => Binding::Negation,
            ExprKind::Product(_) => Binding::Product,
            ExprKind::Pow { .. } => Binding::Power,
            _ => Binding::Atom,
        }
    }

    fn write_at(&self, least: Binding, f: &mut Formatter<'_>) -> fmt::Result {
        if self.binding() < least { write!(f, "({self})") } else { write!(f, "{self}") }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Number(number) => f.write_str(&number.text),
            ExprKind::Name(name) => f.write_str(&name.text),
            ExprKind::Member { contact, row } => write!(f, "{}.{}", contact.text, row.text),
            ExprKind::Call { function, arguments } => {
                f.write_str(&function.text)?;
                write_list(f, '(', arguments, ')')
            }
            ExprKind::Index { base, indices } => {
                base.write_at(Binding::Atom, f)?;
                write_list(f, '[', indices, ']')
            }
            ExprKind::Array(entries) => write_list(f, '[', entries, ']'),
            ExprKind::Total(total) => {
                write!(f, "sum({}, {} in {})", total.term, total.index.text, total.range)
            }
            ExprKind::Integral(total) => {
                write!(f, "integral({}, {} in {})", total.term, total.index.text, total.range)
            }
            ExprKind::Neg(operand) => {
                f.write_char('-')?;
                operand.write_at(Binding::Product, f)
            }
            ExprKind::Sum(terms) => write_sum(f, terms),
            ExprKind::Product(factors) => write_product(f, factors),
            ExprKind::Pow { base, exponent } => {
                base.write_at(Binding::Atom, f)?;
                f.write_char('^')?;
                match &exponent.kind {
                    ExprKind::Neg(inner) => {
                        f.write_char('-')?;
                        inner.write_at(Binding::Power, f)
                    }
                    _ => exponent.write_at(Binding::Power, f),
                }
            }
        }
    }
}

fn write_list(f: &mut Formatter<'_>, open: char, entries: &[Expr], close: char) -> fmt::Result {
    f.write_char(open)?;
    for (index, entry) in entries.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        write!(f, "{separator}{entry}")?;
    }
    f.write_char(close)
}

fn write_sum(f: &mut Formatter<'_>, terms: &[Term]) -> fmt::Result {
    for (index, term) in terms.iter().enumerate() {
        f.write_str(match (index, term.minus) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        })?;
        let first = index == 0 && !term.minus;
        term.expr.write_at(if first { Binding::Sum } else { Binding::Product }, f)?;
    }
    Ok(())
}

fn write_product(f: &mut Formatter<'_>, factors: &[Factor]) -> fmt::Result {
    for (index, factor) in factors.iter().enumerate() {
        if index > 0 {
            f.write_char(if factor.divides { '/' } else { '*' })?;
        }
        factor.expr.write_at(if index == 0 { Binding::Negation } else { Binding::Power }, f)?;
    }
    Ok(())
}

impl Display for Range {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}{}", self.first, if self.inclusive { "=" } else { "" }, self.last)
    }
}

impl Display for Equation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.lhs, self.rhs)
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.rhs {
            Some(rhs) => write!(f, "{} = {rhs}", self.lhs),
            None => write!(f, "{}", self.lhs),
        }
    }
}

impl Display for Assignment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.target.text, self.value)
    }
}

impl Display for Relation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        })
    }
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.lhs, self.relation, self.rhs)
    }
}

/// ` at contact under law when f = 0, g = 0`, with a space before it; empty where there is none.
impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, (contact, along)) in self.closed.iter().enumerate() {
            write!(f, "{} {}", if index == 0 { " closed" } else { "," }, contact.text)?;
            if let Some(along) = along {
                write!(f, " {}", along.word())?;
            }
        }
        if let Some(contact) = &self.at {
            write!(f, " at {}", contact.text)?;
        }
        if let Some(law) = &self.under {
            write!(f, " under {law}")?;
        }
        for (index, equation) in self.when.iter().enumerate() {
            write!(f, "{} {equation}", if index == 0 { " when" } else { "," })?;
        }
        Ok(())
    }
}

impl Display for Motion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let constants = self.constants.iter().map(|c| c.text.as_str()).collect::<Vec<_>>();
        write!(f, "motion({}) {{ ", constants.join(", "))?;
        for component in &self.components {
            write!(f, "{component}; ")?;
        }
        f.write_char('}')
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equation(equation) => write!(f, "{equation}"),
            Self::Motion(motion) => write!(f, "{motion}"),
        }
    }
}

impl Display for Claim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "claim {}{}: {};", self.name.text, self.place, self.statement)
    }
}

/// `of straight with ẋ = 1: re(eigenvalues[1]) = 3.527 within 1e-3`
impl Display for Sentence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "of {}", self.scenario.text)?;
        for (index, setting) in self.settings.iter().enumerate() {
            write!(f, "{} {setting}", if index == 0 { " with" } else { "," })?;
        }
        write!(f, ": {} ", self.quantity)?;
        match self.relation {
            Some(relation) => write!(f, "{relation} {}", self.value)?,
            None => write!(f, "= {}", self.value)?,
        }
        self.within.as_ref().map_or(Ok(()), |within| write!(f, " within {within}"))
    }
}

impl Display for Erratum {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, place, printed, corrected, .. } = self;
        write!(f, "erratum {}{place}: {printed}; corrected: {corrected};", name.text)
    }
}
