//! A line of a report: an equation or a remark, as text and in LaTeX.

use crate::print::remark;

/// A piece of mathematics in both notations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// In the syntax of the language.
    pub unicode: String,
    /// In LaTeX, for math mode.
    pub latex: String,
}

impl Printed {
    pub(super) fn pair(unicode: impl Into<String>, latex: impl Into<String>) -> Self {
        Self { unicode: unicode.into(), latex: latex.into() }
    }
}

/// One line of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// left = right, with a name where it has one.
    Equation {
        /// `roll_x`, empty without one.
        name: String,
        /// Left side.
        left: Printed,
        /// Right side.
        right: Printed,
    },
    /// A name that other lines use, and its value.
    Definition {
        /// The name.
        left: Printed,
        /// What it stands for.
        right: Printed,
    },
    /// A remark; its LaTeX is for math mode too.
    Note(Printed),
}

impl Line {
    /// left = right without a name; the remark where there is no right side.
    pub(super) fn equation_of(left: Printed, right: Result<Printed, Self>) -> Self {
        match right {
            Ok(right) => Self::Equation { name: String::new(), left, right },
            Err(note) => note,
        }
    }

    /// The line as text without its name.
    pub(super) fn unicode(&self) -> String {
        match self {
            Self::Equation { left, right, .. } | Self::Definition { left, right } => {
                format!("{} = {}", left.unicode, right.unicode)
            }
            Self::Note(note) => note.unicode.clone(),
        }
    }

    /// The length of the right side; a remark is longer than any.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Equation { right, .. } | Self::Definition { right, .. } => {
                right.unicode.chars().count()
            }
            Self::Note(_) => usize::MAX,
        }
    }

    /// Whether a minus leads the right side.
    pub(super) fn is_negative(&self) -> bool {
        matches!(self, Self::Equation { right, .. } if right.unicode.starts_with('-'))
    }

    /// The same as a name for other lines.
    pub(super) fn defining(self) -> Self {
        match self {
            Self::Equation { name, left, right } if name.is_empty() => {
                Self::Definition { left, right }
            }
            other => other,
        }
    }

    pub(super) fn note(text: &str) -> Self {
        Self::Note(Printed::pair(text, format!(r"\text{{{}}}", remark(text))))
    }
}
