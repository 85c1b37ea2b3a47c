//! Operations of a tape, each one word.
//!
//! ```text
//! code = b (32 bits) | a (24 bits) | kind (8 bits)
//! ```
//!
//! A list of words is one constant to a compiler, whatever it means. Kinds of functions are those of
//! [`Elementary`].

use eom_elementary::{Elementary, Number};

/// The place of a number.
pub type Register = u32;

/// Operands below this register.
pub(crate) const REGISTERS_MAX: u32 = 1 << 24;

macro_rules! operations {
    (
        unary { $($(#[$of_one:meta])* $code:literal $one:ident;)* }
        binary { $($(#[$of_two:meta])* $code_of_two:literal $two:ident;)* }
    ) => {
        /// One operation on registers; what it computes stands in the next free ones.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Operation {
            $($(#[$of_one])* $one(Register),)*
            $($(#[$of_two])* $two(Register, Register),)*
            /// aⁿ
            Powi(Register, i32),
            /// f(a)
            Call(Elementary, Register),
        }

        impl Operation {
            /// As one word. The first register is below 2²⁴.
            #[must_use]
            pub const fn code(self) -> u64 {
                match self {
                    $(Self::$one(a) => word($code, a, 0),)*
                    $(Self::$two(a, b) => word($code_of_two, a, b),)*
                    Self::Powi(a, n) => word(POWI, a, n.cast_unsigned()),
                    Self::Call(f, a) => word(f as u8, a, 0),
                }
            }

            /// The operation of a word; of one that is none, the negation of register 0.
            #[inline(always)]
            #[must_use]
            pub const fn of(code: u64) -> Self {
                let (a, b) = ((code >> 8) as u32 & (REGISTERS_MAX - 1), (code >> 32) as u32);
                match code as u8 {
                    $($code => Self::$one(a),)*
                    $($code_of_two => Self::$two(a, b),)*
                    POWI => Self::Powi(a, b.cast_signed()),
                    kind => match Elementary::of_code(kind) {
                        Some(f) => Self::Call(f, a),
                        None => Self::Neg(0),
                    },
                }
            }

            /// The same on other registers.
            #[must_use]
            pub fn with(self, register: impl Fn(Register) -> Register) -> Self {
                match self {
                    $(Self::$one(a) => Self::$one(register(a)),)*
                    $(Self::$two(a, b) => Self::$two(register(a), register(b)),)*
                    Self::Powi(a, n) => Self::Powi(register(a), n),
                    Self::Call(f, a) => Self::Call(f, register(a)),
                }
            }

            /// The registers that it reads.
            #[must_use]
            pub const fn operands(self) -> (Register, Option<Register>) {
                match self {
                    $(Self::$one(a))|* | Self::Powi(a, _) | Self::Call(_, a) => (a, None),
                    $(Self::$two(a, b))|* => (a, Some(b)),
                }
            }
        }
    };
}

const POWI: u8 = 22;

const fn word(kind: u8, a: Register, b: u32) -> u64 {
    (b as u64) << 32 | (a as u64) << 8 | kind as u64
}

operations! {
    unary {
        /// −a
        0 Neg;
        /// a²
        1 Square;
        /// 1/a, and 0 for a = 0
        2 InverseOrZero;
        /// √a
        3 Sqrt;
        /// sin a, then cos a
        4 SinCos;
    }
    binary {
        /// a + b
        16 Add;
        /// a − b
        17 Sub;
        /// a·b
        18 Mul;
        /// a/b
        19 Div;
        /// aᵇ
        20 Powf;
        /// The angle of the point (b, a)
        21 Atan2;
    }
}

impl Operation {
    /// How many registers it writes.
    #[inline(always)]
    #[must_use]
    pub const fn results(self) -> usize {
        if matches!(self, Self::SinCos(_)) { 2 } else { 1 }
    }

    /// What it computes of numbers of any kind; where that is two numbers, the last of them.
    #[inline(always)]
    pub fn last<N: Number>(self, of: impl Fn(Register) -> N) -> N {
        // table
        match self {
            Self::Neg(a) => -of(a),
            Self::Add(a, b) => of(a) + of(b),
            Self::Sub(a, b) => of(a) - of(b),
            Self::Mul(a, b) => of(a) * of(b),
            Self::Square(a) => of(a).square(),
            Self::Div(a, b) => of(a) / of(b),
            Self::InverseOrZero(a) => of(a).inverse_or_zero(),
            Self::Sqrt(a) => of(a).sqrt(),
            Self::Powi(a, n) => of(a).powi(n),
            Self::Powf(a, b) => of(a).powf(of(b)),
            Self::SinCos(a) => of(a).sin_cos().1,
            Self::Call(f, a) => of(a).call(f),
            Self::Atan2(a, b) => of(a).atan2(of(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Elementary, Operation, REGISTERS_MAX};

    #[test]
    fn words_are_read_as_written() {
        let check = |operation: Operation| assert_eq!(Operation::of(operation.code()), operation);
        check(Operation::Add(REGISTERS_MAX - 1, u32::MAX));
        check(Operation::Powi(7, i32::MIN));
        check(Operation::Powi(7, -3));
        check(Operation::Atan2(1, 2));
        for f in Elementary::ALL {
            check(Operation::Call(*f, REGISTERS_MAX - 1));
        }
        for code in 0..=22 {
            let operation = Operation::of(code | 0x0000_0005_0000_0300);
            assert_eq!(Operation::of(operation.code()), operation);
            assert_eq!(operation.code() as u8, code as u8);
        }
    }
}
