//! A module without the names that Rust usually brings.

#[no_implicit_prelude]
mod bare {
    ::eom_core::lagrangian! {
        pub system Everything {
            coordinates { x, φ }
            inputs { u }
            parameters { m = 1 where m > 0, e = 1/2 }
            kinetic = m/2*(ẋ^2 + φ̇^2);
            potential = m*sin(x)^2 + abs(x) + sign(x) + x^(1/3) + x^100;
            dissipation = ẋ^2;
            force x = u;
            constraints { row: ẋ = cos(φ)*φ̇; }
            allow integrable_row(row);
            contact floor { gap = x + 1; impact = restitution(e); }
            event turn { guard = φ; both; reset { φ̇ = -φ̇; } }
            scenario start { φ = m; solve ẋ; u = 1; until t = 1; until impacts = 2; }
            output o = x;
        }
    }

    ::eom_core::lagrangian! {
        pub system Free {
            coordinates { x }
            kinetic = ẋ^2;
        }
    }
}

fn main() {
    let system = bare::Everything::default();
    assert_eq!(system.m, 1.0);
    let _ = bare::Free::default();
}
