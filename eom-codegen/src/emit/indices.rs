//! Places by name: `q[Penny::Q.θ]`, `λ[Penny::ROWS.roll]`, and the sizes of a system as constants.

use super::functions::Sizes;
use super::{Emission, quiet};
use eom_symbolic::mechanics::Named;
use eom_symbolic::name::key;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// What is addressed by name: the entries of an array, in their order.
struct Table {
    /// The constant: `Q`.
    constant: &'static str,
    /// What the entries are of.
    about: &'static str,
    /// The spellings of an entry, each with the place of the entry.
    entries: Vec<(Ident, usize)>,
}

impl Table {
    /// A table of entries, each with its spellings. A spelling that is no identifier of Rust, or is taken, is
    /// left out.
    fn new(
        constant: &'static str,
        about: &'static str,
        entries: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let mut taken = BTreeSet::new();
        let mut found = Vec::new();
        for (place, spellings) in entries.into_iter().enumerate() {
            for spelling in spellings {
                if let Ok(ident) = syn::parse_str::<Ident>(&spelling)
                    && taken.insert(spelling)
                {
                    found.push((ident, place));
                }
            }
        }
        Self { constant, about, entries: found }
    }

    /// The type of the constant, and the constant.
    fn tokens(&self, visibility: &TokenStream) -> Option<(TokenStream, TokenStream)> {
        let kind = format_ident!("PlacesIn{}", self.constant);
        let constant = format_ident!("{}", self.constant);
        let (about, idents) =
            (format!(" {}", self.about), self.entries.iter().map(|entry| &entry.0));
        let values = self.entries.iter().map(|(ident, place)| {
            let place = Literal::usize_unsuffixed(*place);
            quote!(#ident: #place)
        });
        let kind_tokens = quote! {
            #[allow(
                dead_code,
                unreachable_pub,
                non_snake_case,
                missing_docs,
                missing_debug_implementations,
                missing_copy_implementations,
                reason = "the names of the declaration"
            )]
            pub struct #kind { #(pub #idents: usize),* }
        };
        let constant_tokens = quote! {
            #[doc = #about]
            #visibility const #constant: #kind = #kind { #(#values),* };
        };
        (!self.entries.is_empty()).then_some((kind_tokens, constant_tokens))
    }
}

/// Both spellings of a name.
pub(crate) fn spellings(name: &str) -> Vec<String> {
    vec![name.to_owned(), key(name)]
}

/// The constants of a system: its sizes, and places by name, of coordinates, speeds, inputs, rows, contacts,
/// events and outputs, of each entry its spellings.
pub(crate) fn constants(
    type_name: &Ident,
    visibility: &TokenStream,
    sizes: &Sizes,
    [q, v, u, rows, contacts, events, outputs]: [Vec<Vec<String>>; 7],
) -> TokenStream {
    let tables = [
        Table::new("Q", "Places in q by name.", q),
        Table::new("V", "Places in v by name.", v),
        Table::new("U", "Places in u by name.", u),
        Table::new("ROWS", "Places of the constraint rows and of their multipliers by name.", rows),
        Table::new("CONTACTS", "Places of the contacts by name.", contacts),
        Table::new("EVENTS", "Places of the events by name.", events),
        Table::new("OUTPUTS", "Places of the outputs by name.", outputs),
    ];
    let (kinds, constants): (Vec<TokenStream>, Vec<TokenStream>) =
        tables.iter().filter_map(|table| table.tokens(visibility)).unzip();
    let (quiet, Sizes { n, m, k, r, c }) = (quiet(), sizes);
    quote! {
        #(#kinds)*

        #quiet
        impl #type_name {
            /// The length of q.
            #visibility const NQ: usize = #n;
            /// The length of v.
            #visibility const NV: usize = #m;
            /// The number of inputs.
            #visibility const NU: usize = #r;
            /// The number of constraint rows: the length of λ.
            #visibility const NROWS: usize = #k;
            /// The number of contacts.
            #visibility const NCONTACTS: usize = #c;
            #(#constants)*
        }
    }
}

impl Emission<'_> {
    /// Sizes, and places by name.
    pub(crate) fn index_impl(&self) -> TokenStream {
        let model = &self.derivation.model;
        let positions = model.positions().into_iter();
        let named = |named: &Named| vec![named.name.clone(), named.key.clone()];
        let names = [
            positions.map(|symbol| spellings(&model.pool.symbol_info(symbol).name)).collect(),
            model.speeds.iter().map(|speed| vec![speed.name(), speed.ascii()]).collect(),
            model.inputs.iter().map(|input| named(&input.named)).collect(),
            model.rows.iter().map(|row| named(&row.named)).collect(),
            model.contacts.iter().map(|contact| named(&contact.named)).collect(),
            model.events.iter().map(|event| named(&event.named)).collect(),
            model.outputs.iter().map(|output| named(&output.named)).collect(),
        ];
        constants(&self.name, &self.visibility, &self.sizes(), names)
    }
}
