//! What is not q̇ = v: quasi-velocities and rotations.

use super::block::docs;
use super::expression::right_side;
use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{Definition, Docs, Frame, Rotation};
use crate::diagnostic::{Errors, Problem};

/// `"velocities" "{" [ quasi { ( "," | ";" ) quasi } [ "," | ";" ] ] "}"`
pub(super) fn velocities(
    tokens: &mut Tokens<'_>,
    into: &mut Vec<Definition>,
    errors: &mut Errors,
) -> Parsed<()> {
    let (mut inside, _) = tokens.braces("`velocities`")?;
    while !inside.at_end() {
        let depth = inside.depth;
        let read = quasi(&mut inside, into, errors);
        inside.depth = depth;
        if let Err(fault) = read {
            errors.push(*fault.0);
            while !inside.at_end() && !separator(&mut inside) {
                inside.skip();
            }
        }
    }
    Ok(())
}

/// `quasi = { doc } name "=" expression`
fn quasi(tokens: &mut Tokens<'_>, into: &mut Vec<Definition>, errors: &mut Errors) -> Parsed<()> {
    let docs = docs(tokens, errors)?;
    let name = tokens.name("a quasi-velocity")?;
    if tokens.at_end() || tokens.is_sign(",") || tokens.is_sign(";") {
        return Err(fault(tokens.behind(), &Problem::SpeedAlone { name: name.text }));
    }
    if !tokens.is_sign("=") {
        return Err(
            tokens.expected(format!("`=` and velocities of coordinates after `{}`", name.text))
        );
    }
    let value = right_side(tokens)?;
    into.push(Definition { docs, name, value });
    if tokens.at_end() || separator(tokens) {
        return Ok(());
    }
    Err(tokens.expected("`,` between quasi-velocities"))
}

fn separator(tokens: &mut Tokens<'_>) -> bool {
    tokens.eat_sign(",").is_some() || tokens.eat_sign(";").is_some()
}

/// `"rotation" name "{" ( "body" | "space" ) ":" name "," name "," name [ "," | ";" ] "}"`
pub(super) fn rotation(tokens: &mut Tokens<'_>, docs: Docs) -> Parsed<Rotation> {
    let name = tokens.name("a rotation")?;
    let (mut inside, _) = tokens.braces(&format!("`{}`", name.text))?;
    let frame = if inside.eat_word("body").is_some() {
        Frame::Body
    } else if inside.eat_word("space").is_some() {
        Frame::Space
    } else if let Some(misspelt) = inside.misspelt(&["body", "space"]) {
        return Err(misspelt);
    } else {
        return Err(
            inside.expected("`body:` or `space:` before the components of the angular velocity")
        );
    };
    inside.sign(":", "the axes of the angular velocity")?;
    let mut component = |last: bool| {
        let name = inside.name("a component of the angular velocity")?;
        if !last && inside.eat_sign(",").is_none() {
            return Err(inside.expected("`,` and the three components of the angular velocity"));
        }
        Ok(name)
    };
    let speeds = [component(false)?, component(false)?, component(true)?];
    separator(&mut inside);
    if !inside.at_end() {
        return Err(inside.expected("`}` after three components"));
    }
    Ok(Rotation { docs, name, frame, speeds })
}
