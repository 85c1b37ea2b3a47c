//! The ball that rolls without slipping, the limit of infinite roughness: putting-green, (46)–(56).
//!
//! With the slip γ = v + ω × (−R n̂) and n̂ ∥ N = (−f_x, −f_y, 1), γ·N = v·N, that is
//!
//! ```text
//! γ_z = f_x γ_x + f_y γ_y + d/dt (z − f)
//! ```
//!
//! so that of the four rows (53)–(56) three are independent, and the four multipliers of (47)–(52) are
//! determined but for one number: (λ_x, λ_y, λ_z) + c N and λ_h − c satisfy them as well. Here the rows are
//! γ_x = 0, γ_y = 0 and z = f, and λ_z may be any number:
//!
//! ```text
//! (λ_x, λ_y) = −(λ(roll_x), λ(roll_y)) − λ_z (f_x, f_y)          λ_h = −λ(surface) − λ_z
//! ```

eom_core::lagrangian! {
    /// A ball that rolls on z = f(x, y).
    pub system RollingBall {
        document "putting-green";

        coordinates {
            /// Centre along e₁, m.
            x,
            /// Centre along e₂, m.
            y,
            /// Centre along e₃, m.
            z,
        }
        /// Attitude of the ball; angular velocity along e₁, e₂, e₃, rad/s.
        rotation Q { space: ω_x, ω_y, ω_z }
        parameters {
            /// Mass, kg.
            m = 0.0459 where m > 0,
            /// Radius, m.
            r = 0.02135 where r > 0,
            /// Radius of gyration, m: a homogeneous ball.
            k = sqrt(2/5)*r where k > 0,
            /// Gravity, m/s².
            g = 9.81,
            /// The multiplier that (47)–(56) leave open, N: they hold for every value. It moves nothing.
            λ_z = 0,
            /// Slope of the green along y.
            s = 0.02,
            /// Height of its mound, m.
            h = 0.15,
            /// Where the mound is, m along x.
            a = 1.5,
            /// Width of the mound, m: there it has fallen to h/e.
            w = 0.6 where w > 0,
        }
        /// The height of the surface, m. The claims hold for every smooth f.
        function f(x, y) = s*y + h*exp(-((x - a)^2 + y^2)/w^2);

        kinetic   = m/2*(ẋ^2 + ẏ^2 + ż^2) + m*k^2/2*(ω_x^2 + ω_y^2 + ω_z^2);
        potential = m*g*z;

        let N = f_x^2 + f_y^2 + 1;
        let γ_x = ẋ - r/sqrt(N)*(ω_y + ω_z*f_y);
        let γ_y = ẏ + r/sqrt(N)*(ω_x + ω_z*f_x);
        let γ_z = ż + r/sqrt(N)*(ω_x*f_y - ω_y*f_x);

        constraints {
            /// (53).
            roll_x: γ_x;
            /// (54).
            roll_y: γ_y;
        }
        holonomic {
            /// (56) in contact.
            surface: z - f;
        }

        /// Over the mound.
        scenario over_the_mound {
            y = 0.125;
            ẋ = 2;
            ẏ = -0.25;
            solve z, ż, ω_x, ω_y;
            until t = 1;
        }

        draw {
            surface f;
            trace [x, y, z];
            arrow [x, y, z], λ(surface)*[-f_x, -f_y, 1], color green;
            sphere [x, y, z], r, rotation Q;
        }

        notation {
            r"\lambda_x" = -λ(roll_x) - λ_z*f_x;
            r"\lambda_y" = -λ(roll_y) - λ_z*f_y;
            r"\lambda_h" = -λ(surface) - λ_z;
        }

        claim eq47: tex r"m\ddot{x} + \lambda_x - \lambda_h \frac{\partial f}{\partial x} = 0 \quad (47)";
        claim eq48: tex r"m\ddot{y} + \lambda_y - \lambda_h \frac{\partial f}{\partial y} = 0 \quad (48)";
        claim eq49: tex r"m\ddot{z} + \lambda_z + gm + \lambda_h = 0 \quad (49)";
        claim eq50: tex r"-k^2 m \dot{\omega}_y + \frac{r}{\sqrt{N}} \left(\lambda_x + \frac{\partial f}{\partial x} \lambda_z \right) = 0 \quad (50)";
        claim eq51: tex r"k^2 m \dot{\omega}_x + \frac{r}{\sqrt{N}} \left(\lambda_y + \frac{\partial f}{\partial y} \lambda_z \right) = 0 \quad (51)";
        claim eq52: tex r"k^2 m \dot{\omega}_z + \frac{r}{\sqrt{N}} \left(-\frac{\partial f}{\partial y} \lambda_x + \frac{\partial f}{\partial x} \lambda_y \right) = 0 \quad (52)";
        claim eq53: tex r"\gamma_x = 0 \quad (53)";
        claim eq54: tex r"\gamma_y = 0 \quad (54)";
        /// Follows from (53), (54) and (56).
        claim eq55: tex r"\gamma_z = 0 \quad (55)";
        claim eq56: tex r"z - f(x, y) \geq 0 \quad (56)";
    }
}
