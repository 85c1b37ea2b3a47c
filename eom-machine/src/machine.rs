//! The code of kernels, and their calls.

use crate::angle;
use crate::assembler::{Assembler, Width};
use crate::emit::emit;
use crate::kernel::{Kernel, READS, WRITES};
use crate::lists::ROOM;
use crate::memory::Code;
use crate::orders::{self, Orders};
use crate::recurrence::{Lists, Recurrence};
use crate::registers::{Entry, Layout};

/// Kernels as code of this machine.
#[derive(Debug)]
pub struct Machine {
    code: Code,
    entries: Vec<Entry>,
    /// How many numbers stand side by side in the lists.
    lanes: usize,
    orders: Option<Orders>,
}

/// The most bytes of code: with [`PLACES_MAX`](crate::kernel::PLACES_MAX) offsets are below 2³¹.
const BYTES_MAX: usize = 1 << 30;

impl Machine {
    /// The code of kernels; none where this machine lacks AVX2 or FMA, where its system does not let code be made,
    /// or where a kernel names what it does not have.
    pub fn new(kernels: &[Kernel]) -> Option<Self> {
        Self::with(kernels, None, Width::One)
    }

    /// The same with the recurrence of a power series.
    pub fn with_recurrence(kernels: &[Kernel], recurrence: &Recurrence) -> Option<Self> {
        Self::with(kernels, Some(recurrence), Width::One)
    }

    /// The same over four lanes, each with numbers of its own in all lists: each number of a list is four side by side.
    pub fn with_recurrence_in_lanes(kernels: &[Kernel], recurrence: &Recurrence) -> Option<Self> {
        Self::with(kernels, Some(recurrence), Width::Four)
    }

    fn with(kernels: &[Kernel], recurrence: Option<&Recurrence>, width: Width) -> Option<Self> {
        let fits = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let sound = kernels.iter().all(Kernel::is_sound)
            && recurrence.is_none_or(|recurrence| recurrence.is_sound(width.numbers()));
        if !fits || !sound {
            return None;
        }
        let mut code = Assembler::default();
        let angle = angle::write(&mut code, width);
        let layout = Layout::beside(width);
        let entries = kernels.iter().map(|k| emit(&mut code, angle, k, layout)).collect();
        let orders =
            recurrence.map(|recurrence| orders::emit(&mut code, angle, recurrence, layout));
        let bytes = code.finish();
        let code = Code::new(&bytes).filter(|_| bytes.len() < BYTES_MAX)?;
        Some(Self { code, entries, lanes: width.numbers(), orders })
    }

    /// How many numbers of room a kernel asks for.
    #[inline]
    pub fn room(&self, kernel: usize) -> usize {
        self.entries.get(kernel).map_or(0, |entry| entry.lengths[ROOM] * self.lanes)
    }

    /// How many numbers of room the recurrence asks for.
    #[inline]
    pub fn room_of_recurrence(&self) -> usize {
        self.orders.map_or(0, |orders| orders.room * self.lanes)
    }

    /// Runs the recurrence for so many orders; `false`, and nothing is done, where there is none or a list is too short.
    #[must_use]
    #[inline]
    pub fn run_recurrence(&self, orders: usize, lists: &mut Lists<'_>) -> bool {
        self.orders.is_some_and(|code| self.code.run_orders(&code, self.lanes, orders, lists))
    }

    /// Runs a kernel; `false`, and nothing is done, where there is none or a list is too short. What of the room is left
    /// behind has no meaning.
    #[must_use]
    #[inline]
    pub fn run(
        &self,
        kernel: usize,
        reads: [&[f64]; READS],
        room: &mut [f64],
        mut writes: [&mut [f64]; WRITES],
    ) -> bool {
        let Some(entry) = self.entries.get(kernel) else { return false };
        if self.lanes == 1 {
            return self.code.run(entry, reads, room, &mut writes);
        }
        self.code.run_in_lanes(entry, reads, room, &mut writes)
    }
}
