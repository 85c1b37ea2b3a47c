//! The vertical rolling disk on a table: bouncing-penny, sections V and VI.
//!
//! ```text
//!            φ ↗  heading of the disk, the direction in which it rolls
//!     ┌──────────────────────┐
//!     │      (x,y)●──▶ front │   the rim meets the edge at (x + R cos φ, y + R sin φ),
//!     │            back      │   or backwards at (x − R cos φ, y − R sin φ)
//!     └──────────────────────┘   edge: X²/a² + Y²/b² = 1
//! ```
//!
//! The document writes the edge as h = X²/a² + Y²/b² − 1 (35), positive outside; the gap here is
//! −h. The impact maps do not change with the sign of h.

eom_core::lagrangian! {
    /// The rolling penny on an elliptical table, bouncing off its edge.
    pub system Penny {
        document "bouncing-penny";

        coordinates {
            /// Contact point, m.
            x,
            /// Contact point, m.
            y,
            /// Rotation about the axle, rad.
            θ,
            /// Heading, rad.
            φ,
        }
        parameters {
            /// Radius of the disk, m (Table I).
            R = 0.01 where R > 0,
            /// Mass, kg (Table I).
            m = 0.0025 where m > 0,
            /// Moment of inertia about the axle, kg m²: thin homogeneous disk.
            I = m*R^2/2 where I > 0,
            /// Moment of inertia about a diameter, kg m²: thin homogeneous disk.
            J = m*R^2/4 where J > 0,
            /// Semi-axis of the table along x, m; 0.20 for the circular table (Table I).
            a = 0.15 where a > 0,
            /// Semi-axis of the table along y, m (Table I).
            b = 0.20 where b > 0,
        }
        kinetic = m/2*(ẋ^2 + ẏ^2) + I/2*θ̇^2 + J/2*φ̇^2;

        constraints {
            /// No slip along x.
            roll_x: dx - R*cos(φ)*dθ;
            /// No slip along y.
            roll_y: dy - R*sin(φ)*dθ;
        }

        /// The leading rim meets the edge, (27).
        contact front {
            gap    = 1 - ((x + R*cos(φ))/a)^2 - ((y + R*sin(φ))/b)^2;
            impact = elastic;
        }
        /// The trailing rim meets the edge, (34).
        contact back {
            gap    = 1 - ((x - R*cos(φ))/a)^2 - ((y - R*sin(φ))/b)^2;
            impact = elastic;
        }

        /// Figure 3: the first 20 elastic impacts on the elliptical table, section VI-A.
        scenario figure_3 {
            φ = pi/2;
            θ̇ = 10;
            φ̇ = 0.2;
            solve ẋ, ẏ;
            until impacts = 20;
        }

        draw {
            ground (x/a)^2 + (y/b)^2 = 1;
            trace [x, y];
            arrow [x, y], [ẋ, ẏ], color green;
            line [x - R*cos(φ), y - R*sin(φ)], [x + R*cos(φ), y + R*sin(φ)], color red;
        }

        // The gradient of h = X²/a² + Y²/b² − 1 at the rim that meets the edge.
        let h_x = 2*(x + R*cos(φ))/a^2;
        let h_y = 2*(y + R*sin(φ))/b^2;
        let k_x = 2*(x - R*cos(φ))/a^2;
        let k_y = 2*(y - R*sin(φ))/b^2;

        /// The number C of the pre-impact map.
        let C = -2*(h_x*ẋ + h_y*ẏ + R*(h_y*cos(φ) - h_x*sin(φ))*φ̇)
            /(1/m*(h_x^2 + h_y^2) + 1/J*R^2*(h_y*cos(φ) - h_x*sin(φ))^2);
        /// C for the trailing rim: the arm is −R.
        let C_back = -2*(k_x*ẋ + k_y*ẏ - R*(k_y*cos(φ) - k_x*sin(φ))*φ̇)
            /(1/m*(k_x^2 + k_y^2) + 1/J*R^2*(k_y*cos(φ) - k_x*sin(φ))^2);
        let K = m^2*R^2/(I + m*R^2);

        // dh, ∇h = ♯dh, the vector fields (30) and the matrix (31), for the equations of section IV.
        let dh = [h_x, h_y, 0, R*(h_y*cos(φ) - h_x*sin(φ))];
        let gradient = [h_x/m, h_y/m, 0, R/J*(h_y*cos(φ) - h_x*sin(φ))];
        let forms = [[1, 0, -R*cos(φ), 0], [0, 1, -R*sin(φ), 0]];
        let fields = [[1/m, 0, -R/I*cos(φ), 0], [0, 1/m, -R/I*sin(φ), 0]];
        let a_lower = [
            [m - K*cos(φ)^2,     -K*sin(φ)*cos(φ)],
            [-K*sin(φ)*cos(φ),   m - K*sin(φ)^2]
        ];

        /// ♭ of the velocity is the momentum ∂L/∂v.
        claim eq1: mass*velocity = [m*ẋ, m*ẏ, I*θ̇, J*φ̇];
        /// The principle along the two displacements that satisfy (10): δq = (R cos φ, R sin φ, 1, 0)
        /// and (0, 0, 0, 1).
        claim eq9: [R*cos(φ)*m*ẍ + R*sin(φ)*m*ÿ + I*θ̈, J*φ̈] = [0, 0];
        claim eq12a: I*θ̈ = -R*cos(φ)*m*ẍ - R*sin(φ)*m*ÿ;
        claim eq12b: J*φ̈ = 0;
        claim eq13a: ẋ = R*cos(φ)*θ̇;
        claim eq13b: ẏ = R*sin(φ)*θ̇;

        claim eq22: lagrangian = 1/2*m*(ẋ^2 + ẏ^2) + 1/2*I*θ̇^2 + 1/2*J*φ̇^2;
        claim eq23a: ẋ = R*θ̇*cos(φ);
        claim eq23b: ẏ = R*θ̇*sin(φ);
        claim eq24a: roll_x = dx - R*cos(φ)*dθ;
        claim eq24b: roll_y = dy - R*sin(φ)*dθ;
        claim eq25a: J*φ̈ = 0;
        claim eq25b: (I + m*R^2)*θ̈ = 0;
        claim eq25c: ẋ = R*θ̇*cos(φ);
        claim eq25d: ẏ = R*θ̇*sin(φ);
        /// The motion between impacts, with ω = φ̇ and Ω = θ̇.
        claim eq26: motion(ω, Ω, x0, y0, θ0, φ0) {
            φ = ω*t + φ0;
            θ = Ω*t + θ0;
            x = Ω/ω*R*sin(ω*t + φ0) - Ω/ω*R*sin(φ0) + x0;
            y = -Ω/ω*R*cos(ω*t + φ0) + Ω/ω*R*cos(φ0) + y0;
        };
        claim eq27 at front: -(((x + R*cos(φ))/a)^2 + ((y + R*sin(φ))/b)^2 - 1) = 0;
        claim eq34 at back: -(((x - R*cos(φ))/a)^2 + ((y - R*sin(φ))/b)^2 - 1) = 0;

        claim eq28a at front under reflect: ẋ_plus = ẋ_minus + C/m*h_x;
        claim eq28b at front under reflect: ẏ_plus = ẏ_minus + C/m*h_y;
        claim eq28c at front under reflect: θ̇_plus = θ̇_minus;
        /// C is the value (29).
        claim eq28d at front under reflect:
            φ̇_plus = φ̇_minus + C/J*R*(cos(φ)*h_y - sin(φ)*h_x);
        /// C of (29) is the multiplier of dh in (5): the impulse along −∇gap.
        claim eq29 at front under reflect: C = -impulse(front);
        /// "The same procedure" for the trailing rim, after (34).
        claim eq34_map at back under reflect: plus(velocity) = velocity
            + C_back*[k_x/m, k_y/m, 0, -R/J*(cos(φ)*k_y - sin(φ)*k_x)];

        claim eq30a: sharp(roll_x) = [1/m, 0, -R/I*cos(φ), 0];
        claim eq30b: sharp(roll_y) = [0, 1/m, -R/I*sin(φ), 0];
        claim eq31: inverse(gram) = [
            [m - K*cos(φ)^2,     -K*sin(φ)*cos(φ)],
            [-K*sin(φ)*cos(φ),   m - K*sin(φ)^2]
        ];
        claim eq32: (I + m*R^2)*(identity - projector) = [
            [m*R^2*cos(φ)^2,       m*R^2*sin(φ)*cos(φ), I*R*cos(φ), 0],
            [m*R^2*sin(φ)*cos(φ),  m*R^2*sin(φ)^2,      I*R*sin(φ), 0],
            [m*R*cos(φ),           m*R*sin(φ),          I,          0],
            [0,                    0,                   0,          I + m*R^2]
        ];
        /// The blocks A, B, C, D of (32), entry by entry.
        claim eq33: (I + m*R^2)*(identity - projector)[x, θ] = I*R*cos(φ);

        /// The displacement along which the constraints and dh vanish: (c R cos φ, c R sin φ, c, −1)
        /// with c the ratio of dh along φ and along rolling.
        claim eq14a at front: R*(h_y*cos(φ) - h_x*sin(φ))*(m*R*cos(φ)*(ẋ_plus - ẋ_minus)
            + m*R*sin(φ)*(ẏ_plus - ẏ_minus) + I*(θ̇_plus - θ̇_minus))
            - R*(h_x*cos(φ) + h_y*sin(φ))*J*(φ̇_plus - φ̇_minus) = 0;
        /// The impact time is free.
        claim eq14b at front: plus(energy) - minus(energy) = 0;
        /// Δ FL = λ_k ω^k + α dh, the first line of (15), with the impulses of the rows.
        claim eq15a at front: mass*(plus(velocity) - velocity)
            = impulse(roll_x)*[1, 0, -R*cos(φ), 0] + impulse(roll_y)*[0, 1, -R*sin(φ), 0]
            - impulse(front)*[h_x, h_y, 0, R*(cos(φ)*h_y - sin(φ)*h_x)];
        claim eq15b at front: plus(energy) = energy;
        claim eq15c at front: ẋ_plus = R*cos(φ)*θ̇_plus;
        claim eq15d at front: ẏ_plus = R*sin(φ)*θ̇_plus;
        /// The corner conditions (15), solved as (16) and (17) say, are v⁺ = (I − 2P) v⁻.
        claim eq15_projector at front under corner:
            plus(velocity) = (identity - 2*projector)*velocity;
        claim eq15_projector_back at back under corner:
            plus(velocity) = (identity - 2*projector)*velocity;
        /// α is −impulse(front) with dh = −∇gap: the products are those of the document. One line for
        /// each constraint.
        claim eq16a at front: impulse(roll_x)*gram[roll_x, roll_x]
            + impulse(roll_y)*gram[roll_y, roll_x] + impulse(front)*gram[front, roll_x] = 0;
        claim eq16b at front: impulse(roll_x)*gram[roll_x, roll_y]
            + impulse(roll_y)*gram[roll_y, roll_y] + impulse(front)*gram[front, roll_y] = 0;
        claim eq17 at front: 2*impulse(roll_x)*(ẋ - R*cos(φ)*θ̇) + 2*impulse(roll_y)*(ẏ - R*sin(φ)*θ̇)
            - 2*impulse(front)*dot(dh, velocity)
            + impulse(roll_x)^2*gram[roll_x, roll_x] + impulse(roll_y)^2*gram[roll_y, roll_y]
            + 2*impulse(roll_x)*impulse(roll_y)*gram[roll_x, roll_y]
            + 2*impulse(roll_x)*impulse(front)*gram[roll_x, front]
            + 2*impulse(roll_y)*impulse(front)*gram[roll_y, front]
            + impulse(front)^2*gram[front, front] = 0;
        /// aⁱʲ = ωⁱ(Wʲ).
        claim eq19: gram = forms*transpose(fields);
        claim eq20 at front under project: plus(velocity) = velocity
            - 2*dot(dh, velocity)/dot(dh, gradient)
            *(gradient - transpose(fields)*a_lower*forms*gradient);
        claim eq21: identity - projector = identity - transpose(fields)*a_lower*forms;

        /// The projected map is (32) after (28).
        claim eq33_map at front under project: (I + m*R^2)*plus(velocity) = [
            [m*R^2*cos(φ)^2,       m*R^2*sin(φ)*cos(φ), I*R*cos(φ), 0],
            [m*R^2*sin(φ)*cos(φ),  m*R^2*sin(φ)^2,      I*R*sin(φ), 0],
            [m*R*cos(φ),           m*R*sin(φ),          I,          0],
            [0,                    0,                   0,          I + m*R^2]
        ]*[
            ẋ + C/m*h_x, ẏ + C/m*h_y, θ̇, φ̇ + C/J*R*(cos(φ)*h_y - sin(φ)*h_x)
        ];
    }
}
