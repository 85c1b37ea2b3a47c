//! The models by name: how each is built, where it is written about, and how it is drawn.

use crate::documents::{Document, documents};
use crate::scene::Scene;
use crate::{bouncing_penny, collisions, putting_green, rough_plane};
use eom_core::info::SystemInfo;
use eom_core::{Declared, ParameterError, SmoothFunction, System};
use std::sync::LazyLock;

/// Builds a system from one override a parameter, in the order of their declaration.
pub type Build = fn(overrides: &[Option<f64>]) -> Result<Box<dyn System>, ParameterError>;

/// Builds a system with functions in place of those of the declaration, one a declared function.
pub type BuildWith =
    fn(&[Option<f64>], &[SmoothFunction]) -> Result<Box<dyn System>, ParameterError>;

/// A model of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct ModelEntry {
    /// The name by which commands call it, in ASCII.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// The section of its document.
    pub section: &'static str,
    /// The static description; it names the document.
    pub info: &'static SystemInfo,
    /// Builds the system.
    pub build: Build,
    /// Builds the system with other functions.
    pub build_with: BuildWith,
    /// What a figure of a run shows, with the present parameters.
    pub scene: fn(system: &dyn System) -> Scene,
}

impl ModelEntry {
    /// The entry of a declared type.
    pub const fn of<T: Declared>(
        name: &'static str,
        title: &'static str,
        section: &'static str,
        scene: fn(&dyn System) -> Scene,
    ) -> Self {
        Self {
            name,
            title,
            section,
            info: T::INFO,
            build: build::<T>,
            build_with: build_with::<T>,
            scene,
        }
    }
}

fn build<T: Declared>(overrides: &[Option<f64>]) -> Result<Box<dyn System>, ParameterError> {
    Ok(Box::new(T::with_parameters(overrides)?))
}

fn build_with<T: Declared>(
    overrides: &[Option<f64>],
    functions: &[SmoothFunction],
) -> Result<Box<dyn System>, ParameterError> {
    Ok(Box::new(T::with_functions(overrides, functions)?))
}

/// The models of each document: a line a model, in the module of its document.
static GROUPS: [&[ModelEntry]; 4] =
    [putting_green::MODELS, collisions::MODELS, bouncing_penny::MODELS, rough_plane::MODELS];

static CATALOGUE: LazyLock<Vec<ModelEntry>> = LazyLock::new(|| GROUPS.concat());

/// All models, by document, in the order in which they are listed.
pub fn catalogue() -> &'static [ModelEntry] {
    &CATALOGUE
}

/// The documents that have models, each with its models.
pub fn by_document() -> Vec<(&'static Document, Vec<&'static ModelEntry>)> {
    let of = |document: &Document| {
        catalogue().iter().filter(|model| model.info.document == document.key).collect()
    };
    let groups = documents().iter().map(|document| (document, of(document)));
    groups.filter(|(_, models): &(_, Vec<_>)| !models.is_empty()).collect()
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
    fn every_model_belongs_to_a_document() {
        let listed: usize = by_document().iter().map(|(_, models)| models.len()).sum();
        assert_eq!(listed, catalogue().len());
    }

    #[test]
    fn every_model_has_a_scenario_to_run() {
        for model in catalogue() {
            assert!(!model.info.scenarios.is_empty(), "{}", model.name);
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
