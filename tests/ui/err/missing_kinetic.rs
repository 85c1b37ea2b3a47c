eom_core::lagrangian! {
    system Ball {
        coordinates { y }
        potential = 9.81*y;
    }
}

fn main() {}
