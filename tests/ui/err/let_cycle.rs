eom_core::lagrangian! {
    system Circle {
        coordinates { x }
        let a = b + x;
        let b = 2*c;
        let c = a;
        kinetic = ẋ^2/2;
    }
}

fn main() {}
