//! A system so large that its linear solve is left to loops of the run time.

eom_core::lagrangian! {
    /// A chain of twenty masses on springs and inertial couplings, its ends held together.
    pub system Lattice {
        coordinates {
            x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18,
            x19, x20,
        }
        parameters { m = 1 where m > 0, M = 1/2 where M >= 0, k = 10, κ = 1 }
        kinetic = m/2*(
            x1_dot^2 + x2_dot^2 + x3_dot^2 + x4_dot^2 + x5_dot^2 + x6_dot^2 + x7_dot^2 +
            x8_dot^2 + x9_dot^2 + x10_dot^2 + x11_dot^2 + x12_dot^2 + x13_dot^2 + x14_dot^2 +
            x15_dot^2 + x16_dot^2 + x17_dot^2 + x18_dot^2 + x19_dot^2 + x20_dot^2
        ) + M/2*(
            (x1_dot + x2_dot)^2 + (x2_dot + x3_dot)^2 + (x3_dot + x4_dot)^2 +
            (x4_dot + x5_dot)^2 + (x5_dot + x6_dot)^2 + (x6_dot + x7_dot)^2 +
            (x7_dot + x8_dot)^2 + (x8_dot + x9_dot)^2 + (x9_dot + x10_dot)^2 +
            (x10_dot + x11_dot)^2 + (x11_dot + x12_dot)^2 + (x12_dot + x13_dot)^2 +
            (x13_dot + x14_dot)^2 + (x14_dot + x15_dot)^2 + (x15_dot + x16_dot)^2 +
            (x16_dot + x17_dot)^2 + (x17_dot + x18_dot)^2 + (x18_dot + x19_dot)^2 +
            (x19_dot + x20_dot)^2
        );
        potential = k/2*(
            (x2 - x1)^2 + (x3 - x2)^2 + (x4 - x3)^2 + (x5 - x4)^2 + (x6 - x5)^2 + (x7 - x6)^2 +
            (x8 - x7)^2 + (x9 - x8)^2 + (x10 - x9)^2 + (x11 - x10)^2 + (x12 - x11)^2 +
            (x13 - x12)^2 + (x14 - x13)^2 + (x15 - x14)^2 + (x16 - x15)^2 + (x17 - x16)^2 +
            (x18 - x17)^2 + (x19 - x18)^2 + (x20 - x19)^2
        ) + κ*(cos(x1) + cos(x20));
        constraints { tie: dx1 - cos(x2)*dx20; }
        scenario push { x10_dot = 1; until t = 2; }
    }
}
