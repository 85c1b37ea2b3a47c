//! Warnings are those of the lint `deprecated`: a crate that allows it compiles whatever else it denies,
//! in modules without the prelude too.
#![deny(warnings, missing_docs, unused, clippy::pedantic)]
#![forbid(unsafe_code)]
#![allow(deprecated)]

/// A module without the names that Rust usually brings.
#[no_implicit_prelude]
pub mod bare {
    ::eom_core::lagrangian! {
        /// A cylinder on a plane.
        pub system Cylinder {
            coordinates { x, θ }
            parameters { m = 1, r = 0.1, spare = 2, integrable_row = 1 }
            kinetic = m/2*(ẋ^2 + r^2*θ̇^2/2);
            constraints { roll: dx - r*dθ; }
        }
    }
}

fn main() {
    assert_eq!(bare::Cylinder::default().spare, 2.0);
}
