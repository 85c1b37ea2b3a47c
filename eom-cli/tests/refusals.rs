//! What `eom run` says of a start or an end that is not what was meant: the snapshot is the table.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A pendulum on an arm that turns about the vertical, beside a wall.
const PENDULUM: &str = "system Pendulum {
    coordinates { φ, θ }
    parameters { m = 1 where m > 0, l = 1, g = 9.81, e = 1/2, k = 1 }
    kinetic = m/2*l^2*(θ̇^2 + sin(θ)^2*φ̇^2);
    potential = -m*g*l*cos(θ);
    contact wall { gap = 2 - θ; impact = restitution(e); }
    scenario swing { θ = 1; φ̇ = k; until t = 1; }
    scenario high { θ = 1; until impacts = 1; }
    scenario behind { θ = 3; until t = 1; }
    scenario pole { until t = 1; }
    allow impossible_scenario(behind);
}
";

/// A sleigh that is given a velocity across its blade.
const SLEIGH: &str = "system Sleigh {
    coordinates { x, y }
    kinetic = (ẋ^2 + ẏ^2)/2;
    constraints { blade: ẋ = ẏ; }
    contact shore { gap = 1 - x; impact = elastic; }
    scenario push { ẋ = 1; until t = 1; }
    scenario away { ẋ = -1; ẏ = -1; until impacts = 1; }
}
";

/// As many beads as the declaration says.
const BEADS: &str = "system Beads {
    coordinates { x[i in 1..=N] }
    parameters { N = 3, m = 1 }
    kinetic = m/2*sum(ẋ[i]^2, i in 1..=N);
    scenario rest { until t = 1; }
}
";

#[test]
fn starts_and_ends() {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refusals");
    fs::create_dir_all(&here).unwrap();
    fs::write(here.join("pendulum.eom"), PENDULUM).unwrap();
    fs::write(here.join("sleigh.eom"), SLEIGH).unwrap();
    fs::write(here.join("beads.eom"), BEADS).unwrap();
    let mut said = String::new();
    // table
    for call in [
        "pendulum.eom --set m=-1",
        "pendulum.eom --set l=0",
        "pendulum.eom --set e=2",
        "pendulum.eom --set k=1/0",
        "pendulum.eom --set k=0/0",
        "pendulum.eom --scenario behind",
        "pendulum.eom --scenario pole",
        "pendulum.eom --rtol 1e-20",
        "pendulum.eom --set k=1e200",
        "pendulum.eom --set m=-1e40",
        "pendulum.eom --set thetadot=1",
        "sleigh.eom",
        "sleigh.eom --set xdot=1",
        "beads.eom --set N=4",
        "sleigh.eom --scenario away",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eom"));
        let output = command.current_dir(&here).arg("run").args(call.split(' ')).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
        let code = output.status.code().unwrap();
        assert_ne!(code, 0, "{call}\n{out}");
        let _ = writeln!(said, "$ eom run {call}    → {code}");
        let ends =
            out.lines().filter(|line| line.starts_with("end") || line.trim().starts_with("help"));
        for line in ends.chain(err.lines()) {
            let _ = writeln!(said, "{line}");
        }
        said.push('\n');
    }
    assert!(!said.contains("NaN is"), "{said}");
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("refusals", said));
}
