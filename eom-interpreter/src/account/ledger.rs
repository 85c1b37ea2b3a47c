//! The ledger of a run as lines: what the energy was, what changed it, and whether that closes.

use eom_core::Ledger;
use eom_core::info::SystemInfo;
use eom_elementary::Digits;
use std::fmt::Write as _;

/// The widths of labels and numbers.
const LABEL: usize = 13;
const NUMBER: usize = 17;

/// The lines of a ledger; names stand last, since terms of the dissipation may be long.
pub fn ledger(info: &SystemInfo, ledger: &Ledger) -> String {
    let mut text = String::from("ledger       of h = v·∂L/∂v - L\n");
    let mut line = |label: &str, value: f64, what: &str| {
        let number = format!("{value:.9e}");
        let line = format!("  {label:LABEL$}{number:>NUMBER$}  {what}");
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", line.trim_end());
    };
    line("start", ledger.start, "");
    for work in &ledger.works {
        line("work", work.work, &work.source.describe(info));
    }
    for jump in &ledger.jumps {
        let times = if jump.count == 1 { "once" } else { &format!("{} times", jump.count) };
        line("jump", jump.change, &format!("{}, {times}", jump.cause.describe(info)));
    }
    line("end", ledger.end, "");
    if ledger.projections != 0.0 {
        line("projections", ledger.projections, "put in by constraints after steps");
    }
    for drift in &ledger.drifts {
        let what = format!("largest {}, at t = {}", drift.kept.describe(info), Digits(drift.t));
        line("drift", drift.residual, &what);
    }
    let verdict = if ledger.closes() { "closes" } else { "DOES NOT CLOSE" };
    line("error", ledger.error, &format!("{verdict}: the tolerance is {:.1e}", ledger.tolerance));
    text
}

#[cfg(test)]
mod tests {
    use super::ledger;
    use eom_core::{Cause, Drift, Jump, Kept, Ledger, Source, Work};

    eom_core::lagrangian! {
        /// A ball with drag above a floor.
        pub(crate) system Ball {
            coordinates { y }
            kinetic = ẏ^2/2;
            potential = 9.81*y;
            dissipation = 0.1*ẏ^2;
            contact floor { gap = y; impact = restitution(1/2); }
        }
    }

    fn books(error: f64) -> String {
        let info = Ball::INFO;
        ledger(
            info,
            &Ledger {
                start: 9.81,
                end: 1.0,
                works: vec![Work { source: Source::Line(0), work: -0.81, turnover: 0.81 }],
                jumps: vec![Jump { cause: Cause::Impact(vec![0]), count: 2, change: -8.0 }],
                drifts: vec![Drift { kept: Kept::Gap(0), residual: 1e-16, t: 1.5 }],
                projections: 0.0,
                error,
                tolerance: 1e-12,
            },
        )
    }

    #[test]
    fn the_lines_of_a_ledger() {
        let lines = [
            "ledger       of h = v·∂L/∂v - L",
            "  start            9.810000000e0",
            "  work           -8.100000000e-1  dissipation 0.1*ẏ^2",
            "  jump            -8.000000000e0  impact floor, 2 times",
            "  end              1.000000000e0",
            "  drift          1.000000000e-16  largest gap of floor, at t = 1.5",
            "  error          1.000000000e-15  closes: the tolerance is 1.0e-12",
            "",
        ];
        assert_eq!(books(1e-15), lines.join("\n"));
    }

    #[test]
    fn a_ledger_that_does_not_close_says_so() {
        for error in [1e-11, -1e-11, f64::NAN] {
            assert!(books(error).contains("DOES NOT CLOSE"), "{error}");
        }
    }
}
