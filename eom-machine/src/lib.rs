//! Straight-line programs of numbers as machine code, made while a program runs.
//!
//! ```text
//! Kernel ──is_sound──▶ emit: registers by linear scan ──Assembler──▶ bytes ──Code──▶ pages ──Machine::run──▶ numbers
//!                                                                                      └───Columns::run──▶ of many states
//! ```
//!
//! For x86-64 with AVX2 and FMA, over many states with AVX-512 where it is, under Unix and Windows; elsewhere there is no
//! machine, and who asks runs his program another way. Each operation is that of IEEE 754 or the function of `eom_elementary`, so that results have
//! the bits of whatever else runs the same operations; only which of its bits a NaN has is left open.
//!
//! ```
//! use eom_machine::{Kernel, Machine};
//!
//! let mut kernel = Kernel::new();
//! let (a, b) = (kernel.read(0, 0), kernel.read(0, 1));
//! let (sum, _) = (kernel.add(a, b), kernel.sin_cos(a));
//! kernel.write(sum, 0, 0);
//! if let Some(machine) = Machine::new(&[kernel]) {
//!     let (mut room, mut out) = (vec![0.0; machine.room(0)], [0.0]);
//!     let reads: [&[f64]; 5] = [&[1.5, 2.0], &[], &[], &[], &[]];
//!     assert!(machine.run(0, reads, &mut room, [&mut out, &mut []]));
//!     assert_eq!(out, [3.5]);
//! }
//! ```

#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod angle;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod assembler;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod calls;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod columns;
#[cfg(not(all(target_arch = "x86_64", any(unix, windows))))]
mod elsewhere;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod emit;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod evex;
#[cfg_attr(
    not(all(target_arch = "x86_64", any(unix, windows))),
    allow(dead_code, reason = "nothing is made of a kernel where there is no machine")
)]
mod kernel;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod lists;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod loops;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod machine;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod memory;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod orders;
#[cfg_attr(
    not(all(target_arch = "x86_64", any(unix, windows))),
    allow(dead_code, reason = "nothing is made of a recurrence where there is no machine")
)]
mod recurrence;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod registers;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod rows;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
mod slots;

#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
pub use columns::Columns;
#[cfg(not(all(target_arch = "x86_64", any(unix, windows))))]
pub use elsewhere::{Columns, Machine, States, Workspace};
pub use kernel::{Function, Fused, Kernel, READS, Value, WRITES};
pub use recurrence::{Lists, Recurrence, Sizes};

/// Whether there can be a machine, as the target has it: elsewhere no kernel need be made.
pub const IS_POSSIBLE: bool = cfg!(all(target_arch = "x86_64", any(unix, windows)));
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
pub use machine::Machine;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
pub use memory::Workspace;
#[cfg(all(target_arch = "x86_64", any(unix, windows)))]
pub use slots::States;
