//! Where and when the figures were measured: asked of the machine by the run.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// A paragraph: date, machine, compilers, peers.
pub fn surroundings(versions: &[(String, String)], quick: bool) -> String {
    let peers: Vec<String> = versions.iter().map(|(tool, v)| format!("{tool} {v}")).collect();
    let peers = if peers.is_empty() { "none".to_owned() } else { peers.join(", ") };
    let pace = if quick { " A quick run: rough figures." } else { "" };
    format!(
        "{}; peers: {peers}.{pace}\n\nTimes are those of the threads at work, the shortest of \
         rounds in which all contestants of a row take turns.",
        machine_and_date(),
    )
}

/// Date, machine, compiler.
pub fn machine_and_date() -> String {
    let rustc = said("rustc", &["--version"]).unwrap_or_else(|| "rustc unknown".to_owned());
    format!("{}; {}; {rustc}", date(), machine())
}

/// The first line that a program prints.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().map(str::to_owned)
}

/// Processor, cores, widest vectors, system.
fn machine() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = information.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let model = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let flags = field("flags").unwrap_or_default();
    let has = |flag: &str| flags.split(' ').any(|found| found == flag);
    let vectors = match [has("avx512f"), has("avx2")] {
        [true, _] => ", AVX-512",
        [_, true] => ", AVX2",
        _ => "",
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores{vectors}, {}", std::env::consts::OS)
}

/// Today in UTC, from the days since 1970 (Hinnant, "chrono-compatible low-level date algorithms").
fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86400);
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month, day of the days since 1970-01-01.
fn civil(days: u64) -> (u64, u64, u64) {
    // Years begin in March, so that the leap day is the last; 146097 days are 400 years.
    let z = days + 719_468;
    let (era, of_era) = (z / 146_097, z % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    #[test]
    fn days_are_dates() {
        let table = [
            (0, (1970, 1, 1)),
            (11_016, (2000, 2, 29)),
            (20_454, (2026, 1, 1)),
            (20_779, (2026, 11, 22)),
        ];
        for (days, date) in table {
            assert_eq!(super::civil(days), date);
        }
    }
}
