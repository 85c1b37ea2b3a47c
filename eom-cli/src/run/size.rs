//! How much the samples of a run come to, said before it is run.
//!
//! ```text
//! size = runs · (until − t₀)/interval · columns · bytes of a number in each format
//! ```
//!
//! A run that ends at a number of impacts or events alone has no such bound; its samples go to the file
//! as they come, and the disk is what ends them.

use crate::complaint::refused;
use crate::error::Failure;
use crate::output::columns;
use crate::run::plan::Plan;

/// Samples may come to so many bytes without being asked.
const SIZE_MAX: f64 = 4e9;
/// Bytes of a number as text, with what separates it; its shortest form has 17 digits mostly.
const TEXT: f64 = 20.0;
/// And in Parquet.
const BINARY: f64 = 8.0;

/// Refuses samples of more than 4 GB, unless that is asked for.
pub(crate) fn check(plan: &Plan) -> Result<(), Failure> {
    let output = &plan.output;
    let formats = [(&output.csv, TEXT), (&output.jsonl, TEXT), (&output.parquet, BINARY)];
    let bytes: f64 = formats.iter().filter(|(named, _)| named.is_some()).map(|(_, b)| b).sum();
    let Some(sample) = output.sample.as_ref().filter(|_| bytes > 0.0 && !output.large) else {
        return Ok(());
    };
    let columns = columns::samples(plan.model.info).len() as f64;
    let each = plan.count / plan.starts.len();
    let samples: f64 = (0..plan.starts.len())
        .filter_map(|start| {
            // What is wrong with a run is said where it is made.
            let request = plan.request(start * each).ok()?;
            Some((request.options.until_time? - request.start.t) / request.interval?)
        })
        .sum();
    let samples = samples * each as f64;
    let size = samples * columns * bytes;
    // An interval that is 0 is refused where the run is made.
    if size <= SIZE_MAX || !size.is_finite() {
        return Ok(());
    }
    let message =
        format!("{samples:.1e} samples of {columns} numbers are about {} GB", rounded(size / 1e9));
    let complaint = sample.origin.complain(message);
    let complaint = complaint.help("give a longer interval, or --large to write them all");
    Err(refused(plan.source.as_ref(), &[complaint]))
}

/// Without digits behind the point, and without rows of zeros.
fn rounded(number: f64) -> String {
    if number < 1e9 { format!("{number:.0}") } else { format!("{number:.0e}") }
}
