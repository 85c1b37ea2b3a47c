//! Several warnings of one declaration, each under its own name; what is allowed is not said.
#![deny(deprecated)]

eom_core::lagrangian! {
    system Wheel {
        coordinates { x, y, θ, φ }
        parameters { R = 0.3, k = 2, unneeded = 3 }
        inputs { u }
        kinetic = (ẋ^2 + ẏ^2 + θ̇^2 + φ̇^2)/2;
        constraints {
            roll_x: dx - R*cos(φ)*dθ;
            roll_y: dy - R*sin(φ)*dθ;
            rail: dφ;
        }
        allow unused_parameter(unneeded), integrable_row(rail);
    }
}

fn main() {}
