//! `eom book`: writes the pages of the book that are made from the models, or says which are stale.

use crate::book;
use crate::cli::BookArguments;
use crate::declarations::Declarations;
use crate::error::{Failure, Outcome};
use crate::generated;

/// Writes the pages, or compares them.
pub(crate) fn write(arguments: &BookArguments) -> Result<Outcome, Failure> {
    let declarations = Declarations::read(&arguments.models)?;
    let declaration = |name: &str| declarations.without_claims(name);
    let files = book::files(&declaration).map_err(Failure::Refused)?;
    let words = ("pages and figures", "the book is stale; run `eom book`");
    let folder = arguments.book.join("src");
    generated::keep((&folder, "--book"), &files, (declarations.paths(), arguments.check), words)
}
