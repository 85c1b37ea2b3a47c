//! What the build script wrote: the systems of `models` with their derivatives, each the type that the macro would write.

macro_rules! compiled {
    ($($file:literal as $module:ident: $System:ident;)*) => {$(
        mod $module {
            include!(concat!(env!("OUT_DIR"), "/", $file, ".rs"));
        }
        pub use $module::$System;
    )*};
}

compiled! {
    "double_pendulum" as double_pendulum: DoublePendulum;
    "nlink6" as nlink6: Pendulum6;
    "nlink12" as nlink12: Pendulum12;
    "penny" as penny: Penny;
    "particle" as particle: Particle;
    "ball" as ball: Ball;
}
