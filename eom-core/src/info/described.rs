//! Tables that are made at run time, of a description in no language: the fields of a struct by their names. The
//! macro writes the same description as Rust, so that rustc checks names and types.

/// A description: a text, a number, a list, a record of named fields. What is asked of it that it is not, is empty.
pub trait Described: Copy {
    /// A text, or the name of a variant.
    fn text(self) -> &'static str;
    /// A number; 1 for what is true.
    fn number(self) -> usize;
    /// The entries of a list or a pair, what an option or a variant holds.
    fn entries(self) -> Vec<Self>;
    /// A field of a record.
    #[must_use]
    fn field(self, name: &str) -> Self;
}

/// What is made of a description.
pub trait FromDescribed: Sized {
    /// That of which nothing is said.
    const EMPTY: Self;

    /// The value described; what it lists is leaked.
    fn made(from: impl Described) -> Self;
}

impl FromDescribed for &'static str {
    const EMPTY: Self = "";

    fn made(from: impl Described) -> Self {
        from.text()
    }
}

impl FromDescribed for usize {
    const EMPTY: Self = 0;

    fn made(from: impl Described) -> Self {
        from.number()
    }
}

impl FromDescribed for bool {
    const EMPTY: Self = false;

    fn made(from: impl Described) -> Self {
        from.number() == 1
    }
}

impl<T: FromDescribed> FromDescribed for Option<T> {
    const EMPTY: Self = None;

    fn made(from: impl Described) -> Self {
        from.entries().first().map(|entry| T::made(*entry))
    }
}

impl<T: FromDescribed> FromDescribed for &'static [T] {
    const EMPTY: Self = &[];

    fn made(from: impl Described) -> Self {
        Vec::leak(from.entries().into_iter().map(T::made).collect())
    }
}

impl FromDescribed for (usize, usize) {
    const EMPTY: Self = (0, 0);

    fn made(from: impl Described) -> Self {
        let entries = from.entries();
        let number = |index: usize| entries.get(index).map_or(0, |entry| entry.number());
        (number(0), number(1))
    }
}

/// Structs with all their fields.
macro_rules! records {
    ($($type:ident { $($field:ident),* $(,)? })*) => {
        $(impl $crate::info::described::FromDescribed for $type {
            const EMPTY: Self = Self { $($field: $crate::info::described::FromDescribed::EMPTY,)* };

            fn made(from: impl $crate::info::described::Described) -> Self {
                Self { $($field: $crate::info::described::FromDescribed::made(from.field(stringify!($field))),)* }
            }
        })*
    };
}

/// Enums with all their variants.
macro_rules! variants {
    ($($type:ident { $($variant:ident),* or $last:ident })*) => {
        $(impl $crate::info::described::FromDescribed for $type {
            const EMPTY: Self = Self::$last;

            fn made(from: impl $crate::info::described::Described) -> Self {
                match from.text() {
                    $(stringify!($variant) => Self::$variant,)*
                    _ => Self::$last,
                }
            }
        })*
    };
}

pub(super) use {records, variants};
