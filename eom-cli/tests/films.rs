//! The page of a motion, and films and pictures that need no second tool, as their users see them: what is in the files.

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

/// A ball of radius 1/10 that falls 1 m from rest, and loses nothing when it bounces.
const BALL: &str = "system Ball {
    coordinates { x, z }
    parameters { g = 9.81, R = 1/10 where R > 0 }
    kinetic = (ẋ^2 + ż^2)/2;
    potential = g*z;
    contact floor { gap = z - R; impact = restitution(1); }
    scenario fall { z = 1 + R; until t = 1.5; }
    draw { ground z = 0; disk [x, z] R, color red; point [2, 1], color \"#123456\"; trace [x, z], color green; }
}";

/// The points of each path of an SVG.
fn paths(svg: &str) -> Vec<Vec<[f64; 2]>> {
    let data = svg.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let numbers = |word: &str| {
        let (x, y) = word.split_once(',')?;
        Some([x.parse().ok()?, y.trim_end_matches('Z').parse().ok()?])
    };
    let points = |data: &str| data.split(['M', 'L']).filter_map(numbers).collect::<Vec<[f64; 2]>>();
    data.map(points).collect()
}

/// The outline of an ellipsoid reaches as far as the ellipsoid does, along each direction of the page: by √(Σ (a_i u_i)²)
/// with u_i the parts of the direction along its axes. So does that of a sphere.
#[test]
fn outlines_are_those_of_their_bodies() {
    let here = directory("outlines");
    let [(yaw_sin, yaw_cos), (sin, cos)] = [(-0.6_f64).sin_cos(), 0.45_f64.sin_cos()];
    // The directions of the page, to the right and upwards, in space.
    let axes = [[yaw_cos, -yaw_sin, 0.0], [sin * yaw_sin, sin * yaw_cos, cos]];
    // what is drawn, its semi-axes along the axes of space
    let table = [
        ("ellipsoid [0, 0, 0], 3, 1, 0.5", [3.0, 1.0, 0.5]),
        (
            "ellipsoid [0, 0, 0], 1, 0.5, 3, rotation [[0, 0, 1], [1, 0, 0], [0, 1, 0]]",
            [3.0, 1.0, 0.5],
        ),
        ("sphere [0, 0, 0], 2", [2.0; 3]),
        ("ellipse [0, 0, 0], 3, 1", [3.0, 1.0, 0.0]),
    ];
    for (index, (shape, semi)) in table.into_iter().enumerate() {
        let text = format!(
            "system Body {{ coordinates {{ x }} kinetic = ẋ^2/2; scenario s {{ until t = 1; }}
             draw {{ {shape}; box [0, 0, 0], 6, 6, 6; }} }}"
        );
        fs::write(here.join("body.eom"), text).unwrap();
        let folder = format!("pictures-{index}");
        eom(&here, &["run", "body.eom", "--frames", &folder, "--fps", "1", "--format", "svg"], 0);
        let svg = fs::read_to_string(here.join(&folder).join("frame-00000.svg")).unwrap();
        let outline = &paths(&svg)[0];
        // A box of side 6 is seen within 1.45 × 1.3 of its diagonal in 720 × 540.
        let scale = (720.0_f64 / 1.45).min(540.0 / 1.3) / (6.0 * 3.0_f64.sqrt());
        for (k, along) in axes.iter().enumerate() {
            let expected = along.iter().zip(semi).map(|(u, a)| (u * a).powi(2)).sum::<f64>().sqrt();
            let middle = [360.0, 270.0][k];
            let reach = outline.iter().map(|point| (point[k] - middle).abs()).fold(0.0, f64::max);
            let found = reach / scale;
            // 48 points: the largest of them is below the largest of all by 1 − cos(π/48).
            assert!(
                found < expected + 0.01 && found > 0.997 * expected - 0.01,
                "{shape}: {found} for {expected}"
            );
        }
    }
}

/// The time of a film of picoseconds is told, as that of a long one is in thousandths.
#[test]
fn a_clock_has_the_digits_of_its_film() {
    let here = directory("clock");
    fs::write(here.join("ball.eom"), BALL).unwrap();
    for (until, speed, told) in
        [("0.5", "1", "t = 0.500"), ("1e-12", "2e-12", "t = 0.00000000000100")]
    {
        let arguments = ["--until", until, "--speed", speed, "--fps", "2", "--frames", until];
        eom(&here, &[&["run", "ball.eom"], &arguments[..]].concat(), 0);
        let pictures: Vec<String> = fs::read_dir(here.join(until))
            .unwrap()
            .map(|picture| fs::read_to_string(picture.unwrap().path()).unwrap())
            .collect();
        assert!(pictures.iter().any(|svg| svg.contains(&format!("\n{told}\n"))), "{until}");
    }
}

/// A path is as smooth where pictures are few as where they are many.
#[test]
fn a_path_is_smooth_in_few_pictures() {
    let here = directory("smooth");
    fs::write(here.join("ball.eom"), BALL).unwrap();
    eom(&here, &["run", "ball.eom", "--frames", "few", "--fps", "2", "--format", "svg"], 0);
    let pictures: Vec<_> = fs::read_dir(here.join("few")).unwrap().collect();
    assert_eq!(pictures.len(), 4);
    let svg = fs::read_to_string(here.join("few/frame-00003.svg")).unwrap();
    let longest = paths(&svg).iter().map(Vec::len).max().unwrap();
    assert!(longest > 1000, "{longest} points");
}

/// When a picture is shown, and its pixels.
type Picture = (u32, Vec<[u8; 3]>);

/// The pictures of a GIF, each with its time in hundredths of a second and all of its pixels, and the time of all.
fn shown(path: &Path) -> (usize, Vec<Picture>, u32) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(fs::File::open(path).unwrap()).unwrap();
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let [width, height] = [decoder.width(), decoder.height()].map(usize::from);
    let mut pixels = vec![[0; 3]; width * height];
    let (mut pictures, mut at) = (Vec::new(), 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (index, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let side = usize::from(frame.width);
            let row = usize::from(frame.top) + index / side;
            let column = usize::from(frame.left) + index % side;
            if pixel[3] == 255 {
                pixels[row * width + column] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        pictures.push((at, pixels.clone()));
        at += u32::from(frame.delay);
    }
    (width, pictures, at)
}

/// The ball stands in each picture where z = 1 + R − g t²/2 has it, mirrored at each impact; an impact has a picture
/// of its own at its time, in which the ball touches the ground.
#[test]
fn a_gif_plays_the_motion() {
    let here = directory("gif");
    fs::write(here.join("ball.eom"), BALL).unwrap();
    let fall = (2.0_f64 / 9.81).sqrt();
    // the speed, the times of both impacts, pictures: some of those at each tenth of a second give way
    let table = [("1", [45, 135], 18), ("0.5", [90, 271], 31), ("2", [23, 68], 11)];
    for (speed, impacts, count) in table {
        let run = ["run", "ball.eom", "--fps", "10", "--speed", speed];
        let [said, _] = eom(&here, &[&run[..], &["--gif", "ball.gif"]].concat(), 0);
        assert!(said.contains(&format!("pictures     {count} in ball.gif")), "{said}");
        let (width, pictures, all) = shown(&here.join("ball.gif"));
        let speed: f64 = speed.parse().unwrap();
        assert_eq!((width, pictures.len()), (720, count));
        assert_eq!(f64::from(all), (150.0 / speed).round() + 10.0);
        let times: Vec<u32> = pictures.iter().map(|(at, _)| *at).collect();
        assert!(impacts.iter().all(|impact| times.contains(impact)), "{times:?}");
        for (at, pixels) in &pictures {
            let rows = |is: &dyn Fn(&[u8; 3]) -> bool| {
                let mut found = pixels.iter().enumerate().filter(|(_, pixel)| is(pixel));
                let first = found.next().map(|(place, _)| place / width).unwrap();
                [first, found.last().map_or(first, |(place, _)| place / width)]
                    .map(|row| row as f64)
            };
            // The rim is red to the bit, the ground black; the clock is gray.
            let [top, bottom] = rows(&|pixel| *pixel == [0xc8, 0x39, 0x1f]);
            let [ground, under] = rows(&|pixel| *pixel == [0x1a; 3]);
            assert!(under - ground < 3.0, "{ground} to {under}");
            // A line is two units wide.
            let scale = (bottom - top - 1.0) / 0.2;
            let found = (f64::midpoint(ground, under) - f64::midpoint(top, bottom)) / scale;
            let t = f64::from(*at) * speed / 100.0;
            let since = if t < fall { t } else { (t - fall).rem_euclid(2.0 * fall) - fall };
            let expected = 1.1 - 9.81 * since * since / 2.0;
            let expected = if impacts.contains(at) { 0.1 } else { expected };
            // A pixel and a half, and one in the height of the rim, which the scale is taken from; half of 1/100 s.
            let late = 9.81 * since.abs() * 0.005 * speed;
            let allowed = 1.5 / scale + expected / (bottom - top - 1.0) + late;
            assert!((found - expected).abs() < allowed, "{at}: {found} for {expected}");
            assert_eq!(pixels[0], [255; 3]);
            assert!(pixels.contains(&[0x12, 0x34, 0x56]), "the point has lost its colour");
        }
    }
}

#[test]
fn a_gif_is_small_and_the_same_each_time() {
    let here = directory("gif-bytes");
    let table: [(&[&str], [usize; 2]); 3] = [
        (&["penny", "--impacts", "8", "--fps", "5"], [720, 540]),
        (&["box-ball", "--until", "2", "--fps", "10", "--size", "200x150", "--dark"], [200, 150]),
        (&["sleigh.eom", "--until", "2", "--fps", "10", "--dpi", "48"], [360, 270]),
    ];
    for (run, [width, height]) in table {
        let bytes = ["a.gif", "b.gif"].map(|file| {
            eom(&here, &[&["run"], run, &["--gif", file]].concat(), 0);
            fs::read(here.join(file)).unwrap()
        });
        assert_eq!(bytes[0], bytes[1], "{run:?}");
        let (columns, pictures, _) = shown(&here.join("a.gif"));
        assert_eq!((columns, pictures[0].1.len()), (width, width * height));
        assert!(pictures.windows(2).any(|pair| pair[0].1 != pair[1].1), "{run:?} stands still");
        let each = bytes[0].len() / pictures.len();
        assert!(each < 8000, "{run:?}: {each} bytes a picture");
        if run.contains(&"--dark") {
            assert_eq!(pictures[0].1[0], [0x14, 0x16, 0x1a]);
        }
    }
    let toml = "[end]\ntime = 1\n[output]\ngif = \"of-the-file.gif\"\n";
    fs::write(here.join("film.toml"), toml).unwrap();
    eom(&here, &["run", "sleigh.eom", "--scenario", "film.toml", "--fps", "2"], 0);
    assert_eq!(shown(&here.join("of-the-file.gif")).1.len(), 3);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let here = directory("refused");
    // arguments, what is said
    let table: [(&[&str], &str); 19] = [
        (&["--sweep", "e=0:1:3", "--html", "a.html"], "--html is of one run"),
        (&["--sweep", "e=0:1:3", "--gif", "a.gif"], "--gif is of one run"),
        (&["--gif", "a.gif", "--fps", "60"], "a GIF has from 0.1 to 50"),
        (&["--gif", "a.gif", "--speed", "0"], "--speed 0: it is a positive number"),
        (&["--gif", "a.gif", "--speed", "-1"], "--speed -1: it is a positive number"),
        (&["--plot", "t:x", "--dpi", "-1"], "--dpi -1: it is from 10 to 2400"),
        (&["--gif", "a.gif", "--html", "a.gif"], "--html and --gif both write to a.gif"),
        (&["--speed", "2"], "--speed is of a film: give --gif <FILE> or --frames <DIR>"),
        (&["--plot", "t:Z"], "there is no number of the motion `Z`"),
        (&["--plot", "x:y@nowhere"], "there is no contact or event `nowhere`"),
        (&["--plot", "e,theta_dot:x"], "for a sweep of both"),
        (
            &["--sweep", "e=0:1:3", "--plot", "e,theta_dot:banana"],
            "there is no column `theta_dot`, `banana`",
        ),
        (&["--sweep", "e=0:1:30", "--plot", "t:x"], "too many for a figure"),
        (&["--frames", "."], "is not empty"),
        (&["--frames", "a", "--sweep", "e=0:1:3"], "--frames is of one run"),
        (&["--plot", "t:x", "--size", "3x3"], "write WIDTHxHEIGHT"),
        (&["--plot", "t:x", "--last", "3"], "a point at each event"),
        (&["--plot", "x:y@boards", "--last", "0"], "--last"),
        (&["--plot", "t:x", "--x-range", "2:1"], "the first is not below the second"),
    ];
    for (arguments, text) in table {
        let [_, said] = eom(&here, &[&["run", "sleigh.eom"], arguments].concat(), 2);
        assert!(said.contains(text), "{arguments:?}: {said}");
    }
}

/// That something cannot be drawn may be known only when the run is over: then all else of it is kept, and how it ended is told.
#[test]
fn what_cannot_be_drawn_at_the_end_costs_nothing_else() {
    let here = directory("lost");
    // arguments, what is said, what is told of the runs
    let table: [(&[&str], &str, &str); 5] = [
        (&["--plot", "t:1/(x-x)=p.svg"], "p.svg: no point of the figure is finite", "5 impacts"),
        (&["--gif", "p.gif", "--speed", "1e-3"], "p.gif: --fps: 903318 pictures", "5 impacts"),
        (&["--frames", "p", "--fps", "1e6"], "cannot write p: --fps: ", "5 impacts"),
        (&["--sweep", "e=0,1", "--plot", "e:ended=p.svg"], "nothing to draw", "2: 2 complete"),
        (
            &["--sweep", "e=0,1", "--plot", "y_end,e:x_end=p.svg"],
            "p.svg: a heat map is over the two names that are swept",
            "2: 2 complete",
        ),
    ];
    for (arguments, text, told) in table {
        let files = ["--csv", "kept.csv", "--plot", "t:energy=kept.svg"];
        let said = eom(&here, &[&["run", "sleigh.eom"], &files[..], arguments].concat(), 1);
        assert!(said.concat().contains(text), "{arguments:?}: {said:?}");
        assert!(said.concat().contains(told), "{arguments:?}: {said:?}");
        for file in ["kept.csv", "kept.svg"] {
            assert!(fs::metadata(here.join(file)).unwrap().len() > 0, "{arguments:?}: {file}");
            fs::remove_file(here.join(file)).unwrap();
        }
        assert!(!here.join("p.svg").exists(), "{arguments:?}");
    }
}

/// x = cos t, ẋ = −sin t: what the page shows between its samples is right to the digits that it shows; of a motion that
/// turns more often than the page has room for, the samples are told to be all that there is.
#[test]
fn numbers_between_samples_are_those_of_the_motion() {
    let here = directory("turns");
    let spring = "system Spring { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2;
        scenario s { x = 1; until t = 300; } draw { point [x, 0]; } }";
    fs::write(here.join("spring.eom"), spring).unwrap();
    for until in [5.0, 300.0, 2000.0, 1e6] {
        let data = data(&page(&here, &["spring.eom", "--until", &until.to_string()]));
        let (times, channels) = played(&data);
        let velocity = &data["groups"].as_array().unwrap()[1]["curves"][0];
        let channel = usize::try_from(velocity["channel"].as_u64().unwrap()).unwrap();
        // Half of a part of 65534, and what cosines are off.
        let quantum = 2.0 / 65534.0;
        for (t, v) in times.iter().zip(&channels[channel]) {
            assert!((v + t.sin()).abs() < quantum, "{until}: {v} for {} at {t}", -t.sin());
        }
        let is_coarse = data["coarse"].as_bool().unwrap();
        assert_eq!(is_coarse, until > 1e4, "{until}");
        if is_coarse {
            // Even samples would be the curve of another motion; these are at no even times.
            let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let middle = steps[steps.len() / 2];
            assert!(
                steps.iter().filter(|h| (*h / middle - 1.0).abs() > 0.05).count() > steps.len() / 4
            );
            continue;
        }
        let off = data["off"][channel].as_f64().unwrap();
        let rough = bytes(data["rough"].as_str().unwrap());
        for (i, pair) in times.windows(2).enumerate() {
            // The polynomial through the six nearest samples, as the page lays it.
            let first = i.saturating_sub(2).min(times.len() - 6);
            let t = pair[0] + 0.382 * (pair[1] - pair[0]);
            let weight = |j: usize| {
                let others = (first..first + 6).filter(|k| *k != j);
                others.map(|k| (t - times[k]) / (times[j] - times[k])).product::<f64>()
            };
            let shown: f64 = (first..first + 6).map(|j| weight(j) * channels[channel][j]).sum();
            let is_rough = rough[i / 8] >> (i % 8) & 1 == 1;
            let most = if is_rough { 2e-3 * 2.0 } else { off + quantum };
            assert!((shown + t.sin()).abs() < 1.5 * most, "{until}: {shown} for {}", -t.sin());
        }
        assert!(until > 1e3 || off < 1e-4, "{until}: {off}");
    }
}

/// Time stepping keeps no ledger, and its page has none.
#[test]
fn what_is_stepped_in_time_is_filmed() {
    let here = directory("stepped");
    let ball = "system Ball { coordinates { y } kinetic = ẏ^2/2; potential = 9.81*y;
        contact floor { gap = y; impact = restitution(0.5); }
        scenario drop { y = 1; until t = 1; } draw { point [0, y]; } }";
    fs::write(here.join("ball.eom"), ball).unwrap();
    let page = page(&here, &["ball.eom", "--method", "moreau", "--step", "1e-3"]);
    assert!(page.contains("by time stepping") && !page.contains("closes: the tolerance"));
}
