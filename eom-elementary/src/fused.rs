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
    return machine::with_fused_products(work);
    #[cfg(not(all(feature = "lanes", target_arch = "x86_64", not(target_feature = "fma"))))]
    work()
}

/// A machine that has to be asked.
#[cfg(all(feature = "lanes", target_arch = "x86_64", not(target_feature = "fma")))]
mod machine {
    use pulp::x86::V3;
    use std::sync::OnceLock;

    /// What was found when it was first asked.
    static FOUND: OnceLock<Option<V3>> = OnceLock::new();

    #[inline(always)]
    pub(super) fn with_fused_products<T>(work: impl FnOnce() -> T) -> T {
        match FOUND.get() {
            Some(Some(machine)) => machine.vectorize(Work(work)),
            _ => first_or_without(work),
        }
    }

    /// The first time, which leaves what it finds to those that follow, and without fused products: to
    /// the same bits. Out of the way: where it stood, its calls would have every caller save registers.
    /// Not `inline(never)`, by which rustc would compile a unit for it, with copies of all it uses.
    #[cold]
    #[inline]
    fn first_or_without<T>(work: impl FnOnce() -> T) -> T {
        FOUND.get_or_init(V3::try_new);
        work()
    }

    struct Work<F>(F);

    impl<T, F: FnOnce() -> T> pulp::NullaryFnOnce for Work<F> {
        type Output = T;

        #[inline(always)]
        fn call(self) -> T {
            (self.0)()
        }
    }
}
