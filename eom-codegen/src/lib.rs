//! From the declaration of a mechanical system to Rust: tokens in, tokens out.
//!
//! ```text
//! tokens ──parse──▶ ast::System ──resolve──▶ SystemModel ──derive──▶ EquationsOfMotion
//!                                                  │ claims decided        │ lowered
//!                                                  ▼                       ▼
//!                                             diagnostics            SystemPrograms ──emit──▶ tokens
//! ```
//!
//! The macro, the command line, the tests and the benches all call [`expand`] or
//! [`derive_source`]; the algebra itself is in `eom-symbolic`. [`generate`] writes code that is kept, in
//! Rust, C or Python; with the feature `build`, a build script calls `compile`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, reason = "the same bits on every machine"))]

pub mod ast;
#[cfg(feature = "build")]
mod build;
mod closed;
pub mod description;
pub mod diagnosis;
pub mod diagnostic;
mod difference;
mod emit;
mod equation;
mod format;
mod formula;
mod languages;
mod looked_at;
pub mod parse;
mod pipeline;
mod resolve;
mod tex;

#[cfg(feature = "build")]
pub use build::{Build, BuildError, Mark, Style, compile, counted, marked, rendered};
pub use equation::equation_number;
pub use format::formatted;
pub use formula::formula_source;
pub use languages::Language;
pub use looked_at::{drawing_source, numbers_source};
pub use pipeline::{Derivation, Equations};

use diagnostic::{Diagnostic, SHOWN_MAX};
use emit::Emission;
use eom_symbolic::mechanics::SystemModel;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

/// Expands a declaration: the generated items, or compile errors at the places of the mistakes.
pub fn expand(input: TokenStream) -> TokenStream {
    try_expand(input).unwrap_or_else(|errors| errors)
}

/// The same, with the compile errors and what stands in for the items as its error.
pub fn try_expand(input: TokenStream) -> Result<TokenStream, TokenStream> {
    let written = input.clone();
    let (system, errors) = parse::parse_system(input);
    let Some(system) = system else {
        return Err(compile_errors(&errors.into_diagnostics_so_far()));
    };
    // Printing recurses into brackets: only what was found to be nested within limits is printed.
    let source = bracketed(written).to_string();
    match pipeline::derive(&system, errors) {
        Ok((derivation, said)) => {
            let items = emission(&system, &derivation, source).tokens();
            let warnings = emit::warnings(&said);
            Ok(quote!(#items #warnings))
        }
        // The type stays with all that code may use of it, so that the mistake is reported alone.
        Err(diagnostics) => {
            let errors = compile_errors(&diagnostics);
            let rest = emit::skeleton(&system, &type_name(&system));
            Err(quote!(#errors #rest))
        }
    }
}

/// Tokens as a text has them: what a macro passed on as one, `$k:expr` with `1 + 2`, is one in brackets. Attributes and
/// visibilities have none. Where nothing was, they stay, with their comments as they are written.
fn bracketed(tokens: TokenStream) -> TokenStream {
    if !tokens.clone().into_iter().any(|token| holds_several(&token)) {
        return tokens;
    }
    let mut is_attribute = false;
    let one = |token: TokenTree| {
        let after_hash = matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '#');
        let as_it_is = std::mem::replace(&mut is_attribute, after_hash);
        let TokenTree::Group(group) = token else { return token };
        if as_it_is {
            return group.into();
        }
        let delimiter = if is_several(&group) { Delimiter::Parenthesis } else { group.delimiter() };
        Group::new(delimiter, bracketed(group.stream())).into()
    };
    tokens.into_iter().map(one).collect()
}

/// Whether a macro passed on several tokens as one, which are no visibility.
fn is_several(group: &Group) -> bool {
    let mut inside = group.stream().into_iter();
    let first = inside.next();
    let is_visibility = matches!(first, Some(TokenTree::Ident(word)) if word == "pub");
    group.delimiter() == Delimiter::None && inside.next().is_some() && !is_visibility
}

fn holds_several(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    is_several(group) || group.stream().into_iter().any(|token| holds_several(&token))
}

/// Forgets the texts that this thread has read. They are kept for the places in messages, as long as the thread lives: who reads
/// many calls this before the next one. What was said before of a text has no place after it.
pub fn forget_texts() {
    proc_macro2::extra::invalidate_current_thread_spans();
}

/// Derives a declaration given as text, such as `SystemInfo::source` or a file.
pub fn derive_source(source: &str) -> Result<Derivation, Vec<Diagnostic>> {
    diagnose_source(source).map(|(derivation, _)| derivation)
}

/// The same with what is said of a declaration that is right: its warnings, then its notes, by
/// their [`Level`](diagnostic::Level). They are apart, since their places are bound to a thread.
pub fn diagnose_source(source: &str) -> Result<(Derivation, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (system, errors) = parse::parse_text(source);
    match system {
        Some(system) => pipeline::derive(&system, errors),
        None => Err(errors.into_diagnostics_so_far()),
    }
}

/// The equations of a declaration given as text; neither programs are made nor claims decided.
pub fn equations_source(source: &str) -> Result<Equations, Vec<Diagnostic>> {
    let (system, errors) = parse::parse_text(source);
    match system {
        Some(system) => pipeline::equations(&system, errors),
        None => Err(errors.into_diagnostics_so_far()),
    }
}

/// Reads a declaration given as text into its model, its claims left out and nothing derived.
pub fn model_source(source: &str) -> Result<SystemModel, Vec<Diagnostic>> {
    let (system, mut errors) = parse::parse_text(source);
    let resolved = system.and_then(|system| resolve::resolve(&system, &mut errors));
    let mistakes = errors.into_diagnostics();
    match resolved {
        Some(resolved) if mistakes.is_empty() => Ok(resolved.model),
        _ => Err(mistakes),
    }
}

/// Code of a declaration given as text, to be kept: Rust as the macro writes it, or one file that needs
/// nothing of eom. Its first lines say that it was made of `origin`, and that `again` makes it
/// again. A system without a visibility is `pub` in Rust: it stands in a file of its own. With the
/// code comes what is said of a declaration that is right, as by [`diagnose_source`].
pub fn generate(
    source: &str,
    language: Language,
    origin: &str,
    again: &str,
) -> Result<(String, Vec<Diagnostic>), Vec<Diagnostic>> {
    generate_of(source, language, [origin, again], |_, derivation| Ok(derivation))
}

/// The same with the derivatives of the accelerations and multipliers by state, inputs and parameters, with the inverse
/// dynamics and its derivatives by the parameters.
///
/// # Errors
/// Mistakes of the declaration, and a system that has no such code: its solve is left to loops, forces hold
/// multipliers, or integrals stand in the equations.
pub fn generate_with_derivatives(
    source: &str,
    language: Language,
    origin: &str,
    again: &str,
) -> Result<(String, Vec<Diagnostic>), Vec<Diagnostic>> {
    generate_of(source, language, [origin, again], |system, derivation| {
        derivation.with_derivatives().map_err(|why| {
            let message = format!("`{}` has no code of its derivatives: {why}", system.name.text);
            let help =
                "leave out `--derivatives`; `eom analyse` and `jac` of Python have them".to_owned();
            vec![Diagnostic::error(system.name.region, message, Some(help))]
        })
    })
}

/// The code of a declaration, of its derivation as it is changed.
fn generate_of(
    source: &str,
    language: Language,
    [origin, again]: [&str; 2],
    changed: impl FnOnce(&ast::System, Derivation) -> Result<Derivation, Vec<Diagnostic>>,
) -> Result<(String, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (system, errors) = parse::parse_text(source);
    let Some(mut system) = system else { return Err(errors.into_diagnostics_so_far()) };
    let (derivation, said) = pipeline::derive(&system, errors)?;
    let derivation = changed(&system, derivation)?;
    if system.visibility.is_empty() {
        system.visibility = quote!(pub);
    }
    let code = languages::generated(&derivation, language)
        .unwrap_or_else(|| rust(&system, &derivation, source.to_owned()));
    Ok((language.header(origin, again) + "\n" + &code, said))
}

/// The generated Rust of a declaration given as text, formatted.
pub fn rust_source(source: &str) -> Result<String, Vec<Diagnostic>> {
    let (system, errors) = parse::parse_text(source);
    let Some(system) = system else { return Err(errors.into_diagnostics_so_far()) };
    let (derivation, _) = pipeline::derive(&system, errors)?;
    Ok(rust(&system, &derivation, source.to_owned()))
}

fn rust(system: &ast::System, derivation: &Derivation, source: String) -> String {
    let tokens = emission(system, derivation, source).tokens();
    match syn::parse2(tokens.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        // Emission is tested to be Rust; if it ever is not, the raw tokens show where.
        Err(_) => tokens.to_string(),
    }
}

fn emission<'d>(system: &ast::System, derivation: &'d Derivation, source: String) -> Emission<'d> {
    Emission {
        derivation,
        name: type_name(system),
        visibility: system.visibility.clone(),
        attributes: system.attributes.clone(),
        source,
    }
}

fn type_name(system: &ast::System) -> proc_macro2::Ident {
    proc_macro2::Ident::new(&system.name.text, system.name.region.first)
}

fn compile_errors(diagnostics: &[Diagnostic]) -> TokenStream {
    let errors = diagnostics.iter().take(SHOWN_MAX).map(Diagnostic::to_compile_error);
    let more = diagnostics.len().saturating_sub(SHOWN_MAX);
    let last = diagnostics.get(SHOWN_MAX).map(|next| {
        let said = format!("there are {more} more mistakes from here on");
        Diagnostic::error(next.at, said, None).to_compile_error()
    });
    quote!(#(#errors)* #last)
}
