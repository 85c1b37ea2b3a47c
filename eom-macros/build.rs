//! Tells the macro how it is built: a derivation without optimisation takes about eight times its time, and cargo builds
//! macros that way in every profile unless it is told otherwise.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    let profile = std::env::var("PROFILE").unwrap_or_default();
    let profile = if profile == "release" { "release" } else { "dev" };
    println!("cargo::rustc-env=EOM_OPT_LEVEL={level}");
    println!("cargo::rustc-env=EOM_PROFILE={profile}");
}
