//! What stands for code on machines that it is not made for: nothing.

use crate::kernel::{Kernel, READS, WRITES};
use crate::recurrence::{Lists, Recurrence};

/// Kernels as code of this machine, of which there is none.
#[derive(Debug)]
pub enum Machine {}

impl Machine {
    /// None.
    pub fn new(_: &[Kernel]) -> Option<Self> {
        None
    }

    /// None.
    pub fn with_recurrence(_: &[Kernel], _: &Recurrence) -> Option<Self> {
        None
    }

    /// None.
    pub fn with_recurrence_in_lanes(_: &[Kernel], _: &Recurrence) -> Option<Self> {
        None
    }

    /// There is no recurrence.
    pub fn room_of_recurrence(&self) -> usize {
        match *self {}
    }

    /// There is no recurrence.
    #[must_use]
    pub fn run_recurrence(&self, _: usize, _: &mut Lists<'_>) -> bool {
        match *self {}
    }

    /// There is no such kernel.
    pub fn room(&self, _: usize) -> usize {
        match *self {}
    }

    /// There is no such kernel.
    #[must_use]
    pub fn run(
        &self,
        _: usize,
        _: [&[f64]; READS],
        _: &mut [f64],
        _: [&mut [f64]; WRITES],
    ) -> bool {
        match *self {}
    }
}

/// A kernel over columns, of which there is none.
#[derive(Debug)]
pub enum Columns {}

/// Which states a kernel would be run over.
#[derive(Debug)]
pub struct States<'a, R> {
    /// How many.
    pub count: usize,
    /// The columns of the lists 0 to 3.
    pub columns: R,
    /// Which of the lists move.
    pub moves: [bool; READS - 1],
    /// List 4.
    pub shared: &'a [f64],
}

/// What a kernel over columns works in.
#[derive(Debug, Default)]
pub struct Workspace;

impl Columns {
    /// None.
    pub fn widths() -> Vec<usize> {
        Vec::new()
    }

    /// None.
    pub fn new(_: &Kernel) -> Option<Self> {
        None
    }

    /// None.
    pub fn over(_: &Kernel, _: usize) -> Option<Self> {
        None
    }

    /// There is no code.
    pub fn lanes(&self) -> usize {
        match *self {}
    }

    /// There is no code.
    #[must_use]
    pub fn run<'a>(
        &self,
        _: States<'a, impl Iterator<Item = &'a [f64]>>,
        _: impl Iterator<Item = &'a mut [f64]>,
        _: &mut Workspace,
    ) -> Option<bool> {
        match *self {}
    }
}
