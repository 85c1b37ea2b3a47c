//! A film as a GIF.
//!
//! ```text
//! frames at even times, both sides of events → which are shown, and when → pixels → few colours → what changes
//! ```
//!
//! A GIF tells times in hundredths of a second, and what plays it is slower than two of them: an event has a picture
//! of its own, at its time, and pictures at even times give way to it.

use super::palette::{Color, Counts, Palette};
use super::pictures::{Pace, Reel};
use super::{drawing, filmed};
use crate::plot::{Look, Renderer, scale};
use crate::run::request::Request;
use eom_interpreter::film::Film;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// More pictures are too large a file.
const PICTURES_MAX: f64 = 3000.0;

/// Pictures a second, from and to.
const RATES: [f64; 2] = [0.1, 50.0];

/// The least time of a picture, in hundredths of a second.
const SHORTEST: i64 = 2;

/// Dots an inch where none are given: a pixel for each unit of the page.
const DPI: f64 = 96.0;

/// The place of the colour that leaves a pixel as it is.
const UNCHANGED: u8 = 0;

/// How many pictures at even times a GIF over a time has, where it can have these.
pub(crate) fn gif_count(pace: Pace, span: f64) -> Result<usize, String> {
    let [slowest, fastest] = RATES;
    if !(slowest..=fastest).contains(&pace.rate) {
        return Err(format!("--fps {}: a GIF has from {slowest} to {fastest}", pace.rate));
    }
    pace.count(span, PICTURES_MAX)
}

/// The bytes of the GIF of a run that has ended at a time; how many pictures it has.
pub(crate) fn gif(
    request: &Request,
    end: f64,
    pace: Pace,
    look: &Look,
) -> Result<(Vec<u8>, usize), String> {
    let frames = gif_count(pace, end - request.start.t)?;
    let drawing = drawing(request)?;
    let film = filmed(request, &drawing, end, frames)?;
    let reel = Reel::new(&film, look);
    let shown = shown(&film.0, &reel, pace.speed);
    let usual = ((100.0 / pace.rate).round() as i64).max(SHORTEST);
    let roll = Roll::new(&reel, &shown, look)?;
    let bytes = roll.encode(&delays(&shown, usual)).map_err(|error| format!("--gif: {error}"))?;
    Ok((bytes, shown.len()))
}

/// The frames that are shown, by their times in hundredths of a second.
fn shown(film: &Film<'_>, reel: &Reel<'_, '_>, speed: f64) -> BTreeMap<i64, usize> {
    let mut shown = BTreeMap::new();
    let events = film.events().iter().map(|event| event.t);
    for t in events.chain(reel.times()) {
        let at = (100.0 * (t - film.subject.start) / speed).round() as i64;
        if shown.range(at + 1 - SHORTEST..at + SHORTEST).next().is_none() {
            shown.insert(at, reel.index(t));
        }
    }
    shown
}

/// How long each picture is there; the last is there as long as is usual.
fn delays(shown: &BTreeMap<i64, usize>, usual: i64) -> Vec<u16> {
    let next = shown.keys().skip(1).copied();
    let last = shown.keys().last().map(|at| at + usual);
    let delays = shown.keys().zip(next.chain(last)).map(|(at, next)| next - at);
    delays.map(|delay| u16::try_from(delay).unwrap_or(u16::MAX)).collect()
}

/// Pictures as runs of pixels of one colour: most of a picture is its background.
struct Roll {
    size: [u16; 2],
    pictures: Vec<Vec<(Color, usize)>>,
    counts: Counts,
}

impl Roll {
    fn new(reel: &Reel<'_, '_>, shown: &BTreeMap<i64, usize>, look: &Look) -> Result<Self, String> {
        let renderer = Renderer::new();
        let mut roll = Self { size: [0; 2], pictures: Vec::new(), counts: Counts::new() };
        for index in shown.values() {
            let svg = reel.picture(*index, look);
            let pixels = renderer.pixels(&svg, scale(look.dpi.unwrap_or(DPI)))?;
            let sides = [pixels.width(), pixels.height()];
            let [Ok(width), Ok(height)] = sides.map(u16::try_from) else {
                let [width, height] = sides;
                return Err(format!("--gif: {width} × {height} pixels are too large"));
            };
            roll.size = [width, height];
            let colors = pixels.pixels().iter().map(|pixel| {
                // The page covers all: no pixel is seen through.
                [pixel.red(), pixel.green(), pixel.blue()]
            });
            roll.push(colors);
        }
        Ok(roll)
    }

    fn push(&mut self, colors: impl Iterator<Item = Color>) {
        let mut runs: Vec<(Color, usize)> = Vec::new();
        for color in colors {
            match runs.last_mut() {
                Some((last, length)) if *last == color => *length += 1,
                _ => runs.push((color, 1)),
            }
        }
        for (color, length) in &runs {
            *self.counts.entry(*color).or_default() += *length as u64;
        }
        self.pictures.push(runs);
    }

    /// The GIF, which plays for ever.
    fn encode(&self, delays: &[u16]) -> Result<Vec<u8>, gif::EncodingError> {
        let palette = Palette::new(&self.counts, 255);
        let colors = [[0; 3]].into_iter().chain(palette.colors.iter().copied());
        let colors: Vec<u8> = colors.flatten().collect();
        let [width, height] = self.size;
        let mut encoder = Encoder::new(Vec::new(), width, height, &colors)?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut before: Vec<u8> = Vec::new();
        for (runs, delay) in self.pictures.iter().zip(delays) {
            let places = runs.iter().flat_map(|(color, length)| {
                std::iter::repeat_n(palette.place(*color) + 1, *length)
            });
            let now: Vec<u8> = places.collect();
            let frame = changes(&before, &now, usize::from(width));
            encoder.write_frame(&Frame { delay: *delay, ..frame })?;
            before = now;
        }
        encoder.into_inner()
    }
}

/// The part of a picture that is another than before, what stays left as it is.
fn changes(before: &[u8], now: &[u8], width: usize) -> Frame<'static> {
    let is_other = |place: usize| before.get(place) != Some(&now[place]);
    let others = || (0..now.len()).filter(|place| is_other(*place));
    let rows = || others().map(|place| place / width);
    let columns = || others().map(|place| place % width);
    let (top, bottom) = (rows().next().unwrap_or(0), rows().next_back().unwrap_or(0));
    let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
    let place = |row: usize| (left..=right).map(move |column| row * width + column);
    let buffer: Vec<u8> = (top..=bottom)
        .flat_map(place)
        .map(|place| if is_other(place) { now[place] } else { UNCHANGED })
        .collect();
    let side = |from: usize, to: usize| (to - from + 1) as u16;
    Frame {
        dispose: DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        top: top as u16,
        left: left as u16,
        width: side(left, right),
        height: side(top, bottom),
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    }
}
