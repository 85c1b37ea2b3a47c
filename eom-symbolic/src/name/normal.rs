//! The normal forms of Unicode, by the host's own tables where it is a browser: those of the crate are a twentieth of the
//! page's engine. The forms of assigned characters never change (UAX #15, stability), so both give the same.

use std::borrow::Cow;

#[cfg(not(all(feature = "javascript", target_family = "wasm")))]
mod form {
    use std::borrow::Cow;
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfd_quick};

    pub(super) fn composed(text: &str) -> Cow<'_, str> {
        // Most names are so already; composing them costs more than all else that is done with a name.
        match is_nfc_quick(text.chars()) {
            IsNormalized::Yes => text.into(),
            _ => text.nfc().collect(),
        }
    }

    pub(super) fn apart(text: &str) -> Cow<'_, str> {
        match is_nfd_quick(text.chars()) {
            IsNormalized::Yes => text.into(),
            _ => text.nfd().collect(),
        }
    }
}

#[cfg(all(feature = "javascript", target_family = "wasm"))]
mod form {
    use js_sys::JsString;
    use std::borrow::Cow;

    pub(super) fn composed(text: &str) -> Cow<'_, str> {
        String::from(JsString::from(text).normalize("NFC")).into()
    }

    pub(super) fn apart(text: &str) -> Cow<'_, str> {
        String::from(JsString::from(text).normalize("NFD")).into()
    }
}

/// The text in NFC: a letter and its marks are one character where there is one.
pub(super) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { text.into() } else { form::composed(text) }
}

/// The text in NFD: marks stand behind their letters.
pub(super) fn apart(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { text.into() } else { form::apart(text) }
}
