//! Types with the names of primitive types.
#![allow(non_camel_case_types, dead_code)]

mod shadowed {
    pub struct f64;
    pub struct usize;
    pub struct str;

    ::eom_core::lagrangian! {
        pub system Shadowed {
            coordinates { x }
            parameters { m = 1 where m > 0 }
            kinetic = m/2*ẋ^2;
            potential = sin(x);
            scenario start { x = 1; until t = 1; }
        }
    }
}

fn main() {
    let _ = shadowed::Shadowed::default();
}
