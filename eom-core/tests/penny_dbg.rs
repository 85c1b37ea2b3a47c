mod common;
use common::{Penny, run};
use eom_core::{Options, Sampling, System};
#[test]
fn dbg() {
    let penny = Penny::table_1();
    let start = penny.start();
    let options = Options { until_impacts: Some(2000), sampling: Sampling::Ends, ..Options::default() };
    let out = run(&penny, &start, &options);
    let en = |q: &[f64], v: &[f64]| penny.energy(0.0, q, v).total();
    let mut last = en(&start.q, &start.v);
    let (mut sa, mut si, mut aa, mut ai) = (0.0, 0.0, 0.0_f64, 0.0_f64);
    for (k, e) in out.events.iter().enumerate() {
        let m = en(&e.q_minus, &e.v_minus); let p = en(&e.q_plus, &e.v_plus);
        let da = m / last - 1.0; let di = p / m - 1.0;
        sa += da; si += di; aa += da.abs(); ai += di.abs();
        if k < 12 || da.abs() > 2e-14 || di.abs() > 2e-14 { println!("{k} t {:.3} arc {da:.1e} impact {di:.1e} {:?} vm {:?}", e.t, e.kind, e.v_minus); }
        last = p;
    }
    println!("arcs {sa:e} {aa:e} impacts {si:e} {ai:e} {:?}", out.stats);
}
