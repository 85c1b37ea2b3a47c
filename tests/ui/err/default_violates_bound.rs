eom_core::lagrangian! {
    system Ball {
        coordinates { y }
        parameters { m = -1 where m > 0 }
        kinetic = m/2*ẏ^2;
    }
}

fn main() {}
