//! Blocks that slide over terraces, off their ends and on to others, some of which are belts: against the parabolas of which
//! such a motion is made.

use eom_core::{End, EventKind, Method, Options, State, Trajectory, run_scenario, simulate};
use eom_interpreter::Interpreted;
use fastrand::Rng;
use std::fmt::Write as _;
use std::ops::ControlFlow;

const G: f64 = 10.0;
const UNTIL: f64 = 4.0;

/// A terrace from `left` to `right` at a height, whose surface moves.
#[derive(Debug, Clone, Copy)]
struct Terrace {
    left: f64,
    right: f64,
    height: f64,
    friction: f64,
    speed: f64,
}

/// What happens, and to which terrace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Happening {
    Lands(usize),
    Closes(usize),
    Ends(usize),
    Sticks(usize),
}

/// A block in closed form.
#[derive(Debug, Clone)]
struct Block {
    t: f64,
    x: f64,
    y: f64,
    ẋ: f64,
    ẏ: f64,
    on: Option<usize>,
    told: Vec<(f64, Happening)>,
}

impl Block {
    /// ẍ on a terrace.
    fn pull(&self, on: &Terrace) -> f64 {
        let slip = self.ẋ - on.speed;
        if slip == 0.0 { 0.0 } else { -on.friction * G * slip.signum() }
    }

    fn pass(&mut self, τ: f64, ẍ: f64, ÿ: f64) {
        self.x += self.ẋ * τ + ẍ * τ * τ / 2.0;
        self.y += self.ẏ * τ + ÿ * τ * τ / 2.0;
        self.ẋ += ẍ * τ;
        self.ẏ += ÿ * τ;
        self.t += τ;
    }

    fn tell(&mut self, what: Happening) {
        self.told.push((self.t, what));
    }

    /// Flies until it lands or time is over.
    fn fly(&mut self, terraces: &[Terrace]) {
        let mut first: Option<(f64, usize)> = None;
        for (index, terrace) in terraces.iter().enumerate() {
            let square = self.ẏ * self.ẏ + 2.0 * G * (self.y - terrace.height);
            let τ = (self.ẏ + square.sqrt()) / G;
            let x = self.x + self.ẋ * τ;
            // From a terrace it does not fall on to the same.
            let falls = square > 0.0 && self.y > terrace.height;
            if falls && terrace.left < x && x < terrace.right && first.is_none_or(|(t, _)| τ < t) {
                first = Some((τ, index));
            }
        }
        let left = UNTIL - self.t;
        let Some((τ, index)) = first.filter(|(τ, _)| *τ < left) else {
            return self.pass(left, 0.0, -G);
        };
        self.pass(τ, 0.0, -G);
        let terrace = &terraces[index];
        let slip = self.ẋ - terrace.speed;
        let most = terrace.friction * self.ẏ.abs();
        self.ẋ = terrace.speed + slip.signum() * (slip.abs() - most).max(0.0);
        (self.y, self.ẏ, self.on) = (terrace.height, 0.0, Some(index));
        self.tell(Happening::Lands(index));
        self.tell(Happening::Closes(index));
        if slip.abs() <= most {
            self.tell(Happening::Sticks(index));
        }
    }

    /// Slides, or is carried along, until its terrace ends, it sticks or time is over.
    fn slide(&mut self, terraces: &[Terrace], on: usize) {
        let terrace = &terraces[on];
        let ẍ = self.pull(terrace);
        let stop = if ẍ == 0.0 { f64::INFINITY } else { (terrace.speed - self.ẋ) / ẍ };
        let mut end = f64::INFINITY;
        for (place, towards) in [(terrace.left, -1.0), (terrace.right, 1.0)] {
            let way = place - self.x;
            // ẍ τ²/2 + ẋ τ = way, in the form that loses nothing.
            let square = self.ẋ * self.ẋ + 2.0 * ẍ * way;
            for root in [square.sqrt(), -square.sqrt()] {
                let τ = 2.0 * way / (self.ẋ + root);
                if τ > 1e-12 && (self.ẋ + ẍ * τ) * towards > 0.0 {
                    end = end.min(τ);
                }
            }
        }
        let left = UNTIL - self.t;
        let τ = stop.min(end).min(left);
        self.pass(τ, ẍ, 0.0);
        if τ == left {
            return;
        }
        if τ == stop {
            self.ẋ = terrace.speed;
            return self.tell(Happening::Sticks(on));
        }
        self.tell(Happening::Ends(on));
        let joins = |other: &Terrace| {
            let meets = if self.ẋ > 0.0 {
                other.left == terrace.right
            } else {
                other.right == terrace.left
            };
            meets && other.height == terrace.height
        };
        self.on = terraces.iter().position(joins);
        self.x = if self.ẋ > 0.0 { terrace.right } else { terrace.left };
        if let Some(next) = self.on {
            self.tell(Happening::Closes(next));
        }
    }

    fn run(mut self, terraces: &[Terrace]) -> Self {
        while self.t < UNTIL {
            match self.on {
                None => self.fly(terraces),
                Some(on) => self.slide(terraces, on),
            }
        }
        self
    }
}

/// Terraces downwards, some of which go on at one height.
fn drawn(random: &mut Rng) -> Vec<Terrace> {
    let mut between = |low: f64, high: f64| low + (high - low) * random.f64();
    let (mut x, mut height) = (-0.5, 0.0);
    let mut terraces = Vec::new();
    for _ in 0..7 {
        let right = x + between(0.5, 2.0);
        let (friction, belt) = (between(0.0, 0.15), between(-1.0, 2.0));
        let speed = if belt > 0.7 { belt } else { 0.0 };
        terraces.push(Terrace { left: x, right, height, friction, speed });
        x = right;
        if between(0.0, 1.0) > 0.4 {
            height -= between(0.1, 1.0);
            x -= between(0.0, 0.5);
        }
    }
    terraces
}

fn declaration(terraces: &[Terrace], speed: f64) -> String {
    let mut text = String::from(
        "system S { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;\n",
    );
    for (index, Terrace { left, right, height, friction, speed }) in terraces.iter().enumerate() {
        let _ = writeln!(
            text,
            "contact c{index} {{ gap = y - ({height:?}); slip = ẋ - ({speed:?}); friction = {friction:?};
             when x >= {left:?}, x < {right:?}; impact = plastic; }}"
        );
    }
    let _ = write!(text, "scenario s {{ ẋ = {speed:?}; until t = {UNTIL:?}; }} }}");
    text
}

fn told(run: &Trajectory) -> Vec<(f64, Happening)> {
    let of = |kind: &EventKind| match *kind {
        EventKind::Impact { contact, .. } => Happening::Lands(contact),
        EventKind::Closing { contact } => Happening::Closes(contact),
        EventKind::Opening { contact } => Happening::Ends(contact),
        EventKind::Stick { friction } => Happening::Sticks(friction),
        ref other => panic!("{other:?}"),
    };
    run.events.iter().map(|event| (event.t, of(&event.kind))).collect()
}

/// A drawn case. How many ends of terraces the block passes.
fn check(seed: u64) -> usize {
    let mut random = Rng::with_seed(seed);
    let terraces = drawn(&mut random);
    let ẋ = 2.0 + 3.0 * random.f64();
    let block = Block { t: 0.0, x: 0.0, y: 0.0, ẋ, ẏ: 0.0, on: Some(0), told: Vec::new() };
    let wanted = block.run(&terraces);
    let text = declaration(&terraces, ẋ);
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    for method in [Method::RungeKutta, Method::Taylor] {
        let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
        let run = run_scenario(&system, "s", &options).expect("it starts");
        assert!(
            matches!(run.end, End::ReachedTime { .. }),
            "{seed} {method:?}: {}\n{text}",
            run.end
        );
        let found = told(&run);
        let same = found.len() == wanted.told.len()
            && found
                .iter()
                .zip(&wanted.told)
                .all(|((t, what), (at, of))| what == of && (t - at).abs() < 1e-9);
        assert!(same, "{seed} {method:?}: {found:?} for {:?}\n{text}", wanted.told);
        let last = run.last().expect("it has run");
        for (found, wanted) in [
            (last.q[0], wanted.x),
            (last.q[1], wanted.y),
            (last.v[0], wanted.ẋ),
            (last.v[1], wanted.ẏ),
        ] {
            assert!(
                (found - wanted).abs() < 1e-8 * (1.0 + wanted.abs()),
                "{seed} {method:?}: {found} for {wanted}\n{text}"
            );
        }
    }
    wanted.told.iter().filter(|(_, what)| matches!(what, Happening::Ends(_))).count()
}

#[test]
fn blocks_slide_over_terraces() {
    assert!((0..40).map(check).sum::<usize>() > 100);
}

#[test]
#[ignore = "half a minute; CONTRIBUTING says when to run it"]
fn many_blocks_slide_over_terraces() {
    assert!((40..2000).map(check).sum::<usize>() > 8000);
}

/// Runs of a block that is at a place of the floor at the end, by each method.
fn carried_to(text: &str, x: f64) -> [Trajectory; 3] {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    [Method::RungeKutta, Method::Taylor, Method::Radau].map(|method| {
        let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
        let run = run_scenario(&system, "s", &options).expect("it starts");
        let last = run.last().expect("it has run");
        let error = (last.q[0] - x).abs().max(last.q[1].abs());
        assert!(
            run.end.is_complete() && error < 1e-9,
            "{method:?}: {error:e}, {}\n{text}",
            run.end
        );
        run
    })
}

/// A block that lies on a belt is carried to its seam with the next one, which takes over wherever rounding has the seam.
#[test]
fn belts_take_over_at_their_seam() {
    let friction = 0.5;
    for (speed, seam) in [(2.0, 1.0), (0.7, 1.0 / 3.0), (3.1, 0.1), (1.3, 2.7)] {
        for next in [0.0, 0.5, 2.0, 4.0] {
            let first = Terrace { left: -1.0, right: seam, height: 0.0, friction, speed };
            let second = Terrace { left: seam, right: 50.0, speed: next, ..first };
            let text = declaration(&[first, second], speed);
            let (t, slip) = (seam / speed, speed - next);
            let sticks = slip.abs() / (friction * G);
            let x = seam + slip * sticks / 2.0 + next * (UNTIL - t);
            for run in carried_to(&text, x) {
                assert!(
                    told(&run).iter().any(|(at, what)| {
                        *what == Happening::Closes(1) && (at - t).abs() < 1e-9
                    }),
                    "{speed} {next}: {:?}",
                    told(&run)
                );
            }
        }
    }
}

/// A block that its belt has turned back comes to the seam as it comes to the speed of the belt, and the next one takes over.
#[test]
fn belts_take_over_what_comes_to_rest_at_their_seam() {
    for number in 0..20 {
        let speed = 0.2 + 0.037 * f64::from(number);
        let friction = 0.1 + 0.011 * f64::from(7 * number % 13);
        // From x = 0 back to the seam with the speed of the belt: ẋ² = V² − 2 μ g x.
        let seam = 0.3 * speed * speed / (2.0 * friction * G);
        let start = -(speed * speed - 2.0 * friction * G * seam).sqrt();
        for next in [0.0, 0.3, 2.0] {
            let first = Terrace { left: -10.0, right: seam, height: 0.0, friction, speed };
            let second =
                Terrace { left: seam, right: 50.0, height: 0.0, friction: 0.3, speed: next };
            let text = declaration(&[first, second], start);
            let left = UNTIL - (speed - start) / (friction * G);
            let (slip, a) = (speed - next, 0.3 * G);
            let slides = left.min(slip.abs() / a);
            let x = seam + speed * slides - slip.signum() * a * slides * slides / 2.0
                + next * (left - slides);
            carried_to(&text, x);
        }
    }
}

/// A block on a floor that is an incline, or a parabola, from x = 1 on.
fn floor_and(rise: &str, floor: &str, begins: &str, speed: f64) -> Trajectory {
    let text = format!(
        "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
         contact floor {{ gap = y; when {floor}; impact = plastic; }}
         contact rise {{ gap = y - {rise}; when {begins}; impact = plastic; }} }}"
    );
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let runs = [Method::RungeKutta, Method::Taylor, Method::Radau].map(|method| {
        let options = Options { method, until_time: Some(1.0), ..Options::default() };
        let start = State::new(0.0, [0.0, 0.0], [speed, 0.0]);
        simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()))
            .expect("it starts")
    });
    let place = |run: &Trajectory| run.last().expect("a state").q[1];
    for run in &runs {
        let error = place(run) - place(&runs[0]);
        assert!(run.end.is_complete() && error.abs() < 1e-9, "{error:e} {}\n{text}", run.end);
    }
    let [run, ..] = runs;
    run
}

/// What begins where another surface ends, or within it, is met there: an incline takes the part of the velocity across it,
/// a smooth rise none.
#[test]
fn a_surface_begins_at_its_end() {
    for speed in [2.0, 3.0, 3.7, 4.1] {
        for floor in ["x < 1", "x <= 1", "x < 1.1"] {
            for begins in ["x > 1", "x >= 1"] {
                for slope in [0.1_f64, 0.3, 1.0] {
                    let run = floor_and(&format!("{slope:?}*(x - 1)"), floor, begins, speed);
                    let (sin, cos) = slope.atan().sin_cos();
                    let τ = 1.0 - 1.0 / speed;
                    let way = speed * cos * τ - G * sin * τ * τ / 2.0;
                    let y = run.last().expect("a state").q[1];
                    let wanted = way.max(0.0) * sin;
                    assert!((y - wanted).abs() < 1e-9, "{speed} {floor} {begins} {slope}: {y}");
                }
                let run = floor_and("0.3*(x - 1)^2", floor, begins, speed);
                let State { q, v, .. } = run.last().expect("a state");
                let energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) + G * q[1];
                let rise = if q[0] > 1.0 { 0.3 * (q[0] - 1.0).powi(2) } else { 0.0 };
                assert!((q[1] - rise).abs() < 1e-9, "{speed} {floor} {begins}: {q:?}");
                assert!((energy - speed * speed / 2.0).abs() < 1e-9, "{energy}");
            }
        }
    }
}

/// A box that slides over the edge of a table: its feet, and the edge under its base, which ends at both feet.
const BOX: &str = "/// A box.
system B { coordinates { x, y, θ } parameters { a = 0.5, b = 0.25, μ = 0.3 }
    kinetic = (ẋ^2 + ẏ^2)/2 + (a^2 + b^2)/6*θ̇^2; potential = 10*y;
    let X_1 = x - a*cos(θ) + b*sin(θ); let Y_1 = y - a*sin(θ) - b*cos(θ);
    let X_2 = x + a*cos(θ) + b*sin(θ); let Y_2 = y + a*sin(θ) - b*cos(θ);
    contact rear { gap = Y_1; slip = Ẋ_1; friction = μ; when X_1 < 0; impact = plastic; }
    contact front { gap = Y_2; slip = Ẋ_2; friction = μ; when X_2 < 0; impact = plastic; }
    let s = x*cos(θ) + y*sin(θ);
    contact edge { gap = y*cos(θ) - x*sin(θ) - b; slip = ẋ*cos(θ) + ẏ*sin(θ) + b*θ̇; friction = μ;
        when s > -a, s < a; impact = plastic; }
    scenario slide { x = -2; y = 1/4; ẋ = 4; until t = 1.2; } }";

/// ẍ, ÿ, θ̈ of the box that slides forwards on the edge, and the force N ⟂ its base: Newton and Euler.
fn on_the_edge([x, y, θ, ẋ, ẏ, ω]: [f64; 6]) -> ([f64; 3], f64) {
    let (a, b, μ) = (0.5_f64, 0.25_f64, 0.3);
    let (sin, cos, inertia) = (θ.sin(), θ.cos(), (a * a + b * b) / 3.0);
    // The force on the base at −s from below the centre: N (n − μ τ), with the moment N (−s + … ).
    let s = x * cos + y * sin;
    let force = [-sin - μ * cos, cos - μ * sin];
    let moment = -s - μ * b;
    // g̈ = n·(ẍ, ÿ) − s θ̈ − 2 θ̇ τ·(ẋ, ẏ) − θ̇² (y cos θ − x sin θ).
    let gain = force[1] * cos - force[0] * sin - s * moment / inertia;
    let free = -G * cos - 2.0 * ω * (ẋ * cos + ẏ * sin) - ω * ω * (y * cos - x * sin);
    let bearing = -free / gain;
    let linear = [force[0] * bearing, force[1] * bearing - G];
    ([linear[0], linear[1], moment * bearing / inertia], bearing)
}

/// Along the table ẍ = −μ G; the rear foot bears nothing from x = −μ b on, where the box begins to tip over the edge.
#[test]
fn a_box_slides_over_an_edge() {
    let system = Interpreted::new(BOX).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let (a, b, μ) = (0.5, 0.25, 0.3);
    for method in [Method::RungeKutta, Method::Taylor] {
        let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
        let run = run_scenario(&system, "slide", &options).expect("it starts");
        assert!(matches!(run.end, End::ReachedTime { .. }), "{}", run.end);
        let found = told(&run);
        let kinds: Vec<Happening> = found.iter().map(|(_, what)| *what).collect();
        let wanted =
            [Happening::Ends(1), Happening::Closes(2), Happening::Ends(0), Happening::Ends(2)];
        assert_eq!(kinds, wanted);
        // −2 + 4 t − 3/2 t² = place.
        let time = |place: f64| (4.0 - (16.0 - 6.0 * (place + 2.0)).sqrt()) / 3.0;
        assert!((found[0].0 - time(-a)).abs() < 1e-10, "{found:?}");
        let tips = time(-μ * b);
        assert!((found[2].0 - tips).abs() < 1e-9, "{found:?}");
        // Then Newton and Euler, by a method of order 4 in short steps, until N = 0.
        let (mut state, mut t, h) = ([-μ * b, b, 0.0, 4.0 - 3.0 * tips, 0.0, 0.0], tips, 2e-5);
        let slope = |y: [f64; 6]| {
            let ([ẍ, ÿ, θ̈], _) = on_the_edge(y);
            [y[3], y[4], y[5], ẍ, ÿ, θ̈]
        };
        let moved = |y: [f64; 6], k: [f64; 6], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        let mut before = on_the_edge(state).1;
        let opens = loop {
            let k_1 = slope(state);
            let k_2 = slope(moved(state, k_1, h / 2.0));
            let k_3 = slope(moved(state, k_2, h / 2.0));
            let k_4 = slope(moved(state, k_3, h));
            state = std::array::from_fn(|i| {
                state[i] + h / 6.0 * (k_1[i] + 2.0 * k_2[i] + 2.0 * k_3[i] + k_4[i])
            });
            t += h;
            let bearing = on_the_edge(state).1;
            if bearing < 0.0 {
                break t + h * bearing / (before - bearing);
            }
            before = bearing;
        };
        assert!((found[3].0 - opens).abs() < 1e-8, "{} for {opens}", found[3].0);
    }
}

/// A ball that is struck where it falls, as by a board that lets through what comes from below, bounces to rest after
/// √(2h/g) (1 + e)/(1 − e), stays, though it does not fall any more, and drops where the board ends.
#[test]
fn impacts_that_count_where_a_body_falls_accumulate() {
    let text = "system Ball { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
        contact board { gap = y; when x < 1; when ẏ < 0; impact = restitution(0.7); } }";
    let ball = Interpreted::new(text).expect("a declaration");
    let rest = (2.0 / G).sqrt() * 1.7 / 0.3;
    for method in [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic] {
        let options = Options { method, until_time: Some(UNTIL), ..Options::default() };
        let start = State::new(0.0, [0.0, 1.0], [0.3, 0.0]);
        let run = simulate(&ball, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let run = run.expect("a start");
        let is_rest = |kind: &EventKind| matches!(kind, EventKind::Accumulation { .. });
        let rests = run.events.iter().find(|event| is_rest(&event.kind)).expect("it comes to rest");
        assert!((rests.t - rest).abs() < 1e-9, "{method:?}: {} for {rest}", rests.t);
        let (y, fallen) =
            (run.last().expect("a state").q[1], -G / 2.0 * (UNTIL - 1.0 / 0.3).powi(2));
        assert!(run.end.is_complete() && (y - fallen).abs() < 1e-9, "{method:?}: {y} for {fallen}");
    }
}
