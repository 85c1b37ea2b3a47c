//! The `lagrangian!` macro, a shim: everything it does is in `eom-codegen`.
