//! Compiles the model of this package, and again when its file changes.

fn main() -> Result<(), eom_codegen::BuildError> {
    eom_codegen::compile("models/pendulum.eom")
}
