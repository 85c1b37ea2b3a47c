//! Names of the declaration that generated code might use itself.
#![deny(warnings)]
#![allow(uncommon_codepoints, confusable_idents, mixed_script_confusables)]

eom_core::lagrangian! {
    /// Coordinates and parameters called like locals, arguments and items of generated code.
    pub system Names {
        coordinates { q, v, a }
        inputs { u }
        parameters { w0 = 1 where w0 > 0, w1 = w0, p0 = 2, value = 3, values = p0, overrides = 1, λ = 1, event = 2, index = 1 }
        kinetic = w0/2*(q_dot^2 + v_dot^2) + w1/2*a_dot^2;
        potential = p0*cos(q) + value*v + values*a + overrides*λ*event*index;
        force q = u;
        event accelerations { guard = q; }
        scenario info { q = 1; until t = 1; }
        output outputs = q + v;
    }
}

fn main() {
    let names = Names::default();
    assert_eq!(names.values, 2.0);
}
