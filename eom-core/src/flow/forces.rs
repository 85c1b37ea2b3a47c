//! That a step is short enough to see what acts.
//!
//! A method asks for the forces at a dozen points of a step. A barrier or a pulse that lies between two of them
//! is stepped over, and no estimate of the error says so. Here the program of the forces is run over boxes that hold
//! the step, and gives a bound of the pace ω of all its parts ([`Paced`]). A part that changes and changes back
//! within 4/ω is met by a stage where
//!
//! ```text
//! ω h ≤ 8        the widest gap between stages of a method is 0.31 h
//! ```
//!
//! A closed contact pushes as its gap has it: the programs of the gaps of those that are closed are bounded as well.
//! A wall that strikes out under what lies on it is a force like others. So are its own dissipation and what acts with its normal
//! force; and dry friction, of which a patch of the ground may have more.
//!
//! Where a force is not defined on a box, or jumps, that says nothing of its pace. A step that may leave the domain of a force, or
//! pass a jump, is halved on and on: one that holds a box on which some force is defined nowhere, or two jumps with a box
//! without any between them, is made shorter. One jump is met by the error of the step.
//!
//! The bound is made for the steps to come as well: a box is put around as many as it holds for, and most
//! steps only ask whether they lie within. Where a step does not, it is bounded alone, then in parts; a step with a part
//! that is faster is made shorter. What acts is never said to be smooth that is not: the boxes hold
//! the computed motion, with room for what it bends.

use super::failure::StepFailure;
use crate::run::options::{ForceCheck, Options};
use crate::snapshot::words::part;
use crate::system::enclosure::{Evaluator, Interval, Marks, Paced, Tape};
use crate::system::{System, parameters_of};

/// The largest ω h.
const PACE: f64 = 8.0;

/// Parts in which a step is bounded.
const PARTS: usize = 16;

/// The shortest part, and the most boxes, in which a step is searched for what is not defined or jumps.
const PART_MIN: f64 = 1.0 / (1_u64 << 34) as f64;
const LOOKS_MAX: u32 = 160;

/// Jumps within so many roundings of the time are one.
const TOLD: f64 = 1024.0;

/// The most steps ahead that a box is made for.
const AHEAD_MAX: f64 = 16.0;

/// Where a step begins and ends: time and size, y and ẏ at both.
pub(super) struct Ends<'s> {
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) y: [&'s [f64]; 2],
    pub(super) slopes: [&'s [f64]; 2],
}

/// A box of times, states and slopes, with the pace of the forces in it.
#[derive(Debug, Clone)]
struct Region {
    t: Interval,
    y: Vec<Interval>,
    slopes: Vec<Interval>,
    pace: f64,
}

/// The programs of all that acts.
#[derive(Debug, Clone)]
struct Acting<'a> {
    /// Forces, dry friction, and the rows of constraints and of contacts that depend on time.
    always: [Option<Evaluator<'a, Paced>>; 4],
    /// Gaps, what closed contacts dissipate, and what acts with their normal forces.
    at_contacts: [Option<AtContacts<'a>>; 3],
    /// The number of contacts: what is of later ones is of rows, in force with any, and from this one on of friction.
    contacts: usize,
    first_component: usize,
    /// The contacts that are closed.
    closed: Vec<usize>,
}

/// The program of what each contact does, and how many results it has for each of them.
type AtContacts<'a> = (Evaluator<'a, Paced>, usize);

/// What acts, with the region that was bounded last.
#[derive(Debug, Clone)]
pub(super) struct Watch<'a> {
    acting: Acting<'a>,
    region: Region,
    step: Region,
    /// How many steps ahead the next region is made for.
    ahead: f64,
    /// States along a step, and at the parts of one that is halved.
    points: Vec<f64>,
    halves: Vec<f64>,
    /// The end of a step and its slope.
    end: [Vec<f64>; 2],
}

impl ForceCheck {
    /// How the forces of a system are watched. Jumps of a sign, and the bends of |u|, are met by steps that become short there, but
    /// two of them may lie within a step, and what is between is not seen.
    pub(crate) fn of(system: &dyn System, options: &Options) -> Self {
        let bounds = system.programs().forces.is_some_and(|forces| !forces.has_breaks());
        if bounds { options.forces } else { Self::Sampled }
    }
}

impl Region {
    fn new(dimension: usize) -> Self {
        Self {
            t: Interval::ZERO,
            y: vec![Interval::ZERO; dimension],
            slopes: vec![Interval::ZERO; dimension],
            pace: f64::INFINITY,
        }
    }

    /// Around a step, and as many more of its size.
    fn set(&mut self, Ends { t, h, y, slopes }: &Ends<'_>, ahead: f64) {
        self.t = Interval::new(*t, t + (1.0 + ahead) * h);
        for j in 0..self.y.len() {
            let bend = (slopes[1][j] - slopes[0][j]).abs();
            let low = slopes[0][j].min(slopes[1][j]) - (0.5 + ahead) * bend;
            let high = slopes[0][j].max(slopes[1][j]) + (0.5 + ahead) * bend;
            let room = 0.25 * h * bend;
            self.slopes[j] = Interval::new(low, high);
            self.y[j] = Interval::new(
                y[0][j].min(y[1][j]) - room + ahead * h * low.min(0.0),
                y[0][j].max(y[1][j]) + room + ahead * h * high.max(0.0),
            );
        }
    }

    fn encloses(&self, other: &Self) -> bool {
        let all = |a: &[Interval], b: &[Interval]| a.iter().zip(b).all(|(a, b)| a.encloses(*b));
        self.t.encloses(other.t) && all(&self.y, &other.y) && all(&self.slopes, &other.slopes)
    }
}

impl<'a> Watch<'a> {
    /// None where it is not asked for, where there is no program, and where nothing in it has a pace.
    pub(super) fn new(system: &'a dyn System, inputs: &[f64], options: &Options) -> Option<Self> {
        let programs = system.programs();
        let paced =
            |tape: Option<&'a Tape>| tape.filter(|tape| tape.has_pace() || tape.has_edges());
        // A row that the time drives is one more force.
        let [rows, own] = [programs.constraint_rows, programs.contact_rows]
            .map(|tape| tape.filter(|tape| tape.reads(0)));
        let always = [programs.forces, programs.frictions, rows, own].map(paced);
        let at_contacts =
            [programs.gaps, programs.contact_forces, programs.borne_forces].map(paced);
        if options.forces == ForceCheck::Sampled
            || programs.forces.is_none()
            || always.iter().chain(&at_contacts).all(Option::is_none)
        {
            return None;
        }
        let info = system.info();
        let dimension = info.positions() + info.speeds();
        let parameters = parameters_of(system);
        let evaluator =
            |tape: Option<&'a Tape>| tape.map(|tape| Evaluator::new(tape, &parameters, inputs));
        let contacts = info.contacts.len();
        let lists = [contacts, contacts, info.bearers()];
        let mut lists = at_contacts.iter().zip(lists).map(|(tape, lists)| {
            let of_each = tape.as_ref()?.outputs.len() / lists;
            evaluator(*tape).map(|evaluator| (evaluator, of_each))
        });
        let at_contacts = std::array::from_fn(|_| lists.next().flatten());
        Some(Self {
            acting: Acting {
                always: always.map(evaluator),
                at_contacts,
                contacts,
                first_component: info.first_component(),
                closed: Vec::with_capacity(contacts),
            },
            region: Region::new(dimension),
            step: Region::new(dimension),
            ahead: 1.0,
            points: vec![0.0; (PARTS + 1) * dimension],
            halves: Vec::new(),
            end: [vec![0.0; dimension], vec![0.0; dimension]],
        })
    }

    /// Nothing is known any more.
    pub(super) fn rewind(&mut self) {
        (self.region.pace, self.ahead) = (f64::INFINITY, 1.0);
    }

    /// The inputs are these from here on.
    pub(super) fn set_inputs(&mut self, inputs: &[f64]) {
        let Acting { always, at_contacts, .. } = &mut self.acting;
        let at_contacts = at_contacts.iter_mut().flatten().map(|(evaluator, _)| evaluator);
        for evaluator in always.iter_mut().flatten().chain(at_contacts) {
            evaluator.set_inputs(inputs);
        }
        self.rewind();
    }

    /// These contacts are closed.
    pub(super) fn set_closed(&mut self, closed: &[usize]) {
        let sees = self.acting.at_contacts.iter().any(Option::is_some);
        if sees && self.acting.closed != closed {
            self.acting.closed.clear();
            self.acting.closed.extend_from_slice(closed);
            self.rewind();
        }
    }

    /// Whether a step is short enough; `point` writes its state at a part s.
    pub(super) fn sees(
        &mut self,
        ends: &Ends<'_>,
        mut point: impl FnMut(f64, &mut [f64]),
    ) -> Result<(), StepFailure> {
        let h = ends.h;
        self.step.set(ends, 0.0);
        if self.region.pace * h <= PACE && self.region.encloses(&self.step) {
            return Ok(());
        }
        if self.ahead > 0.0 {
            self.region.set(ends, self.ahead);
            let (pace, marks) = self.acting.pace(&self.region);
            if pace * h <= PACE && !is_broken(marks) {
                self.region.pace = pace;
                self.ahead = (2.0 * self.ahead).min(AHEAD_MAX);
                return Ok(());
            }
        }
        self.ahead = if self.ahead > 0.25 { 0.25 * self.ahead } else { 0.0 };
        self.region.pace = f64::INFINITY;
        let (pace, mut marks) = self.acting.pace(&self.step);
        if pace * h <= PACE {
            self.ahead = (2.0 * self.ahead).max(0.25);
        } else if !self.sees_in_parts(ends, &mut point, &mut marks) {
            return Err(unseen());
        }
        if is_broken(marks) { self.look_inside(ends, &mut point) } else { Ok(()) }
    }

    /// Looks for a part of a step in which a force is not defined, and for two jumps of forces.
    fn look_inside(
        &mut self,
        ends: &Ends<'_>,
        point: &mut dyn FnMut(f64, &mut [f64]),
    ) -> Result<(), StepFailure> {
        let Self { acting, step, halves, .. } = self;
        let n = step.y.len();
        halves.resize(3 * n, 0.0);
        let (mut from, mut width, mut jump) = (0.0, 1.0, None);
        for _ in 0..LOOKS_MAX {
            if from >= 1.0 {
                break;
            }
            for (i, at) in halves.chunks_exact_mut(n).enumerate() {
                point(from + 0.5 * i as f64 * width, at);
            }
            step.t = Interval::new(ends.t + from * ends.h, ends.t + (from + width) * ends.h);
            for j in 0..n {
                let [a, middle, b] = [0, 1, 2].map(|i| halves[i * n + j]);
                let room = 2.0 * (middle - 0.5 * (a + b)).abs();
                step.y[j] = Interval::new(a.min(b) - room, a.max(b) + room);
            }
            let marks = acting.pace(step).1;
            if marks.has(Marks::NOWHERE) {
                return Err(StepFailure::NonFinite { what: "a force".to_owned() });
            }
            if is_broken(marks) && width > PART_MIN {
                width *= 0.5;
                continue;
            }
            let to = from + width;
            if marks.has(Marks::JUMP) && ends.h > TOLD * f64::EPSILON * ends.t.abs() {
                if jump.is_some_and(|last| from > last) {
                    return Err(unseen());
                }
                jump = Some(to);
            }
            // The next part is as long as its place among the halves allows.
            from = to;
            while width < 1.0 && (from / (2.0 * width)).fract() == 0.0 {
                width *= 2.0;
            }
        }
        Ok(())
    }

    /// The same for a step from y and ẏ of which the states are known: the slope at its end is that of a parabola,
    /// for which boxes have room.
    pub(super) fn sees_curve(
        &mut self,
        (t, h): (f64, f64),
        (y, slope): (&[f64], &[f64]),
        mut point: impl FnMut(f64, &mut [f64]),
    ) -> Result<(), StepFailure> {
        let [mut end, mut last] = std::mem::take(&mut self.end);
        point(1.0, &mut end);
        for j in 0..last.len() {
            last[j] = 2.0 * (end[j] - y[j]) / h - slope[j];
        }
        let sees = self.sees(&Ends { t, h, y: [y, &end], slopes: [slope, &last] }, point);
        self.end = [end, last];
        sees
    }

    /// The same part by part. The slopes of a part are those of chords, its own and those beside it.
    fn sees_in_parts(
        &mut self,
        ends: &Ends<'_>,
        point: &mut dyn FnMut(f64, &mut [f64]),
        all: &mut Marks,
    ) -> bool {
        let Self { acting, step, points, .. } = self;
        let n = step.y.len();
        for (i, at) in points.chunks_exact_mut(n).enumerate() {
            point(i as f64 / PARTS as f64, at);
        }
        let w = ends.h / PARTS as f64;
        (0..PARTS).all(|part| {
            let start = ends.t + part as f64 * w;
            step.t = Interval::new(start, start + w);
            for j in 0..n {
                let at = |i: usize| points[i.min(PARTS) * n + j];
                let chord = at(part + 1) - at(part);
                let before = if part == 0 { chord } else { at(part) - at(part - 1) };
                let after = if part + 1 == PARTS { chord } else { at(part + 2) - at(part + 1) };
                let room = 0.25 * (after - chord).abs().max((chord - before).abs());
                let (low, high) = (chord.min(before).min(after), chord.max(before).max(after));
                step.slopes[j] = Interval::new(low / w, high / w);
                step.y[j] = Interval::new(
                    at(part).min(at(part + 1)) - room,
                    at(part).max(at(part + 1)) + room,
                );
            }
            let (pace, marks) = acting.pace(step);
            *all = *all | marks;
            pace * ends.h <= PACE
        })
    }
}

impl Acting<'_> {
    /// The pace of all that acts in a region, and what it may do there.
    fn pace(&mut self, Region { t, y, slopes, .. }: &Region) -> (f64, Marks) {
        let Self { always, at_contacts, contacts, first_component, closed } = self;
        let (mut pace, mut marks): (f64, _) = (0.0, Marks::NONE);
        for (found, mark) in always.iter_mut().flatten().flat_map(|it| it.paces(*t, y, slopes)) {
            (pace, marks) = (pace.max(found), marks | mark);
        }
        let [gaps, damping, borne] = at_contacts;
        let nothing = closed.is_empty();
        let by_contact = [gaps, damping].into_iter().flatten().filter(|_| !nothing);
        for (forces, of_each) in by_contact.chain(borne) {
            for (result, (found, mark)) in forces.paces(*t, y, slopes).enumerate() {
                let bearer = result / *of_each;
                let of_row = bearer >= *contacts && !nothing;
                if of_row || bearer >= *first_component || closed.contains(&bearer) {
                    (pace, marks) = (pace.max(found), marks | mark);
                }
            }
        }
        (pace, marks)
    }
}

/// Whether something may be undefined, or jump.
fn is_broken(marks: Marks) -> bool {
    marks.has(Marks::OUTSIDE) || marks.has(Marks::JUMP)
}

/// Something acts that changes faster than steps can be short.
fn unseen() -> StepFailure {
    StepFailure::NonFinite { what: "the rate at which a force changes".to_owned() }
}

/// The cubic with these values at 0 and 1, and these slopes.
pub(super) fn hermite(s: f64, [a, b]: [f64; 2], [first, last]: [f64; 2]) -> f64 {
    let r = 1.0 - s;
    a + s * s * (3.0 - 2.0 * s) * (b - a) + s * r * (r * first - s * last)
}

// Programs are run before they are asked.
part! {
    Acting<'_> { parts: [], values: [closed], room: [always, at_contacts, contacts, first_component] },
    |it, from| from.contacts(&it.closed)
}

part! { Watch<'_> { parts: [acting, region], values: [ahead], room: [step, points, halves, end] } }

part! { Region { parts: [y, slopes], values: [t, pace], room: [] } }
