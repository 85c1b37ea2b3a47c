mod inner {
    eom_core::lagrangian! {
        system Hidden {
            coordinates { y }
            kinetic = ẏ^2/2;
        }
    }
}

fn main() {
    let _ = inner::Hidden {};
}
