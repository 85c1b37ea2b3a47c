//! Any text as a declaration: guided by coverage towards what random texts do not reach.
//!
//! ```sh
//! cargo install cargo-fuzz
//! cargo +nightly fuzz run declaration --sanitizer none -- -dict=fuzz/declaration.dict -timeout=60
//! ```
//!
//! What a text goes through is that of `eom-interpreter/tests/hostile`.
#![no_main]

#[path = "../../eom-interpreter/tests/hostile/exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|text: &str| {
    // A thread, since the places of its tokens are kept as long as it lives.
    let text = text.to_owned();
    let work = std::thread::Builder::new().stack_size(2 << 20).spawn(move || exercise::exercise(&text));
    work.expect("a thread").join().expect("an answer");
});
