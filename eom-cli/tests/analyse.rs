//! `eom analyse` as its users meet it: what it says against closed forms and published numbers, and what it refuses.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::analyse;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of its own for each test, with the systems.
fn directory(test: &str) -> PathBuf {
    let path = common::folder(&format!("analyse/{test}"));
    fs::write(path.join("hoop.eom"), HOOP).unwrap();
    fs::write(path.join("table.eom"), TABLE).unwrap();
    fs::write(path.join("cycle.eom"), CYCLE).unwrap();
    fs::write(path.join("duffing.eom"), DUFFING).unwrap();
    path
}

/// A bead on a hoop that turns: at rest below while Ω² < g/r.
const HOOP: &str = "/// A bead on a hoop.
system Hoop {
    coordinates { θ }
    parameters { r = 0.5, g = 9.81, Ω = 3 }
    inputs { τ }
    kinetic = r^2/2*(θ̇^2 + (Ω*sin(θ))^2);
    potential = -g*r*cos(θ);
    force θ = τ;
    scenario below { until t = 1; }
}
";

/// A ball on a table that shakes.
const TABLE: &str = "/// A ball on a table.
system Table {
    coordinates { z }
    parameters { A = 0.0041, e = 0.8, g = 9.81 }
    kinetic = ż^2/2;
    potential = g*z;
    contact table { gap = z - A*sin(30*t); impact = restitution(e); }
    scenario bounce { t = 0.135; z = 0.0565; until impacts = 10; }
}
";

/// A mass on a belt: m g = 20, k = 18, ω = 3.
const CYCLE: &str = "/// A mass on a belt.
system Cycle {
    coordinates { x, y }
    parameters { μ_s = 0.5, μ = 0.3, k = 18, g = 10, V = 0.4 }
    kinetic = ẋ^2 + ẏ^2;
    potential = k/2*x^2 + 2*g*y;
    contact belt { gap = y; slip = ẋ - V; friction(μ_s, μ); impact = restitution(0); }
    event top { guard = ẋ; falling; }
    scenario sticks { x = 0.6; until t = 50; }
}
";

/// Duffing's oscillator: over w it hangs on to the branch it is on.
const DUFFING: &str = "/// A hardening spring that is driven.
system Duffing {
    coordinates { x }
    parameters { F = 0.3, d = 0.1, w = 1.2 }
    kinetic = ẋ^2/2;
    potential = x^2/2 + x^4/4;
    force x = -d*ẋ + F*cos(w*t);
    scenario rest { until t = 600; }
}
";

#[test]
fn answers() {
    let directory = directory("answers");
    let bicycle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bicycle/bicycle.eom");
    let bicycle = bicycle.display();
    let sweep = format!("{bicycle} --scenario straight --sweep x_dot=3:7:5");
    let cases: [(&str, &[&str]); 12] = [
        // Elements of an array by their index, in either spelling.
        (
            "ziegler --scenario straight --free θ[1],theta[2],theta_dot[1],θ̇[2]",
            &["free         θ1, θ2, "],
        ),
        ("kovalevskaya conserved", &["energy = ", "momentum of R about axis 3 = "]),
        // Meijaard, Papadopoulos, Ruina and Schwab (2007): weave 4.292382536341, capsize 6.024262015388.
        (&sweep, &["ẋ = 4.29238253634: a pair", "ẋ = 6.02426201539: a real eigenvalue through 0"]),
        // √(g/r − Ω²) = √10.62 = 3.25883414736.
        ("hoop.eom", &["0 ± 3.25883414736 i", "not decided by the linear system"]),
        // √(g/r) = 4.42944691807.
        (
            "hoop.eom --sweep Ω=3:6:4",
            &["Ω = 4.42944691807: a real eigenvalue through 0; unstable 0 → 1"],
        ),
        // cos θ = g/(rΩ²): θ = arccos(0.545) = 0.994407212059…, where it is stable.
        ("hoop.eom --find --set Ω=6 --set theta=1.1", &["θ = 0.994407212059", "0 ± "]),
        // From θ = 1 it is the motion below up to Ω² = g/r, then the one beside it.
        (
            "hoop.eom equilibria --set theta=1 --sweep Ω=3:6:4",
            &["another    between Ω = 4 and 5 the motion that is found is another one"],
        ),
        // τ holds it at 1: r²(g/r sin 1 − Ω² sin 1 cos 1) = 3.104455575304….
        ("hoop.eom --find --hold theta --trim τ --set theta=1", &["τ = 3.1044555753"]),
        // A multiplier's size is √(e²) where they are a pair.
        ("table.eom orbit --period 2*pi/30", &["i, of size 0.8", "stability    stable"]),
        // Their sum is 2 ln e an impact.
        ("table.eom lyapunov --span 0.2 --spans 20", &["exponents", "sum"]),
        // Δ = 0.2 m g/k, α = atan(V/(ωΔ)): T = (π + 2α)/ω + 2Δ/V, and what deviates is lost where it sticks.
        ("cycle.eom orbit --section top", &["2.51858832915", "stability    stable"]),
        ("cycle.eom lyapunov --spans 20", &["−∞   a direction that is lost"]),
    ];
    for (arguments, said) in cases {
        let text = analyse(&directory, arguments, 0);
        for words in said {
            assert!(text.contains(words), "{arguments}: no {words} in\n{text}");
        }
    }
}

/// Branches along a parameter, an input, an entry of the state: against closed forms.
#[test]
fn branches() {
    let directory = directory("branches");
    let bicycle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bicycle/bicycle.eom");
    let bicycle = bicycle.display();
    let straight = format!("{bicycle} equilibria --scenario straight --along x_dot=3:7 --hold psi");
    let cases: [(&str, &[&str]); 5] = [
        // √(g/r), and cos θ = g/(rΩ²) at Ω = 6: arccos 0.545.
        (
            "hoop.eom equilibria --along Ω=3:6 --plot hoop.svg",
            &[
                "Ω = 4.42944691807   unstable 0 → 1   θ = 0, θ̇ = 0, τ = 0   branching",
                "from Ω = 4.42944691807 of branch 1; it leaves the range",
                "Ω = 6   unstable 0   θ = 0.994407212059",
            ],
        ),
        // Along an input: −g r sin θ = τ has its fold at g r.
        (
            "hoop.eom equilibria --set Ω=0 --along τ=0:6 --steps 20",
            &["τ = 4.905   unstable 0 → 1   θ = 1.570796", "fold: the branch turns back"],
        ),
        // Meijaard, Papadopoulos, Ruina and Schwab (2007).
        (&straight, &["ẋ = 4.2923825363", "a pair ± 3.435033848", "ẋ = 6.0242620153"]),
        // g/ω² √((π(1−e)/(1+e))² + (2(1+e²)/(1+e)²)²), as in eom-analysis.
        (
            "table.eom orbit --period 2*pi/30 --along A=0.0041:0.0125 --steps 10",
            &["A = 0.0116721175", "a multiplier through −1: the period doubles"],
        ),
        // The same period, of a parameter.
        ("table.eom orbit --period 2*pi/30*A/A --format tsv", &["0.20943951023931"]),
    ];
    for (arguments, said) in cases {
        let text = analyse(&directory, arguments, 0);
        for words in said {
            assert!(text.contains(words), "{arguments}: no {words} in\n{text}");
        }
    }
    let drawn = fs::read_to_string(directory.join("hoop.svg")).unwrap();
    for words in ["not stable", "branching", "stroke-dasharray"] {
        assert!(drawn.contains(words), "{words}");
    }
}

/// A block on a belt, held by a spring.
const BELT: &str = "/// A block on a belt.
system Belt {
    coordinates { x, y }
    parameters { m = 2, k = 18, g = 10, V = 0.5, μ = 0.3 }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = k/2*x^2 + m*g*y;
    contact belt { gap = y; slip = ẋ - V; friction = μ; impact = restitution(0); }
    scenario rest { until t = 1; }
}
";

/// With a contact closed: μ m g/k = 1/3 and √(k/m) = 3 as long as it slides; it sticks on a belt that stands.
#[test]
fn linear_systems_in_a_mode() {
    let directory = directory("modes");
    fs::write(directory.join("belt.eom"), BELT).unwrap();
    let cases: [(&str, &[&str]); 3] = [
        (
            "belt.eom equilibria",
            &[
                "x = 0.333333333333,",
                "mode         belt is closed with N = 20, as long as N > 0",
                "the friction of belt slides at 0.5, as long as that is > 0",
                "0 ± 3 i",
            ],
        ),
        (
            "belt.eom --set V=0 --set x=0.2",
            &["the friction of belt sticks with a load of 0.6, as long as it is < 1", "neutral"],
        ),
        ("belt.eom --set V=0 --format json", &["\"sticks\": \"belt\"", "\"closed\": \"belt\""]),
    ];
    for (arguments, said) in cases {
        let text = analyse(&directory, arguments, 0);
        for words in said {
            assert!(text.contains(words), "{arguments}: no {words} in\n{text}");
        }
    }
    let edge = analyse(&directory, "belt.eom --set V=0 --set x=1/3", 2);
    assert!(edge.contains("the friction of belt is at the edge of its cone"), "{edge}");
}

/// A claim of a motion that is wrong in its last digit, one that is not decided, and both beside a right one.
#[test]
fn claims_of_motions() {
    let directory = directory("claims");
    let with = |claims: &str| {
        fs::write(directory.join("said.eom"), HOOP.replace("\n}\n", &format!("\n{claims}\n}}\n")))
            .unwrap();
    };
    let right = "claim turn of below: critical(Ω, 3, 6)[1] = 4.4294469181;";
    with(right);
    let [text, _] = common::eom(&directory, "check said.eom", 0);
    assert!(text.contains("of motions   1: turn\n"), "{text}");
    let wrong = "claim off of below: critical(Ω, 3, 6)[1] = 4.4294469182;
claim none of below with θ = 1: re(eigenvalues[1]) < 0;";
    with(&format!("{right}\n{wrong}"));
    let [text, said] = common::eom(&directory, "check said.eom", 1);
    assert_eq!(text, "");
    for words in [
        "claim `off` does not hold: it is 4.42944691807",
        "claimed 4.4294469182 within 5e-11\n  off of below: critical(Ω, 3, 6)[1] = 4.4294469182",
        "claim `none` cannot be decided: not a steady motion: d/dt θ̇ = -1.242e1",
    ] {
        assert!(said.contains(words), "no {words} in\n{said}");
    }
    assert!(!said.contains("`turn`"), "{said}");
}

/// Where there is no derivative by one of them, there is one by the others.
#[test]
fn sensitivities_beside_one_that_there_is_not() {
    let directory = directory("sensitivities");
    for of in ["", " --of 2*x-x_dot"] {
        let asked = format!("cycle.eom sensitivity --until 0.01 --set x=2 --set V=0{of}");
        let said = analyse(&directory, &asked, 0);
        assert!(said.contains("none         by V: "), "{said}");
        assert!(said.contains("begins to slide, and its slip changes with `V`"), "{said}");
        let all = analyse(&directory, &format!("{asked} --format tsv"), 0);
        let place =
            all.lines().next().unwrap().split('\t').position(|name| name == "d/dV").unwrap();
        let row: Vec<&str> = all.lines().nth(1).unwrap().split('\t').collect();
        assert!(row[place].is_empty() && row.iter().filter(|cell| cell.is_empty()).count() == 1);
    }
    let rest = CYCLE.replace("ẋ - V", "ẋ").replace(", V = 0.4", "");
    fs::write(directory.join("rest.eom"), rest).unwrap();
    let said = analyse(&directory, "rest.eom sensitivity --until 0.01 --set x=2", 0);
    let side = "one side     belt begins to slide: by the start it is of the side to which it does";
    assert!(said.contains(side), "{said}");
}

/// The ball's period doubles at A = g/ω² √((π(1−e)/(1+e))² + (2(1+e²)/(1+e)²)²) = 0.01167211755, as of its branch above; where it
/// repeats after one impact it leaves the table with g π/ω = 1.02730079780. The places of Duffing's oscillator at w = 1.5, where
/// it has two stable motions, are the fixed points of its period map by SciPy's DOP853.
#[test]
fn bifurcations() {
    let directory = directory("bifurcations");
    let ball = "table.eom bifurcation --section table --of z_dot+ --impacts 1500";
    let duffing = "duffing.eom bifurcation --sweep w=1.3:1.8:6 --period 2*pi/w --of x --of x_dot";
    let rest = "/// A ball. \n system R { coordinates { z } parameters { h = 0 } kinetic = ż^2/2; potential = 9.81*z;
        contact floor { gap = z - h; impact = plastic; } scenario s { z = 1; until t = 5; } }";
    fs::write(directory.join("rest.eom"), rest).unwrap();
    let rest = "rest.eom bifurcation --sweep h=0:0.4:3 --period 1 --of z --carry";
    let cases: [(String, &[&str]); 7] = [
        // A ball at rest is below a higher floor, and above a lower one.
        (format!("{rest} up"), &["0.4   begins as given: none of the last states"]),
        (
            format!("{rest} both --format json"),
            &["\"begins_anew\": [\n        0.2,\n        0.4\n      ]", "\"begins_anew\": []"],
        ),
        (format!("{ball} --sweep A=0.0115,0.0118"), &["30               1   1.0273007", " 2   "]),
        // After two returns each what repeats after two repeats after one.
        (
            format!("{ball} --sweep A=0.0118:0.0119:2 --returns 2 --last 5"),
            &["5               1   "],
        ),
        // The height when the table passes its middle, z at the impact + ż⁺ τ − g τ²/2, repeats with the impacts.
        (
            "table.eom bifurcation --sweep A=0.0115,0.0118 --period 2*pi/30 --of z --until 300"
                .into(),
            &["30               1   ", "30               2   "],
        ),
        (
            format!("{duffing} --carry both --plot duffing.svg"),
            &["x, ẋ, up", "0.96693483", "1.5120377", "x, ẋ, down", "-0.2455194", "0.0461859"],
        ),
        (format!("{duffing} --carry down --last 1 --format json"), &["\"carried\": \"down\""]),
    ];
    for (arguments, said) in &cases {
        let text = analyse(&directory, arguments, 0);
        for words in *said {
            assert!(text.contains(words), "{arguments}: no {words} in\n{text}");
        }
    }
    let drawn = fs::read_to_string(directory.join("duffing.svg")).unwrap();
    for words in ["\nx, up\n", "\nẋ, down\n", "the last 30 returns of 12 runs"] {
        assert!(drawn.contains(words), "no {words} in\n{drawn}");
    }
    // The same bytes for any number of threads, and those of the events of the sweep that it is.
    let sweep = "--sweep A=0.0112:0.0125:7";
    let of =
        |jobs: &str| analyse(&directory, &format!("{ball} {sweep} --format tsv --jobs {jobs}"), 0);
    let table = of("1");
    assert_eq!(table, of("3"));
    let exponents = "table.eom lyapunov --sweep A=0.0041:0.0045:5 --span 0.2 --spans 5 --jobs";
    let [one, three] =
        ["1", "3"].map(|jobs| analyse(&directory, &format!("{exponents} {jobs}"), 0));
    assert_eq!(one, three);
    assert_eq!(one.lines().count(), 6, "{one}");
    let run = format!("run table.eom {sweep} --impacts 1500 --events events.csv");
    common::eom(&directory, &run, 0);
    let events = fs::read_to_string(directory.join("events.csv")).unwrap();
    let speeds = events.lines().skip(1).map(|line| line.split(',').nth(6).unwrap());
    let speeds: Vec<f64> = speeds.map(|text| text.parse().unwrap()).collect();
    let last = speeds.chunks(1500).flat_map(|run| &run[1470..]);
    let told = table.lines().skip(1).map(|line| line.split('\t').nth(2).unwrap().parse().unwrap());
    assert_eq!(told.collect::<Vec<f64>>(), last.copied().collect::<Vec<f64>>());
}

#[test]
fn refusals() {
    let directory = directory("refusals");
    let cases = [
        ("hoop.eom --set theta=1", 2, "--find looks for one near this state"),
        ("hoop.eom --free x", 2, "no entry `x`; there are: θ, θ̇"),
        ("hoop.eom --free theta", 2, "2 are needed that are independent, such as `θ, θ̇`"),
        ("hoop.eom --sweep theta=1,2", 2, "no value has an answer; θ = 1: not a steady motion"),
        ("hoop.eom --sweep theta=0,1", 1, "warning: 1 values have no answer; θ = 1"),
        ("hoop.eom --sweep Ω=1:2:2 --set Ω=1", 2, "`Ω` is set by --set, too"),
        ("hoop.eom orbit", 2, "give --section with a contact or an event, or --period"),
        ("table.eom orbit --section tabel", 2, "did you mean `table`?"),
        ("table.eom orbit --period 0", 2, "a period is above 0"),
        ("table.eom", 2, "not a steady motion: d/dt ż"),
        ("table.eom lyapunov --spans 0", 2, "one span and one exponent are the least"),
        ("hoop.eom lyapunov --along Ω=3:6", 2, "--along is of `equilibria` and `orbit`"),
        ("hoop.eom equilibria --along Ω=3", 2, "--along Ω=3: write Ω=FROM:TO"),
        ("hoop.eom equilibria --along Ω=3:3", 2, "--along Ω=3:3: the ends are one value"),
        ("hoop.eom equilibria --along Ω", 2, "--along Ω: write Ω=FROM:TO"),
        ("hoop.eom equilibria --along Ω=3:6 --plot θ:Ω=a.svg", 2, "`Ω` runs along a diagram"),
        ("hoop.eom equilibria --along Ω=3:6 --plot a", 2, "the name of a figure ends in .svg"),
        ("hoop.eom --hold theta", 2, "give --find"),
        ("table.eom bifurcation", 2, "give --sweep NAME=FROM:TO:COUNT"),
        ("table.eom bifurcation --sweep A=0.01,0.02", 2, "what returns does so to a section"),
        (
            "table.eom bifurcation --sweep A=0.01,0.02 --section table",
            2,
            "say what is drawn of each return: --of EXPR",
        ),
        (
            "table.eom bifurcation --sweep A=0.01,0.02 --section table --of y",
            2,
            "--of y: there is no number of the motion `y`",
        ),
        (
            "table.eom bifurcation --sweep A=0.01,0.02 --section table --of z --plot A:z=a.svg",
            2,
            "--of says what is drawn: write a.svg",
        ),
        (
            "table.eom bifurcation --sweep A=0.01,-1 --section table --of z",
            1,
            "A = -1: the start state violates table",
        ),
        (
            "table.eom bifurcation --sweep A=0,0.001 --section table --of z --impacts 500",
            2,
            "A = 0: stopped at t = 1.1",
        ),
        // A file is opened before what it shows is looked for.
        (
            "table.eom bifurcation --sweep A=0.01,-1 --section table --of z --plot none/a.svg",
            2,
            "--plot: cannot write none/a.svg: No such file",
        ),
        ("table.eom orbit --section table --carry up", 2, "--carry is of `bifurcation`"),
        ("hoop.eom --plot a.svg", 2, "--plot is of branches, with --along, and of `bifurcation`"),
    ];
    for (arguments, code, said) in cases {
        let text = analyse(&directory, arguments, code);
        assert!(text.contains(said), "{arguments}: no {said} in\n{text}");
    }
}

/// Conserved quantities of a run: of Kepler's x ẏ − y ẋ = 1.2; of a ball on a floor ẋ, and the energy, of which an impact
/// takes (1 − e²) g h = 7.3575.
#[test]
fn drifts() {
    let directory = directory("drifts");
    let planet = "/// A planet.
system Planet {
    coordinates { x, y }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = -1/sqrt(x^2 + y^2);
    scenario ellipse { x = 1; ẏ = 1.2; until t = 20; }
}
";
    let ball = "/// A ball.
system Ball {
    coordinates { x, y }
    parameters { e = 0.5, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = g*y;
    contact floor { gap = y; impact = restitution(e); }
    scenario drop { y = 1; ẋ = 0.3; until impacts = 1; }
}
";
    fs::write(directory.join("planet.eom"), planet).unwrap();
    fs::write(directory.join("ball.eom"), ball).unwrap();
    let said = common::eom(&directory, "run planet.eom --conserved", 0).concat();
    let line = said.lines().find(|line| line.contains("momentum of the turn of x, y: 1.2"));
    let drift = line.and_then(|line| line.split(", ").last()?.split(' ').next()?.parse().ok());
    assert!(drift.is_some_and(|drift: f64| drift.abs() < 1e-11), "{said}");
    let said = common::eom(&directory, "run ball.eom --conserved", 0).concat();
    let lines = [
        "momentum of x: 3.000000000e-1 at the start, 0.0e0 along the motion, 0.0e0 at impacts",
        "energy: 9.855000000e0 at the start",
        "-7.4e0 at impacts and events",
    ];
    for words in lines {
        assert!(said.contains(words), "no {words} in\n{said}");
    }
    let refused = common::eom(&directory, "run ball.eom --conserved --sweep e=0.1,0.2", 2).concat();
    assert!(refused.contains("--conserved is of one run"), "{refused}");
}

/// `--conserve` keeps what is proven to stay, to rounding, with a level of its own behind an impact.
#[test]
fn conserved_quantities_are_kept() {
    let directory = directory("kept");
    let planet = "/// A planet.
system Planet {
    coordinates { x, y }
    kinetic = (ẋ^2 + ẏ^2)/2;
    potential = -1/sqrt(x^2 + y^2);
    contact wall { gap = 3 + x; impact = restitution(0.5); }
    scenario ellipse { x = 1; ẏ = 1.2; until t = 200; }
}
";
    fs::write(directory.join("planet.eom"), planet).unwrap();
    fs::write(directory.join("damped.eom"), HOOP.replace("force θ = τ;", "force θ = τ - θ̇;"))
        .unwrap();
    let drift = |options: &str| -> f64 {
        let arguments = format!("run planet.eom --rtol 1e-6 --conserved {options}");
        let said = common::eom(&directory, arguments.trim_end(), 0).concat();
        let line = said.lines().find(|line| line.contains("energy: -2.8")).unwrap_or_default();
        let text = line.split(", ").nth(1).and_then(|text| text.split(' ').next());
        text.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{said}"))
    };
    assert!(drift("").abs() > 1e-9);
    assert!(drift("--conserve energy").abs() < 1e-14);
    assert!(drift("--conserve all --method taylor").abs() < 1e-14);
    let cases = [
        (
            "damped.eom --conserve energy",
            "`energy` does not stay along the motions of `Hoop`\n  none of energy, momenta and their sums stays",
        ),
        ("planet.eom --conserve enrgy", "did you mean `energy`?"),
        ("planet.eom --conserve all --sweep x=1,2", "--conserve is of one run"),
    ];
    for (arguments, said) in cases {
        let refused = common::eom(&directory, &format!("run {arguments}"), 2).concat();
        assert!(refused.contains(said), "{arguments}: {refused}");
    }
}

/// ω = √(k/m) = 10¹⁶, c/m = 2·10¹⁰: entries of A differ by 32 powers of ten, and none of them is nothing.
#[test]
fn any_units() {
    let directory = directory("units");
    let source = "/// A small thing.
        system Small { coordinates { x } parameters { m = 1e-20, c = 2e-10, k = 1e12 }
        kinetic = m/2*ẋ^2; potential = k/2*x^2; dissipation = c/2*ẋ^2; scenario s { until t = 1; } }";
    fs::write(directory.join("small.eom"), source).unwrap();
    let told = analyse(&directory, "small.eom", 0);
    let rows: Vec<Vec<&str>> = told.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [&["x", "0", "1"], &["ẋ", "-1e32", "-20000000000"]] {
        assert!(rows.iter().any(|cells| cells == row), "{told}");
    }
    assert!(told.contains("period 6.2832e-16, halves in 6.9315e-11"), "{told}");
}

/// A multiplier below the rounding of the others, by exp ∮ 2 (1 − x²) dt (Liouville); critical values where no motion is steady
/// between those that are asked.
#[test]
fn what_is_not_told_is_said() {
    let path = directory("untold");
    let pol = "/// Van der Pol. \n system Pol { coordinates { x } parameters { μ = 2 } kinetic = ẋ^2/2;
        potential = x^2/2; force x = μ*(1 - x^2)*ẋ; event top { guard = ẋ; falling; } scenario out { x = 2; until t = 99; } }";
    let pit = "/// It rests at 0 where p is whole. \n system Pit { coordinates { x } parameters { p = 0 }
        kinetic = ẋ^2/2; dissipation = ẋ^2/2; potential = (p - 1.4)*x^2/2 - sin(2*pi*p)*x; scenario rest { until t = 1; } }";
    fs::write(path.join("pol.eom"), pol).unwrap();
    fs::write(path.join("pit.eom"), pit).unwrap();
    let found = analyse(&path, "pol.eom orbit --section top", 0);
    let shown = found.lines().find_map(|line| line.strip_prefix("multipliers")).unwrap().trim();
    assert!(shown.len() <= 9, "{shown}");
    assert!((shown.parse::<f64>().unwrap() - 1.273_849_304e-8).abs() < 1e-12, "{shown}");
    let found = analyse(&path, "pol.eom orbit --section top --set μ=4", 0);
    assert!(found.contains("multipliers  0, within 1e-12\n"), "{found}");
    let found = analyse(&path, "pit.eom linear --sweep p=0:3:4", 2);
    assert!(found.contains("\n3          0   -0.5 ± 1.16189500386 i\n"), "{found}");
    assert!(found.contains("critical   not told: at 1.4: not a steady motion"), "{found}");
}
