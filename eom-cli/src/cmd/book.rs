//! `eom book`: writes the pages of the book that are made from the models, or says which are stale.

use crate::book;
use crate::cli::BookArguments;
use crate::declarations::Declarations;
use crate::error::{Failure, Outcome};
use crate::made;
use std::io::{self, Write as _};

/// Writes the pages, or compares them.
pub(crate) fn write(arguments: &BookArguments) -> Result<Outcome, Failure> {
    let declarations = Declarations::read(&arguments.models)?;
    let declaration = |name: &str| declarations.without_claims(name);
    let files = book::files(&declaration).map_err(Failure::Refused)?;
    let root = arguments.book.join("src");
    let stale = made::stale(&root, &files);
    let summary = match (arguments.check, stale.as_slice()) {
        (_, []) => format!("{} pages and figures are as the models have them", files.len()),
        (true, stale) => {
            return Err(Failure::Refused(format!(
                "the book is stale; run `eom book`\n  {}",
                made::names(stale)
            )));
        }
        (false, stale) => {
            made::write(stale)?;
            format!("written:\n  {}", made::names(stale))
        }
    };
    writeln!(io::stdout().lock(), "{summary}")
        .map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}
