//! Makes a module of JavaScript and WebAssembly of the engine: `eom-bind ENGINE.wasm FOLDER`.
//!
//! wasm-bindgen wants its crate and its tool of one version: one lock file has both.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(engine), Some(folder), None) = (arguments.next(), arguments.next(), arguments.next())
    else {
        eprintln!("usage: eom-bind ENGINE.wasm FOLDER");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(engine).out_name("engine").typescript(true).remove_name_section(true);
    let made = bindgen.web(true).and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("eom-bind: {error:#}");
            ExitCode::FAILURE
        }
    }
}
