//! The lines of a text in which some places stand: what is shown of a mistake does not depend on how
//! long the text and its lines are.

use std::ops::Range;

/// Longer lines are cut, in bytes.
const LINE_MAX: usize = 300;
/// What is kept of a long line before a place.
const BEFORE: usize = 60;
/// What stands for what is cut.
const CUT: &str = "…";

/// Some lines of a text.
pub(super) struct Excerpt {
    /// The lines.
    pub(super) text: String,
    /// The number of the first, from 1.
    pub(super) line: usize,
    /// The places within these lines.
    pub(super) places: Vec<Range<usize>>,
    /// The line and the column of the first place in the whole text.
    pub(super) origin: (usize, usize),
}

/// The lines from the first to the last of some places, long ones cut around them.
pub(super) fn excerpt(source: &str, places: &[Range<usize>]) -> Excerpt {
    let mut inside: Vec<Range<usize>> = places.iter().map(|at| within(source, at)).collect();
    let first = inside.iter().map(|at| at.start).min().unwrap_or(0);
    let last = inside.iter().map(|at| at.end).max().unwrap_or(0);
    let start = source[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = source[last..].find('\n').map_or(source.len(), |at| last + at);
    let (line, _) = line_and_column(source, start);
    let origin = line_and_column(source, inside.first().map_or(0, |at| at.start));
    let (mut text, mut at) = (String::new(), start);
    let mut moved = inside.clone();
    for shown in source[start..end].split_inclusive('\n') {
        let span = at..at + shown.len();
        let kept = kept(source, &span, &inside);
        let cuts = [kept.start > span.start, kept.end < span.end]
            .map(|is_cut| if is_cut { CUT } else { "" });
        text.push_str(cuts[0]);
        let new = text.len();
        let place = |at: usize| new + at.clamp(kept.start, kept.end) - kept.start;
        for (old, moved) in inside.iter().zip(&mut moved) {
            if span.contains(&old.start) || old.start == end && span.end == end {
                moved.start = place(old.start);
            }
            if span.start <= old.end && old.end <= span.end {
                moved.end = place(old.end);
            }
        }
        text.push_str(&source[kept.clone()]);
        text.push_str(cuts[1]);
        if !cuts[1].is_empty() && shown.ends_with('\n') {
            text.push('\n');
        }
        at = span.end;
    }
    inside = moved.into_iter().map(|at| at.start.min(at.end)..at.end.max(at.start)).collect();
    Excerpt { text, line, places: inside, origin }
}

/// The line and the column, in letters, of a byte, from 1.
pub(super) fn line_and_column(source: &str, at: usize) -> (usize, usize) {
    let start = source[..at].rfind('\n').map_or(0, |at| at + 1);
    let lines = source[..start].bytes().filter(|byte| *byte == b'\n').count();
    (1 + lines, 1 + source[start..at].chars().count())
}

/// What is kept of a line: all of it, or what stands around the first place that begins in it.
fn kept(source: &str, line: &Range<usize>, places: &[Range<usize>]) -> Range<usize> {
    if line.len() <= LINE_MAX {
        return line.clone();
    }
    let begun = places.iter().map(|at| at.start).filter(|at| line.contains(at)).min();
    let middle = begun.unwrap_or(line.start);
    let start = boundary(source, middle.saturating_sub(BEFORE).max(line.start));
    start..boundary(source, (start + LINE_MAX).min(line.end))
}

/// The bytes of a place, kept inside of the text.
fn within(source: &str, at: &Range<usize>) -> Range<usize> {
    boundary(source, at.start)..boundary(source, at.end.max(at.start))
}

/// The last boundary of characters at or before a byte.
fn boundary(source: &str, at: usize) -> usize {
    (0..=at.min(source.len())).rev().find(|at| source.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept_with_their_lines() {
        let long = format!("a {} b {} c", "x".repeat(1000), "y".repeat(1000));
        let text = format!("one\ntwo three\n{long}\nfour");
        let of = |word: &str| {
            let at = text.find(word).unwrap();
            at..at + word.len()
        };
        // places by what stands there, the first line, the number of lines
        let table: [(&[&str], usize, usize); 8] = [
            (&["one"], 1, 1),
            (&["three"], 2, 1),
            (&["three", "one"], 1, 2),
            (&["four"], 4, 1),
            (&[" b "], 3, 1),
            (&["a xx", "four"], 3, 2),
            (&["y c"], 3, 1),
            (&["two", " b "], 2, 2),
        ];
        for (words, line, lines) in table {
            let places: Vec<Range<usize>> = words.iter().map(|word| of(word)).collect();
            let found = excerpt(&text, &places);
            assert_eq!((found.line, found.text.lines().count()), (line, lines), "{words:?}");
            for (word, at) in words.iter().zip(&found.places) {
                assert_eq!(&found.text[at.clone()], *word, "{:?}", found.text);
            }
            assert!(found.text.len() < 700, "{}", found.text.len());
            let (line, column) = found.origin;
            let at = text.lines().nth(line - 1).unwrap();
            let told: String = at.chars().skip(column - 1).collect();
            assert!(told.starts_with(words[0]), "{words:?} at {line}:{column}");
        }
        // What is longer than is kept is marked as far as it is kept, what lies outside at the end.
        let all = excerpt(&text, &[of(&long)]);
        assert!(all.text.len() < 400 && all.places[0].len() > 200);
        let outside = excerpt(&text, &[9000..9010, text.len()..text.len()]);
        assert_eq!(outside.text, "four");
    }
}
