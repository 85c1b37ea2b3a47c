eom_core::lagrangian! {
    system Relativistic {
        coordinates { x }
        parameters { m, c }
        kinetic = -m*c^2*sqrt(1 - ẋ^2/c^2);
    }
}

fn main() {}
