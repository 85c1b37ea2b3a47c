//! The texts of the models that eom brings along.

macro_rules! models {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../models/eom/", $name, ".eom")))),*]
    };
}

/// Each by the name of its file.
pub(crate) const MODELS: &[(&str, &str)] = models![
    "angled-floor-ball",
    "angled-wall-ball",
    "box-ball",
    "controlled-penny",
    "damped-particle",
    "euler-ball",
    "flat-board-hack",
    "flat-board",
    "floor-ball",
    "hemisphere",
    "newton-ball",
    "penny",
    "putted-ball",
    "rolling-ball",
    "rough-particle",
    "rough-particles",
    "sliding-penny",
    "solid-box-hack",
    "solid-box",
    "surface-particle",
    "table-ball",
    "thin-rod-hack",
    "thin-rod",
    "two-particles",
    "viscous-particle",
    "viscous-particles",
    "viscous-two-particles",
    "wall-ball",
];
