//! Clocks that other work on the machine does not move, in seconds.

/// The time that this thread has run.
#[cfg(unix)]
pub fn thread() -> f64 {
    seconds(rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime))
}

/// The time that all threads of this process have run.
#[cfg(unix)]
pub fn process() -> f64 {
    seconds(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime))
}

#[cfg(unix)]
fn seconds(time: rustix::time::Timespec) -> f64 {
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Where the system has no such clock, the time of day.
#[cfg(not(unix))]
pub fn thread() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Where the system has no such clock, the time of day.
#[cfg(not(unix))]
pub fn process() -> f64 {
    thread()
}

/// The thread time of one call, in nanoseconds.
pub fn nanoseconds<T>(work: impl FnMut() -> T) -> (f64, T) {
    nanoseconds_by(thread, work)
}

fn nanoseconds_by<T>(clock: fn() -> f64, mut work: impl FnMut() -> T) -> (f64, T) {
    let start = clock();
    let value = work();
    ((clock() - start) * 1e9, value)
}

/// The shortest of some calls that take about `seconds` together, at least one. A call during which the clock stood still
/// (a virtual machine that is moved) is made again.
pub fn shortest<T>(seconds: f64, work: impl FnMut() -> T) -> (f64, T) {
    shortest_by(thread, seconds, work)
}

/// The same of the time of all threads, for work that has some of its own.
pub fn shortest_of_threads<T>(seconds: f64, work: impl FnMut() -> T) -> (f64, T) {
    shortest_by(process, seconds, work)
}

fn shortest_by<T>(clock: fn() -> f64, seconds: f64, mut work: impl FnMut() -> T) -> (f64, T) {
    let (mut best, mut spent) = (f64::INFINITY, 0.0);
    loop {
        let (next, value) = nanoseconds_by(clock, &mut work);
        if next > 0.0 {
            best = best.min(next);
            spent += next;
        }
        if spent >= seconds * 1e9 {
            return (best, value);
        }
    }
}
