eom_core::lagrangian! {
    system Ball {
        coordinates { y }
        kinetic = ẏ^2/2;
        potentail = y;
    }
}

fn main() {}
