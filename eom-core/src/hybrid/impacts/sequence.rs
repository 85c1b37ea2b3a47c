//! Impacts one after another, all at one time: the sequential law of several contacts.
//!
//! As if there were a little room between bodies that touch. Of the contacts that close, ġ < −ε, the one
//! with the largest rate in the metric of the kinetic energy,
//!
//! ```text
//! −ġᵢ / ‖∇gᵢ‖        ‖∇g‖² = ∇g M⁻¹∇gᵀ
//! ```
//!
//! is struck alone, by its own law; then the rates are looked at again, until none closes. What only
//! rests, |ġ| ≤ ε, takes no part before the impact of another makes it close: then it is struck too.
//! Contacts that are struck jointly are one member of the sequence: all of them that do not separate
//! collide at once (`collision`).
//!
//! **Order.** Contacts that close as the instant begins were reached at times that cannot be told apart,
//! and so is the order of contacts with the same rate, to [`SAME_RATE`]. Then the sequence is made with
//! each of the first ones first, and with equal ones in either order. If the velocities that this leads to
//! differ by more than [`SAME_OUTCOME`] of ‖v‖, at a start by as much more as rates may be off zero there, the order decides
//! and cannot be told: the run ends there.
//!
//! **End.** Finitely many elastic impacts, if they end at all, and infinitely many with losses: three balls
//! with e = 0 halve their rates for ever. Where the contacts of a period are struck with rates that fall by
//! one ratio r < 1, [`PERIODS`] periods long, the sequence goes on to its limit: each impact changes
//! v by a multiple of M⁻¹∇gᵢ and leaves what all ∇gᵢ of the period are orthogonal to, so the limit, in which
//! all of their rates are 0, is the projection
//!
//! ```text
//! v∞ = v − M⁻¹Bᵀ(BM⁻¹Bᵀ)⁻¹B v        B the rows ∇gᵢ of the period (and A)
//! ```
//!
//! which is a joint impact with e = 0. The same is done where the budget of impacts is spent, if they lose
//! energy; if they lose none they do not end.
//!
//! *Termination.* Each impact lowers the budget of the instant by one; where it is spent, the rest is made
//! by joint impacts with e = 0, of which each lowers it too; at twice the budget the run ends.

use super::collision::{Collision, Participant};
use crate::hybrid::accumulation::flight::RATIO_MARGIN;
use crate::hybrid::mode::admissible::NoSet;
use crate::hybrid::mode::contact::GapRate;
use crate::info::Impacts;
use crate::system::{Law, System};
use crate::trajectory::event::Hit;

/// Rates that differ by less than this part are the same.
const SAME_RATE: f64 = 1e-9;

/// Velocities that differ by less than this part of ‖v‖ are the same.
const SAME_OUTCOME: f64 = 1e-9;

/// The most impacts of a sequence at one time, however many contacts touch.
pub(super) const SEQUENCE_MAX: usize = 50_000;

/// Periods in a row that fall by one ratio.
const PERIODS: usize = 3;

/// How much the ratio may differ from rate to rate.
const RATIO_CHANGE: f64 = 1e-3;

/// The longest period that is looked for.
const PERIOD_MAX: usize = 32;

/// A contact that touches.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct Touch {
    pub(in crate::hybrid) contact: usize,
    /// e, and e_t of its own rows.
    pub(in crate::hybrid) restitution: [f64; 2],
    /// Whether it collides with others jointly.
    pub(super) is_joint: bool,
    /// Whether it has rows of its own.
    pub(in crate::hybrid) has_rows: bool,
}

impl Touch {
    /// A contact that takes part in impacts of several, by a law; `None` where its own has a meaning by itself only.
    pub(in crate::hybrid) fn of(system: &dyn System, contact: usize, law: Law) -> Option<Self> {
        let info = &system.info().contacts[contact];
        let changes = !(info.releases.is_empty() && info.relabels.is_empty());
        let [_, e, tangential] = law.restitutions().filter(|_| !changes)?;
        Some(Self {
            contact,
            restitution: [e, tangential],
            is_joint: info.impacts != Some(Impacts::Sequential),
            has_rows: !info.rows.is_empty(),
        })
    }
}

/// What is said of the order in a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::hybrid) struct Order {
    /// Which of the members that close at the beginning comes first; the fastest without one.
    pub(in crate::hybrid) first: Option<usize>,
    /// Whether of equal ones the last is struck, not the first.
    pub(super) last_of_equal: bool,
}

/// An impact of the sequence: who took part, and v⁺.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Blow {
    pub(in crate::hybrid) hits: Vec<Hit>,
    pub(in crate::hybrid) velocity: Vec<f64>,
    /// It completes infinitely many.
    pub(in crate::hybrid) accumulates: Option<Accumulated>,
}

/// Impacts that go on for ever in one period.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::hybrid) struct Accumulated {
    /// The contacts of the period.
    pub(in crate::hybrid) contacts: Vec<usize>,
    /// How much the rates of one period are of those before it.
    pub(in crate::hybrid) ratio: f64,
    /// The impacts that were made.
    pub(in crate::hybrid) impacts: usize,
}

/// How a sequence ended.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::hybrid) enum Outcome {
    /// No gap closes any more.
    Ends,
    /// These close for ever without losing energy.
    Endless(Vec<usize>),
    /// No impulses keep these from closing, or none were found.
    Impossible(Vec<usize>, NoSet),
}

/// A sequence of impacts, made.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Sequence {
    pub(super) blows: Vec<Blow>,
    pub(in crate::hybrid) outcome: Outcome,
    /// The members that close at the beginning.
    pub(in crate::hybrid) first: Vec<usize>,
    /// Some rates were equal: contacts of which it cannot be said which is struck first.
    pub(super) equal: Vec<usize>,
}

impl Sequence {
    /// v⁺ of the last impact.
    pub(in crate::hybrid) fn velocity(&self) -> &[f64] {
        self.blows.last().map_or(&[], |blow| &blow.velocity)
    }
}

/// A member of the sequence: a contact, or those that collide jointly, known by the first of them.
#[derive(Debug, Clone, Copy)]
struct Member {
    touch: Touch,
    gap: GapRate,
    /// −ġ/‖∇g‖.
    speed: f64,
}

/// One sequence, with the collisions of a system that have been loaded where it happens.
pub(in crate::hybrid) struct Sequencer<'c> {
    pub(in crate::hybrid) collision: &'c mut Collision,
    pub(in crate::hybrid) touches: &'c [Touch],
    /// The largest ‖v‖ of the instant, and by how much more than rounding a rate may be off zero.
    pub(in crate::hybrid) speed: f64,
    pub(in crate::hybrid) widening: f64,
    /// How many impacts there may be before the rest is joint and plastic.
    pub(in crate::hybrid) budget: usize,
}

impl Sequencer<'_> {
    /// The sequence from v⁻ in an order.
    pub(in crate::hybrid) fn run(&mut self, v: &[f64], order: Order) -> Sequence {
        let mut made = Sequence {
            blows: Vec::new(),
            outcome: Outcome::Ends,
            first: Vec::new(),
            equal: Vec::new(),
        };
        let mut v = v.to_vec();
        let mut history: Vec<(usize, f64)> = Vec::new();
        loop {
            let members = self.members(&v);
            if made.blows.is_empty() {
                made.first = members.iter().map(|member| member.touch.contact).collect();
            }
            let Some(member) = choose(&members, order, &mut made) else { return made };
            let names = || members.iter().map(|member| member.touch.contact).collect::<Vec<_>>();
            let (count, spent) = (made.blows.len(), made.blows.len() > self.budget);
            if count > 2 * self.budget {
                made.outcome = Outcome::Impossible(names(), NoSet::Impossible);
                return made;
            }
            let loses = |member: &Member| member.touch.restitution[0] <= 1.0 - RATIO_MARGIN;
            if spent && !members.iter().all(loses) {
                made.outcome = Outcome::Endless(names());
                return made;
            }
            history.push((member.touch.contact, member.gap.rate));
            let period = period(&history).filter(|found| self.is_plain(&found.contacts));
            let blow = match &period {
                Some(found) => self.complete(&v, &found.contacts),
                None if spent => self.complete(&v, &names()),
                None => self.impact_of(&v, member),
            };
            let blow = match blow {
                Ok(blow) => blow,
                Err(why) => {
                    made.outcome = Outcome::Impossible(names(), why);
                    return made;
                }
            };
            if period.is_some() {
                history.clear();
            }
            v.copy_from_slice(&blow.velocity);
            made.blows.push(Blow { accumulates: period, ..blow });
        }
    }

    /// The contacts that close, of those that collide jointly the fastest.
    fn members(&mut self, v: &[f64]) -> Vec<Member> {
        let mut members: Vec<Member> = Vec::new();
        for &touch in self.touches {
            let (gap, speed) = self.rate(touch.contact, v);
            if gap.rate >= -gap.tolerance {
                continue;
            }
            let joint = members.iter_mut().find(|member| member.touch.is_joint && touch.is_joint);
            match joint {
                Some(joint) if joint.speed < speed => *joint = Member { touch, gap, speed },
                Some(_) => {}
                None => members.push(Member { touch, gap, speed }),
            }
        }
        members
    }

    /// ġ, and −ġ/‖∇g‖.
    fn rate(&mut self, contact: usize, v: &[f64]) -> (GapRate, f64) {
        let norm = self.collision.gap_norm(contact);
        let gap = self.collision.gap_rate(contact, v, self.widening, norm * self.speed);
        (gap, -gap.rate / norm)
    }

    /// The impact of one member.
    fn impact_of(&mut self, v: &[f64], member: Member) -> Result<Blow, NoSet> {
        let Member { touch, gap, .. } = member;
        if touch.is_joint {
            let joint: Vec<Touch> = self.touches.iter().copied().filter(|t| t.is_joint).collect();
            return self.collide(v, &joint, false);
        }
        let [e, tangential] = touch.restitution;
        let alone = Participant { contact: touch.contact, gap, e, tangential };
        let hits = self.collision.solve(v, &[alone])?;
        Ok(Blow { hits, velocity: self.collision.velocity().to_vec(), accumulates: None })
    }

    /// The limit of infinitely many impacts of these contacts; what rests bears its part of it.
    fn complete(&mut self, v: &[f64], contacts: &[usize]) -> Result<Blow, NoSet> {
        let touches: Vec<Touch> = (self.touches.iter().copied())
            .filter(|touch| {
                let (gap, _) = self.rate(touch.contact, v);
                contacts.contains(&touch.contact) || gap.rate.abs() <= gap.tolerance
            })
            .collect();
        self.collide(v, &touches, true)
    }

    /// The collision of those of these contacts that do not separate, or of all of them with e = 0.
    fn collide(&mut self, v: &[f64], touches: &[Touch], is_plastic: bool) -> Result<Blow, NoSet> {
        let mut participants = Vec::new();
        for touch in touches {
            let (gap, _) = self.rate(touch.contact, v);
            if !is_plastic && gap.rate > gap.tolerance {
                continue;
            }
            let closes = gap.rate < -gap.tolerance && !is_plastic;
            let [e, tangential] = if closes { touch.restitution } else { [0.0; 2] };
            participants.push(Participant { contact: touch.contact, gap, e, tangential });
        }
        let hits = self.collision.solve(v, &participants)?;
        Ok(Blow { hits, velocity: self.collision.velocity().to_vec(), accumulates: None })
    }

    /// Whether these contacts have a gap only.
    fn is_plain(&self, contacts: &[usize]) -> bool {
        let plain = |contact: &usize| {
            let touch = self.touches.iter().find(|touch| touch.contact == *contact);
            touch.is_some_and(|touch| !touch.has_rows)
        };
        contacts.iter().all(plain)
    }
}

/// Contacts of which the order of impacts decides what comes of them, and cannot be told.
pub(super) fn undecided_order(
    sequencer: &mut Sequencer<'_>,
    v: &[f64],
    made: &Sequence,
) -> Option<Vec<usize>> {
    let several = made.first.len() > 1;
    if !several && made.equal.is_empty() {
        return None;
    }
    let first: Vec<Option<usize>> =
        if several { made.first.iter().copied().map(Some).collect() } else { vec![None] };
    for last_of_equal in [false, true] {
        for &first in &first {
            let other = sequencer.run(v, Order { first, last_of_equal });
            let (one, two) = (made.velocity(), other.velocity());
            let change: Vec<f64> = one.iter().zip(two).map(|(one, two)| one - two).collect();
            let same = SAME_OUTCOME * sequencer.widening * sequencer.speed;
            let differs = sequencer.collision.norm(&change) > same;
            if differs || made.outcome != other.outcome {
                return Some(if several { made.first.clone() } else { made.equal.clone() });
            }
        }
    }
    None
}

/// The member that is struck next; notes which others might be.
fn choose(members: &[Member], order: Order, made: &mut Sequence) -> Option<Member> {
    let first = order.first.filter(|_| made.blows.is_empty());
    if let Some(first) = members.iter().find(|member| Some(member.touch.contact) == first) {
        return Some(*first);
    }
    let fastest = members.iter().map(|member| member.speed).fold(0.0, f64::max);
    let equal = |member: &&Member| member.speed >= fastest * (1.0 - SAME_RATE);
    let mut equals = members.iter().filter(equal);
    if equals.clone().nth(1).is_some() && made.equal.is_empty() {
        made.equal = equals.clone().map(|member| member.touch.contact).collect();
    }
    if order.last_of_equal { equals.next_back().copied() } else { equals.next().copied() }
}

/// The contacts of the shortest period in which the last impacts repeat, each rate falling by one ratio
/// r < 1 from one period to the next.
fn period(history: &[(usize, f64)]) -> Option<Accumulated> {
    let end = history.len();
    for p in 2..=PERIOD_MAX.min(end / (PERIODS + 1)) {
        let ratio = history[end - 1].1 / history[end - 1 - p].1;
        let repeats = (end - PERIODS * p..end).all(|i| {
            let ((contact, rate), (before, slower)) = (history[i], history[i - p]);
            contact == before && (rate / slower - ratio).abs() <= RATIO_CHANGE * ratio
        });
        if repeats && ratio < 1.0 - RATIO_CHANGE {
            let mut contacts: Vec<usize> =
                history[end - p..].iter().map(|impact| impact.0).collect();
            contacts.sort_unstable();
            contacts.dedup();
            return Some(Accumulated { contacts, ratio, impacts: end - 1 });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_falls_by_one_ratio() {
        let of = |contacts: &[usize], ratio: f64| -> Vec<(usize, f64)> {
            let rate = |i: usize| -std::iter::repeat_n(ratio, i / contacts.len()).product::<f64>();
            (0..5 * contacts.len()).map(|i| (contacts[i % contacts.len()], rate(i))).collect()
        };
        let found =
            |contacts: Vec<usize>, ratio, impacts| Some(Accumulated { contacts, ratio, impacts });
        assert_eq!(period(&of(&[4, 2], 0.25)), found(vec![2, 4], 0.25, 9));
        assert_eq!(period(&of(&[0, 1, 2, 1], 0.5)), found(vec![0, 1, 2], 0.5, 19));
        assert_eq!(period(&of(&[0, 1], 1.0)), None, "nothing falls");
        assert_eq!(period(&of(&[0, 1], 0.5)[..7]), None, "too few");
        let mut other = of(&[0, 1], 0.5);
        other[7].0 = 3;
        assert_eq!(period(&other), None, "another contact");
    }
}
