//! Numbers in words: all digits, without rows of zeros.

use std::fmt;

/// The longest figure that is written out: a sign, 17 digits, a point and some zeros before them.
const LENGTH_MAX: usize = 24;

/// A number with all its digits; by its power of ten where zeros would be most of it.
///
/// ```
/// use eom_elementary::Digits;
/// assert_eq!(Digits(0.1).to_string(), "0.1");
/// assert_eq!(Digits(-12.5e6).to_string(), "-12500000");
/// assert_eq!(Digits(1e300).to_string(), "1e300");
/// assert_eq!(Digits(-2.5e-40).to_string(), "-2.5e-40");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Digits(pub f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = self.0.to_string();
        if written.len() > LENGTH_MAX { write!(f, "{:e}", self.0) } else { f.pad(&written) }
    }
}
