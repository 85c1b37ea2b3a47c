//! What a caller gives wrong is named.

use eom_core::{Contacts, Law, System};
use eom_interpreter::Interpreted;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call says that cannot be made.
fn said(call: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("it can be made");
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn a_slice_of_the_wrong_length_is_named() {
    let ball = Interpreted::new(
        "system Ball { coordinates { x, y } parameters { m = 1 } inputs { f }
         kinetic = m/2*(ẋ^2 + ẏ^2); potential = m*y; force x = f;
         contact floor { gap = y; impact = elastic; } }",
    )
    .unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let (q, v, u) = ([0.0, 1.0], [0.0; 2], [0.0]);
    let mut two = [0.0; 2];
    for (found, name) in [
        (said(|| ball.accelerations(0.0, &q[..1], &v, &u, &mut two, &mut [])), "`q`: expected 2"),
        (said(|| ball.accelerations(0.0, &q, &v[..1], &u, &mut two, &mut [])), "`v`: expected 2"),
        (said(|| ball.accelerations(0.0, &q, &v, &[], &mut two, &mut [])), "`u`: expected 1"),
        (said(|| ball.mass_matrix(0.0, &q, &mut two)), "`m`: expected 4 values, found 2"),
        (said(|| ball.gaps(0.0, &q, &mut two)), "`outputs`: expected 1 values, found 2"),
        (said(|| ball.parameters(&mut two)), "`values`: expected 1 values, found 2"),
        (
            said(|| assert!(ball.energy(0.0, &q, &[]).kinetic > 0.0)),
            "`v`: expected 2 values, found 0",
        ),
    ] {
        assert!(found.starts_with(name), "{found} for {name}");
    }
    assert!(matches!(ball.law(99), Law::Restitution(e) if e.is_nan()));
}
