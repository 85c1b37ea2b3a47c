fn main() {
    let f = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&f).unwrap();
    let a = text.find("lagrangian! {").unwrap() + "lagrangian! {".len();
    let b = text.rfind('}').unwrap();
    let src = &text[a..b];
    let t0 = std::time::Instant::now();
    if std::env::args().nth(2).as_deref() == Some("stages") { stages(src); return; }
    match eom_codegen::derive_source(src) {
        Ok(d) => {
            let first = t0.elapsed();
            let t0 = std::time::Instant::now();
            let d2 = eom_codegen::derive_source(src).unwrap();
            println!("{}", d.equations_text);
            println!("{}", d.programs.dynamics.listing(&d.model.pool));
            println!("derive {:?} then {:?} nodes {}", first, t0.elapsed(), d2.model.pool.len());
        }
        Err(e) => for d in e { println!("{d}"); }
    }
    let t0 = std::time::Instant::now();
    if let Ok(r) = eom_codegen::rust_source(src) { println!("rust {} lines, total {:?}", r.lines().count(), t0.elapsed());
      if std::env::args().nth(2).is_some() { println!("{r}"); } }
}
#[allow(dead_code)]
fn stages(src: &str) {
    use eom_symbolic::mechanics::*;
    let d = eom_codegen::derive_source(src).unwrap();
    let t = |name: &str, f: &mut dyn FnMut()| { let mut best = f64::INFINITY; for _ in 0..3 { let t0 = std::time::Instant::now(); f(); best = best.min(t0.elapsed().as_secs_f64()); } println!("{name}: {:.2} ms", best*1e3); };
    t("parse", &mut || { let (_s, e) = eom_codegen::parse::parse_text(src); let _ = e.into_diagnostics(); });
    t("derive", &mut || { lagrange::derive(&mut d.model.clone()).unwrap(); });
    t("programs", &mut || { eom_symbolic::program::SystemPrograms::new(&d.model, &d.equations); });
    t("report", &mut || { report::report(&d.model, &d.equations); });
    t("text", &mut || { d.text.to_text(); });
    let mut m = d.model.clone(); let f = sample::Functions::new(&m, &d.equations);
    for c in d.model.claims.iter() {
        t(&c.named.name, &mut || { claim::decide(&mut m, &d.equations, &f, &c.statement, c.at); });
    }
}
