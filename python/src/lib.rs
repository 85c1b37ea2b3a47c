//! The part of the Python package `eom` that is not Python: systems, their functions, runs.
//!
//! ```text
//! eom (python/eom)   classes as users see them: names, plots, tables, progress
//!   └ eom._eom       this crate: what is given is checked, the runtime called without the GIL, arrays handed back
//! ```
//!
//! Nothing here panics on what a user can pass; if it does, Python sees a `RuntimeError` that says so.

mod algebra;
mod analysis;
mod arrow;
mod bifurcation;
mod chunks;
mod drive;
mod fault;
mod film;
mod ivp;
mod kernels;
mod models;
mod number;
mod operands;
mod request;
mod stepper;
mod sweep;
mod system;
mod trajectory;

/// `eom._eom`.
#[pyo3::pymodule(gil_used = false)]
mod _eom {
    #[pymodule_export]
    use crate::analysis::{gradient, linear, lyapunov, orbit, sensitivity};
    #[pymodule_export]
    use crate::arrow::arrow_stream;
    #[pymodule_export]
    use crate::bifurcation::bifurcation;
    #[pymodule_export]
    use crate::chunks::{gathered, joined, make_chunk, open_chunks, table_files, table_stream};
    #[pymodule_export]
    use crate::stepper::Stepper;
    #[pymodule_export]
    use crate::sweep::sweep;
    #[pymodule_export]
    use crate::system::System;
    #[pymodule_export]
    use crate::trajectory::{Trajectory, restored, run};

    /// Names and texts of the models that come along.
    #[pyfunction]
    fn model_texts() -> Vec<(&'static str, &'static str)> {
        crate::models::MODELS.concat()
    }

    use pyo3::prelude::*;
}
