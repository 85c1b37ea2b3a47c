//! The static tables of a system that was read at run time, of the description that the macro writes as Rust.
//!
//! [`SystemInfo`] holds `&'static` data, so that everybody can keep it; what stands here is
//! therefore leaked, once for each text that is read: who reads one again, as from a pickle, gets the same tables.

use eom_codegen::description::{Value, description};
use eom_codegen::{Derivation, derive_source, equations_source};
use eom_core::info::{ClaimInfo, ClaimKind, SystemInfo, Text};
use eom_core::private::{Described, FromDescribed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The tables of the texts that were read, in the order of these.
static KNOWN: Mutex<Vec<&'static SystemInfo>> = Mutex::new(Vec::new());

/// The tables of a derived system, which follow from its text.
pub(crate) fn shared(derivation: &Derivation, source: &str) -> &'static SystemInfo {
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let place = |known: &[&SystemInfo]| known.binary_search_by(|info| info.source.cmp(source));
    let all = known();
    if let Ok(found) = place(&all) {
        return all[found];
    }
    drop(all);
    let info = leaked(derivation, source);
    let mut all = known();
    // Another thread may have read the text meanwhile: all get what came first.
    match place(&all) {
        Ok(found) => all[found],
        Err(place) => {
            all.insert(place, info);
            info
        }
    }
}

fn leaked(derivation: &Derivation, source: &str) -> &'static SystemInfo {
    let described = description(derivation, source, false);
    let mut info = SystemInfo::made(Leaked(&described));
    let source = info.source;
    info.equations = Text::asked(move || printed(source));
    if info.claims.iter().any(|claim| claim.kind == ClaimKind::Erratum) {
        info.claims = Vec::leak(with_differences(info.claims, source));
    }
    Box::leak(Box::new(info))
}

/// The equations of a declaration that was derived before: derived again, so that nothing larger than its text is
/// leaked with the tables.
fn printed(source: &str) -> String {
    equations_source(source).map_or_else(|_| String::new(), |derived| derived.text().to_text())
}

/// The claims with the differences of misprints, of a declaration that is derived again when the first of them is asked for.
fn with_differences(claims: &[ClaimInfo], source: &'static str) -> Vec<ClaimInfo> {
    let all = Arc::new(OnceLock::new());
    let asked = |(index, claim): (usize, &ClaimInfo)| {
        if claim.kind == ClaimKind::Claim {
            return *claim;
        }
        let all = Arc::clone(&all);
        let difference = Text::asked(move || {
            let all: &Vec<String> = all.get_or_init(|| differences(source));
            all.get(index).cloned().unwrap_or_default()
        });
        ClaimInfo { difference, ..*claim }
    };
    claims.iter().enumerate().map(asked).collect()
}

/// The differences of the misprints of a declaration that was derived before.
fn differences(source: &str) -> Vec<String> {
    derive_source(source).map_or_else(|_| Vec::new(), |derived| derived.differences().to_vec())
}

#[derive(Clone, Copy)]
struct Leaked<'d>(&'d Value);

impl Described for Leaked<'_> {
    fn text(self) -> &'static str {
        match self.0 {
            Value::Text(text) => String::leak(text.clone()),
            Value::Variant { name, .. } => name,
            _ => "",
        }
    }

    fn number(self) -> usize {
        match *self.0 {
            Value::Number(number) | Value::Variant { index: Some(number), .. } => number,
            Value::Truth(is_true) => usize::from(is_true),
            _ => 0,
        }
    }

    fn entries(self) -> Vec<Self> {
        match self.0 {
            Value::List(entries) => entries.iter().map(Leaked).collect(),
            Value::Pair(entries) => entries.iter().map(Leaked).collect(),
            Value::Optional(entry) => entry.iter().map(|entry| Leaked(entry)).collect(),
            _ => Vec::new(),
        }
    }

    fn field(self, name: &str) -> Self {
        const NONE: &Value = &Value::List(Vec::new());
        let fields = match self.0 {
            Value::Record { fields, .. } => &fields[..],
            _ => &[],
        };
        Leaked(fields.iter().find(|field| field.0 == name).map_or(NONE, |field| &field.1))
    }
}
