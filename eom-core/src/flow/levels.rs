//! What a flow keeps of conserved quantities, and their level.

use crate::conserved::Conserved;
use std::sync::Arc;

/// What a flow keeps. Levels are empty until an arc has begun.
#[derive(Clone, Default)]
pub(crate) struct Levels {
    pub(super) kept: Option<Arc<dyn Conserved>>,
    pub(super) levels: Vec<f64>,
}

impl std::fmt::Debug for Levels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Levels").field("levels", &self.levels).finish_non_exhaustive()
    }
}
