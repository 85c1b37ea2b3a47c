//! Impacts that accumulate while contacts take turns. The oracle makes them in the space of the gaps, where the limit
//! is the origin and nothing cancels: free flights are parabolas, an impact of contact i is
//! w ← w − (1 + e) wᵢ D eᵢ/Dᵢᵢ with the matrix of Delassus D = ∇g M⁻¹∇gᵀ, and times are summed until they are below
//! rounding.

use crate::support::{Planes, check, list, run};
use eom_core::{End, Event, EventKind, Method, State, Trajectory};

const BOTH: [Method; 2] = [Method::RungeKutta, Method::Taylor];

/// Where nothing presses, power series are slow at gaps of the order of rounding.
const METHODS: [Method; 1] = [Method::RungeKutta];

/// Whether a run says that it cannot tell what happens near the limit.
fn is_unresolved(end: &End, limit: f64) -> bool {
    matches!(end, End::UnresolvedEvent { .. } | End::UndecidedMode { .. })
        && (end.t() - limit).abs() < 1e-2
}

/// Gaps with their rates, the accelerations of free flight, and D.
struct Gaps {
    g: Vec<f64>,
    w: Vec<f64>,
    a: Vec<f64>,
    delassus: Vec<Vec<f64>>,
    e: f64,
}

impl Gaps {
    /// The first root of gᵢ after now.
    fn next(&self, i: usize) -> f64 {
        let (g, w, a) = (self.g[i], self.w[i], self.a[i]);
        if g <= 0.0 {
            return if w > 0.0 && a < 0.0 { -2.0 * w / a } else { f64::INFINITY };
        }
        let root = w * w - 2.0 * a * g;
        if root < 0.0 || w >= 0.0 && a >= 0.0 {
            return f64::INFINITY;
        }
        if w < 0.0 { 2.0 * g / (-w + root.sqrt()) } else { (w + root.sqrt()) / -a }
    }

    /// The time at which infinitely many impacts are over, with the contacts of the last of them in their order;
    /// `None` where there are finitely many.
    fn limit(mut self) -> Option<(f64, Vec<usize>)> {
        let (mut t, mut order) = (0.0, Vec::new());
        for _ in 0..20_000 {
            let times: Vec<f64> = (0..self.g.len()).map(|i| self.next(i)).collect();
            let hit = (0..times.len()).min_by(|i, j| times[*i].total_cmp(&times[*j]))?;
            let flight = times[hit];
            if !flight.is_finite() {
                return None;
            }
            for i in 0..self.g.len() {
                self.g[i] += flight * (self.w[i] + 0.5 * self.a[i] * flight);
                self.w[i] += self.a[i] * flight;
            }
            self.g[hit] = 0.0;
            let change = -(1.0 + self.e) * self.w[hit] / self.delassus[hit][hit];
            for i in 0..self.w.len() {
                self.w[i] += change * self.delassus[i][hit];
            }
            t += flight;
            order.push(hit);
            let scale = self.g.iter().chain(&self.w).fold(0.0, |s: f64, x| s.max(x.abs()));
            if flight < 1e-20 * t && scale < 1e-15 {
                return Some((t, order.split_off(order.len().saturating_sub(8))));
            }
        }
        None
    }
}

/// The first accumulation of several contacts: its time, how many they are, ρ, and what was left out.
fn in_turn(trajectory: &Trajectory) -> Option<(f64, usize, f64, f64)> {
    let found = |event: &Event| match &event.kind {
        EventKind::Accumulation { others, ratio, duration, .. } if !others.is_empty() => {
            Some((event.t, others.len() + 1, *ratio, *duration))
        }
        _ => None,
    };
    trajectory.events.iter().find_map(found)
}

/// Balls on a line with these gaps between them.
fn balls(masses: &[f64], e: f64, gaps: &[f64], speeds: &[f64], impacts: &str) -> String {
    let n = masses.len();
    let place = |i: usize| i as f64 + gaps[..i].iter().sum::<f64>();
    format!(
        "system Balls {{ coordinates {{ {} }} kinetic = {};\n{}\n{impacts}\n\
         scenario s {{ {} until t = 20; }} }}",
        list(0..n, ", ", |i| format!("x{i}")),
        list(0..n, " + ", |i| format!("{:?}*ẋ{i}^2/2", masses[i])),
        list(1..n, "\n", |i| format!(
            "contact c{i} {{ gap = x{i} - x{} - 1; impact = restitution({e:?}); }}",
            i - 1
        )),
        list(0..n, " ", |i| format!("x{i} = {:?}; ẋ{i} = {:?};", place(i), speeds[i]))
    )
}

fn line(masses: &[f64], e: f64, gaps: &[f64], speeds: &[f64]) -> Gaps {
    let n = gaps.len();
    let mut delassus = vec![vec![0.0; n]; n];
    for i in 0..n {
        delassus[i][i] = 1.0 / masses[i] + 1.0 / masses[i + 1];
        if i + 1 < n {
            (delassus[i][i + 1], delassus[i + 1][i]) = (-1.0 / masses[i + 1], -1.0 / masses[i + 1]);
        }
    }
    let w = (0..n).map(|i| speeds[i + 1] - speeds[i]).collect();
    Gaps { g: gaps.to_vec(), w, a: vec![0.0; n], delassus, e }
}

/// Three balls collapse into one with e below 7 − 4√3 (equal masses) or what other masses allow: all have the mean
/// velocity from t∞ on, by whichever law of several contacts, by both methods.
#[test]
fn three_balls_collapse_at_the_sum_of_their_flights() {
    let (mut seen, mut unresolved) = (0, 0);
    for masses in [[1.0, 1.0, 1.0], [3.0, 1.0, 3.0], [30.0, 1.0, 20.0], [1.0, 0.2, 5.0]] {
        for e in [0.02, 0.04, 0.06, 0.15, 0.25] {
            for speeds in [[1.0, 0.0, -1.0], [1.0, 0.1, -0.3], [0.7, 0.4, 0.0]] {
                let gaps = [0.5, 0.8];
                let Some((limit, _)) = line(&masses, e, &gaps, &speeds).limit() else { continue };
                let momentum: f64 = masses.iter().zip(speeds).map(|(m, v)| m * v).sum();
                let mean = momentum / masses.iter().sum::<f64>();
                for impacts in ["", "impacts = sequential;", "impacts { c1 } = sequential;"] {
                    let text = balls(&masses, e, &gaps, &speeds, impacts);
                    let name = format!("{masses:?} {e} {speeds:?} {impacts}");
                    let off =
                        |last: &State| last.v.iter().map(|v| (v - mean).abs()).fold(0.0, f64::max);
                    for method in METHODS {
                        let trajectory = run(&text, method);
                        if is_unresolved(&trajectory.end, limit) {
                            unresolved += 1;
                            continue;
                        }
                        let error = off(trajectory.last().expect("a state"));
                        assert!(error < 1e-12, "{name}: {}, off by {error:e}", trajectory.end);
                        let found = in_turn(&trajectory);
                        // Where few impacts are resolved no ratio is known.
                        if found.is_none() && trajectory.stats.impacts < 14 {
                            continue;
                        }
                        let (t, contacts, ratio, duration) =
                            found.unwrap_or_else(|| panic!("{name} {method:?}"));
                        assert!(contacts == 2 && ratio < 1.0, "{name}: {contacts}, {ratio}");
                        let error = (t - limit).abs();
                        assert!(
                            error <= 0.05 * duration + 1e-13,
                            "{name} {method:?}: {t}, not {limit}, with {duration:e} left out"
                        );
                        seen += 1;
                    }
                }
            }
        }
    }
    assert!(seen > 60 && 8 * unresolved < seen, "{seen}, {unresolved} unresolved");
}

/// Above 7 − 4√3 equal balls separate after finitely many impacts.
#[test]
fn three_balls_with_more_restitution_separate() {
    for e in [0.08, 0.1, 0.5, 1.0] {
        for method in METHODS {
            let text = balls(&[1.0; 3], e, &[0.5, 0.8], &[1.0, 0.0, -1.0], "");
            let trajectory = run(&text, method);
            assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
            assert_eq!(in_turn(&trajectory), None, "{e}");
            let v = &trajectory.last().expect("a state").v;
            assert!(v[0] < v[1] && v[1] < v[2], "{e}: {v:?}");
        }
    }
}

/// A particle that runs into a corner of planes, with and without a force that presses it there: it comes to rest at the apex at
/// t∞, or leaves for ever. Two planes, and three in space.
#[test]
fn a_corner_is_reached_after_infinitely_many_impacts() {
    let mut rng = fastrand::Rng::with_seed(0x7012);
    let mut kinds = [0; 3];
    for case in 0..1200 {
        let n = 2 + case % 2;
        let normal = |rng: &mut fastrand::Rng| -> Vec<f64> {
            let mut raw: Vec<f64> = (0..n).map(|_| 2.0 * rng.f64() - 1.0).collect();
            raw[0] = 0.2 + 0.4 * rng.f64();
            let norm = raw.iter().map(|x| x * x).sum::<f64>().sqrt();
            raw.iter().map(|x| x / norm).collect()
        };
        let normals: Vec<Vec<f64>> = (0..n).map(|_| normal(&mut rng)).collect();
        let pressed = rng.bool();
        let mut force = vec![0.0; n];
        force[0] = if pressed { -1.0 } else { 0.0 };
        let planes = Planes { normals: &normals, force: &force, e: 0.02 + 0.3 * rng.f64() };
        let mut start = vec![0.0; n];
        start[0] = 4.0;
        let mut v: Vec<f64> = (0..n).map(|_| 0.5 * (2.0 * rng.f64() - 1.0)).collect();
        v[0] = -1.0;
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let of = |x: &[f64]| normals.iter().map(|normal| dot(normal, x)).collect::<Vec<f64>>();
        if of(&start).iter().any(|g| *g < 0.1) {
            continue;
        }
        let delassus = normals.iter().map(|normal| of(normal)).collect();
        let gaps = Gaps { g: of(&start), w: of(&v), a: of(&force), delassus, e: planes.e };
        let Some((limit, last)) = gaps.limit().filter(|(limit, _)| *limit < 40.0) else { continue };
        let struck: std::collections::BTreeSet<usize> = last.into_iter().collect();
        let text = planes.declare(1, [&start, &v], 50.0);
        for method in if pressed { &BOTH[..] } else { &METHODS } {
            let trajectory = run(&text, *method);
            if is_unresolved(&trajectory.end, limit) {
                kinds[0] += 1;
                continue;
            }
            let name = format!("case {case} {method:?} {text}");
            assert!(
                matches!(trajectory.end, End::ReachedTime { .. }),
                "{name}: {}",
                trajectory.end
            );
            if struck.len() < n {
                continue;
            }
            let last = trajectory.last().expect("a state");
            let gaps = of(&last.q).into_iter().map(f64::abs).fold(0.0, f64::max);
            let rates = of(&last.v).into_iter().map(f64::abs).fold(0.0, f64::max);
            assert!(gaps < 1e-12 && rates < 1e-12, "{name}: {last:?}");
            let Some((t, contacts, _, duration)) = in_turn(&trajectory) else {
                kinds[1] += 1;
                continue;
            };
            kinds[2] += 1;
            let error = (t - limit).abs();
            assert!(error <= duration + 1e-13, "{name}: {t}, not {limit}, {duration:e} left out");
            assert!(contacts >= 2, "{name}");
        }
    }
    assert!(kinds[2] > 40 && 8 * kinds[0] < kinds[2], "{kinds:?}");
}

/// A block without friction that rocks from corner to corner with e = 0: each impact leaves the part
/// r = (I − m b²)/(I + m b²) of the rate, and for small angles all of it lasts √(2θ₀/α) (1 + 2r/(1 − r)) with
/// α = m g b/(I + m b²).
#[test]
fn a_block_rocks_until_it_stands() {
    let (g, θ) = (9.81, 1e-5_f64);
    for (b, h) in [(0.4_f64, 1.0_f64), (0.3, 2.0), (0.2, 0.5)] {
        let inertia = (b * b + h * h) / 3.0;
        let r = (inertia - b * b) / (inertia + b * b);
        let α = g * b / (inertia + b * b);
        let limit = (2.0 * θ / α).sqrt() * (1.0 + 2.0 * r / (1.0 - r));
        let text = format!(
            "system Block {{ coordinates {{ x, y, θ }}
             kinetic = (ẋ^2 + ẏ^2)/2 + {inertia:?}*θ̇^2/2; potential = {g:?}*y;
             contact left {{ gap = y - {b:?}*sin(θ) - {h:?}*cos(θ); impact = plastic; }}
             contact right {{ gap = y + {b:?}*sin(θ) - {h:?}*cos(θ); impact = plastic; }}
             scenario s {{ y = {:?}; θ = {θ:?}; until t = 3; }} }}",
            b * θ.sin() + h * θ.cos()
        );
        let off = |last: &State| (last.q[1] - h).abs() + last.q[2].abs() + last.v[2].abs();
        check(&format!("{b} {h}"), &text, off, 1e-14);
        for method in BOTH {
            let (t, contacts, ratio, _) = in_turn(&run(&text, method)).expect("it accumulates");
            assert_eq!(contacts, 2);
            assert!((ratio - r * r).abs() < 3e-2 * r * r, "{ratio}, not {}", r * r);
            assert!((t - limit).abs() < 1e-3 * limit, "{t}, not {limit}");
        }
    }
}

/// Walls that come together crush what is between them at t = 2, whatever its restitution: the run ends there and
/// names both.
#[test]
fn walls_that_meet_end_the_run() {
    for e in [0.0, 0.3, 0.8] {
        let text = format!(
            "system Walls {{ coordinates {{ x }} kinetic = ẋ^2/2;
             contact left {{ gap = x - t/4; impact = restitution({e:?}); }}
             contact right {{ gap = 1 - t/4 - x; impact = restitution({e:?}); }}
             scenario s {{ x = 0.3; ẋ = 1; until t = 5; }} }}"
        );
        for method in BOTH {
            let end = run(&text, method).end;
            let named = match &end {
                End::ImpossibleContact { contacts, .. } => contacts.len(),
                End::UnresolvedEvent { .. } => 2,
                _ => 0,
            };
            assert!((end.t() - 2.0).abs() < 1e-10 && named == 2, "{e}: {end}");
        }
    }
}

/// A rod falls flat on a floor without friction and rattles to its rest: it lies there, and goes on as fast as its middle went
/// at the start.
#[test]
fn a_rod_rattles_to_its_rest() {
    for k in 0..24 {
        let (θ, ω) = (-0.1117 + 0.003 * f64::from(k), 2.488 - 0.01 * f64::from(k * k));
        let text = format!(
            "system Rod {{ coordinates {{ x, y, θ }} kinetic = (ẋ^2 + ẏ^2)/2 + 0.1876*θ̇^2; potential = 9.81*y;
               contact right {{ gap = y + sin(θ)/2; impact = plastic; }}
               contact left {{ gap = y - sin(θ)/2; impact = plastic; }}
               scenario s {{ y = 0.852; θ = {θ:?}; ẋ = 0.1665; θ̇ = {ω:?}; until t = 2.5; }} }}"
        );
        let error = |last: &State| {
            let turns = (last.q[2] / std::f64::consts::PI).round();
            let wanted = [0.1665 * 2.5, 0.0, turns * std::f64::consts::PI, 0.1665, 0.0, 0.0];
            let pairs = last.q.iter().chain(&last.v).zip(wanted);
            pairs.map(|(found, wanted)| (found - wanted).abs()).fold(0.0, f64::max)
        };
        check(&text, &text, error, 1e-9);
    }
}

/// A particle that slides down one wall of a trough and up the other, both of them plastic and at α to the horizontal, from
/// rest at s. At the bottom cos 2α of its speed is left: v after the way down, v cos 2α after the first impact, and so on, and
/// each way up and down takes 2v/(g sin α). What rests on a wall does not leave it by ġ⁺: flights were taken for none of which
/// a tenth of the time was left.
#[test]
fn what_slides_from_one_wall_to_the_other_does_so_to_the_end() {
    for α in [0.2_f64, 0.4, 0.41, 0.6] {
        let text = format!(
            "system Trough {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y;
             contact left {{ gap = y*cos({α:?}) + x*sin({α:?}); impact = plastic; }}
             contact right {{ gap = y*cos({α:?}) - x*sin({α:?}); impact = plastic; }}
             scenario s {{ x = -0.5*cos({α:?}); y = 0.5*sin({α:?}); until t = 40; }} }}"
        );
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let trajectory = run(&text, method);
            assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{α}: {}", trajectory.end);
            let fall = 9.81 * α.sin();
            let mut t = (1.0 / fall).sqrt();
            let mut speed = fall.sqrt() * (2.0 * α).cos();
            let impacts = trajectory.events.iter();
            let impacts = impacts.filter(|event| matches!(event.kind, EventKind::Impact { .. }));
            for impact in impacts {
                assert!((impact.t - t).abs() < 1e-11 * t, "{α} {method:?}: {} for {t}", impact.t);
                t += 2.0 * speed / fall;
                speed *= (2.0 * α).cos();
            }
            assert!(speed < 1e-6, "{α} {method:?}: {speed} is left out");
            let (end, _, ratio, _) = in_turn(&trajectory).expect("it ends in both");
            assert!((end - t - 2.0 * speed / fall / (1.0 - ratio.sqrt())).abs() < 1e-11 * t);
        }
    }
}

/// A ball that is pushed off a heavy one, on which it does not rebound, into a light one that comes: flights between ever slower
/// impacts have no length of their own, and each period takes ever less of the one before. All impacts are over at once, and the
/// light one is pushed on. Exact to 120 digits by hand, with parabolas and the impacts one after another until the rates are
/// below 1e-20; then with both balls as one.
#[test]
fn impacts_without_flights_of_their_own_end_together() {
    let text =
        "system Balls { coordinates { y, z, w } kinetic = ẏ^2 + ż^2/2 + 0.35*ẇ^2; force z = 1.6;
        contact heavy { gap = z - y - 1; impact = plastic; }
        contact light { gap = w - z - 1; impact = restitution(0.117); }
        event far { guard = w - 2.9; rising; }
        scenario s { ẏ = 0.1; z = 1.003; ż = -0.45; w = 2.0031; ẇ = -0.28; until t = 1.6; } }";
    for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
        let trajectory = run(text, method);
        let (end, contacts, ..) = in_turn(&trajectory).expect("they end");
        assert!((end - 0.010_849_136_432_592).abs() < 1e-8 && contacts == 2, "{method:?}: {end}");
        let is_far = |event: &&Event| matches!(event.kind, EventKind::Declared { .. });
        let far = trajectory.events.iter().find(is_far).expect("it comes there");
        let errors = [far.t - 1.522_249_458_847_148, far.v_minus()[2] - 1.306_645_399_012_849];
        assert!(errors.iter().all(|error| error.abs() < 1e-9), "{method:?}: {errors:?}");
    }
}
