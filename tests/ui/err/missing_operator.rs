eom_core::lagrangian! {
    system Ball {
        coordinates { x }
        parameters { m }
        kinetic = 2m*ẋ^2;
    }
}

fn main() {}
