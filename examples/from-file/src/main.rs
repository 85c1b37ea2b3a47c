//! A model in a file, `models/pendulum.eom`, in a crate that uses it. The build script compiles it to
//! Rust: the same type that the macro would write.

/// What the build script wrote.
mod pendulum {
    include!(concat!(env!("OUT_DIR"), "/pendulum.rs"));
}

use eom_core::{Options, ScenarioError, Trajectory, run_scenario};
use pendulum::Pendulum;
use std::io::{self, Write as _};

/// The swing from the side into the wall.
fn swing(pendulum: &Pendulum) -> Result<Trajectory, ScenarioError> {
    run_scenario(pendulum, "swing", &Options::default())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", Pendulum::INFO.equations)?;
    for (_, impact) in swing(&Pendulum::default())?.impacts() {
        writeln!(out, "hits the wall at t = {}", impact.t)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the wall, x = 0, the bob hangs straight down: its speed there is √(2 g l), then e of it.
    #[test]
    fn the_bob_comes_back_with_the_restitution() {
        let pendulum = Pendulum { e: 0.8, ..Pendulum::default() };
        let run = swing(&pendulum).unwrap();
        let speeds: Vec<f64> = run.impacts().map(|(_, impact)| impact.v_plus()[0]).collect();
        assert_eq!(speeds.len(), 5);
        let mut speed = (2.0 * pendulum.g * pendulum.l).sqrt();
        for found in speeds {
            speed *= pendulum.e;
            assert!((found - speed).abs() < 1e-10 * speed, "{found}, {speed}");
        }
    }
}
