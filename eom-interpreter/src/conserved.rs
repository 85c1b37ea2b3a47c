//! Conserved quantities of a declaration: found and proven, to be looked at along a run or kept by it.

use crate::drawing::Numbers;
use eom_core::{ConservedTape, SmoothFunction, System};
use eom_symbolic::ExprId;
use eom_symbolic::mechanics::conserved::{Conserved, ConservedKind, conserved};
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use eom_symbolic::name::{Name, nearest};
use eom_symbolic::program::SystemPrograms;

/// What stays along the motions of a declaration.
#[derive(Debug, Clone)]
pub struct Found {
    model: SystemModel,
    kinds: Vec<ConservedKind>,
    names: Vec<String>,
    values: Vec<ExprId>,
}

impl Found {
    /// Looks for it; each quantity is proven as claims are, with inputs at 0.
    pub fn of(model: &SystemModel, equations: &EquationsOfMotion) -> Self {
        let mut model = model.clone();
        let found = conserved(&mut model, equations);
        let (mut kinds, mut values) = (Vec::new(), Vec::new());
        for Conserved { kind, value } in found {
            kinds.push(kind);
            values.push(value);
        }
        Self { names: named(&kinds), model, kinds, values }
    }

    /// What they are called: `energy`, `momentum of φ`, `sum 1`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What looks at them along a run.
    pub fn numbers(&self) -> Numbers {
        Numbers::of(&self.model, &self.values)
    }

    /// Those of these names, or `all`, for a run to keep; `momentum(phi)` is `momentum of φ`.
    ///
    /// # Errors
    /// A name that is none of them, with what stays instead; functions given at run time, dry friction, which acts in
    /// no equation, and what has no derivatives.
    pub fn kept(
        &self,
        programs: &SystemPrograms,
        asked: &[&str],
        (system, functions): (&dyn System, &[SmoothFunction]),
    ) -> Result<ConservedTape, String> {
        let mut places: Vec<usize> = Vec::new();
        for name in asked {
            places.extend(self.places(name)?);
        }
        places.sort_unstable();
        places.dedup();
        let values: Vec<ExprId> = places.iter().map(|place| self.values[*place]).collect();
        let names: Vec<String> = places.iter().map(|place| self.names[*place].clone()).collect();
        let system_name = system.info().name;
        let made = programs.tape_of(&self.model, &values).ok_or_else(|| {
            format!("{} of `{system_name}` cannot be kept: no derivatives", names.join(", "))
        })?;
        let is_given = |index: &usize| functions.get(*index).is_some_and(|f| f.given().is_some());
        if let Some(index) = made.defaults.iter().find(|index| is_given(index)) {
            let function = system.info().functions[*index].name;
            return Err(format!(
                "`{function}` is given at run time: with it nothing is proven to stay"
            ));
        }
        let mut parameters = vec![0.0; system.info().parameters.len()];
        system.parameters(&mut parameters);
        Ok(ConservedTape::new(names, made.tape, parameters))
    }

    /// The places of a name.
    fn places(&self, asked: &str) -> Result<Vec<usize>, String> {
        if asked == "all" && !self.names.is_empty() {
            return Ok((0..self.names.len()).collect());
        }
        let inner = asked.strip_prefix("momentum(").and_then(|rest| rest.strip_suffix(')'));
        let ascii = |text: &str| Name::parse(text.trim()).ascii();
        let is_it = |place: &usize| match (&self.kinds[*place], inner) {
            (ConservedKind::Momentum(name), Some(inner)) => ascii(name) == ascii(inner),
            _ => self.names[*place] == asked,
        };
        if let Some(place) = (0..self.names.len()).find(is_it) {
            return Ok(vec![place]);
        }
        let near = nearest(asked, self.names.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let stays = match &self.names[..] {
            [] => "none of energy, momenta and their sums stays".to_owned(),
            names => format!("what stays: {}", names.join(", ")),
        };
        Err(format!(
            "`{asked}` does not stay along the motions of `{}`{near}\n  {stays}",
            self.model.named.name
        ))
    }
}

/// What they are called; sums have numbers.
fn named(kinds: &[ConservedKind]) -> Vec<String> {
    let mut sums = 0;
    kinds
        .iter()
        .map(|kind| {
            sums += usize::from(*kind == ConservedKind::Sum);
            if *kind == ConservedKind::Sum { format!("sum {sums}") } else { kind.to_string() }
        })
        .collect()
}
