//! The `lagrangian!` macro: a shim. Everything it does is in `eom-codegen`.

use proc_macro::TokenStream;
use std::time::{Duration, Instant};

/// A derivation that takes longer is worth a word where it could be faster.
const LONG: Duration = Duration::from_secs(1);

#[doc = include_str!("lagrangian.md")]
#[proc_macro]
pub fn lagrangian(input: TokenStream) -> TokenStream {
    let begun = Instant::now();
    match eom_codegen::try_expand(input.into()) {
        Ok(items) => {
            if env!("EOM_OPT_LEVEL") == "0" && begun.elapsed() > LONG {
                tell_how_to_optimise(begun.elapsed());
            }
            items.into()
        }
        // Beside a mistake the time is not of interest.
        Err(errors) => errors.into(),
    }
}

/// A macro has no notes on a stable compiler; what it writes stands beside those of rustc.
#[allow(clippy::print_stderr, reason = "a note of the compiler")]
fn tell_how_to_optimise(took: Duration) {
    eprintln!(
        "note: a derivation of lagrangian! took {:.1} s, since macros are built without optimisation; about an eighth \
         with these lines in Cargo.toml:\n\n[profile.{}.build-override]\nopt-level = 3\n",
        took.as_secs_f64(),
        env!("EOM_PROFILE"),
    );
}
