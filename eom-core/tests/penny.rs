//! The bouncing penny against 40 digits, against its exact arcs, and over ten thousand impacts.

mod common;

use common::{Penny, run};
use eom_core::{End, Options, Sampling, System};

#[test]
fn ten_thousand() {
    let penny = Penny::table_1();
    let start = penny.start();
    let e0 = penny.energy(0.0, &start.q, &start.v).total();
    for rtol in [1e-12,1e-13, 1e-14, 5e-15] {
        for ratio in [1.0,1e-2] {
        let options = Options {
            until_impacts: Some(10_000),
            sampling: Sampling::Ends,
            relative_tolerance: rtol,
            absolute_tolerance: eom_core::AbsoluteTolerance::All(rtol * ratio),
            ..Options::default()
        };
        let clock = std::time::Instant::now();
        let out = run(&penny, &start, &options);
        let us = clock.elapsed().as_secs_f64() * 1e6 / out.stats.impacts as f64;
        let last = out.last().unwrap();
        let drift = penny.energy(last.t, &last.q, &last.v).total() / e0 - 1.0;
        println!("{rtol:e} {ratio:e} {} {us:.2} us, drift {drift:.2e} {:?}", out.end, out.stats);
        for k in [0, 1,2,3, 4, 5,6,7,8, 9, 14, 19] { let e=&out.events[k]; print!("{:.1e} ", e.t - REF[k]); }
        println!();
    }}
}
const REF: [f64; 20] = [1.8834069201978128, 2.499852752598538, 4.611455113062824, 4.774580555961512, 7.183271251123429, 7.422415776797741, 9.154223162961873, 10.597154583849013, 10.959792551433894, 12.704334402187527, 12.967548226582466, 14.698801697928284, 15.101357615758904, 16.469092933690447, 18.065267518231288, 18.399507284668502, 20.87348517903287, 21.033621552080152, 23.251477935755318, 23.767117735750162];
