//! A program as straight-line Rust: one `let` an instruction, constants and inputs in place.

use super::local;
use eom_symbolic::function::Rust;
use eom_symbolic::program::{Instruction, Program, Series, Value};
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
    Writer::new(program, sources, (None, None), 0, None).body()
}

/// Writes a program that is compiled for machines with fused products, too: functions of angles are straight code;
/// `constants` is the array whose entries it captures.
pub(crate) fn straight_body(
    program: &Program,
    sources: &Sources<'_>,
    constants: Option<&Ident>,
) -> Body {
    let writer = Writer::new(program, sources, (None, constants), 0, None);
    Writer { straight: true, ..writer }.body()
}

/// Writes a program over numbers of a generic type, those of the local `like`, that captures entries of
/// the array `constants`. It has no integral.
pub(crate) fn body_in_lanes(
    program: &Program,
    sources: &Sources<'_>,
    like: &Ident,
    constants: &Ident,
) -> Body {
    Writer::new(program, sources, (Some(like), Some(constants)), 0, None).body()
}

/// Writes a series: the body of order 0 and that of order k, whose variables are `s1`, the order, and
/// the array `n1`; over `f64`, or over numbers of a generic type, those of the local `lanes`.
pub(crate) fn series_bodies(
    series: &Series,
    sources: &Sources<'_>,
    lanes: Option<&Ident>,
) -> (Body, Body) {
    let start = Writer::new(&series.start, sources, (lanes, None), 0, None);
    let around = Some((&start, series.captured.as_slice()));
    let recurrence = Writer::new(&series.recurrence, sources, (lanes, None), 1, around);
    (start.body(), recurrence.body())
}

struct Writer<'p> {
    program: &'p Program,
    sources: &'p Sources<'p>,
    /// How many integrals stand around it.
    depth: usize,
    /// The program around an integrand, and the values of it that are captured.
    around: Option<(&'p Writer<'p>, &'p [Value])>,
    /// The array that a program without one around it captures.
    constants: Option<&'p Ident>,
    /// A number of the generic type; `None` for `f64`.
    lanes: Option<&'p Ident>,
    /// Whether functions of angles are straight code.
    straight: bool,
    /// What the values are called by.
    numbers: Vec<u32>,
}

impl<'p> Writer<'p> {
    fn new(
        program: &'p Program,
        sources: &'p Sources<'p>,
        (lanes, constants): (Option<&'p Ident>, Option<&'p Ident>),
        depth: usize,
        around: Option<(&'p Writer<'p>, &'p [Value])>,
    ) -> Self {
        let numbers = Vec::new();
        let straight = false;
        let writer = Self { program, sources, depth, around, constants, lanes, straight, numbers };
        let text = |instruction| writer.in_place(instruction).unwrap_or_default().to_string();
        Self { numbers: program.numbers(text), ..writer }
    }

    fn body(&self) -> Body {
        let instructions = 0..self.program.instructions.len();
        let statements = instructions.filter_map(|index| self.statement(index)).collect();
        let outputs = self.program.outputs.iter().map(|o| self.operand(o.value)).collect();
        Body { statements, outputs }
    }

    /// The statement of an instruction; `None` for inputs and constants, which stand in place,
    /// for the second of a sine and cosine, and for the later ones of partials taken together.
    fn statement(&self, index: usize) -> Option<TokenStream> {
        let name = self.temporary(index);
        let right = match self.program.instructions[index] {
            Instruction::Input(_)
            | Instruction::Constant(_)
            | Instruction::Variable(_)
            | Instruction::Captured(_) => return None,
            Instruction::Integral(integral, component) => {
                return Some(self.component(index, integral, component));
            }
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
            Instruction::MulAdd(a, b, c) => {
                let c = self.operand(c);
                self.fused(a, false, b, &c)
            }
            Instruction::MulSub(a, b, c) => {
                let c = self.operand(c);
                self.fused(a, false, b, &quote!(-#c))
            }
            Instruction::NegMulAdd(a, b, c) => {
                let c = self.operand(c);
                self.fused(a, true, b, &c)
            }
            Instruction::Div(a, b) => self.binary(a, b, &quote!(/)),
            Instruction::InverseOrZero(a) => {
                if self.lanes.is_some() {
                    self.elementary("inverse_or_zero", a)
                } else {
                    let a = self.operand(a);
                    quote!(if #a == 0.0 { 0.0 } else { 1.0 / #a })
                }
            }
            Instruction::Sqrt(a) if self.lanes.is_some() => self.elementary("sqrt", a),
            Instruction::Sqrt(a) => {
                let a = self.receiver(a);
                quote!(#a.sqrt())
            }
            Instruction::Powi(a, n) => {
                let a = self.operand(a);
                quote!(::eom_core::elementary::powi(#a, #n))
            }
            Instruction::Powf(a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                quote!(::eom_core::elementary::powf(#a, #b))
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
        let name = self.temporary(index);
        let angle = self.operand(angle);
        let sine = matches!(self.program.instructions[index], Instruction::Call(Function::Sin, ..));
        let functions = self.angle_functions();
        match self.program.sin_cos_partner(index) {
            None if sine => Some(quote!(let #name = #functions::sin(#angle);)),
            None => Some(quote!(let #name = #functions::cos(#angle);)),
            Some(partner) if partner < index => None,
            Some(partner) => {
                let partner = self.temporary(partner);
                let (s, c) = if sine { (&name, &partner) } else { (&partner, &name) };
                Some(quote!(let (#s, #c) = #functions::sin_cos(#angle);))
            }
        }
    }

    /// Where the functions of angles stand.
    fn angle_functions(&self) -> TokenStream {
        if self.straight {
            quote!(::eom_core::elementary::straight)
        } else {
            quote!(::eom_core::elementary)
        }
    }

    /// `let [w3, w7] = self.f_x_f_y([a, b]);` at the first of those taken together.
    fn partials(&self, index: usize, point: &[Value]) -> Option<TokenStream> {
        let together = self.program.together(index);
        if together.iter().any(|(_, position)| *position < index) {
            return None;
        }
        let (partials, positions): (Vec<Partial>, Vec<usize>) = together.into_iter().unzip();
        let names = positions.into_iter().map(|position| self.temporary(position));
        let point: Vec<TokenStream> = point.iter().map(|value| self.operand(*value)).collect();
        let values = (self.sources.partials)(&partials, &point);
        Some(quote!(let [#(#names),*] = #values;))
    }

    fn binary(&self, a: Value, b: Value, operator: &TokenStream) -> TokenStream {
        let (a, b) = (self.operand(a), self.operand(b));
        quote!(#a #operator #b)
    }

    /// ±a·b + c, rounded once.
    fn fused(&self, a: Value, negative: bool, b: Value, c: &TokenStream) -> TokenStream {
        let (operand, receiver, b) = (self.operand(a), self.receiver(a), self.operand(b));
        match (self.lanes.is_some(), negative) {
            (true, false) => quote!(::eom_core::elementary::fused(#operand, #b, #c)),
            (true, true) => quote!(::eom_core::elementary::fused(-#operand, #b, #c)),
            (false, false) => quote!(#receiver.mul_add(#b, #c)),
            (false, true) => quote!((-#receiver).mul_add(#b, #c)),
        }
    }

    fn call(&self, function: Function, a: Value, b: Value) -> TokenStream {
        // Declared functions are lowered to an instruction of their own.
        let Some(description) = function.description() else { return quote!(f64::NAN) };
        let (name, x) = (description.name, self.operand(a));
        match description.rust {
            Rust::Method(name) if self.lanes.is_none() => {
                let (name, x) = (local(name), self.receiver(a));
                quote!(#x.#name())
            }
            Rust::ZeroOr(name) if self.lanes.is_none() => {
                let (name, receiver) = (local(name), self.receiver(a));
                quote!(if #x == 0.0 { 0.0 } else { #receiver.#name() })
            }
            _ if function.arity() == 2 => {
                let (name, y) = (local(name), self.operand(b));
                quote!(::eom_core::elementary::#name(#x, #y))
            }
            _ => self.elementary(name, a),
        }
    }

    /// A function of `eom_core::elementary`, which takes every type of number.
    fn elementary(&self, name: &str, x: Value) -> TokenStream {
        let (name, x) = (local(name), self.operand(x));
        quote!(::eom_core::elementary::#name(#x))
    }

    /// The array of an integral at its first component, then the component.
    fn component(&self, index: usize, integral: u32, component: u32) -> TokenStream {
        let of_it =
            |i: &Instruction| matches!(i, Instruction::Integral(other, _) if *other == integral);
        let first = !self.program.instructions[..index].iter().any(of_it);
        let array = local(&format!("i{}_{integral}", self.depth));
        let statement = first.then(|| self.integral(&array, integral));
        let (name, component) = (self.temporary(index), Literal::u32_unsuffixed(component));
        quote! {
            #statement
            let #name = #array[#component];
        }
    }

    /// `let i = integrate(lower, upper, tolerance, &[kinks], |s, f| { … });`
    fn integral(&self, array: &Ident, index: u32) -> TokenStream {
        let integral = &self.program.integrals[index as usize];
        let (lower, upper) = (self.operand(integral.lower), self.operand(integral.upper));
        let (low, high) = (local(&format!("{array}_low")), local(&format!("{array}_high")));
        let tolerance = constant(integral.tolerance());
        let count = Literal::usize_unsuffixed(integral.integrand.outputs.len());
        let (s, nested, out) = self.names_within();
        let kinks = integral.kinks.iter().map(|kink| {
            let components = Literal::usize_unsuffixed(kink.components.outputs.len());
            let variables = Literal::usize_unsuffixed(kink.nested);
            let body = self.within(&kink.components, &kink.captured);
            quote! {
                ::eom_core::quadrature::Kink::of(
                    #low, #high, #components, #variables,
                    |#s: f64, #nested: &[f64], #out: &mut [f64]| { #body },
                )
            }
        });
        let body = self.within(&integral.integrand, &integral.captured);
        quote! {
            let (#low, #high): (f64, f64) = (#lower, #upper);
            let #array: [f64; #count] = ::eom_core::quadrature::integrate(
                #low, #high, #tolerance, &[#(#kinks),*],
                |#s: f64, #out: &mut [f64]| { #body },
            );
        }
    }

    /// The body of an integrand or of a form of its variable: it writes its outputs.
    fn within(&self, program: &Program, captured: &[Value]) -> TokenStream {
        let around = Some((self, captured));
        let writer = Writer::new(program, self.sources, (None, None), self.depth + 1, around);
        let Body { statements, outputs } = writer.body();
        let (_, _, out) = self.names_within();
        let places = (0..outputs.len()).map(Literal::usize_unsuffixed);
        quote!(#(#statements)* #(#out[#places] = #outputs;)*)
    }

    /// The variable of an integral written here, those of integrals within it, where it writes.
    fn names_within(&self) -> (Ident, Ident, Ident) {
        let depth = self.depth + 1;
        let name = |letter: char| local(&format!("{letter}{depth}"));
        (name('s'), name('n'), name('f'))
    }

    fn temporary(&self, index: usize) -> Ident {
        let number = self.numbers[index];
        match self.depth {
            0 => local(&format!("w{number}")),
            depth => local(&format!("w{depth}_{number}")),
        }
    }

    fn operand(&self, value: Value) -> TokenStream {
        self.in_place(self.program.instructions[value.index()]).unwrap_or_else(|| {
            let name = self.temporary(value.index());
            quote!(#name)
        })
    }

    /// What stands where it is read; none for what computes something.
    fn in_place(&self, instruction: Instruction) -> Option<TokenStream> {
        Some(match instruction {
            Instruction::Variable(0) => {
                let name = local(&format!("s{}", self.depth));
                quote!(#name)
            }
            Instruction::Variable(index) => {
                let name = local(&format!("n{}", self.depth));
                let index = Literal::u32_unsuffixed(index - 1);
                quote!(#name[#index])
            }
            Instruction::Captured(index) => match (self.around, self.constants) {
                (Some((around, captured)), _) => around.operand(captured[index as usize]),
                (None, Some(constants)) => {
                    let index = Literal::u32_unsuffixed(index);
                    match self.lanes {
                        Some(like) => quote!(#like.of(#constants[#index])),
                        None => quote!(#constants[#index]),
                    }
                }
                (None, None) => quote!(f64::NAN),
            },
            Instruction::Input(symbol) => (self.sources.input)(symbol),
            Instruction::Constant(bits) => {
                let constant = constant(f64::from_bits(bits));
                match self.lanes {
                    Some(like) => quote!(#like.of(#constant)),
                    None => constant,
                }
            }
            _ => return None,
        })
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
