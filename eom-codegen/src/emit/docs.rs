//! The rustdoc of the generated type: the user's words, the equations, the names, the cost.

use super::Emission;
use eom_symbolic::mechanics::{Named, Speed};

impl Emission<'_> {
    /// Lines of documentation.
    pub(crate) fn type_docs(&self) -> Vec<String> {
        let derivation = self.derivation;
        let model = &derivation.model;
        let mut text = model.named.doc.clone();
        if text.is_empty() {
            text = format!("The system `{}`.", self.name);
        }
        text.push_str("\n\n# Equations\n\n```text\n");
        text.push_str(derivation.equations_text().trim_end());
        text.push_str("\n```\n");
        list(&mut text, "Coordinates", model.coordinates.iter().map(|c| &c.named));
        if model.kinematics.is_some() {
            let speeds: Vec<Named> = model.speeds.iter().map(speed).collect();
            list(&mut text, "Rotations", model.rotations.iter().map(|r| &r.named));
            list(&mut text, "Velocities", speeds.iter());
        }
        list(&mut text, "Inputs", model.inputs.iter().map(|i| &i.named));
        list(&mut text, "Functions", model.functions.iter().map(|f| &f.named));
        list(&mut text, "Constraint rows", model.rows.iter().map(|r| &r.named));
        list(&mut text, "Contacts", model.contacts.iter().map(|c| &c.named));
        list(&mut text, "Events", model.events.iter().map(|e| &e.named));
        list(&mut text, "Outputs", model.outputs.iter().map(|o| &o.named));
        let counts = derivation.programs.dynamics.op_counts();
        text.push_str("\n# Cost\n\nOne evaluation of the dynamics: ");
        text.push_str(&counts.to_string());
        text.push_str(".\n");
        // rustdoc strips one leading space of `#[doc]` lines as it does of `///`.
        text.lines().map(|line| format!(" {line}")).collect()
    }
}

/// The name of a velocity, with its dots.
fn speed(speed: &Speed) -> Named {
    Named { name: speed.name(), key: speed.ascii(), doc: speed.named.doc.clone() }
}

fn list<'n>(text: &mut String, title: &str, items: impl Iterator<Item = &'n Named>) {
    let lines: Vec<String> = items
        .enumerate()
        .map(|(index, named)| {
            let doc = named.doc.replace('\n', " ");
            format!("{index}. {} {doc}", spelled(named)).trim_end().to_owned()
        })
        .collect();
    if !lines.is_empty() {
        for part in ["\n# ", title, "\n\n", &lines.join("\n"), "\n"] {
            text.push_str(part);
        }
    }
}

/// The names of a declaration in both spellings.
fn spelled(named: &Named) -> String {
    if named.name == named.key {
        format!("`{}`", named.name)
    } else {
        format!("`{}` (`{}`)", named.name, named.key)
    }
}
