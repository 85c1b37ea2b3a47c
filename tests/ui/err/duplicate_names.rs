#![allow(mixed_script_confusables)]

eom_core::lagrangian! {
    system Greek {
        coordinates { theta, x }
        parameters { m, θ, m }
        kinetic = m/2*(ẋ^2 + theta_dot^2);
    }
}

fn main() {}
