eom_core::lagrangian! {
    system Stone {
        coordinates { y }
        parameters { g = 9.81 }
        kinetic = ẏ^2/2;
        potential = g*y;
        claim fall: motion(y0, v0) { y = y0 + v0*t - g*t^2; };
    }
}

fn main() {}
