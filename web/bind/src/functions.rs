//! The functions of a module.

use std::convert::Infallible;
use wasm_encoder::reencode::Error;
use wasmparser::{FunctionBody, Parser, Payload, TypeRef};

pub(crate) struct Functions<'a> {
    /// How many are imported: they come before those that are written.
    pub(crate) imports: u32,
    pub(crate) bodies: Vec<FunctionBody<'a>>,
}

impl<'a> Functions<'a> {
    pub(crate) fn read(module: &'a [u8]) -> Result<Self, Error<Infallible>> {
        let mut functions = Self { imports: 0, bodies: Vec::new() };
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        functions.imports += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => functions.bodies.push(body),
                _ => {}
            }
        }
        Ok(functions)
    }
}
