eom_core::lagrangian! {
    system Ball {
        coordinates { y }
        kinetic = ẏ^2/2;
        contact floor { gap = y + ẏ; impact = elastic; }
    }
}

fn main() {}
