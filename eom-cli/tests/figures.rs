//! Figures that need no second tool, as their users see them: what is in the files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::eom_with as eom;
use std::fs;
use std::path::PathBuf;

/// An empty directory with the file of `eom new sleigh`.
fn directory(test: &str) -> PathBuf {
    let path = common::folder(&format!("figures/{test}"));
    eom(&path, &["new", "sleigh"], 0);
    path
}

#[test]
fn figures_show_what_is_asked_for() {
    let here = directory("figures");
    // the arguments, the figure, what it shows
    let table: [(&[&str], &str, &[&str]); 18] = [
        (&["--plot", "t:momentum(θ)=spin.svg"], "spin.svg", &[">momentum(θ)<", "impact, numbered"]),
        (
            &["--plot", "t:impulse(boards)=blows.svg"],
            "blows.svg",
            &["5 events", ">impulse(boards)<"],
        ),
        (
            &["--sweep", "e=0.5,1", "--plot", "x:impulse(boards)=two.svg"],
            "two.svg",
            &["2 runs", "\ne = 0.5\n", "\ne = 1\n"],
        ),
        (
            &["--plot", "t:X,Y"],
            "sleigh-t-X-Y.svg",
            &[">X, Y<", "\nX\n", "\nY\n", "5 impacts", "\nimpact\n"],
        ),
        (&["--plot", "t:Ẋ=rate.svg"], "rate.svg", &["Ẋ against t"]),
        (&["--plot", "theta:theta_dot@boards=points.svg"], "points.svg", &["5 events"]),
        (&["--plot", "x:y@impacts=all.svg"], "all.svg", &["5 events"]),
        (&["--plot", "t:energy=log.svg", "--log", "y"], "log.svg", &["\n0.2\n", "\n0.5\n"]),
        (
            &["--plot", "t:energy=logs.svg", "--log", "x"],
            "logs.svg",
            &["; what is not above 0 is left out", "\n0.1\n", "\n10\n"],
        ),
        (
            &[
                "--plot",
                "t:x=long.svg",
                "--size",
                "300x200",
                "--title",
                "The place of a sleigh on its rink over the whole time of a run",
            ],
            "long.svg",
            &[
                "\nThe place of a sleigh on its rink\n",
                "\nover the whole time of a run\n",
                "viewBox=\"0 -19 408 391\"",
            ],
        ),
        (
            &["--plot", "t:x=range.svg", "--x-range", "5:10", "--y-range=-1:1"],
            "range.svg",
            &["\n−1.0\n", "\n10\n"],
        ),
        (
            &["--plot", "t:x=dark.svg", "--dark", "--title", "Mine"],
            "dark.svg",
            &["\nMine\n", "fill=\"#14161a\""],
        ),
        (&["--plot", "t:x=size.svg", "--size", "300x200"], "size.svg", &["width=\"300\" x=\"74\""]),
        (
            &["--sweep", "e=0.2:1:15", "--plot", "e:x_end,energy=ends.svg"],
            "ends.svg",
            &["30 points of 15 runs"],
        ),
        (
            &["--sweep", "e=0.2:1:15", "--plot", "e:theta_dot+@boards=after.svg"],
            "after.svg",
            &["75 points of 15 runs"],
        ),
        (
            &["--sweep", "e=0.2:1:15", "--plot", "e:theta_dot+@boards=late.svg", "--last", "2"],
            "late.svg",
            &["30 points of 15 runs"],
        ),
        (&["--plot", "x:y@impacts=last.svg", "--last", "3"], "last.svg", &["3 events"]),
        (
            &[
                "--sweep",
                "e=0.2:1:5",
                "--sweep",
                "theta_dot=0.2,0.4,0.8",
                "--plot",
                "e,theta_dot:impacts=heat.svg",
            ],
            "heat.svg",
            &["15 runs", "impacts"],
        ),
    ];
    for (arguments, file, texts) in table {
        eom(&here, &[&["run", "sleigh.eom"], arguments].concat(), 0);
        let svg = fs::read_to_string(here.join(file)).unwrap();
        for text in texts {
            assert!(svg.contains(text), "{arguments:?} misses {text:?} in\n{svg}");
        }
        assert!(!svg.contains("NaN"), "{arguments:?}");
    }
}

/// Numbers of several units share an axis without one, and a map of one value says which: x = cos t at t = π/3, c changes nothing.
#[test]
fn axes_say_what_is_true_of_all_on_them() {
    let here = common::folder("films/units");
    let text = "system Two { coordinates { /// Place, m.\n x, /// Place, mm.\n y, /// Place, m.\n z } \
                parameters { c = 1, d = 1 } allow unused_parameter(c), unused_parameter(d); \
                kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = (x^2 + y^2 + z^2)/2; event up { guard = y; both; } \
                scenario s { x = 1; y = -1; z = 1; until t = pi/3; } }";
    fs::write(here.join("two.eom"), text).unwrap();
    let one = ["run", "two.eom", "--until", "3", "--plot", "t:x,y@up=events.svg"];
    eom(&here, &one, 0);
    let sweep = ["run", "two.eom", "--sweep", "c=1:3:3", "--sweep", "d=1,2"];
    let figures = [
        ("c:x_end,energy", "energy.svg"),
        ("c:x_end,y_end", "units.svg"),
        ("c:x_end,z_end", "unit.svg"),
        ("c,d:x_end", "heat.svg"),
    ];
    let plots = figures.map(|(axes, file)| format!("{axes}={file}"));
    let plots: Vec<&str> = plots.iter().flat_map(|plot| ["--plot", plot]).collect();
    eom(&here, &[&sweep[..], &plots[..]].concat(), 0);
    let table = [
        ("events.svg", "x, y", ""),
        ("energy.svg", "x at the end, energy", ""),
        ("units.svg", "x at the end, y at the end", ""),
        ("unit.svg", "x at the end, z at the end", "(m)"),
        ("heat.svg", "0.5000", "x at the end (m)"),
    ];
    for (file, name, unit) in table {
        let svg = fs::read_to_string(here.join(file)).unwrap();
        let is_there =
            [("\n", "\n"), (">", "<")].map(|(a, b)| svg.contains(&[a, name, b].concat()));
        assert!(is_there.contains(&true), "{file}: {svg}");
        match unit {
            "" => assert!(!svg.contains("(m"), "{file}: {svg}"),
            unit => assert!(svg.contains(unit), "{file}: {svg}"),
        }
    }
}

/// Where letters of a size end, in DejaVu Sans.
fn end(label: &str, x: f64, size: f64) -> f64 {
    let broad = |letter: char| match letter {
        'i' | 'l' | 'j' => 0.278,
        'f' | 't' | 'r' => 0.412,
        'c' | 's' | '_' => 0.55,
        'm' => 0.974,
        _ => 0.635,
    };
    x + size * label.chars().map(broad).sum::<f64>()
}

/// Marks of many events are dots of a few paths: pictures have a limit of elements. cos t passes 0 in each half period.
#[test]
fn many_events_are_few_elements() {
    let here = common::folder("films/many");
    let text = "system Many { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; event crossing { guard = x; both; } \
                scenario s { x = 1; until t = 2500*pi; } }";
    fs::write(here.join("many.eom"), text).unwrap();
    let plots =
        ["--plot", "t:x=one.svg", "--plot", "t:x,x_dot=two.svg", "--plot", "t:x@crossing=at.svg"];
    eom(&here, &[&["run", "many.eom"], &plots[..]].concat(), 0);
    for (file, dots, diamond) in [("one.svg", 2500, 1), ("two.svg", 5000, 1), ("at.svg", 2500, 0)] {
        let svg = fs::read_to_string(here.join(file)).unwrap();
        assert_eq!(svg.matches("h0").count(), dots, "{file}");
        assert_eq!(diamonds(&svg).len(), diamond, "{file}");
    }
}

/// Words of a narrow figure end before the next begin, and within the page.
#[test]
fn long_names_have_room() {
    let here = common::folder("films/long");
    let name = "displacement_of_the_first_carriage";
    let text = format!(
        "system Long {{ coordinates {{ {name}, y }} kinetic = ({name}_dot^2 + ẏ^2)/2; \
         scenario s {{ {name}_dot = 1; until t = 1; }} }}"
    );
    fs::write(here.join("long.eom"), text).unwrap();
    let plot = format!("t:{name},{name}_dot=long.svg");
    eom(&here, &["run", "long.eom", "--size", "250x200", "--plot", &plot], 0);
    let svg = fs::read_to_string(here.join("long.svg")).unwrap();
    let attribute = |tag: &str, name: &str| {
        let value =
            tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
        value.and_then(|(value, _)| value.parse::<f64>().ok()).unwrap()
    };
    let mut begins: Vec<[f64; 3]> = Vec::new();
    for part in svg.split("<text").skip(1).filter(|part| part.contains("\"start\"")) {
        let (tag, rest) = part.split_once('>').unwrap();
        let label = rest.split('<').next().unwrap().trim();
        let [x, y] = ["x", "y"].map(|name| attribute(tag, name));
        begins.push([x, y, end(label, x, attribute(tag, "font-size"))]);
    }
    let width = attribute(svg.split_once('>').unwrap().0, "width");
    assert!(begins.len() >= 4, "{begins:?}");
    for [x, y, end] in &begins {
        let next = begins.iter().filter(|[other, row, _]| row == y && other > x);
        let next = next.map(|[other, ..]| *other).fold(width, f64::min);
        assert!(*end <= next, "{begins:?} of {width}");
    }
}

/// The middles of the diamonds of a figure.
fn diamonds(svg: &str) -> Vec<[f64; 2]> {
    let data = svg.split(" d=\"M").skip(1).filter_map(|rest| rest.split('"').next());
    let corners = data.filter_map(|data| data.strip_suffix('Z')).map(|data| {
        let pair = |corner: &str| {
            let (x, y) = corner.split_once(',').unwrap();
            [x, y].map(|number| number.parse::<f64>().unwrap())
        };
        data.split('L').map(pair).collect::<Vec<_>>()
    });
    let middles = corners.filter(|corners| corners.len() == 4);
    middles.map(|corners| [corners[1][0], corners[0][1]]).collect()
}

/// Declared events stand on every curve of a frame, where the motion has them: x = cos t passes 0 at π/2, 3π/2, 5π/2.
#[test]
fn events_are_marked_on_each_curve() {
    let here = common::folder("films/marked");
    let text = "system Two { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; \
                potential = (x^2 + y^2)/2; event crossing { guard = x; both; } \
                scenario turn { x = 1; ẏ = 1/2; until t = 3*π; } }";
    fs::write(here.join("two.eom"), text).unwrap();
    let range = ["--x-range", "0:10", "--y-range=-1:1"];
    eom(&here, &[&["run", "two.eom", "--plot", "t:x,y=two.svg"], &range[..]].concat(), 0);
    let svg = fs::read_to_string(here.join("two.svg")).unwrap();
    assert!(svg.contains("\nevent\n") && svg.contains("\nx\n") && svg.contains("\ny\n"));
    // Three of x, three of y, the sample of the legend.
    let found = diamonds(&svg);
    assert_eq!(found.len(), 7, "{found:?}");
    let (of_x, of_y) = (&found[..3], &found[3..6]);
    let unit = (of_x[2][0] - of_x[0][0]) / (2.0 * std::f64::consts::PI);
    assert!((of_x[1][0] - of_x[0][0] - unit * std::f64::consts::PI).abs() < 0.02, "{found:?}");
    for (x, y) in of_x.iter().zip(of_y) {
        assert_eq!(x[0], y[0]);
        assert!((x[1] - of_x[0][1]).abs() < 0.02, "x = 0: {found:?}");
    }
    // y = ± 1/2 there, a quarter of the frame's height from its middle, up where y is.
    let height = of_y[1][1] - of_y[0][1];
    assert!(height > 0.0 && (of_x[0][1] - of_y[0][1] - height / 2.0).abs() < 0.02, "{found:?}");
    // Runs of a sweep have theirs, too; a single curve has them as before.
    let sweep = ["run", "two.eom", "--sweep", "x=1,2", "--plot", "t:x=sweep.svg"];
    eom(&here, &sweep, 0);
    assert_eq!(diamonds(&fs::read_to_string(here.join("sweep.svg")).unwrap()).len(), 7);
}

/// A curve that turns between the steps of its run is within the frame: ticks are those of sin 3t, and of ln t, −∞ at 0.
#[test]
fn a_frame_holds_what_turns_between_samples() {
    let here = common::folder("figures/between");
    let text = "system Rest { coordinates { x } parameters { a = 3 } kinetic = ẋ^2/2; \
                output wave = sin(a*t); output slow = ln(t); scenario rest { x = 1; until t = 30; } }";
    fs::write(here.join("rest.eom"), text).unwrap();
    // what is drawn, the ticks that it has, one that it has not
    let table: [(&[&str], [&str; 2], &str); 3] = [
        (&["--plot", "t:wave=f.svg"], ["\n−1.0\n", "\n1.0\n"], "\n2.0\n"),
        (&["--plot", "t:wave=f.svg", "--sweep", "a=1,2"], ["\n−1.0\n", "\n1.0\n"], "\n2.0\n"),
        (&["--plot", "t:slow=f.svg"], ["\n0\n", "\n30\n"], "\n35\n"),
    ];
    for (arguments, ticks, other) in table {
        eom(&here, &[&["run", "rest.eom"], arguments].concat(), 0);
        let svg = fs::read_to_string(here.join("f.svg")).unwrap();
        for tick in ticks {
            assert!(svg.contains(tick), "{arguments:?} misses {tick:?} in\n{svg}");
        }
        assert!(!svg.contains(other), "{arguments:?}");
    }
}

/// The numbers before an operator of a page, one list for each time that it stands there.
fn operands(content: &str, operator: &str) -> Vec<Vec<f64>> {
    let lines = content.lines().filter_map(|line| line.strip_suffix(operator));
    let numbers = |line: &str| line.split_whitespace().map(|n| n.parse::<f64>().unwrap()).collect();
    lines.filter(|line| line.ends_with(' ')).map(numbers).collect()
}

/// A page in PDF has the curve of the same figure as SVG, point by point, letters as areas and no typeface; its table
/// says where its objects are.
#[test]
fn figures_are_pages_for_print() {
    let here = directory("pdf");
    let table: [&[&str]; 5] = [
        &["sleigh.eom", "--plot", "x,y"],
        &["sleigh.eom", "--plot", "t:X,Y", "--dark"],
        &["penny"],
        &["sleigh.eom", "--plot", "theta:theta_dot@boards", "--title", ""],
        &[
            "sleigh.eom",
            "--sweep",
            "e=0.5:1:3",
            "--sweep",
            "theta_dot=0.2,0.4",
            "--plot",
            "e,theta_dot:x_end",
        ],
    ];
    for run in table {
        let [pdf, again, svg] = ["a.pdf", "b.pdf", "c.svg"].map(|file| {
            let mut arguments = [&["run"], run].concat();
            let place = arguments.iter().position(|argument| *argument == "--plot");
            let figure = place.map_or(file.to_owned(), |k| format!("{}={file}", arguments[k + 1]));
            match place {
                Some(place) => arguments[place + 1] = &figure,
                None => arguments.extend(["--plot", &figure]),
            }
            eom(&here, &arguments, 0);
            fs::read(here.join(file)).unwrap()
        });
        assert_eq!(pdf, again, "{run:?}");
        let svg = String::from_utf8(svg).unwrap();
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.starts_with("%PDF-1.7") && !text.contains("/Font"), "{run:?}");
        let find = |mark: &[u8]| pdf.windows(mark.len()).position(|part| part == mark).unwrap();
        // The table of objects.
        let (_, at) = text.rsplit_once("startxref\n").unwrap();
        let at: usize = at.lines().next().unwrap().parse().unwrap();
        assert_eq!(find(b"xref\n"), at);
        let entries = String::from_utf8_lossy(&pdf[at..]).into_owned();
        let entries = entries.lines().filter(|line| line.ends_with(" n") || line.ends_with(" n "));
        for (k, entry) in entries.enumerate() {
            let at: usize = entry.split(' ').next().unwrap().parse().unwrap();
            assert!(pdf[at..].starts_with(format!("{} 0 obj", k + 1).as_bytes()), "{entry}");
        }
        let (from, to) = (find(b"stream\n") + 7, find(b"endstream"));
        let content = miniz_oxide::inflate::decompress_to_vec_zlib(&pdf[from..to]).unwrap();
        let content = String::from_utf8(content).unwrap();
        let [width, height] = ["width=\"", "height=\""].map(|name| {
            let (_, rest) = svg.split_once(name).unwrap();
            rest.split('"').next().unwrap().parse::<f64>().unwrap()
        });
        let size = format!("/MediaBox[0 0 {} {}]", 0.75 * width, 0.75 * height);
        assert!(text.replace(" [", "[").contains(&size), "{run:?}: {size} in {text}");
        assert_eq!(operands(&content, "cm")[0], [0.75, 0.0, 0.0, -0.75, 0.0, 0.75 * height]);
        // Its points stand among those of the page, in their order.
        let longest = svg.split(" d=\"M").skip(1).map(|rest| rest.split('"').next().unwrap());
        let longest = longest.filter(|data| data.contains('L')).max_by_key(|data| data.len());
        let lines = operands(&content, "l");
        if let Some(longest) = longest {
            let points: Vec<Vec<f64>> = longest
                .trim_end_matches('Z')
                .split('L')
                .map(|point| point.split(',').map(|x| x.parse().unwrap()).collect())
                .collect();
            let is_near =
                |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
            let rest = &points[1..];
            let is_there = |part: &[Vec<f64>]| part.iter().zip(rest).all(is_near);
            assert!(lines.windows(rest.len()).any(is_there), "{run:?} misses its curve");
        }
        // Letters are filled.
        let letters = svg.split("<text").skip(1).map(|rest| {
            let inner = rest.split_once('>').unwrap().1.split("</text").next().unwrap();
            inner.chars().filter(|letter| letter.is_alphanumeric()).count()
        });
        let letters: usize = letters.sum();
        let filled = content.lines().filter(|line| ["f", "f*"].contains(line)).count();
        assert!(letters > 20 && filled > 0, "{run:?}: {filled} areas, {letters} letters");
        assert_eq!(
            content.lines().filter(|line| *line == "q").count(),
            content.lines().filter(|line| *line == "Q").count()
        );
    }
    // A figure of the command is replaced, another file is not.
    let unnamed = ["run", "sleigh.eom", "--plot", "x,y", "--format", "pdf"];
    for _ in 0..2 {
        eom(&here, &unnamed, 0);
    }
    fs::write(here.join("sleigh-x-y.pdf"), "%PDF-1.7 of somebody else").unwrap();
    let [_, said] = eom(&here, &unnamed, 2);
    assert!(said.contains("is there already, and is no figure of eom"), "{said}");
}

/// A `let` beside numbers of the motion draws what it is where it is written out.
#[test]
fn what_is_declared_stands_beside_numbers_of_the_motion() {
    let here = directory("lets");
    let curves = |text: &str| -> Vec<String> {
        eom(&here, &["run", "sleigh.eom", "--plot", &format!("t:{text}=let.svg")], 0);
        let figure = fs::read_to_string(here.join("let.svg")).unwrap();
        figure.split(" d=\"").skip(1).map(|data| data.split('"').next().unwrap().into()).collect()
    };
    for (named, written) in [
        ("X*energy", "(x + c*cos(theta))*energy"),
        ("Ẋ - m*kinetic", "x_dot - c*sin(theta)*theta_dot - m*kinetic"),
        ("gap(boards)/(2 + X_dot)", "gap(boards)/(2 + x_dot - c*sin(theta)*theta_dot)"),
    ] {
        let curves = [named, written].map(curves);
        assert!(curves[0] == curves[1] && !curves[0].is_empty(), "{named}: {curves:?}");
    }
    let [_, said] = eom(&here, &["run", "sleigh.eom", "--plot", "t:X*enrgy"], 2);
    assert!(said.contains("there is no `enrgy` here; did you mean `energy`?"), "{said}");
}

/// √x of x = cos t: a gap from π/2 to 3π/2, and nothing of √(−1 − x²).
#[test]
fn where_there_is_no_number_there_is_no_curve() {
    let here = common::folder("figures/gaps");
    let source =
        "system Gap { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; output o = sqrt(x);
        scenario s { x = 1; until t = 6; } }";
    fs::write(here.join("gap.eom"), source).unwrap();
    eom(&here, &["run", "gap.eom", "--csv", "gap.csv", "--plot", "t:o=o.svg"], 0);
    let figure = fs::read_to_string(here.join("o.svg")).unwrap();
    assert!(figure.contains("<svg") && !figure.contains("NaN"));
    // Beside another curve, with impacts and events within the gap.
    let met = source.replace(
        "scenario",
        "contact wall { gap = x + 0.9; impact = elastic; } event half { guard = x + 0.5; both; } scenario",
    );
    fs::write(here.join("met.eom"), met).unwrap();
    eom(&here, &["run", "met.eom", "--plot", "t:x,o=two.svg", "--plot", "t:o=one.svg"], 0);
    for name in ["one.svg", "two.svg"] {
        let figure = fs::read_to_string(here.join(name)).unwrap();
        assert!(figure.contains("<svg") && !figure.contains("NaN"), "{name}");
    }
    let [_, said] = eom(&here, &["run", "gap.eom", "--plot", "t:x,sqrt(-1 - x^2)=p.svg"], 1);
    assert!(said.contains("`sqrt(-1 - x^2)` is nowhere a number"), "{said}");
    let [_, said] = eom(&here, &["run", "gap.eom", "--plot", "t:sqrt(-1 - x^2)=p.svg"], 1);
    assert!(said.contains("cannot write p.svg: no point of the figure is finite"), "{said}");
}

/// The plane of two coordinates, else that of what the file calls X and Y, else the first two coordinates; of one coordinate
/// its course.
#[test]
fn a_figure_without_axes_shows_a_plane_where_there_is_one() {
    let here = common::folder("figures/plane");
    let table = [
        ("x, y", "", "y against x"),
        ("p, q", "let X = p*cos(q); let Y = p*sin(q);", "Y against X"),
        ("p, q", "let X = p*cos(q); let Z = q;", "Z against X"),
        ("p, q", "let X = p*cos(q);", "q against p"),
        ("q", "let X = cos(q); let Y = sin(q);", "q against t"),
    ];
    for (coordinates, lets, shown) in table {
        let kinetic = coordinates.split(", ").map(|name| format!("{name}_dot^2/2"));
        let kinetic = kinetic.collect::<Vec<_>>().join(" + ");
        let first = coordinates.split(", ").next().unwrap();
        let text = format!(
            "system Plane {{ coordinates {{ {coordinates} }} {lets} kinetic = {kinetic};
            scenario s {{ {first} = 1; {first}_dot = 1; until t = 1; }} }}"
        );
        fs::write(here.join("plane.eom"), text).unwrap();
        eom(&here, &["run", "plane.eom", "--plot", "plane.svg"], 0);
        let figure = fs::read_to_string(here.join("plane.svg")).unwrap();
        assert!(figure.contains(shown), "{coordinates}, {lets}");
    }
}
