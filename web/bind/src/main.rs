//! Makes a module of JavaScript and WebAssembly of the engine, `eom-bind ENGINE.wasm FOLDER`, and puts the functions of a
//! module in the order in which it packs best: `eom-bind --order MODULE.wasm`.
//!
//! wasm-bindgen wants its crate and its tool of one version: one lock file has both.

mod functions;
mod order;
mod traps;

use std::error::Error;
use std::fs::{read, write};
use std::path::Path;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(first), Some(second), None) = (arguments.next(), arguments.next(), arguments.next())
    else {
        eprintln!("usage: eom-bind ENGINE.wasm FOLDER, or eom-bind --order MODULE.wasm");
        return ExitCode::FAILURE;
    };
    let made = if first == "--order" {
        in_order(second.as_ref())
    } else {
        bound(first.as_ref(), second.as_ref())
    };
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("eom-bind: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn bound(engine: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let silent = traps::silent(&read(engine)?)?;
    let mut bindgen = Bindgen::new();
    bindgen.input_bytes("engine", silent).typescript(true).remove_name_section(true);
    Ok(bindgen.web(true)?.generate(folder)?)
}

fn in_order(module: &Path) -> Result<(), Box<dyn Error>> {
    Ok(write(module, order::packed(&read(module)?)?)?)
}
