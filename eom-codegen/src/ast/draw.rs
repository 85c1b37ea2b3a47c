//! Shapes of `draw { … }` as they are written.

use super::{Equation, Expr, Ident, Region};
use eom_symbolic::mechanics::drawing::Primitive;
use std::fmt::{self, Display, Formatter};

/// `disk [x, y], R, spoke θ, label "wheel";`
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What is drawn.
    pub primitive: &'static Primitive,
    /// Its word.
    pub word: Region,
    /// Points, lengths, angles.
    pub arguments: Vec<Expr>,
    /// The curve of `ground`.
    pub curve: Option<Equation>,
    /// Options.
    pub options: Vec<DrawnOption>,
}

/// `spoke θ`
#[derive(Clone, Debug)]
pub struct DrawnOption {
    /// Its word.
    pub word: Ident,
    /// What follows it.
    pub value: OptionValue,
}

/// What follows the word of an option.
#[derive(Clone, Debug)]
pub enum OptionValue {
    /// A text, or the word of a colour.
    Text(String),
    /// An expression.
    Expr(Expr),
}

impl Drawn {
    /// The text of an option, empty without it.
    #[must_use]
    pub fn text(&self, word: &str) -> &str {
        match self.option(word) {
            Some(OptionValue::Text(text)) => text,
            _ => "",
        }
    }

    /// The expression of an option.
    #[must_use]
    pub fn expression(&self, word: &str) -> Option<&Expr> {
        match self.option(word) {
            Some(OptionValue::Expr(value)) => Some(value),
            _ => None,
        }
    }

    fn option(&self, word: &str) -> Option<&OptionValue> {
        let found = self.options.iter().find(|option| option.word.text == word);
        found.map(|option| &option.value)
    }

    /// All expressions.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let curve = self.curve.iter().flat_map(|curve| [&curve.lhs, &curve.rhs]);
        let options = self.options.iter().filter_map(|option| match &option.value {
            OptionValue::Expr(value) => Some(value),
            OptionValue::Text(_) => None,
        });
        self.arguments.iter().chain(curve).chain(options)
    }

    /// The same with each expression as `change` makes it.
    #[must_use]
    pub(crate) fn map(&self, change: &dyn Fn(&Expr) -> Expr) -> Self {
        let option = |option: &DrawnOption| DrawnOption {
            word: option.word.clone(),
            value: match &option.value {
                OptionValue::Expr(value) => OptionValue::Expr(change(value)),
                text @ OptionValue::Text(_) => text.clone(),
            },
        };
        let curve =
            |curve: &Equation| Equation { lhs: change(&curve.lhs), rhs: change(&curve.rhs) };
        Self {
            arguments: self.arguments.iter().map(change).collect(),
            curve: self.curve.as_ref().map(curve),
            options: self.options.iter().map(option).collect(),
            ..self.clone()
        }
    }
}

impl Display for Drawn {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.primitive.name)?;
        let mut separator = " ";
        for argument in &self.arguments {
            write!(f, "{separator}{argument}")?;
            separator = ", ";
        }
        if let Some(curve) = &self.curve {
            write!(f, "{separator}{curve}")?;
        }
        for option in &self.options {
            match &option.value {
                OptionValue::Text(text) => write!(f, ", {} {text:?}", option.word.text)?,
                OptionValue::Expr(value) => write!(f, ", {} {value}", option.word.text)?,
            }
        }
        Ok(())
    }
}
