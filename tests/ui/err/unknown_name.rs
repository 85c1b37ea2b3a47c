eom_core::lagrangian! {
    system Oscillator {
        coordinates { x }
        parameters { mass, stiffness }
        kinetic = mass/2*ẋ^2;
        potential = stifness/2*x^2;
    }
}

fn main() {}
