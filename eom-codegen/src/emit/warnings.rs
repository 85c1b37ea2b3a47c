//! Warnings of the macro. Stable Rust has no other way for a macro to warn than the use of a deprecated
//! item, whose note is the message; its name is that of the diagnosis.

use super::local;
use crate::diagnostic::{Diagnostic, Level};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// One unnamed constant a warning, notes left out, so that nothing of it can be seen from elsewhere.
pub(crate) fn warnings(diagnostics: &[Diagnostic]) -> TokenStream {
    let warnings = diagnostics.iter().filter(|said| said.level == Level::Warning);
    let warnings = warnings.filter_map(|said| {
        let name = said.diagnosis?.name();
        let declared = local(name);
        // The place is the user's, the hygiene that of the item.
        let used = Ident::new(name, Span::mixed_site().located_at(said.at.first));
        let note = said.text();
        Some(quote! {
            const _: () = {
                #[deprecated(note = #note)]
                const fn #declared() {}
                #used();
            };
        })
    });
    warnings.collect()
}
