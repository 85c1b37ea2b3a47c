eom_core::lagrangian! {
    system Ball {
        coordinates { y }
        parameters { e = 1/2 }
        kinetic = ẏ^2/2;
        contact floor { gap = y; impact = restitution(e); }
        claim newton at floor: ẏ_plus = e*ẏ_minus;
    }
}

fn main() {}
