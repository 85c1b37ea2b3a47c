//! The page of a motion, and figures that need no second tool, as their users see them: what is in the files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::eom_with as eom;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// An empty directory with the file of `eom new sleigh`.
fn directory(test: &str) -> PathBuf {
    let path = common::folder(&format!("films/{test}"));
    eom(&path, &["new", "sleigh"], 0);
    path
}

/// The page of a run.
fn page(directory: &Path, arguments: &[&str]) -> String {
    eom(directory, &[&["run"], arguments, &["--html", "film.html"]].concat(), 0);
    fs::read_to_string(directory.join("film.html")).unwrap()
}

/// What a page plays.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The bytes of base 64.
fn bytes(text: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').collect();
    let bits: Vec<u8> = letters
        .iter()
        .flat_map(|letter| (0..6).rev().map(|bit| (digit(*letter) >> bit) & 1))
        .collect();
    bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| (byte << 1) | bit)).collect()
}

/// The times of a film, and the numbers of its channels.
fn played(data: &Value) -> (Vec<f64>, Vec<Vec<f64>>) {
    let times = bytes(data["t"].as_str().unwrap());
    let times: Vec<f64> =
        times.chunks_exact(8).map(|word| f64::from_le_bytes(word.try_into().unwrap())).collect();
    let codes = bytes(data["values"].as_str().unwrap());
    let codes: Vec<u16> =
        codes.chunks_exact(2).map(|word| u16::from_le_bytes(word.try_into().unwrap())).collect();
    let ranges = data["ranges"].as_array().unwrap();
    assert_eq!(codes.len(), times.len() * ranges.len());
    let channels = codes.chunks_exact(times.len()).zip(ranges).map(|(codes, range)| {
        let [low, high] = [0, 1].map(|end| range[end].as_f64().unwrap());
        let value = |code: &u16| low + (high - low) * f64::from(*code) / 65534.0;
        codes.iter().map(value).collect()
    });
    let channels = channels.collect();
    (times, channels)
}

/// Each page is whole, asks no network, and is small: 20 s of motion below 400 kB.
#[test]
fn pages_are_one_small_file() {
    let here = directory("pages");
    let chain = "system Chain {
        coordinates { x[1..=12] }
        kinetic = sum(ẋ[i]^2/2, i in 1..=12);
        potential = sum((x[i] - x[i-1])^2, i in 2..=12) + x[1]^2;
        scenario pull { x[12] = 1; until t = 20; }
        draw { spring[i in 2..=12] [i - 1 + x[i-1], 0], [i + x[i], 0]; point[i in 1..=12] [i + x[i], 0]; }
    }";
    fs::write(here.join("chain.eom"), chain).unwrap();
    // a run, what its page says
    let table: [(&[&str], &[&str]); 7] = [
        (&["penny"], &["impact of front", "closes: the tolerance", "bouncing-penny"]),
        (&["putted-ball"], &["surface opens", "dissipation of contact surface"]),
        (&["box-ball"], &["\"dimension\":3", "\"kind\":\"sphere\""]),
        (
            &["sleigh.eom"],
            &["A sleigh on a blade", "\"label\":\"sleigh\"", "\"text\":\"contact boards\""],
        ),
        (&["sleigh.eom", "--until", "20"], &["reached t = 20"]),
        (&["chain.eom"], &["\"kind\":\"spring\"", "No impacts, no events."]),
        (&["box-ball", "--impacts", "3000"], &["more\""]),
    ];
    for (run, texts) in table {
        let page = page(&here, run);
        for text in texts {
            assert!(page.contains(text), "{run:?} misses {text}");
        }
        assert!(page.len() < 400_000, "{run:?}: {} bytes", page.len());
        for stranger in
            ["http:", "https:", "//cdn", "src=", "href=", "@import", "url(", "{{", "}}</"]
        {
            assert!(!page.contains(stranger), "{run:?} has {stranger}");
        }
        assert!(page.contains("default-src 'none'") && page.contains("<math display=\"block\">"));
        assert!(!page.contains("\\frac"), "{run:?}: LaTeX is left");
        let labels = page.matches("aria-label").count();
        assert!(labels > 10, "{labels} labels");
        data(&page);
    }
}

/// Impacts are there from both sides, at their time and with their states.
#[test]
fn impacts_are_exact() {
    let here = directory("impacts");
    let data = data(&page(&here, &["sleigh.eom", "--events", "events.csv"]));
    let (times, channels) = played(&data);
    assert!(times.windows(2).all(|pair| pair[0] <= pair[1]));
    let table = fs::read_to_string(here.join("events.csv")).unwrap();
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let channel = |symbol: &str| {
        let groups = data["groups"].as_array().unwrap().iter();
        let mut curves = groups.flat_map(|group| group["curves"].as_array().unwrap());
        let found = curves.find(|curve| curve["symbol"] == symbol).unwrap();
        &channels[usize::try_from(found["channel"].as_u64().unwrap()).unwrap()]
    };
    let mut count = 0;
    for (line, event) in lines.zip(data["events"].as_array().unwrap()) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |name: &str| cells[column(name)].parse::<f64>().unwrap();
        assert_eq!(event["t"].as_f64(), Some(number("t")));
        let at = times.partition_point(|t| *t < number("t"));
        assert_eq!([times[at], times[at + 1]], [number("t"); 2]);
        // 16 bits of a range of some units.
        let table =
            [("x", "x", 0), ("θ̇", "theta_dot-", 0), ("θ̇", "theta_dot+", 1), ("ẋ", "x_dot+", 1)];
        for (symbol, name, side) in table {
            let (found, expected) = (channel(symbol)[at + side], number(name));
            assert!((found - expected).abs() < 1e-4, "{name}: {found} for {expected}");
        }
        count += 1;
    }
    assert_eq!(count, 5);
    // The box is drawn at X = x + c cos θ.
    let shape =
        data["shapes"].as_array().unwrap().iter().find(|shape| shape["kind"] == "box").unwrap();
    let first = usize::try_from(shape["first"].as_u64().unwrap()).unwrap();
    for (frame, found) in channels[first].iter().enumerate() {
        let expected = channel("x")[frame] + 0.2 * channel("θ")[frame].cos();
        assert!((found - expected).abs() < 5e-4, "frame {frame}: {found} for {expected}");
    }
    // The boards are a circle of radius 3.
    let boards = data["shapes"].as_array().unwrap().last().unwrap();
    let line = boards["curves"][0]["lines"][0].as_array().unwrap();
    let line: Vec<f64> = line.iter().map(|x| x.as_f64().unwrap()).collect();
    assert!(line.len() > 60);
    assert!(line.chunks_exact(2).all(|point| (point[0].hypot(point[1]) - 3.0).abs() < 1e-3));
}

/// What a declaration says ends no script and begins none.
#[test]
fn hostile_words_stay_words() {
    let here = directory("hostile");
    let source = "/// </title></script><script>alert(1)</script>\"'&<!--
        system Hostile {
            coordinates { x }
            kinetic = ẋ^2/2;
            scenario go { ẋ = 1; until t = 1; }
            draw { point [x, 0], label \"</script><script>alert(2)</script>\"; }
        }";
    fs::write(here.join("hostile.eom"), source).unwrap();
    let page = page(&here, &["hostile.eom"]);
    assert_eq!(page.matches("</script>").count(), 2, "of the data and of the player");
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("<!--").count(), 0);
    assert_eq!(data(&page)["shapes"][0]["label"], "</script><script>alert(2)</script>");
}

/// A picture for each frame; the sleigh in each is where the film of the same run has it.
#[test]
fn frames_are_pictures() {
    let here = directory("frames");
    for model in ["sleigh.eom", "box-ball", "putted-ball", "hemisphere", "solid-box"] {
        let folder = format!("of-{model}");
        let arguments = ["run", model, "--until", "1", "--fps", "4", "--frames", folder.as_str()];
        let [said, _] = eom(&here, &arguments, 0);
        assert!(said.contains("pictures     5 in"), "{said}");
        let mut files: Vec<PathBuf> =
            fs::read_dir(here.join(&folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert_eq!(files.len(), 5);
        let pictures: Vec<String> =
            files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
        for (k, picture) in pictures.iter().enumerate() {
            assert!(picture.contains(&format!("t = {:.3}", 0.25 * k as f64)), "{picture}");
            assert!(picture.contains("<path") && !picture.contains("NaN"));
        }
        assert!(pictures.windows(2).all(|pair| pair[0] != pair[1]), "{model} stands still");
    }
    let png =
        ["run", "sleigh.eom", "--until", "1", "--fps", "1", "--frames", "p", "--format", "png"];
    eom(&here, &png, 0);
    assert!(fs::read(here.join("p/frame-00001.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn figures_show_what_is_asked_for() {
    let here = directory("figures");
    // the arguments, the figure, what it shows
    let table: [(&[&str], &str, &[&str]); 11] = [
        (&["--plot", "t:X,Y"], "sleigh-t-X-Y.svg", &[">X, Y<", "\nX\n", "\nY\n", "5 impacts"]),
        (&["--plot", "t:Ẋ=rate.svg"], "rate.svg", &["Ẋ against t"]),
        (&["--plot", "theta:theta_dot@boards=points.svg"], "points.svg", &["5 events"]),
        (&["--plot", "x:y@impacts=all.svg"], "all.svg", &["5 events"]),
        (&["--plot", "t:energy=log.svg", "--log", "y"], "log.svg", &["\n0.2\n", "\n0.5\n"]),
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

#[test]
fn what_cannot_be_drawn_is_refused() {
    let here = directory("refused");
    // arguments, what is said
    let table: [(&[&str], &str); 12] = [
        (&["--sweep", "e=0:1:3", "--html", "a.html"], "--html is of one run"),
        (&["--plot", "t:Z"], "there is no number of the motion `Z`"),
        (&["--plot", "x:y@nowhere"], "there is no contact or event `nowhere`"),
        (&["--plot", "e,theta_dot:x"], "for a sweep of both"),
        (
            &["--sweep", "e=0:1:3", "--plot", "e,theta_dot:banana"],
            "there is no column `theta_dot`, `banana`",
        ),
        (&["--sweep", "e=0:1:30", "--plot", "t:x"], "too many for a figure"),
        (&["--plot", "t:x", "--log", "y"], "not above 0"),
        (&["--frames", "."], "is not empty"),
        (&["--frames", "a", "--fps", "1e6"], "are too many"),
        (&["--frames", "a", "--sweep", "e=0:1:3"], "--frames is of one run"),
        (&["--plot", "t:x", "--size", "3x3"], "write WIDTHxHEIGHT"),
        (&["--plot", "t:x", "--x-range", "2:1"], "the first is not below the second"),
    ];
    for (arguments, text) in table {
        let [_, said] = eom(&here, &[&["run", "sleigh.eom"], arguments].concat(), 2);
        assert!(said.contains(text), "{arguments:?}: {said}");
    }
}
