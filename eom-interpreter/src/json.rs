//! The equations of a model as JSON: what is declared, what was derived, what was claimed. The fields are
//! described in `book/src/equations.md`; `format` counts their changes.

use crate::object::object;
use eom_codegen::drawing_source;
use eom_core::info::{ClaimInfo, ClaimKind, ContactInfo, NameInfo, RowKind, SystemInfo};
use eom_symbolic::mechanics::report::{Line, Printed, Section, functions};
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use serde_json::Value;

/// The version of the fields.
const FORMAT: u32 = 1;

/// The object.
pub fn system(
    info: &SystemInfo,
    derived: (&SystemModel, &EquationsOfMotion),
    printed: &[Section],
) -> Value {
    object!({
        "format": FORMAT,
        "system": info.name,
        "doc": info.doc,
        "document": info.document,
        "declared": declared(info),
        "drawing": drawing(info),
        "functions": derived_functions(derived),
        "sections": sections(printed),
        "claims": claims(info, |index| info.claims[index].difference.as_str()),
    })
}

/// The equations, a section after the other.
pub fn sections(printed: &[Section]) -> Value {
    list(printed, section)
}

/// The claims with their verdicts, and the differences of misprints by their places.
pub fn claims<'d>(info: &SystemInfo, difference: impl Fn(usize) -> &'d str) -> Value {
    info.claims.iter().enumerate().map(|(index, stated)| claim(stated, difference(index))).collect()
}

/// What is claimed of whole motions: runs decide it, not this.
pub fn sentences(info: &SystemInfo) -> Value {
    list(
        info.sentences,
        |said| object!({ "name": said.name, "equation": said.equation, "doc": said.doc, "printed": said.printed }),
    )
}

fn list<T>(entries: &[T], value: impl Fn(&T) -> Value) -> Value {
    entries.iter().map(value).collect()
}

fn name(named: &NameInfo) -> Value {
    object!({ "name": named.name, "ascii": named.ascii, "doc": named.doc })
}

/// What the declaration names, in its order.
pub fn declared(info: &SystemInfo) -> Value {
    let positions = (0..info.positions())
        .map(|i| object!({ "name": info.position_name(i), "ascii": info.position_ascii(i) }));
    object!({
        "coordinates": list(info.coordinates, name),
        "velocities": list(info.velocities, name),
        "rotations": list(info.rotations, |r| object!({ "name": r.name, "ascii": r.ascii, "doc": r.doc })),
        "positions": positions.collect::<Value>(),
        "parameters": list(info.parameters, |p| object!({
            "name": p.name, "ascii": p.ascii, "doc": p.doc, "default": p.default, "bound": p.bound,
        })),
        "inputs": list(info.inputs, name),
        "functions": list(info.functions, |f| object!({
            "name": f.name, "ascii": f.ascii, "doc": f.doc, "arguments": f.arguments, "default": f.default,
        })),
        "rows": list(info.rows, |r| object!({
            "name": r.name,
            "ascii": r.ascii,
            "doc": r.doc,
            "kind": match r.kind {
                RowKind::Velocity => "velocity",
                RowKind::Holonomic => "holonomic",
                RowKind::Chetaev => "chetaev",
            },
        })),
        "contacts": list(info.contacts, contact),
        "events": list(info.events, |e| object!({ "name": e.name, "ascii": e.ascii, "doc": e.doc })),
        "scenarios": list(info.scenarios, |s| object!({ "name": s.name, "doc": s.doc })),
        "outputs": list(info.outputs, name),
    })
}

fn contact(contact: &ContactInfo) -> Value {
    object!({
        "name": contact.name,
        "ascii": contact.ascii,
        "doc": contact.doc,
        "law": contact.law,
        "impacts": contact.impacts.map(eom_core::info::Impacts::name),
        "rows": list(contact.rows, name),
        "when": contact.when,
    })
}

/// What is drawn, shape by shape.
fn drawing(info: &SystemInfo) -> Value {
    let drawing = drawing_source(info.source).ok().and_then(|model| model.drawing);
    let Some(drawing) = drawing else { return Value::Null };
    let shapes = list(&drawing.shapes, |shape| {
        object!({
            "shape": shape.primitive.name,
            "text": shape.text.as_str(),
            "points": shape.points,
            "sizes": shape.sizes,
            "label": shape.label.as_str(),
            "color": shape.color.as_str(),
        })
    });
    object!({ "dimension": drawing.dimension, "shapes": shapes })
}

/// M, h, F, A, b, gaps and their gradients, entry by entry.
fn derived_functions((model, equations): (&SystemModel, &EquationsOfMotion)) -> Value {
    let functions = functions(model, equations);
    let row = |row: &Vec<Printed>| list(row, printed);
    object!({
        "mass_matrix": list(&functions.mass, row),
        "bias": list(&functions.bias, printed),
        "force": list(&functions.force, printed),
        "constraint_rows": list(&functions.rows, row),
        "constraint_offsets": list(&functions.offsets, printed),
        "gaps": list(&functions.gaps, printed),
        "gap_gradients": list(&functions.gradients, row),
    })
}

fn printed(printed: &Printed) -> Value {
    object!({ "text": printed.unicode.as_str(), "latex": printed.latex.as_str() })
}

fn section(section: &Section) -> Value {
    let lines = list(&section.lines, |line| match line {
        Line::Equation { name, left, right } => {
            object!({ "name": name.as_str(), "left": printed(left), "right": printed(right) })
        }
        Line::Definition { left, right } => {
            object!({ "name": "", "left": printed(left), "right": printed(right) })
        }
        Line::Note(note) => object!({ "note": printed(note) }),
    });
    object!({ "title": section.title.as_str(), "lines": lines })
}

fn claim(claim: &ClaimInfo, difference: &str) -> Value {
    object!({
        "name": claim.name,
        "equation": claim.equation,
        "doc": claim.doc,
        "verdict": match claim.kind { ClaimKind::Claim => "follows", ClaimKind::Erratum => "erratum" },
        "printed": claim.printed,
        "corrected": claim.corrected,
        "difference": difference,
        "when": claim.when,
        "closed": claim.closed,
    })
}
