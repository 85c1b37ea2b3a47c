//! The static tables: `SystemInfo` as a constant.

use super::equation::equation_number;
use super::{Emission, quiet};
use eom_symbolic::mechanics::{
    Claim, Contact, Direction, Frame, Impacts, Named, Power, PowerKind, Rotation, RowKind,
    SmoothFunction, Speed, Unknown,
};
use eom_symbolic::program::Program;
use eom_symbolic::{SymbolId, name};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Emission<'_> {
    /// `Penny::INFO`.
    pub(crate) fn info_impl(&self) -> TokenStream {
        let model = &self.derivation.model;
        let (type_name, quiet, visibility) = (&self.name, quiet(), &self.visibility);
        let (name, doc, document) = (type_name.to_string(), &model.named.doc, &model.document);
        let coordinates = names(model.coordinates.iter().map(|c| &c.named));
        let angles = model.angles().into_iter().map(Literal::usize_unsuffixed);
        let velocities = self.speed_table();
        let rotations = model.rotations.iter().map(rotation_entry);
        let inputs = names(model.inputs.iter().map(|i| &i.named));
        let outputs = names(model.outputs.iter().map(|o| &o.named));
        let parameters = self.parameter_table();
        let functions = self.function_table();
        let rows = self.row_table();
        let empty_rows = &model.empty_rows;
        let frictions = self.friction_table();
        let powers = self.power_table();
        let contacts = self.contact_table();
        let events = self.event_table();
        let scenarios = self.scenario_table();
        let claims = model.claims.iter().map(|claim| claim_entry(claim, &model.contacts));
        let kernels = self.kernel_table();
        let equations = &self.derivation.equations_text;
        let source = &self.source;
        quote! {
            #quiet
            impl #type_name {
                /// The static description: names, rows, contacts, scenarios, claims, equations.
                #visibility const INFO: &'static ::eom_core::info::SystemInfo =
                    &::eom_core::info::SystemInfo {
                        name: #name,
                        doc: #doc,
                        document: #document,
                        coordinates: &[#(#coordinates),*],
                        angles: &[#(#angles),*],
                        velocities: &[#(#velocities),*],
                        rotations: &[#(#rotations),*],
                        parameters: &[#(#parameters),*],
                        inputs: &[#(#inputs),*],
                        functions: &[#(#functions),*],
                        rows: &[#(#rows),*],
                        empty_rows: &[#(#empty_rows),*],
                        frictions: &[#(#frictions),*],
                        powers: &[#(#powers),*],
                        contacts: &[#(#contacts),*],
                        events: &[#(#events),*],
                        scenarios: &[#(#scenarios),*],
                        outputs: &[#(#outputs),*],
                        claims: &[#(#claims),*],
                        kernels: &[#(#kernels),*],
                        equations: #equations,
                        source: #source,
                    };
            }
        }
    }

    /// The names of the speeds, where they are not all velocities of coordinates.
    fn speed_table(&self) -> Vec<TokenStream> {
        let model = &self.derivation.model;
        if model.kinematics.is_none() {
            return Vec::new();
        }
        let entry = |speed: &Speed| {
            let (name, ascii, doc) = (speed.name(), speed.ascii(), &speed.named.doc);
            quote!(::eom_core::info::NameInfo { name: #name, ascii: #ascii, doc: #doc })
        };
        model.speeds.iter().map(entry).collect()
    }

    fn kernel_table(&self) -> Vec<TokenStream> {
        let entry = |program: &Program| {
            let (name, counts) = (&program.name, program.op_counts());
            let (total, counts) = (Literal::usize_unsuffixed(counts.total()), counts.to_string());
            quote! {
                ::eom_core::info::KernelInfo { name: #name, operations: #total, counts: #counts }
            }
        };
        self.derivation.programs.computing().map(entry).collect()
    }

    fn parameter_table(&self) -> Vec<TokenStream> {
        let parameters = self.derivation.model.parameters.iter();
        parameters
            .map(|p| {
                let head = head(&p.named);
                let bound = &p.bound_text;
                let default = match p.default {
                    Some(_) => {
                        let text = &p.default_text;
                        quote!(::core::option::Option::Some(#text))
                    }
                    None => quote!(::core::option::Option::None),
                };
                quote! {
                    ::eom_core::info::ParameterInfo { #head, default: #default, bound: #bound }
                }
            })
            .collect()
    }

    fn function_table(&self) -> Vec<TokenStream> {
        let model = &self.derivation.model;
        let key = |symbol: &SymbolId| name::key(&model.pool.symbol_info(*symbol).name);
        let entry = |function: &SmoothFunction| {
            let head = head(&function.named);
            let arguments = model.pool.signature(function.partial).arguments.iter().map(key);
            let default = match function.default {
                Some(_) => {
                    let text = &function.default_text;
                    quote!(::core::option::Option::Some(#text))
                }
                None => quote!(::core::option::Option::None),
            };
            quote! {
                ::eom_core::info::FunctionInfo {
                    #head, arguments: &[#(#arguments),*], default: #default,
                }
            }
        };
        model.functions.iter().map(entry).collect()
    }

    fn row_table(&self) -> Vec<TokenStream> {
        let rows = self.derivation.model.rows.iter();
        rows.map(|row| {
            let head = head(&row.named);
            let kind = match row.kind {
                RowKind::Velocity => quote!(Velocity),
                RowKind::Holonomic { .. } => quote!(Holonomic),
            };
            quote!(::eom_core::info::RowInfo { #head, kind: ::eom_core::info::RowKind::#kind })
        })
        .collect()
    }

    fn power_table(&self) -> Vec<TokenStream> {
        let powers = self.derivation.equations.powers.iter();
        powers
            .map(|Power { name, kind, .. }| {
                let kind = match kind {
                    PowerKind::Force => quote!(Force),
                    PowerKind::Input => quote!(Input),
                    PowerKind::Dissipation => quote!(Dissipation),
                    PowerKind::Time => quote!(Time),
                };
                quote! {
                    ::eom_core::info::PowerInfo {
                        name: #name,
                        kind: ::eom_core::info::PowerKind::#kind,
                    }
                }
            })
            .collect()
    }

    fn contact_table(&self) -> Vec<TokenStream> {
        let contacts = self.derivation.model.contacts.iter();
        contacts
            .map(|contact| {
                let (head, law, when) =
                    (head(&contact.named), &contact.law_text, &contact.when_text);
                let impacts = match contact.impacts {
                    None => quote!(::core::option::Option::None),
                    Some(Impacts::Joint) => {
                        quote!(::core::option::Option::Some(::eom_core::info::Impacts::Joint))
                    }
                    Some(Impacts::Sequential) => {
                        quote!(::core::option::Option::Some(::eom_core::info::Impacts::Sequential))
                    }
                };
                let rows = names(contact.rows.iter().map(|row| &row.named));
                let literal = Literal::usize_unsuffixed;
                let releases = contact.releases.iter().map(|row| literal(*row));
                let relabels = contact.relabel.iter().map(|&(a, b)| {
                    let (a, b) = (literal(a), literal(b));
                    quote!((#a, #b))
                });
                quote! {
                    ::eom_core::info::ContactInfo {
                        #head,
                        law: #law,
                        impacts: #impacts,
                        rows: &[#(#rows),*],
                        releases: &[#(#releases),*],
                        when: #when,
                        relabels: &[#(#relabels),*],
                    }
                }
            })
            .collect()
    }

    fn event_table(&self) -> Vec<TokenStream> {
        let events = self.derivation.model.events.iter();
        events
            .map(|event| {
                let head = head(&event.named);
                let direction = match event.direction {
                    Direction::Falling => quote!(Falling),
                    Direction::Rising => quote!(Rising),
                    Direction::Both => quote!(Both),
                };
                let resets = !event.resets.is_empty();
                quote! {
                    ::eom_core::info::EventInfo {
                        #head,
                        direction: ::eom_core::info::Direction::#direction,
                        resets: #resets,
                    }
                }
            })
            .collect()
    }

    fn scenario_table(&self) -> Vec<TokenStream> {
        let scenarios = self.derivation.model.scenarios.iter();
        scenarios
            .map(|scenario| {
                let (name, doc) = (&scenario.named.name, &scenario.named.doc);
                let solve = scenario.solve.iter().map(|unknown| {
                    let (kind, index) = match unknown {
                        Unknown::Coordinate(index) => (quote!(Coordinate), index),
                        Unknown::Velocity(index) => (quote!(Velocity), index),
                    };
                    let index = Literal::usize_unsuffixed(*index);
                    quote!(::eom_core::info::Unknown::#kind(#index))
                });
                quote! {
                    ::eom_core::info::ScenarioInfo { name: #name, doc: #doc, solve: &[#(#solve),*] }
                }
            })
            .collect()
    }
}

/// `name: …, ascii: …, doc: …`.
fn head(named: &Named) -> TokenStream {
    let (name, ascii, doc) = (&named.name, &named.key, &named.doc);
    quote!(name: #name, ascii: #ascii, doc: #doc)
}

fn names<'n>(items: impl Iterator<Item = &'n Named>) -> Vec<TokenStream> {
    items
        .map(|named| {
            let head = head(named);
            quote!(::eom_core::info::NameInfo { #head })
        })
        .collect()
}

fn rotation_entry(rotation: &Rotation) -> TokenStream {
    let head = head(&rotation.named);
    let frame = match rotation.frame {
        Frame::Body => quote!(Body),
        Frame::Space => quote!(Space),
    };
    quote!(::eom_core::info::RotationInfo { #head, frame: ::eom_core::info::Frame::#frame })
}

fn claim_entry(claim: &Claim, contacts: &[Contact]) -> TokenStream {
    let (name, doc, printed) = (&claim.named.name, &claim.named.doc, &claim.text);
    let equation = equation_number(name);
    let when: Vec<&str> = claim.when.iter().map(|condition| condition.text.as_str()).collect();
    let when = when.join(", ");
    let difference = &claim.difference;
    let closed: Vec<&str> =
        claim.closed.iter().map(|contact| contacts[*contact].named.name.as_str()).collect();
    let closed = closed.join(", ");
    let (kind, corrected) = match &claim.corrected {
        Some((_, text)) => (quote!(Erratum), text.as_str()),
        None => (quote!(Claim), ""),
    };
    quote! {
        ::eom_core::info::ClaimInfo {
            name: #name,
            equation: #equation,
            doc: #doc,
            kind: ::eom_core::info::ClaimKind::#kind,
            closed: #closed,
            when: #when,
            printed: #printed,
            corrected: #corrected,
            difference: #difference,
        }
    }
}

/// The names of a declaration in both spellings, for the rustdoc of the type.
pub(crate) fn spelled(named: &Named) -> String {
    if named.name == named.key {
        format!("`{}`", named.name)
    } else {
        format!("`{}` (`{}`)", named.name, named.key)
    }
}
