//! The models by name: how each is built, where it is written about, and how it is drawn.

use crate::Penny;
use crate::bouncing_penny;
use crate::scene::Scene;
use eom_core::info::SystemInfo;
use eom_core::{Declared, ParameterError, System};

/// Builds a system from one override a parameter, in the order of their declaration.
pub type Build = fn(overrides: &[Option<f64>]) -> Result<Box<dyn System>, ParameterError>;

/// A model of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct ModelEntry {
    /// The name by which commands call it, in ASCII.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// The document that describes it.
    pub document: &'static str,
    /// The section of the document.
    pub section: &'static str,
    /// The static description.
    pub info: &'static SystemInfo,
    /// Builds the system.
    pub build: Build,
    /// What a figure of a run shows, with the present parameters.
    pub scene: fn(system: &dyn System) -> Scene,
}

/// Where a model is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The document.
    pub document: &'static str,
    /// Its section.
    pub section: &'static str,
}

impl ModelEntry {
    /// The entry of a declared type.
    pub const fn of<T: Declared>(
        name: &'static str,
        title: &'static str,
        source: Source,
        scene: fn(&dyn System) -> Scene,
    ) -> Self {
        Self {
            name,
            title,
            document: source.document,
            section: source.section,
            info: T::INFO,
            build: build::<T>,
            scene,
        }
    }
}

fn build<T: Declared>(overrides: &[Option<f64>]) -> Result<Box<dyn System>, ParameterError> {
    Ok(Box::new(T::with_parameters(overrides)?))
}

static CATALOGUE: [ModelEntry; 1] = [ModelEntry::of::<Penny>(
    "penny",
    "A disk that rolls upright on a table and bounces off its edge",
    Source { document: "Clark, Bloch: The Bouncing Penny and Nonholonomic Impacts", section: "V" },
    bouncing_penny::scene,
)];

/// All models, in the order in which they are listed.
pub fn catalogue() -> &'static [ModelEntry] {
    &CATALOGUE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_builds_from_its_defaults_and_has_a_scene() {
        for model in catalogue() {
            let overrides = vec![None; model.info.parameters.len()];
            let system = (model.build)(&overrides).unwrap();
            let scene = (model.scene)(&*system);
            assert!(!scene.title.is_empty(), "{}", model.name);
            assert_eq!(system.info(), model.info, "{}", model.name);
        }
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<_> = catalogue().iter().map(|model| model.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), catalogue().len());
    }
}
