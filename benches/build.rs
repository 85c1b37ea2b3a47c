//! Compiles the systems whose functions are timed, with their derivatives.

use eom_codegen::{Build, BuildError};

fn main() -> Result<(), BuildError> {
    let names = ["double_pendulum", "nlink6", "nlink12", "penny", "particle", "ball"];
    let file = |build: Build, name| build.file(format!("models/{name}.eom"));
    names.into_iter().fold(Build::new().derivatives(), file).compile()
}
