//! A kinetic energy that one combination of velocities does not change.

eom_core::lagrangian! {
    system Slack {
        coordinates { x, y }
        parameters { m = 1 }
        kinetic = m/2*(ẋ - 2*ẏ)^2;
        potential = x*y;
    }
}

fn main() {}
