//! Instants at which several contacts took impulses, taken note of as they come: how often, by which law,
//! and the first of them with its impulses.

use super::event::shortest;
use eom_core::info::{Impacts, SystemInfo};
use eom_core::{Event, EventKind};

/// The most contacts that are named with their impulses.
const NAMED: usize = 12;

/// Such instants so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Together {
    /// The present instant, and its impulses by contact.
    now: (f64, Vec<(usize, f64)>),
    /// The first with several contacts.
    first: Option<(f64, Vec<(usize, f64)>)>,
    count: usize,
}

impl Together {
    /// Takes note of an event. Impacts of a sequence are events of one time.
    pub(super) fn take(&mut self, event: &Event) {
        let EventKind::Impact { contact, impulse, others, .. } = &event.kind else { return };
        if self.now.1.is_empty() || self.now.0 != event.t {
            self.close();
            self.now.0 = event.t;
        }
        self.now.1.push((*contact, *impulse));
        self.now.1.extend(others.iter().map(|hit| (hit.contact, hit.impulse)));
    }

    /// The present instant is over.
    fn close(&mut self) {
        if is_together(&self.now.1) {
            self.count += 1;
            self.first.get_or_insert_with(|| self.now.clone());
        }
        self.now.1.clear();
    }

    /// `2 times, joint law (not declared); impulses at t = 1: ab 1.2, bc 0.8`.
    pub(super) fn text(&self, info: &SystemInfo) -> Option<String> {
        let last = is_together(&self.now.1).then_some(&self.now);
        let (t, first) = self.first.as_ref().or(last)?;
        let count = self.count + usize::from(last.is_some());
        let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
        let named = first.iter().take(NAMED).map(|(contact, impulse)| {
            let rounded = format!("{impulse:.5e}").parse().unwrap_or(*impulse);
            format!("{} {}", info.contacts[*contact].name, shortest(rounded))
        });
        let mut named: Vec<String> = named.collect();
        if first.len() > NAMED {
            named.push(format!("and {} more", first.len() - NAMED));
        }
        let law = law(info, first);
        Some(format!("{times}, {law}; impulses at t = {t}: {}", named.join(", ")))
    }
}

/// Whether more than one contact took part.
fn is_together(hits: &[(usize, f64)]) -> bool {
    hits.iter().any(|hit| hit.0 != hits[0].0)
}

/// The law by which these contacts were struck.
fn law(info: &SystemInfo, hits: &[(usize, f64)]) -> &'static str {
    let declared = |hit: &(usize, f64)| info.contacts[hit.0].impacts;
    if hits.iter().any(|hit| declared(hit) == Some(Impacts::Sequential)) {
        "sequential law"
    } else if hits.iter().all(|hit| declared(hit).is_some()) {
        "joint law"
    } else {
        "joint law (not declared)"
    }
}
