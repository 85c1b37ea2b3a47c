eom_core::lagrangian! {
    system Shot {
        coordinates { x, y }
        parameters { m, g }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = m*gg*y;
        force z = 1;
    }
}

fn main() {
    // The type is there all the same: no third error comes from its use.
    let _ = Shot::default();
}
