eom_core::lagrangian! {
    system Ball {
        coordinates { y }
        kinetic = ẏ^2/2;
        contact floor { gap = y; impact = elastic; }
        claim eq1 at flor: ẏ_plus = -ẏ_minus;
    }
}

fn main() {}
