//! A row of `constraints` that is a rolling condition along a line.
#![deny(deprecated)]

eom_core::lagrangian! {
    system Cylinder {
        coordinates { x, θ }
        parameters { m = 1, r = 0.1 }
        kinetic = m/2*(ẋ^2 + r^2*θ̇^2/2);
        constraints { roll: dx - r*dθ; }
    }
}

fn main() {}
