//! A system as one text, for a snapshot in the crate that declares it: its equations, the operations of its
//! kernels, its claims.

use super::{ClaimInfo, ClaimKind, SystemInfo};
use std::fmt::Write;

impl SystemInfo {
    /// What a snapshot of the system holds: the derived equations, the operations of each kernel, the claims
    /// with what became of them. It ends with a line break.
    ///
    /// [`snapshot!`](crate::snapshot) hands it to `insta`.
    pub fn locked(&self) -> String {
        let mut text = format!("{}\n\n{}\n", self.name, self.equations.trim_end());
        if !self.kernels.is_empty() {
            text.push_str("\nOperations\n");
        }
        for kernel in self.kernels {
            let _ = writeln!(text, "  {}: {}", kernel.name, kernel.counts);
        }
        if !self.claims.is_empty() {
            text.push_str("\nClaims\n");
        }
        for claim in self.claims {
            claim.lock_into(&mut text);
        }
        text
    }
}

impl ClaimInfo {
    /// `eq25a follows:`, where it is stated, the equation; of an erratum what it should read.
    fn lock_into(&self, text: &mut String) {
        let verdict = match self.kind {
            ClaimKind::Claim => "follows",
            ClaimKind::Erratum => "is an erratum",
        };
        let _ = write!(text, "  {} {verdict}", self.name);
        if !self.closed.is_empty() {
            let _ = write!(text, ", closed {}", self.closed);
        }
        if !self.when.is_empty() {
            let _ = write!(text, ", when {}", self.when);
        }
        let _ = writeln!(text, "\n    {}", self.printed);
        if self.kind == ClaimKind::Erratum {
            let _ = writeln!(text, "    corrected: {}", self.corrected);
            let _ = writeln!(text, "    printed less corrected: {}", self.difference);
        }
    }
}

/// Locks declared systems in the crate that declares them: one `insta` snapshot each, named after the system,
/// of [`SystemInfo::locked`](crate::info::SystemInfo::locked). The crate has `insta` among its dependencies for
/// development.
///
/// ```ignore
/// #[test]
/// fn systems_are_as_reviewed() {
///     eom_core::snapshot!(Pendulum, Cart);
/// }
/// ```
#[macro_export]
macro_rules! snapshot {
    ($($system:ty),+ $(,)?) => {
        $({
            let info = <$system as $crate::Declared>::INFO;
            ::insta::assert_snapshot!(info.name, info.locked());
        })+
    };
}
