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

/// The bytes of a pixel.
const PIXEL: usize = 4;

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
            roll.push(pixels.data());
        }
        Ok(roll)
    }

    /// The page covers all, no pixel is seen through: of red, green, blue and opacity the last is one.
    fn push(&mut self, pixels: &[u8]) {
        let mut runs: Vec<(Color, usize)> = Vec::new();
        let mut rest = pixels;
        while let [red, green, blue, _, next @ ..] = rest {
            // What is like itself a pixel later is of one colour.
            let length = 1 + common(rest, next) / PIXEL;
            runs.push(([*red, *green, *blue], length));
            rest = &rest[PIXEL * length..];
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
        let mut before = vec![UNCHANGED; usize::from(width) * usize::from(height)];
        for (runs, delay) in self.pictures.iter().zip(delays) {
            let mut now = before.clone();
            let mut rest = &mut now[..];
            for (color, length) in runs {
                let run;
                (run, rest) = rest.split_at_mut(*length);
                run.fill(palette.place(*color) + 1);
            }
            let frame = changes(&before, &now, usize::from(width));
            encoder.write_frame(&Frame { delay: *delay, ..frame })?;
            before = now;
        }
        encoder.into_inner()
    }
}

/// The part of a picture that is another than before, what stays left as it is.
fn changes(before: &[u8], now: &[u8], width: usize) -> Frame<'static> {
    let rows = || before.chunks_exact(width).zip(now.chunks_exact(width));
    let top = rows().position(|(before, now)| before != now).unwrap_or(0);
    let bottom = rows().rposition(|(before, now)| before != now).unwrap_or(0);
    let others = || rows().filter(|(before, now)| before != now);
    let left = others().map(|(before, now)| common(before, now)).min().unwrap_or(0);
    let behind = others().map(|(before, now)| common_at_end(before, now)).min();
    let right = behind.map_or(0, |behind| width - 1 - behind);
    let mut buffer = Vec::with_capacity((bottom - top + 1) * (right - left + 1));
    for (before, now) in rows().skip(top).take(bottom - top + 1) {
        push_changes(&before[left..=right], &now[left..=right], &mut buffer);
    }
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

/// Of a part of a row what is another than before.
fn push_changes(mut before: &[u8], mut now: &[u8], buffer: &mut Vec<u8>) {
    while let Some(place) = now.first() {
        let same = common(before, now);
        buffer.resize(buffer.len() + same, UNCHANGED);
        let seen = if same == 0 {
            buffer.push(*place);
            1
        } else {
            same
        };
        (before, now) = (&before[seen..], &now[seen..]);
    }
}

/// So many are compared at once: most of a picture stays as it is, in long stretches.
const STRETCH: usize = 64;

/// How much two have in common from their start on.
fn common(one: &[u8], other: &[u8]) -> usize {
    let stretches = one.chunks_exact(STRETCH).zip(other.chunks_exact(STRETCH));
    let long = STRETCH * stretches.take_while(|(one, other)| one == other).count();
    let rest = one[long..].iter().zip(&other[long..]);
    long + rest.take_while(|(one, other)| one == other).count()
}

/// How much two of one length have in common at their end.
fn common_at_end(one: &[u8], other: &[u8]) -> usize {
    let stretches = one.rchunks_exact(STRETCH).zip(other.rchunks_exact(STRETCH));
    let long = STRETCH * stretches.take_while(|(one, other)| one == other).count();
    let rest = one[..one.len() - long].iter().rev().zip(other[..other.len() - long].iter().rev());
    long + rest.take_while(|(one, other)| one == other).count()
}
