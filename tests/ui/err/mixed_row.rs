#![allow(mixed_script_confusables)]

eom_core::lagrangian! {
    system Blade {
        coordinates { x, y, φ }
        kinetic = (ẋ^2 + ẏ^2 + φ̇^2)/2;
        constraints { blade: sin(φ)*dx - cos(φ)*ẏ; }
    }
}

fn main() {}
