eom_core::lagrangian! {
    system Oscillator {
        coordinates { x }
        parameters { m, k }
        kinetic = m/2*ẋ^2;
        potential = k/2*x^2;
        claim eq1: m*ẍ = k*x;
    }
}

fn main() {}
