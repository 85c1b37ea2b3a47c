//! The order of the functions of a module: what packs it looks 32 KiB back for what it has seen before, so functions that
//! are alike stand beside each other.

use crate::functions::Functions;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionBody, FunctionSectionReader, Operator, Parser};

/// How far back gzip looks, less what it needs for itself.
const WINDOW: usize = 32_000;
/// Bytes that are compared at a time.
const PIECE: usize = 6;
/// Pieces that a function seems to have more than it has: a short one is not like all others.
const SHORT: f64 = 40.0;
/// How many functions come first because they are called most: calls of those are a byte shorter.
const FIRST: usize = 80;

/// The module with its functions in another order.
pub(crate) fn packed(module: &[u8]) -> Result<Vec<u8>, Error<Infallible>> {
    let Functions { imports, bodies } = Functions::read(module)?;
    let calls = calls(imports, &bodies)?;
    let mut order = alike(&bodies.iter().map(FunctionBody::as_bytes).collect::<Vec<_>>());
    let mut often = order.clone();
    often.sort_by_key(|&function| Reverse(calls[function]));
    often.truncate(FIRST);
    order.retain(|function| !often.contains(function));
    order.splice(0..0, often);
    let mut places = vec![0; order.len()];
    for (place, &function) in (imports..).zip(&order) {
        places[function] = place;
    }
    let mut made = Module::new();
    Reorder { imports, order, places }.parse_core_module(&mut made, Parser::new(0), module)?;
    Ok(made.finish())
}

/// How often each function is called in the text.
fn calls(imports: u32, bodies: &[FunctionBody<'_>]) -> Result<Vec<usize>, Error<Infallible>> {
    let mut calls = vec![0; bodies.len()];
    for body in bodies {
        for operator in body.get_operators_reader()? {
            let Operator::Call { function_index } = operator? else { continue };
            if let Some(own) = function_index.checked_sub(imports) {
                calls[own as usize] += 1;
            }
        }
    }
    Ok(calls)
}

/// An order in which each function is, of those left, most like those before it.
fn alike(bodies: &[&[u8]]) -> Vec<usize> {
    let pieces: Vec<Vec<u64>> = bodies.iter().map(|body| pieces(body)).collect();
    let mut seen = Seen::new(&pieces);
    let mut window = VecDeque::new();
    let mut length = 0;
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    let mut order = Vec::new();
    while let Some(at) = seen.most_like(&left) {
        let next = left.remove(at);
        order.push(next);
        window.push_back(next);
        length += bodies[next].len();
        seen.enter(next);
        while length > WINDOW
            && let Some(gone) = window.pop_front()
        {
            length -= bodies[gone].len();
            seen.leave(gone);
        }
    }
    order
}

/// What of each function is in the window.
struct Seen<'p> {
    /// The pieces of each function.
    pieces: &'p [Vec<u64>],
    /// The functions that have a piece, and how often it is in the window.
    owners: HashMap<u64, (Vec<usize>, usize)>,
    /// Of each function the weights of those of its pieces that are in the window, together.
    weights: Vec<f64>,
}

impl<'p> Seen<'p> {
    /// Nothing.
    fn new(pieces: &'p [Vec<u64>]) -> Self {
        let mut owners: HashMap<u64, (Vec<usize>, usize)> = HashMap::new();
        for (function, pieces) in pieces.iter().enumerate() {
            for &piece in pieces {
                owners.entry(piece).or_default().0.push(function);
            }
        }
        owners.retain(|_, (owners, _)| owners.len() > 1);
        Self { pieces, owners, weights: vec![0.0; pieces.len()] }
    }

    fn enter(&mut self, function: usize) {
        for piece in &self.pieces[function] {
            let Some((owners, times)) = self.owners.get_mut(piece) else { continue };
            *times += 1;
            if *times == 1 {
                for &owner in &*owners {
                    self.weights[owner] += weight(owners);
                }
            }
        }
    }

    fn leave(&mut self, function: usize) {
        for piece in &self.pieces[function] {
            let Some((owners, times)) = self.owners.get_mut(piece) else { continue };
            *times -= 1;
            if *times == 0 {
                for &owner in &*owners {
                    self.weights[owner] -= weight(owners);
                }
            }
        }
    }

    /// Where among those left the first one is that has most of its pieces in the window.
    fn most_like(&self, left: &[usize]) -> Option<usize> {
        let share = |at: usize| {
            let function = left[at];
            self.weights[function] / (self.pieces[function].len() as f64 + SHORT)
        };
        (0..left.len()).reduce(|best, at| if share(at) > share(best) { at } else { best })
    }
}

/// That of a piece: one that few functions have tells more.
fn weight(owners: &[usize]) -> f64 {
    (owners.len() as f64).sqrt().recip()
}

/// The pieces of a function, each once.
fn pieces(body: &[u8]) -> Vec<u64> {
    let mut pieces: Vec<u64> = body
        .windows(PIECE)
        .map(|piece| piece.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)))
        .collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

/// Gives each function its place.
struct Reorder {
    imports: u32,
    order: Vec<usize>,
    /// The new index of each function.
    places: Vec<u32>,
}

impl Reencode for Reorder {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(match function.checked_sub(self.imports) {
            Some(own) => self.places[own as usize],
            None => function,
        })
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for &function in &self.order {
            functions.function(types[function]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for function in self.order.clone() {
            self.parse_function_body(code, bodies[function].clone())?;
        }
        Ok(())
    }
}
