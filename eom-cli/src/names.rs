//! What a name on the command line refers to, and what to say when it refers to nothing.

use eom_symbolic::name::nearest;
use models::documents::{Document, documents};
use models::figures::{FigureEntry, figures};
use models::gallery::{GALLERY, GalleryEntry};
use models::{ModelEntry, catalogue};

pub use eom_interpreter::names::{
    Guard, Target, contact, event, guard, listed, no_such, scenario, speeds, speeds_ascii, spelled,
};

/// The index of a name among those that there are; else what there is, with the nearest.
fn index<'n>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'n str> + Clone,
    is_it: impl Fn(&str) -> bool,
) -> Result<usize, String> {
    known.clone().position(is_it).ok_or_else(|| {
        let none = no_such(what, name, nearest(name, known.clone()));
        format!("{none}\n  {what}s: {}", known.collect::<Vec<_>>().join(", "))
    })
}

/// What a name that is no path stands for.
#[derive(Debug, Clone, Copy)]
pub enum Known {
    /// A model of the documents.
    Model(&'static ModelEntry),
    /// A system of the gallery.
    System(&'static GalleryEntry),
}

/// The model of a name.
pub fn model(name: &str) -> Result<Known, String> {
    let models = catalogue().iter().map(|model| model.name);
    let names = models.chain(GALLERY.iter().map(|system| system.name));
    let index = index("model", name, names, |known| known == name)?;
    let of_models = catalogue().get(index).map(Known::Model);
    let system = || GALLERY.get(index.wrapping_sub(catalogue().len())).map(Known::System);
    of_models.or_else(system).ok_or_else(|| no_such("model", name, None))
}

/// The document of a key.
pub fn document(key: &str) -> Result<&'static Document, String> {
    let keys = documents().iter().map(|document| document.key);
    index("document", key, keys, |known| known == key).map(|index| &documents()[index])
}

/// The figure of a name.
pub fn figure(name: &str) -> Result<&'static FigureEntry, String> {
    let names = figures().iter().map(|figure| figure.name);
    index("figure", name, names, |known| known == name).map(|index| &figures()[index])
}
