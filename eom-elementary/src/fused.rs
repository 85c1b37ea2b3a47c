//! Where fused products are one instruction.
//!
//! a b + c rounded once is an operation of IEEE 754: its bits are the same everywhere. x86 machines since
//! 2013 have an instruction for it, which a program built for all of them may only use after it has
//! asked; without it the C library computes the same number, some ten times slower.

/// `work`, compiled for machines that have fused products and run so where this is one of them.
///
/// What `work` calls has to be inlined into it.
#[inline(always)]
pub fn with_fused_products<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(all(feature = "lanes", target_arch = "x86_64", not(target_feature = "fma")))]
    if let Some(machine) = pulp::x86::V3::try_new() {
        return machine.vectorize(Work(work));
    }
    work()
}

#[cfg(all(feature = "lanes", target_arch = "x86_64", not(target_feature = "fma")))]
struct Work<F>(F);

#[cfg(all(feature = "lanes", target_arch = "x86_64", not(target_feature = "fma")))]
impl<T, F: FnOnce() -> T> pulp::NullaryFnOnce for Work<F> {
    type Output = T;

    #[inline(always)]
    fn call(self) -> T {
        (self.0)()
    }
}
