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

macro_rules! spring {
    ($(#[$meta:meta])* $visible:vis $name:ident, $k:expr) => {
        eom_core::lagrangian! {
            $(#[$meta])*
            $visible system $name { coordinates { x } kinetic = x_dot^2/2; potential = $k*x^2/2; }
        }
    };
}

spring!(
    /// Two springs beside one another.
    pub(crate) Beside, 1 + 2
);

fn main() {
    assert_eq!((Soft::default().k, Hard::default().k), (1.0, 100.0));
    let info = eom_core::System::info(&Beside::default());
    assert_eq!(info.doc, "Two springs beside one another.");
    assert!(info.equations.contains("ẍ + 3*x = 0"), "{}", info.equations);
    assert!(info.source.contains("(1 + 2)"), "{}", info.source);
}
