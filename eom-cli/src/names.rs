//! What a name on the command line refers to, and what to say when it refers to nothing.

use eom_symbolic::name::nearest;
use models::documents::{Document, documents};
use models::figures::{FigureEntry, figures};
use models::{ModelEntry, catalogue};

pub(crate) use eom_interpreter::names::{
    Target, contact, event, no_such, scenario, speeds, speeds_ascii,
};

/// The model of a name.
pub(crate) fn model(name: &str) -> Result<&'static ModelEntry, String> {
    let names = || catalogue().iter().map(|model| model.name);
    catalogue().iter().find(|model| model.name == name).ok_or_else(|| {
        let known = names().collect::<Vec<_>>().join(", ");
        format!("{}\n  models: {known}", no_such("model", name, nearest(name, names())))
    })
}

/// The document of a key.
pub(crate) fn document(key: &str) -> Result<&'static Document, String> {
    let keys = || documents().iter().map(|document| document.key);
    documents().iter().find(|document| document.key == key).ok_or_else(|| {
        let known = keys().collect::<Vec<_>>().join(", ");
        format!("{}\n  documents: {known}", no_such("document", key, nearest(key, keys())))
    })
}

/// The figure of a name.
pub(crate) fn figure(name: &str) -> Result<&'static FigureEntry, String> {
    let names = || figures().iter().map(|figure| figure.name);
    figures().iter().find(|figure| figure.name == name).ok_or_else(|| {
        let known = names().collect::<Vec<_>>().join(", ");
        format!("{}\n  figures: {known}", no_such("figure", name, nearest(name, names())))
    })
}
