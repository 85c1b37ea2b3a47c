//! The code of kernels, and their calls.

use crate::angle;
use crate::assembler::{Assembler, Width};
use crate::emit::emit;
use crate::kernel::FOUR;
use crate::kernel::{Kernel, READS, WRITES};
use crate::memory::Code;
use crate::orders::{self, Orders};
use crate::recurrence::{Lists, Recurrence};
use crate::registers::{Angles, Entry, Layout, ROOM};

/// Kernels as code of this machine.
#[derive(Debug)]
pub struct Machine {
    code: Code,
    entries: Vec<Entry>,
    /// How many numbers stand side by side in the lists.
    lanes: usize,
    shared: [bool; READS],
    orders: Option<Orders>,
}

/// The most lanes, and bytes of code: with [`PLACES_MAX`](crate::kernel::PLACES_MAX) offsets are below 2³¹.
const LANES_MAX: usize = 64;
const BYTES_MAX: usize = 1 << 30;

impl Machine {
    /// The code of kernels; none where this machine lacks AVX2 or FMA, where its system does not let code be made,
    /// or where a kernel names what it does not have.
    pub fn new(kernels: &[Kernel]) -> Option<Self> {
        Self::with(kernels, None, (1, [true; READS]))
    }

    /// The same with the recurrence of a power series.
    pub fn with_recurrence(kernels: &[Kernel], recurrence: &Recurrence) -> Option<Self> {
        Self::with(kernels, Some(recurrence), (1, [true; READS]))
    }

    /// The same over four lanes, each with numbers of its own in all lists.
    pub fn with_recurrence_in_lanes(kernels: &[Kernel], recurrence: &Recurrence) -> Option<Self> {
        Self::with(kernels, Some(recurrence), (FOUR, [false; READS]))
    }

    /// The same over lanes, four or a multiple of it: each number of a list is as many numbers side by side, but those of
    /// the lists that are `shared`, which all lanes read.
    pub fn in_lanes(kernels: &[Kernel], lanes: usize, shared: [bool; READS]) -> Option<Self> {
        lanes.is_multiple_of(FOUR).then(|| Self::with(kernels, None, (lanes, shared))).flatten()
    }

    fn with(
        kernels: &[Kernel],
        recurrence: Option<&Recurrence>,
        (lanes, shared): (usize, [bool; READS]),
    ) -> Option<Self> {
        let fits = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let sound = kernels.iter().all(Kernel::is_sound)
            && recurrence.is_none_or(|recurrence| recurrence.is_sound(lanes));
        if !fits || !(1..=LANES_MAX).contains(&lanes) || !sound {
            return None;
        }
        let mut code = Assembler::default();
        let one = angle::write(&mut code, Width::One);
        let four = angle::write(&mut code, Width::Four);
        let layout = if lanes == 1 {
            Layout::ONE
        } else {
            Layout { width: Width::Four, stride: 8 * lanes, shared, rows: None }
        };
        let angles = Angles { one, four };
        let entries = kernels.iter().map(|k| emit(&mut code, angles, k, layout)).collect();
        let orders =
            recurrence.map(|recurrence| orders::emit(&mut code, angles, recurrence, layout));
        let bytes = code.finish();
        let code = Code::new(&bytes).filter(|_| bytes.len() < BYTES_MAX)?;
        Some(Self { code, entries, lanes, shared, orders })
    }

    /// How many numbers of room a kernel asks for.
    #[inline]
    pub fn room(&self, kernel: usize) -> usize {
        let lanes = self.lanes.min(FOUR);
        self.entries.get(kernel).map_or(0, |entry| entry.lengths[ROOM] * lanes)
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
        writes: [&mut [f64]; WRITES],
    ) -> bool {
        self.run_some((kernel, self.lanes), reads, room, writes)
    }

    /// Runs a kernel over the first so many of its lanes, whose lists are as long as those of all; up to the next multiple of
    /// four, lanes behind them are run as well.
    #[must_use]
    #[inline]
    pub fn run_some(
        &self,
        (kernel, some): (usize, usize),
        reads: [&[f64]; READS],
        room: &mut [f64],
        mut writes: [&mut [f64]; WRITES],
    ) -> bool {
        let Some(entry) = self.entries.get(kernel) else { return false };
        if self.lanes == 1 {
            return self.code.run(entry, reads, room, &mut writes);
        }
        self.code.run_in_lanes(entry, (some, self.lanes, &self.shared), reads, room, &mut writes)
    }
}
