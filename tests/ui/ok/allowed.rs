//! What a declaration allows is not said, whatever the crate denies.
#![deny(warnings, missing_docs, unused, deprecated)]
#![deny(clippy::pedantic)]
#![forbid(unsafe_code)]

eom_core::lagrangian! {
    /// A cylinder on a plane.
    pub system Cylinder {
        coordinates { x, θ }
        parameters { m = 1, r = 0.1, spare = 2 }
        kinetic = m/2*(ẋ^2 + r^2*θ̇^2/2);
        constraints { roll: dx - r*dθ; }
        allow integrable_row(roll), unused_parameter;
    }
}

fn main() {
    assert_eq!(Cylinder::default().spare, 2.0);
}
