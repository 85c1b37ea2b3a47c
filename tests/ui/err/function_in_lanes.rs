//! A system with a function that is given at run time, in lanes.

use eom_core::batch::{self, States};
use eom_core::{Options, ensemble_in_lanes};

eom_core::lagrangian! {
    system Hill {
        coordinates { x }
        parameters { m = 1 }
        function f(x) = x^2;
        kinetic = m/2*ẋ^2;
        potential = f;
    }
}

fn main() {
    let hill = Hill::default();
    let states = States { t: &[0.0], q: &[0.1], v: &[0.0], u: &[] };
    let _ = batch::accelerations(&hill, states, &mut [0.0], &mut []);
    let _ = ensemble_in_lanes(&hill, &[], &[], &Options::default(), |_, run| run);
}
