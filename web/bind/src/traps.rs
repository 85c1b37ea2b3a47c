//! What a panic says is heard by nobody in a browser: it ends in a trap, as if it had said nothing. So a panic is the
//! trap alone here, and no texts, places and arguments are made for it.
//!
//! *Invariant:* what returns is what returned before, and what trapped traps.

use crate::functions::Functions;
use std::collections::HashSet;
use std::convert::Infallible;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, Function, Instruction, Module};
use wasmparser::{FunctionBody, KnownCustom, Name, Operator, Parser, Payload};

/// Where every panic arrives, in the mangled name of the standard library.
const PANIC: &str = "rust_begin_unwind";

/// The module without what its panics say.
pub(crate) fn silent(module: &[u8]) -> Result<Vec<u8>, Error<Infallible>> {
    let functions = Functions::read(module)?;
    let traps = traps(&functions, panic(module)?)?;
    let mut made = Module::new();
    let mut silencer = Silencer { traps, next: functions.imports };
    let quiet = without_places(module)?;
    silencer.parse_core_module(&mut made, Parser::new(0), &quiet)?;
    Ok(made.finish())
}

/// Where panics arrive.
fn panic(module: &[u8]) -> Result<Option<u32>, Error<Infallible>> {
    let mut panic = None;
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CustomSection(section) = payload? else { continue };
        let KnownCustom::Name(names) = section.as_known() else { continue };
        for name in names {
            let Name::Function(functions) = name? else { continue };
            for function in functions {
                let function = function?;
                if function.name.ends_with(PANIC) {
                    panic = Some(function.index);
                }
            }
        }
    }
    Ok(panic)
}

/// Those that do nothing but trap, whatever they are given: they end in a trap, never leave before, and call
/// others of this kind only.
fn traps(functions: &Functions<'_>, panic: Option<u32>) -> Result<HashSet<u32>, Error<Infallible>> {
    let mut traps: HashSet<u32> = panic.into_iter().collect();
    loop {
        let known = traps.len();
        for (index, body) in (functions.imports..).zip(&functions.bodies) {
            if !traps.contains(&index) && only_traps(body, &traps)? {
                traps.insert(index);
            }
        }
        if traps.len() == known {
            return Ok(traps);
        }
    }
}

fn only_traps(body: &FunctionBody<'_>, traps: &HashSet<u32>) -> Result<bool, Error<Infallible>> {
    let mut depth = 0_u32;
    // Whether the last instruction traps.
    let mut ends = false;
    for operator in body.get_operators_reader()? {
        let operator = operator?;
        let stays = match &operator {
            Operator::Block { .. } | Operator::If { .. } => {
                depth += 1;
                true
            }
            Operator::End if depth > 0 => {
                depth -= 1;
                true
            }
            Operator::End => return Ok(ends),
            Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => {
                *relative_depth < depth
            }
            Operator::BrTable { targets } => {
                let mut within = targets.default() < depth;
                for target in targets.targets() {
                    within &= target? < depth;
                }
                within
            }
            Operator::Call { function_index } => traps.contains(function_index),
            Operator::Return
            | Operator::Loop { .. }
            | Operator::CallIndirect { .. }
            | Operator::ReturnCall { .. }
            | Operator::ReturnCallIndirect { .. } => false,
            _ => true,
        };
        if !stays {
            return Ok(false);
        }
        ends = matches!(operator, Operator::Unreachable)
            || matches!(&operator, Operator::Call { function_index } if traps.contains(function_index));
    }
    Ok(false)
}

/// Writes a trap for each call of what only traps.
struct Silencer {
    traps: HashSet<u32>,
    /// The function that is read next.
    next: u32,
}

impl Reencode for Silencer {
    type Error = Infallible;

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), Error<Infallible>> {
        let index = self.next;
        self.next += 1;
        if self.traps.contains(&index) {
            let mut function = Function::new([]);
            function.instruction(&Instruction::Unreachable);
            function.instruction(&Instruction::End);
            code.function(&function);
            return Ok(());
        }
        let mut function = self.new_function_with_parsed_locals(&body)?;
        let mut written: Vec<Instruction<'_>> = Vec::new();
        for operator in body.get_operators_reader()? {
            match self.instruction(operator?)? {
                Instruction::Call(called) if self.traps.contains(&called) => trap(&mut written),
                Instruction::Unreachable => trap(&mut written),
                instruction => written.push(instruction),
            }
        }
        for instruction in &written {
            function.instruction(instruction);
        }
        code.function(&function);
        Ok(())
    }
}

/// Ends what is written with a trap. What leads to it without a call or a branch is seen by nobody.
fn trap(written: &mut Vec<Instruction<'_>>) {
    while !matches!(
        written.last(),
        None | Some(
            Instruction::Block(_)
                | Instruction::Loop(_)
                | Instruction::If(_)
                | Instruction::Else
                | Instruction::End
                | Instruction::Br(_)
                | Instruction::BrIf(_)
                | Instruction::BrTable(..)
                | Instruction::Return
                | Instruction::Unreachable
                | Instruction::Call(_)
                | Instruction::CallIndirect { .. }
        )
    ) {
        written.pop();
    }
    if !matches!(written.last(), Some(Instruction::Unreachable)) {
        written.push(Instruction::Unreachable);
    }
}

/// The module with zeros for the places in sources that panics would name: a path, its length, line and column.
fn without_places(module: &[u8]) -> Result<Vec<u8>, Error<Infallible>> {
    let mut segments = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        let Payload::DataSection(section) = payload? else { continue };
        for data in section {
            let data = data?;
            let wasmparser::DataKind::Active { offset_expr, .. } = data.kind else { continue };
            let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
                continue;
            };
            segments.push((
                value.cast_unsigned() as usize,
                data.range.end - data.data.len(),
                data.data,
            ));
        }
    }
    let mut quiet = module.to_vec();
    for (_, at, data) in &segments {
        for start in (0..data.len().saturating_sub(15)).step_by(4) {
            let word = |which: usize| {
                let bytes = &data[start + 4 * which..][..4];
                u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
            };
            let (path, length, line, column) = (word(0), word(1), word(2), word(3));
            if line == 0 || line > 100_000 || column == 0 || column > 10_000 {
                continue;
            }
            let Some(path) = segments.iter().find_map(|(address, at, data)| {
                let from = path.checked_sub(*address)?;
                let text = data.get(from..from.checked_add(length)?)?;
                (text.ends_with(b".rs") && data.get(from + length) == Some(&0)).then_some(at + from)
            }) else {
                continue;
            };
            quiet[at + start..][..16].fill(0);
            quiet[path..path + length].fill(0);
        }
    }
    Ok(quiet)
}
