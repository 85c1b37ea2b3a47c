//! A name after `allow` that is none.

eom_core::lagrangian! {
    system Ball {
        coordinates { x }
        parameters { m = 1 }
        kinetic = m/2*ẋ^2;
        allow integrable_rows(roll), dependent_row;
    }
}

fn main() {}
