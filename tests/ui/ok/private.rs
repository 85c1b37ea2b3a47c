//! A private system, used where it is declared.
#![deny(warnings)]

mod inner {
    eom_core::lagrangian! {
        pub(super) system Seen {
            coordinates { x }
            kinetic = x_dot^2/2;
        }
    }
}

eom_core::lagrangian! {
    system Private {
        coordinates { x }
        parameters { m }
        kinetic = m/2*x_dot^2;
    }
}

fn main() {
    use eom_core::System;
    let mut a = [0.0];
    Private { m: 1.0 }.accelerations(0.0, &[1.0], &[1.0], &[], &mut a, &mut []);
    inner::Seen {}.accelerations(0.0, &[1.0], &[1.0], &[], &mut a, &mut []);
}
