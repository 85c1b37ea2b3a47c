//! The engine of the page as WebAssembly: questions in, answers out, in the bytes of [`eom_interpreter::page`].
//!
//! It runs in a worker of the browser: nothing here blocks the page, and a text that asks for too much time or
//! memory ends the worker, which the page starts again.
//!
//! *Invariant:* a run has the bits of the command.

use wasm_bindgen::prelude::wasm_bindgen;

/// What answers.
#[wasm_bindgen]
pub struct Engine(eom_interpreter::page::Engine);

#[wasm_bindgen]
impl Engine {
    /// With nothing declared.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript makes it")]
    pub fn new() -> Self {
        // What writes makes the module twice as large: the page loads it when it is asked for.
        #[cfg(feature = "write")]
        return Self(eom_interpreter::page::Engine::that_writes());
        #[cfg(not(feature = "write"))]
        Self(eom_interpreter::page::Engine::new())
    }

    /// The answer to a question.
    pub fn answer(&mut self, question: &str) -> Vec<u8> {
        self.0.answer(question, &js_sys::Date::now)
    }
}
