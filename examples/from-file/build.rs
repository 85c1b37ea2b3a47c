//! Compiles the model of this package with its derivatives, and again when its file changes.

fn main() -> Result<(), eom_codegen::BuildError> {
    eom_codegen::Build::new().file("models/pendulum.eom").derivatives().compile()
}
