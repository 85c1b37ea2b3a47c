//! Which of several contacts act: the largest admissible set.
//!
//! Complementarity asks for the set S of acting contacts such that none of S pulls and none of the
//! others is driven into its surface. The sets are tried one after the other, from all contacts to
//! none, those of one size by their order, so that the answer is the same on every run and a
//! contact at the border between both counts as acting.

/// More contacts than this at one place are not sorted out: there are 2¹² sets of them.
pub(super) const CONTACTS_MAX: usize = 12;

/// The first admissible set of at most [`CONTACTS_MAX`] contacts.
pub(super) fn largest(
    contacts: &[usize],
    mut is_admissible: impl FnMut(&[usize]) -> bool,
) -> Option<Vec<usize>> {
    if contacts.len() > CONTACTS_MAX {
        return None;
    }
    let mut set = Vec::with_capacity(contacts.len());
    for size in (0..=contacts.len()).rev() {
        for mask in 0_u32..1 << contacts.len() {
            if mask.count_ones() as usize != size {
                continue;
            }
            set.clear();
            set.extend((0..contacts.len()).filter(|i| mask >> i & 1 == 1).map(|i| contacts[i]));
            if is_admissible(&set) {
                return Some(set);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_by_falling_size_and_order() {
        let mut seen = Vec::new();
        let none = largest(&[4, 7, 9], |set| {
            seen.push(set.to_vec());
            false
        });
        assert_eq!(none, None);
        let sets: Vec<&[usize]> =
            vec![&[4, 7, 9], &[4, 7], &[4, 9], &[7, 9], &[4], &[7], &[9], &[]];
        assert_eq!(seen, sets);
        assert_eq!(largest(&[4, 7, 9], |set| !set.contains(&4)), Some(vec![7, 9]));
        assert_eq!(largest(&[0; CONTACTS_MAX + 1], |_| true), None);
    }
}
