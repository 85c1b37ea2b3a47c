//! Putting lists in order with one sort for all types: code for each type is a tenth of an engine in a browser, and most
//! lists are short. What a derivation sorts all the time has its own.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A short list.
const SHORT: usize = 20;

/// Sorts a list by a comparison; what compares equal keeps its order.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if list.is_sorted_by(|a, b| compare(a, b).is_le()) {
        return;
    }
    let mut places = places(list.len(), &|a, b| compare(&list[a], &list[b]));
    fill(&mut places, &mut |a, b| list.swap(a, b));
}

/// The same of lists that are short as a rule: by insertion where they are.
pub fn in_place_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if list.len() > SHORT {
        return sort_by(list, compare);
    }
    for end in 1..list.len() {
        let mut place = end;
        while place > 0 && compare(&list[place - 1], &list[place]).is_gt() {
            list.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// Sorts a list by a key of its entries; what has one key keeps its order.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Sorts a list; what is equal keeps its order.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// A map of entries, put in one after another: what is collected is sorted first, by code for its type.
pub fn map<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}

/// Where the entry stands that comes to each place.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    // By merging: the sort of the standard library is a thousand instructions for each type of a list.
    let mut places: Vec<usize> = (0..count).collect();
    let mut merged = places.clone();
    let mut width = 1;
    while width < count {
        for start in (0..count).step_by(2 * width) {
            let (middle, end) = (count.min(start + width), count.min(start + 2 * width));
            let (mut first, mut second) = (start, middle);
            for place in &mut merged[start..end] {
                let is_first = first < middle
                    && (second == end || compare(places[first], places[second]).is_le());
                let next = if is_first { &mut first } else { &mut second };
                *place = places[*next];
                *next += 1;
            }
        }
        std::mem::swap(&mut places, &mut merged);
        width *= 2;
    }
    places
}

/// Moves each entry to its place, by the cycles of the permutation.
fn fill(places: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..places.len() {
        let mut place = start;
        loop {
            let next = std::mem::replace(&mut places[place], place);
            if next == start {
                break;
            }
            swap(place, next);
            place = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_stable_sort() {
        let mut state = 1_u64;
        for count in [0, 1, 2, 3, 10, 57, 500] {
            let mut list: Vec<(u64, usize)> = Vec::new();
            for place in 0..count {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                list.push((state >> 60, place));
            }
            let mut expected = list.clone();
            expected.sort_by_key(|entry| entry.0);
            let mut in_place = list.clone();
            in_place_by(&mut in_place, |a, b| a.0.cmp(&b.0));
            sort_by_key(&mut list, |entry| entry.0);
            assert_eq!(list, expected);
            assert_eq!(in_place, expected);
            list.reverse();
            sort(&mut list);
            assert_eq!(list, expected);
        }
    }
}
