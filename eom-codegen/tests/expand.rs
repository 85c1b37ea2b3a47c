//! What the macro writes: the formatted Rust of two small declarations, one with every kind of
//! item, and what it writes in place of a mistaken one.
//!
//! `INSTA_UPDATE=always cargo test -p eom-codegen --test expand` accepts a change; read it first.

use eom_codegen::{expand, rust_source};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

fn check(name: &str, source: &str) {
    let rust = rust_source(source).unwrap_or_else(|mistakes| panic!("{name}: {mistakes:?}"));
    insta::assert_snapshot!(name, rust);
}

#[test]
fn pendulum_with_friction() {
    check("pendulum", include_str!("fixtures/pendulum.eom"));
}

#[test]
fn sledge_with_constraint_contact_and_event() {
    check("sledge", include_str!("fixtures/sledge.eom"));
}

/// `source` in the tables can be parsed again and gives the same Rust but for its own text.
#[test]
fn expansion_of_tokens_and_of_text_agree() {
    let source = include_str!("fixtures/sledge.eom");
    let tokens: TokenStream = source.parse().expect("the fixture is made of Rust tokens");
    let text = tokens.to_string();
    let expanded = syn::parse2(expand(tokens)).expect("what is written is Rust");
    assert_eq!(prettyplease::unparse(&expanded), rust_source(&text).expect("it derives"));
}

/// What a macro passed on as one, `$k` with `1 + 2`, is one in the text of the tables, too.
#[test]
fn what_a_macro_passes_on_is_one_in_the_source() {
    let one = |text: &str| {
        let inside: TokenStream = text.parse().expect("Rust tokens");
        TokenTree::from(Group::new(Delimiter::None, inside))
    };
    let [sum, meta, visible] = ["1 + 2", "doc = \"Two.\"", "pub(crate)"].map(one);
    let tokens = quote::quote! {
        #[#meta] #visible system S { coordinates { x } kinetic = ẋ^2/2; potential = #sum*x^2/2; }
    };
    let wanted = "#[doc = \"Two.\"] pub(crate) system S \
        { coordinates { x } kinetic = ẋ^2/2; potential = (1 + 2)*x^2/2; }";
    let wanted: TokenStream = wanted.parse().expect("Rust tokens");
    let text = wanted.to_string();
    let expanded = expand(tokens).to_string();
    assert!(expanded.contains(&format!("{text:?}")), "{expanded}");
    assert!(expanded.contains("doc : \"Two.\""), "{expanded}");
}

/// After mistakes the type stays, so that each use does not add an error of its own.
#[test]
fn mistakes_become_compile_errors_beside_the_type() {
    let tokens: TokenStream = "pub system S { coordinates { x } kinetic = m*ẋ^2; force y = 1; }"
        .parse()
        .expect("Rust tokens");
    let file: syn::File = syn::parse2(expand(tokens)).expect("what is written is Rust");
    let count = |wanted: fn(&syn::Item) -> bool| file.items.iter().filter(|i| wanted(i)).count();
    assert_eq!(count(|item| matches!(item, syn::Item::Macro(_))), 2, "two mistakes");
    assert_eq!(count(|item| matches!(item, syn::Item::Struct(item) if item.ident == "S")), 1);
}
