//! Time derivatives as they are written where names carry no dots.

/// What is written behind a name; the longest first.
const BEHIND: [(&str, u8); 5] = [("dotdot", 2), ("ddot", 2), ("dot", 1), ("dd", 2), ("d", 1)];

/// What is written in front of one.
const BEFORE: [(&str, u8); 6] = [("ddot", 2), ("dot", 1), ("d", 1), ("D", 1), ("vel", 1), ("v", 1)];

/// The bases and dots that a text may be meant to have: `xdot`, `x_d`, `dot_x` and `vx` are ẋ, `xddot` is ẍ.
///
/// Whether a base is declared is the caller's question.
pub fn derivatives(text: &str) -> impl Iterator<Item = (&str, u8)> {
    let behind = BEHIND.into_iter().filter_map(move |(mark, dots)| {
        Some((text.strip_suffix(mark)?.trim_end_matches('_'), dots))
    });
    let before = BEFORE.into_iter().filter_map(move |(mark, dots)| {
        Some((text.strip_prefix(mark)?.trim_start_matches('_'), dots))
    });
    behind.chain(before).filter(|(base, _)| !base.is_empty())
}
