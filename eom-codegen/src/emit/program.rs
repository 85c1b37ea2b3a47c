//! A program as straight-line Rust: one `let` an instruction, constants and inputs in place.

use super::local;
use eom_symbolic::program::{Instruction, Program, Value};
use eom_symbolic::{Function, Partial, SymbolId};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The statements of a program and the expressions of its outputs.
pub(crate) struct Body {
    /// `let` statements.
    pub(crate) statements: Vec<TokenStream>,
    /// One expression an output.
    pub(crate) outputs: Vec<TokenStream>,
}

/// Where the values come from that a program reads.
pub(crate) struct Sources<'s> {
    /// The expression of a symbol.
    pub(crate) input: &'s dyn Fn(SymbolId) -> TokenStream,
    /// The expression of partials of a declared function at a point: an array.
    pub(crate) partials: &'s dyn Fn(&[Partial], &[TokenStream]) -> TokenStream,
}

/// Writes a program.
pub(crate) fn body(program: &Program, sources: &Sources<'_>) -> Body {
    let writer = Writer { program, sources };
    let statements =
        (0..program.instructions.len()).filter_map(|index| writer.statement(index)).collect();
    let outputs = program.outputs.iter().map(|output| writer.operand(output.value)).collect();
    Body { statements, outputs }
}

struct Writer<'p> {
    program: &'p Program,
    sources: &'p Sources<'p>,
}

impl Writer<'_> {
    /// The statement of an instruction; `None` for inputs and constants, which stand in place,
    /// for the second of a sine and cosine, and for the later ones of partials taken together.
    fn statement(&self, index: usize) -> Option<TokenStream> {
        let name = temporary(index);
        let right = match self.program.instructions[index] {
            Instruction::Input(_) | Instruction::Constant(_) => return None,
            Instruction::Call(Function::Sin | Function::Cos, angle, _) => {
                return self.sin_cos(index, angle);
            }
            Instruction::Neg(a) => {
                let a = self.operand(a);
                quote!(-#a)
            }
            Instruction::Add(a, b) => self.binary(a, b, &quote!(+)),
            Instruction::Sub(a, b) => self.binary(a, b, &quote!(-)),
            Instruction::Mul(a, b) => self.binary(a, b, &quote!(*)),
            Instruction::Div(a, b) => self.binary(a, b, &quote!(/)),
            Instruction::InverseOrZero(a) => {
                let a = self.operand(a);
                quote!(if #a == 0.0 { 0.0 } else { 1.0 / #a })
            }
            Instruction::Sqrt(a) => {
                let a = self.receiver(a);
                quote!(#a.sqrt())
            }
            Instruction::Powi(a, n) => {
                let a = self.receiver(a);
                quote!(#a.powi(#n))
            }
            Instruction::Powf(a, b) => {
                let (a, b) = (self.receiver(a), self.operand(b));
                quote!(#a.powf(#b))
            }
            Instruction::Call(function, a, b) => self.call(function, a, b),
            Instruction::Partial(partial, point) => {
                return self.partials(index, &point[..usize::from(partial.arity)]);
            }
        };
        Some(quote!(let #name = #right;))
    }

    /// `let (s, c) = a.sin_cos();` at the first of the two.
    fn sin_cos(&self, index: usize, angle: Value) -> Option<TokenStream> {
        let name = temporary(index);
        let angle = self.receiver(angle);
        let sine = matches!(self.program.instructions[index], Instruction::Call(Function::Sin, ..));
        match self.program.sin_cos_partner(index) {
            None if sine => Some(quote!(let #name = #angle.sin();)),
            None => Some(quote!(let #name = #angle.cos();)),
            Some(partner) if partner < index => None,
            Some(partner) => {
                let partner = temporary(partner);
                let (s, c) = if sine { (&name, &partner) } else { (&partner, &name) };
                Some(quote!(let (#s, #c) = #angle.sin_cos();))
            }
        }
    }

    /// `let [w3, w7] = self.f_x_f_y([a, b]);` at the first of those taken together.
    fn partials(&self, index: usize, point: &[Value]) -> Option<TokenStream> {
        let together = self.program.together(index);
        if together.iter().any(|(_, position)| *position < index) {
            return None;
        }
        let (partials, positions): (Vec<Partial>, Vec<usize>) = together.into_iter().unzip();
        let names = positions.into_iter().map(temporary);
        let point: Vec<TokenStream> = point.iter().map(|value| self.operand(*value)).collect();
        let values = (self.sources.partials)(&partials, &point);
        Some(quote!(let [#(#names),*] = #values;))
    }

    fn binary(&self, a: Value, b: Value, operator: &TokenStream) -> TokenStream {
        let (a, b) = (self.operand(a), self.operand(b));
        quote!(#a #operator #b)
    }

    fn call(&self, function: Function, a: Value, b: Value) -> TokenStream {
        let x = self.receiver(a);
        // table
        match function {
            Function::Sin => quote!(#x.sin()),
            Function::Cos => quote!(#x.cos()),
            Function::Tan => quote!(#x.tan()),
            Function::Asin => quote!(#x.asin()),
            Function::Acos => quote!(#x.acos()),
            Function::Atan => quote!(#x.atan()),
            Function::Atan2 => {
                let y = self.operand(b);
                quote!(#x.atan2(#y))
            }
            Function::Sinh => quote!(#x.sinh()),
            Function::Cosh => quote!(#x.cosh()),
            Function::Tanh => quote!(#x.tanh()),
            Function::Exp => quote!(#x.exp()),
            Function::Ln => quote!(#x.ln()),
            Function::Abs => quote!(#x.abs()),
            // Lowered to an instruction of its own.
            Function::Declared(_) => quote!(f64::NAN),
            Function::Sign => quote!(if #x == 0.0 { 0.0 } else { #x.signum() }),
        }
    }

    fn operand(&self, value: Value) -> TokenStream {
        match self.program.instructions[value.index()] {
            Instruction::Input(symbol) => (self.sources.input)(symbol),
            Instruction::Constant(bits) => constant(f64::from_bits(bits)),
            _ => {
                let name = temporary(value.index());
                quote!(#name)
            }
        }
    }

    /// An operand on which a method is called: a literal needs its type, −x its brackets.
    fn receiver(&self, value: Value) -> TokenStream {
        match self.program.instructions[value.index()] {
            Instruction::Constant(bits) => {
                let literal = Literal::f64_suffixed(f64::from_bits(bits).abs());
                if f64::from_bits(bits) < 0.0 { quote!((-#literal)) } else { quote!(#literal) }
            }
            _ => self.operand(value),
        }
    }
}

/// A finite number; the digits are the shortest that read back as it.
pub(crate) fn constant(value: f64) -> TokenStream {
    let literal = Literal::f64_unsuffixed(value.abs());
    if value < 0.0 { quote!(-#literal) } else { quote!(#literal) }
}

fn temporary(index: usize) -> Ident {
    local(&format!("w{index}"))
}
