//! Contestants at one piece of work take turns; the shortest time of each counts.

use std::fmt;
use std::time::{Duration, Instant};

/// What one measurement gives. Lists that do not apply are empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// Time of one unit of work, ns.
    pub ns: f64,
    /// Accelerations, then multipliers, of an evaluation; behind them the columns of their Jacobian, where it is asked for.
    pub outputs: Vec<f64>,
    /// The last state of each run one after another, coordinates before velocities.
    pub state: Vec<f64>,
    /// Times of impacts, s.
    pub times: Vec<f64>,
    /// Steps of an integrator in one run.
    pub steps: Option<u64>,
}

/// Whose work it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// This project.
    Ours,
    /// Another tool.
    Peer,
    /// Written by hand for the problem.
    Limit,
    /// Measured beside the others and compared with nothing.
    Aside,
}

/// Something that does a piece of work.
pub struct Contestant<'a> {
    /// What tables call it.
    pub name: String,
    /// Whose it is.
    pub role: Role,
    /// The tolerance of an integrator: the same name at several tolerances makes a curve.
    pub tolerance: Option<f64>,
    /// Does it once and says how long it took.
    pub measure: Box<dyn FnMut() -> Result<Measured, String> + 'a>,
}

impl fmt::Debug for Contestant<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({:?}, {:?})", self.name, self.role, self.tolerance)
    }
}

impl<'a> Contestant<'a> {
    /// One of ours.
    pub fn ours(
        name: &str,
        measure: impl FnMut() -> Result<Measured, String> + 'a,
    ) -> Contestant<'a> {
        let measure = Box::new(measure);
        Contestant { name: name.to_owned(), role: Role::Ours, tolerance: None, measure }
    }

    /// At a tolerance.
    #[must_use]
    pub fn at(self, tolerance: f64) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// In another role.
    #[must_use]
    pub fn as_role(self, role: Role) -> Self {
        Self { role, ..self }
    }
}

/// The best of a contestant.
#[derive(Debug, Clone)]
pub struct Standing {
    /// What tables call it.
    pub name: String,
    /// Whose it is.
    pub role: Role,
    /// Its tolerance, of an integrator.
    pub tolerance: Option<f64>,
    /// The shortest measurement, or why there is none.
    pub best: Result<Measured, String>,
}

/// How long a contest may take.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Rounds, where there is time.
    pub rounds: usize,
    /// Time of one row.
    pub time: Duration,
}

/// Rounds that are held whatever they take.
const ROUNDS_MIN: usize = 2;

/// How long a turn lasts: who is done sooner does it again. What others have left in the caches, and a
/// clock that rises slowly, would else count with short work and not with long.
const TURN: Duration = Duration::from_millis(60);

/// Lets the contestants take turns. Who fails once is out.
pub fn hold(contestants: &mut [Contestant<'_>], pace: Pace) -> Vec<Standing> {
    let mut standings: Vec<Standing> = contestants
        .iter()
        .map(|contestant| Standing {
            name: contestant.name.clone(),
            role: contestant.role,
            tolerance: contestant.tolerance,
            best: Err("not measured".to_owned()),
        })
        .collect();
    let start = Instant::now();
    for round in 0..pace.rounds {
        for (contestant, standing) in contestants.iter_mut().zip(&mut standings) {
            let turn = Instant::now();
            let mut first = round == 0;
            while first || standing.best.is_ok() && turn.elapsed() < TURN {
                enter(standing, (contestant.measure)());
                first = false;
            }
        }
        if start.elapsed() > pace.time && round + 1 >= ROUNDS_MIN {
            break;
        }
    }
    standings
}

fn enter(standing: &mut Standing, measured: Result<Measured, String>) {
    match (&standing.best, measured) {
        (_, Err(why)) => standing.best = Err(why),
        (Ok(best), Ok(new)) if best.ns <= new.ns => {}
        (_, Ok(new)) => standing.best = Ok(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_counts_and_who_fails_is_out() {
        let mut times = [3.0, 1.0, 2.0].into_iter();
        let mut calls = 0;
        let quick = Contestant::ours("quick", || {
            Ok(Measured { ns: times.next().unwrap_or(9.0), ..Measured::default() })
        });
        let lame = Contestant::ours("lame", || {
            calls += 1;
            Err("fell".to_owned())
        });
        let pace = Pace { rounds: 3, time: Duration::from_secs(10) };
        let standings = hold(&mut [quick, lame], pace);
        assert_eq!(standings[0].best.as_ref().map(|best| best.ns), Ok(1.0));
        assert_eq!(standings[1].best, Err("fell".to_owned()));
        assert_eq!(calls, 1);
    }
}
