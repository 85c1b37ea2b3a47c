eom_core::lagrangian! {
    system Ball {
        coordinates { y }
        kinetic = ẏ^2/2;
        contact floor { gap = y; impact = restitution(2); }
    }
}

fn main() {}
