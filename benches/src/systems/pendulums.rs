//! The pendulums whose functions are timed, as declarations: each is the text of
//! [`pendulum`](super::pendulum) for its number of links.

eom_core::lagrangian! {
    /// The planar pendulum of 6 links, unit masses and rods, in absolute angles.
    pub system Pendulum6 {
        coordinates { θ1, θ2, θ3, θ4, θ5, θ6 }
        parameters { g = 9.81 }
        let X1 = sin(θ1);
        let Y1 = - cos(θ1);
        let X2 = X1 + sin(θ2);
        let Y2 = Y1 - cos(θ2);
        let X3 = X2 + sin(θ3);
        let Y3 = Y2 - cos(θ3);
        let X4 = X3 + sin(θ4);
        let Y4 = Y3 - cos(θ4);
        let X5 = X4 + sin(θ5);
        let Y5 = Y4 - cos(θ5);
        let X6 = X5 + sin(θ6);
        let Y6 = Y5 - cos(θ6);
        kinetic = (Ẋ1^2 + Ẏ1^2 + Ẋ2^2 + Ẏ2^2 + Ẋ3^2 + Ẏ3^2 + Ẋ4^2 + Ẏ4^2 + Ẋ5^2 + Ẏ5^2
            + Ẋ6^2 + Ẏ6^2)/2;
        potential = g*(Y1 + Y2 + Y3 + Y4 + Y5 + Y6);
    }
}

eom_core::lagrangian! {
    /// The planar pendulum of 12 links, unit masses and rods, in absolute angles.
    pub system Pendulum12 {
        coordinates { θ1, θ2, θ3, θ4, θ5, θ6, θ7, θ8, θ9, θ10, θ11, θ12 }
        parameters { g = 9.81 }
        let X1 = sin(θ1);
        let Y1 = - cos(θ1);
        let X2 = X1 + sin(θ2);
        let Y2 = Y1 - cos(θ2);
        let X3 = X2 + sin(θ3);
        let Y3 = Y2 - cos(θ3);
        let X4 = X3 + sin(θ4);
        let Y4 = Y3 - cos(θ4);
        let X5 = X4 + sin(θ5);
        let Y5 = Y4 - cos(θ5);
        let X6 = X5 + sin(θ6);
        let Y6 = Y5 - cos(θ6);
        let X7 = X6 + sin(θ7);
        let Y7 = Y6 - cos(θ7);
        let X8 = X7 + sin(θ8);
        let Y8 = Y7 - cos(θ8);
        let X9 = X8 + sin(θ9);
        let Y9 = Y8 - cos(θ9);
        let X10 = X9 + sin(θ10);
        let Y10 = Y9 - cos(θ10);
        let X11 = X10 + sin(θ11);
        let Y11 = Y10 - cos(θ11);
        let X12 = X11 + sin(θ12);
        let Y12 = Y11 - cos(θ12);
        kinetic = (Ẋ1^2 + Ẏ1^2 + Ẋ2^2 + Ẏ2^2 + Ẋ3^2 + Ẏ3^2 + Ẋ4^2 + Ẏ4^2 + Ẋ5^2 + Ẏ5^2
            + Ẋ6^2 + Ẏ6^2 + Ẋ7^2 + Ẏ7^2 + Ẋ8^2 + Ẏ8^2 + Ẋ9^2 + Ẏ9^2 + Ẋ10^2 + Ẏ10^2
            + Ẋ11^2 + Ẏ11^2 + Ẋ12^2 + Ẏ12^2)/2;
        potential = g*(Y1 + Y2 + Y3 + Y4 + Y5 + Y6 + Y7 + Y8 + Y9 + Y10 + Y11 + Y12);
    }
}
