//! From a declaration to M, h, F, A and γ.

use crate::clock::shortest;
use crate::contest::{Contestant, Measured, Role};
use eom_codegen::model_source;
use eom_symbolic::mechanics::lagrange;
use std::hint::black_box;

/// Time of one measurement, s.
const MEASUREMENT: f64 = 0.02;

/// The whole way from the text, which stands for building the Lagrangian in other tools; beside it
/// the part after the Lagrangian is built.
pub(super) fn contestants(source: String) -> Vec<Contestant<'static>> {
    let text = source.clone();
    let whole = Contestant::ours("ours, from the text", move || {
        let (ns, derived) = shortest(MEASUREMENT, || {
            let mut model = model_source(black_box(&source)).map_err(|e| format!("{e:?}"))?;
            lagrange::derive(&mut model).map_err(|e| format!("{e:?}"))
        });
        derived.map(|_| Measured { ns, ..Measured::default() })
    });
    let part = Contestant::ours("ours, from the Lagrangian", move || {
        let model = model_source(&text).map_err(|e| format!("{e:?}"))?;
        let mut best = f64::INFINITY;
        let mut spent = 0.0;
        while spent < MEASUREMENT * 1e9 {
            let mut model = model.clone();
            let (ns, derived) = shortest(0.0, || lagrange::derive(black_box(&mut model)));
            derived.map_err(|e| format!("{e:?}"))?;
            spent += ns;
            best = best.min(ns);
        }
        Ok(Measured { ns: best, ..Measured::default() })
    });
    vec![whole, part.as_role(Role::Aside)]
}
