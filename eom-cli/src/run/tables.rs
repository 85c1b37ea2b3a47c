//! The tables of a run, whose rows are written as they come.

use crate::output::columns;
use crate::run::drive::Come;
use crate::run::outputs::{Fate, Sheets, Stream};
use crate::run::request::Request;
use eom_core::{Mode, ModeSpan};
use eom_interpreter::motion::Observer;

/// Samples in each format, and events.
pub(crate) struct Tables<'r> {
    request: &'r Request,
    observer: Observer<'r>,
    /// The modes of the samples to come, and how many samples have come.
    modes: Vec<ModeSpan>,
    sample: usize,
    samples: Vec<Stream>,
    events: Option<Stream>,
}

impl<'r> Tables<'r> {
    /// Begins the tables.
    pub(crate) fn begin(request: &'r Request, sheets: Sheets) -> Self {
        let (info, title) = (request.model.info, request.model.title.as_str());
        let columns = columns::samples(info);
        let samples = sheets.samples.into_iter().map(|sheet| sheet.begin(title, &columns));
        let events = sheets.events.map(|sheet| sheet.begin(title, &columns::events(info)));
        let observer = Observer::new(&*request.system, &request.inputs);
        let samples = samples.collect();
        Self { request, observer, modes: Vec::new(), sample: 0, samples, events }
    }

    /// Writes what has come. False where all readers have left.
    pub(crate) fn write(&mut self, come: &Come) -> bool {
        let Self { request, observer, modes, sample, samples, events } = self;
        modes.extend_from_slice(&come.modes);
        let digits = come.digits.as_ref();
        if !samples.is_empty() {
            for (index, state) in come.samples.iter().enumerate() {
                let past = modes.partition_point(|span| span.sample <= *sample);
                modes.drain(..past.saturating_sub(1));
                let free = Mode::default();
                let mode = modes.first().filter(|_| past > 0).map_or(&free, |span| &span.mode);
                let mut row = columns::sample(observer.see(state, mode));
                let texts = digits.and_then(|digits| digits.samples.get(index));
                columns::give_digits(&mut row, texts);
                for stream in &mut *samples {
                    stream.row(Ok(row.clone()));
                }
                *sample += 1;
            }
        }
        if let Some(stream) = events {
            for (index, event) in come.events.iter().enumerate() {
                let mut row = columns::event(request.model.info, event);
                let texts = digits.and_then(|digits| digits.events.get(index));
                columns::give_digits(&mut row, texts);
                stream.row(Ok(row));
            }
        }
        !self.is_left()
    }

    /// Whether there were readers, and all have left.
    fn is_left(&self) -> bool {
        let mut all = self.samples.iter().chain(&self.events).peekable();
        all.peek().is_some() && all.all(Stream::is_left)
    }

    /// Writes the ends. Whether all readers have left before.
    pub(crate) fn finish(self, fate: &mut Fate) -> bool {
        let is_left = self.is_left();
        for stream in self.samples {
            stream.finish("samples", fate);
        }
        if let Some(stream) = self.events {
            stream.finish("events", fate);
        }
        is_left
    }
}
