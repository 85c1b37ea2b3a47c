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
    pub fn in_lanes(_: &[Kernel], _: usize, _: [bool; READS]) -> Option<Self> {
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

    /// There is no such kernel.
    #[must_use]
    pub fn run_some(
        &self,
        _: (usize, usize),
        _: [&[f64]; READS],
        _: &mut [f64],
        _: [&mut [f64]; WRITES],
    ) -> bool {
        match *self {}
    }
}
