//! A declaration that comes out of another macro.

macro_rules! oscillator {
    ($name:ident, $k:literal) => {
        eom_core::lagrangian! {
            pub system $name {
                coordinates { x }
                parameters { m = 1, k = $k }
                kinetic = m/2*x_dot^2;
                potential = k/2*x^2;
            }
        }
    };
}

oscillator!(Soft, 1);
oscillator!(Hard, 100);

fn main() {
    assert_eq!((Soft::default().k, Hard::default().k), (1.0, 100.0));
}
