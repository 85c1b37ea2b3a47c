eom_core::lagrangian! {
    system S {
        coordinates { x, y }
        parameters { m = 1, e = 1/2 }
        kinetic = m/2*(x_dot^2 + y_dot^2);
        potential = x*10^10^10;
    }
}

fn main() {}
