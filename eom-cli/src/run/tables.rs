//! The tables of a run, whose rows are written as they come.

use crate::output::columns;
use crate::run::drive::Come;
use crate::run::outputs::{Fate, Sheets, Stream};
use crate::run::request::Request;

/// Samples in each format, and events.
pub(crate) struct Tables<'r> {
    request: &'r Request,
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
        Self { request, samples: samples.collect(), events }
    }

    /// Writes what has come. False where all readers have left.
    pub(crate) fn write(&mut self, come: &Come) -> bool {
        let Self { request, samples, events } = self;
        for stream in samples {
            for state in &come.samples {
                stream.row(Ok(columns::sample(&*request.system, &request.inputs, state)));
            }
        }
        if let Some(stream) = events {
            for event in &come.events {
                stream.row(Ok(columns::event(request.model.info, event)));
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
