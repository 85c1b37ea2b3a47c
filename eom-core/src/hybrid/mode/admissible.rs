//! Which of several contacts act: the largest admissible set.
//!
//! Complementarity asks for the set S of acting contacts such that none of S pulls and none of the
//! others is driven into its surface.
//!
//! **A few** ([`FEW`]): the sets are tried one after the other, from all contacts to none, those of one
//! size by their order, so that the answer is the same on every run and a contact at the border between
//! both counts as acting.
//!
//! **Many**: the set is that of a convex problem ([`ActiveSet`]), which has the gaps of the contacts and no
//! rows else. What of the others is at the border acts too, as far as its row is independent. Where
//! contacts have rows of their own, or forces, which act with them, this set is where pivots begin: all
//! contacts that are wrong change sides, as long as their number falls; where it does not within
//! [`PATIENCE`] pivots, only the last of them does, the rule by which no set comes twice where the matrix of
//! the problem is a P-matrix (Murty 1974; Júdice, Pires 1994). A set is taken only if it is admissible by the
//! same test as with few.
//!
//! *Termination.* There are finitely many sets; the convex problem ends by its lemma, and there are at most
//! [`PIVOTS`] pivots a contact.

use crate::contact::rows::{ActiveSet, Rows, Slack};

/// So many contacts are sorted out by trying all 2¹² sets of them.
pub(in crate::hybrid) const FEW: usize = 12;

/// Pivots in which the number of wrong contacts need not fall.
const PATIENCE: usize = 4;

/// Pivots for each contact.
const PIVOTS: usize = 10;

/// A complementarity problem of contacts.
pub(in crate::hybrid) trait Complementarity {
    /// Solves with the contacts of a set acting. False where their rows depend on each other.
    fn act(&mut self, set: &[usize]) -> bool;

    /// After this, whether a contact of the set does not pull, or another is not driven into its surface.
    fn is_consistent(&mut self, contact: usize, set: &[usize]) -> bool;

    /// How far a contact is from being driven into its surface, and what of that is rounding.
    fn slack(&mut self, contact: usize) -> Slack;

    /// The rows that the problem is of; with no contact acting those that act in any case.
    fn rows(&mut self) -> &mut Rows;
}

/// Why there is no set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::hybrid) enum NoSet {
    /// None is admissible.
    Impossible,
    /// None was found.
    NotFound,
}

/// The largest admissible set, which acts.
pub(in crate::hybrid) fn largest(
    contacts: &[usize],
    problem: &mut impl Complementarity,
) -> Result<Vec<usize>, NoSet> {
    if contacts.len() > FEW {
        return of_many(contacts, problem);
    }
    let admissible = |set: &[usize]| is_admissible(contacts, set, problem);
    of_few(contacts, admissible).ok_or(NoSet::Impossible)
}

fn is_admissible(contacts: &[usize], set: &[usize], problem: &mut impl Complementarity) -> bool {
    problem.act(set) && contacts.iter().all(|&contact| problem.is_consistent(contact, set))
}

/// The first admissible set, by falling size.
fn of_few(
    contacts: &[usize],
    mut is_admissible: impl FnMut(&[usize]) -> bool,
) -> Option<Vec<usize>> {
    let mut set = Vec::with_capacity(contacts.len());
    let found = masks(contacts.len()).any(|mask| {
        set.clear();
        set.extend(members(contacts, mask));
        is_admissible(&set)
    });
    found.then_some(set)
}

/// All sets of a few contacts, by falling size.
pub(in crate::hybrid) fn subsets(contacts: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    masks(contacts.len()).map(move |mask| members(contacts, mask).collect())
}

/// Those among which some contacts are told to be, or not to be.
pub(super) fn subsets_with(
    contacts: &[usize],
    told: &[(usize, bool)],
) -> impl Iterator<Item = Vec<usize>> {
    let told_of = |contact: usize| told.iter().find(|told| told.0 == contact);
    let open = contacts.iter().copied().filter(|contact| told_of(*contact).is_none());
    let open: Vec<usize> = open.collect();
    masks(open.len()).map(move |mask| {
        let set: Vec<usize> = members(&open, mask).collect();
        let is_in =
            |contact: &usize| told_of(*contact).map_or(set.contains(contact), |told| told.1);
        contacts.iter().copied().filter(is_in).collect()
    })
}

/// The sets of this many, one bit for each member, by falling size.
fn masks(count: usize) -> impl Iterator<Item = u32> {
    let of_size =
        move |size: usize| (0_u32..1 << count).filter(move |m| m.count_ones() as usize == size);
    (0..=count).rev().flat_map(of_size)
}

/// The contacts of a set.
fn members(contacts: &[usize], mask: u32) -> impl Iterator<Item = usize> + '_ {
    (0..contacts.len()).filter(move |i| mask >> i & 1 == 1).map(move |i| contacts[i])
}

/// That of the convex problem, or what pivots make of it.
fn of_many(contacts: &[usize], problem: &mut impl Complementarity) -> Result<Vec<usize>, NoSet> {
    problem.act(&[]);
    let slacks: Vec<Slack> = contacts.iter().map(|&contact| problem.slack(contact)).collect();
    let mut active = ActiveSet::new(problem.rows(), &slacks);
    if !active.solve() {
        return Err(NoSet::Impossible);
    }
    let needed = active.contacts();
    let wider = active.with_border();
    for set in [&wider, &needed] {
        if is_admissible(contacts, set, problem) {
            return Ok(set.clone());
        }
    }
    pivot(contacts, needed, problem)
}

/// Pivots from a set to one that is admissible.
fn pivot(
    contacts: &[usize],
    mut set: Vec<usize>,
    problem: &mut impl Complementarity,
) -> Result<Vec<usize>, NoSet> {
    let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
    for _ in 0..PIVOTS * contacts.len() {
        if !problem.act(&set) {
            set = independent(&set, problem);
            problem.act(&set);
        }
        let mut wrong: Vec<usize> =
            contacts.iter().copied().filter(|&c| !problem.is_consistent(c, &set)).collect();
        if wrong.is_empty() {
            return Ok(set);
        }
        if wrong.len() < fewest {
            (fewest, patience) = (wrong.len(), PATIENCE);
        } else if patience > 0 {
            patience -= 1;
        } else {
            wrong = wrong.split_off(wrong.len() - 1);
        }
        let acts = |contact: &usize| set.contains(contact) != wrong.contains(contact);
        set = contacts.iter().copied().filter(acts).collect();
    }
    Err(NoSet::NotFound)
}

/// Of a set whose rows depend on each other those that do not depend on the ones before.
fn independent(set: &[usize], problem: &mut impl Complementarity) -> Vec<usize> {
    let rows = problem.rows();
    rows.close(&[]);
    set.iter().copied().filter(|&contact| rows.push_gap(contact)).collect()
}

/// What each term does in the combination of a number: the first term changes last.
pub(in crate::hybrid) fn combination<A: Clone>(
    options: &[(usize, Vec<A>)],
    number: usize,
) -> Vec<(usize, A)> {
    let mut rest = number;
    let mut actions: Vec<(usize, A)> = Vec::with_capacity(options.len());
    for (term, choices) in options.iter().rev() {
        actions.push((*term, choices[rest % choices.len()].clone()));
        rest /= choices.len();
    }
    actions.reverse();
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_by_falling_size_and_order() {
        let mut seen = Vec::new();
        let none = of_few(&[4, 7, 9], |set| {
            seen.push(set.to_vec());
            false
        });
        assert_eq!(none, None);
        let sets: Vec<&[usize]> =
            vec![&[4, 7, 9], &[4, 7], &[4, 9], &[7, 9], &[4], &[7], &[9], &[]];
        assert_eq!(seen, sets);
        assert_eq!(of_few(&[4, 7, 9], |set| !set.contains(&4)), Some(vec![7, 9]));
    }
}
