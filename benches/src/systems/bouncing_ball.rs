//! The bouncing ball.

eom_core::lagrangian! {
    /// A particle that falls and bounces.
    pub system BouncingBall {
        coordinates { y }
        parameters { g = 9.81, e = 0.9 where e >= 0 && e <= 1 }
        kinetic   = ẏ^2/2;
        potential = g*y;
        contact floor {
            gap    = y;
            impact = restitution(e);
        }
    }
}
