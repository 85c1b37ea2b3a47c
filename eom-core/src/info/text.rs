//! Texts that are printed when they are first asked for: most runs print none, and of a large system the print takes
//! longer than the derivation.

use super::described::{Described, FromDescribed};
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

/// What is printed of a system: its equations, by how much a misprint differs. The macro writes it; of a system that is
/// read at run time it is printed when it is first looked at.
#[derive(Clone, Copy)]
pub struct Text(Print);

#[derive(Clone, Copy)]
enum Print {
    Written(&'static str),
    Asked(&'static Asked),
}

struct Asked {
    print: Box<dyn Fn() -> String + Send + Sync>,
    text: OnceLock<String>,
}

impl Text {
    /// A text that is there.
    pub const fn written(text: &'static str) -> Self {
        Self(Print::Written(text))
    }

    /// What `print` makes, when it is first asked for. Some bytes are leaked.
    pub fn asked(print: impl Fn() -> String + Send + Sync + 'static) -> Self {
        let print = Box::new(print);
        Self(Print::Asked(Box::leak(Box::new(Asked { print, text: OnceLock::new() }))))
    }

    /// The text.
    pub fn as_str(self) -> &'static str {
        match self.0 {
            Print::Written(text) => text,
            Print::Asked(Asked { print, text }) => text.get_or_init(print),
        }
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl FromDescribed for Text {
    const EMPTY: Self = Self::written("");

    fn made(from: impl Described) -> Self {
        Self::written(from.text())
    }
}
