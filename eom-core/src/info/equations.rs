//! The equations of a system as text, printed when they are first asked for: most runs print none, and of a large
//! system the print takes longer than the derivation.

use super::described::{Described, FromDescribed};
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

/// The derived equations as text. The macro writes them; those of a system that is read at run time are printed
/// when they are first looked at.
#[derive(Clone, Copy)]
pub struct Equations(Print);

#[derive(Clone, Copy)]
enum Print {
    Written(&'static str),
    Asked(&'static Asked),
}

struct Asked {
    source: &'static str,
    print: fn(&str) -> String,
    text: OnceLock<String>,
}

impl Equations {
    /// A text that is there.
    pub const fn written(text: &'static str) -> Self {
        Self(Print::Written(text))
    }

    /// What `print` makes of a declaration, when it is first asked for. Some bytes are leaked.
    pub fn asked(source: &'static str, print: fn(&str) -> String) -> Self {
        Self(Print::Asked(Box::leak(Box::new(Asked { source, print, text: OnceLock::new() }))))
    }

    /// The text.
    pub fn as_str(self) -> &'static str {
        match self.0 {
            Print::Written(text) => text,
            Print::Asked(Asked { source, print, text }) => text.get_or_init(|| print(source)),
        }
    }
}

impl Deref for Equations {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Equations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Equations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq for Equations {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Equations {}

impl FromDescribed for Equations {
    const EMPTY: Self = Self::written("");

    fn made(from: impl Described) -> Self {
        Self::written(from.text())
    }
}
