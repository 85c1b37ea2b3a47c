//! ASCII alone, under the lints that forbid anything else.
#![deny(warnings)]
#![forbid(non_ascii_idents, unsafe_code)]

eom_core::lagrangian! {
    /// A rolling disk.
    pub system Disk {
        coordinates { x, y, theta, phi }
        parameters { R = 1 where R > 0, m = 1 where m > 0, Omega = 2 }
        kinetic = m/2*(x_dot^2 + y_dot^2) + m*R^2/4*theta_dot^2 + m*R^2/8*phi_dot^2;
        potential = m*Omega*x;
        constraints {
            roll_x: dx - R*cos(phi)*dtheta;
            roll_y: y_dot = R*sin(phi)*theta_dot;
        }
        claim turns: phi_ddot = 0;
        claim pull: lambda(roll_y) = m*y_ddot;
    }
}

fn main() {
    let disk = Disk { Omega: 0.0, ..Disk::default() };
    assert_eq!(disk.R, 1.0);
}
