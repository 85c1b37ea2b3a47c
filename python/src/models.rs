//! The texts of the models that eom brings along: those of the documents, and the gallery.

macro_rules! models {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../", $folder, "/", $name, ".eom")))),*]
    };
}

/// Each by the name of its file.
pub(crate) const MODELS: [&[(&str, &str)]; 3] = [
    models![
        "models/eom":
        "angled-floor-ball",
        "angled-wall-ball",
        "box-ball",
        "controlled-penny",
        "damped-particle",
        "euler-ball",
        "flat-board",
        "flat-board-hack",
        "floor-ball",
        "hemisphere",
        "newton-ball",
        "penny",
        "putted-ball",
        "rolling-ball",
        "rough-particle",
        "rough-particles",
        "sliding-penny",
        "solid-box",
        "solid-box-hack",
        "surface-particle",
        "table-ball",
        "thin-rod",
        "thin-rod-hack",
        "two-particles",
        "viscous-particle",
        "viscous-particles",
        "viscous-two-particles",
        "wall-ball",
    ],
    models![
        "models/gallery":
        "appell",
        "bouncing-ball",
        "bouncing-ellipse",
        "capstan",
        "chaplygin-ball",
        "chaplygin-sleigh",
        "circular-billiard",
        "compass-walker",
        "contact-oscillator",
        "cylinder-pendulum",
        "euler-disk",
        "figure-eight",
        "heavy-top",
        "housner-block",
        "impact-oscillator",
        "kapitza",
        "kepler",
        "kovalevskaya",
        "lagrange-points",
        "rattleback",
        "rimless-wheel",
        "rocking-block",
        "rolling-disk",
        "simplest-walker",
        "sinai-billiard",
        "slider-crank",
        "snakeboard",
        "spherical-pendulum",
        "stadium-billiard",
        "suslov",
        "tippe-top",
        "woodpecker",
        "ziegler",
    ],
    models!["examples/bicycle": "bicycle"],
];
