//! How much the samples of a run come to, said before it is run.
//!
//! ```text
//! size = runs · (until − t₀)/interval · columns · bytes of a number in each format
//! ```
//!
//! A run that ends at a number of impacts or events alone has no such bound; its samples go to the file
//! as they come, and the disk is what ends them.

use crate::complaint::{Complaint, refused};
use crate::error::Failure;
use crate::output::columns;
use crate::run::plan::Plan;
use crate::run::refusal::must;

/// Samples may come to so many bytes without being asked.
const SIZE_MAX: f64 = 4e9;
/// Bytes of a number as text, with what separates it; its shortest form has 17 digits mostly.
const TEXT: f64 = 20.0;
/// And in Parquet.
const BINARY: f64 = 8.0;
/// And in memory, until a chunk is whole.
const CELL: f64 = 32.0;

/// Refuses samples of more than 4 GB, unless that is asked for.
pub(crate) fn check(plan: &Plan) -> Result<(), Failure> {
    let output = &plan.output;
    let formats = [(&output.csv, TEXT), (&output.jsonl, TEXT), (&output.parquet, BINARY)];
    let bytes: f64 = formats.iter().filter(|(named, _)| named.is_some()).map(|(_, b)| b).sum();
    if bytes == 0.0 || output.large {
        return Ok(());
    }
    let help = "give a longer interval, or --large to write them all";
    let large = large(plan, samples(plan), bytes).map(|message| message.help(help));
    large.map_or(Ok(()), |complaint| Err(refused(plan.source.as_ref(), &[complaint])))
}

/// Refuses an interval that is none, and samples of a chunk of so many runs that are more than 4 GB before they are written.
pub(crate) fn check_chunk(plan: &Plan, runs: u64) -> Result<(), Failure> {
    let Some(sample) = &plan.output.sample else { return Ok(()) };
    let interval = plan.request(0).ok().and_then(|request| request.interval);
    let part = (runs as f64).min(plan.count as f64) / plan.count as f64;
    let complaint = match interval {
        Some(interval) if !(interval > 0.0 && interval.is_finite()) => {
            let must = must(interval, f64::MIN_POSITIVE, f64::MAX);
            Some(sample.origin.complain(format!("it {must}")))
        }
        _ => large(plan, part * samples(plan), CELL)
            .map(|message| message.help("give a longer interval, or fewer runs a chunk: --size")),
    };
    complaint.map_or(Ok(()), |complaint| Err(refused(plan.source.as_ref(), &[complaint])))
}

/// The samples of all runs.
fn samples(plan: &Plan) -> f64 {
    let each = plan.count / plan.starts.len();
    let of_starts = (0..plan.starts.len()).filter_map(|start| {
        // What is wrong with a run is said where it is made.
        let request = plan.request(start * each).ok()?;
        Some((request.options.until_time? - request.start.t) / request.interval?)
    });
    of_starts.sum::<f64>() * each as f64
}

/// What is said of so many samples, where they are too many.
fn large(plan: &Plan, samples: f64, bytes: f64) -> Option<Complaint> {
    let columns = columns::samples(plan.model.info).len() as f64;
    let size = samples * columns * bytes;
    // An interval that is 0 is refused where the run is made.
    let sample = plan.output.sample.as_ref().filter(|_| size > SIZE_MAX && size.is_finite())?;
    Some(sample.origin.complain(format!(
        "{samples:.1e} samples of {columns} numbers are about {} GB",
        rounded(size / 1e9)
    )))
}

/// Without digits behind the point, and without rows of zeros.
fn rounded(number: f64) -> String {
    if number < 1e9 { format!("{number:.0}") } else { format!("{number:.0e}") }
}
