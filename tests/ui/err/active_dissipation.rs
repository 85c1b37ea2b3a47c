//! A dissipation function with the wrong sign.

eom_core::lagrangian! {
    system Wound {
        coordinates { x }
        parameters { m = 1, c = 0.1 }
        kinetic = m/2*ẋ^2;
        dissipation = -c/2*ẋ^2;
    }
}

fn main() {}
