eom_core::lagrangian! {
    system Oscillator {
        coordinates { x }
        parameters { m, k }
        kinetic = m/2*ẋ^2;
        potential = k/2*x^2;
        erratum eq1: m*ẍ = -k*x; corrected: m*ẍ + k*x = 0;
    }
}

fn main() {}
