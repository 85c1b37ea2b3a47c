//! Items with the names of the standard library and of primitive types.
#![allow(non_camel_case_types, dead_code, unused_macros)]

mod shadowed {
    pub struct Vec;
    pub struct Option;
    pub struct Some;
    pub struct None;
    pub struct Result;
    pub struct Ok;
    pub struct Err;
    pub struct Default;
    pub struct Into;
    pub struct Clone;
    pub struct System;
    pub struct State;
    pub mod core {}
    pub mod std {}
    pub mod nalgebra {}

    macro_rules! vec {
        () => {};
    }
    macro_rules! panic {
        () => {};
    }

    ::eom_core::lagrangian! {
        pub system Shadowed {
            coordinates { x, y }
            parameters { m = 1 where m > 0 }
            kinetic = m/2*(ẋ^2 + ẏ^2);
            potential = sin(x)*y;
            constraints { row: ẋ = y*ẏ; }
            allow integrable_row(row);
            contact floor { gap = y; impact = elastic; }
            event turn { guard = x; falling; reset { ẋ = -ẋ; } }
            scenario start { y = 1; until t = 1; }
        }
    }
}

fn main() {
    let _: shadowed::Shadowed = std::default::Default::default();
}
