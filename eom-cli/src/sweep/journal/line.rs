//! A line of a journal, and its checksum.
//!
//! ```text
//! line = CRC ' ' LENGTH ' ' TEXT '\n'
//! ```
//!
//! CRC is the CRC-32 of IEEE 802.3 (polynomial 0x04C11DB7, reflected, begun and ended with all ones),
//! in eight hexadecimal digits, of a seed and TEXT. It finds every change of at most 32 bits in a row,
//! and one in 2³² of the others passes. LENGTH is that of TEXT in bytes: a line whose end is broken
//! does not take the next one with it.

use std::io::{self, BufRead};

/// A line of a text; the checksum is that of the seed and the text.
pub(super) fn line(seed: &[u8], text: &str) -> String {
    format!("{:08x} {} {text}\n", checksum(seed, text.as_bytes()), text.len())
}

fn checksum(seed: &[u8], text: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(seed);
    hasher.update(text);
    hasher.finalize()
}

/// The text at the beginning of some bytes that are a line, where its checksum is right.
pub(super) fn text<'b>(seed: &[u8], bytes: &'b [u8]) -> Option<&'b [u8]> {
    let (crc, start, length) = head(bytes)?;
    let text = bytes.get(start..start.checked_add(length)?)?;
    (checksum(seed, text) == crc).then_some(text)
}

/// The checksum, where the text begins, its length.
fn head(bytes: &[u8]) -> Option<(u32, usize, usize)> {
    let digits = std::str::from_utf8(bytes.get(..8)?).ok()?;
    if !digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let crc = u32::from_str_radix(digits, 16).ok()?;
    let rest = bytes.get(8..)?.strip_prefix(b" ")?;
    let end = rest.iter().position(|byte| *byte == b' ')?;
    let length = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    Some((crc, 9 + end + 1, length))
}

/// What stands in a file of lines.
pub(super) struct Lines {
    /// How many are broken.
    pub(super) broken: usize,
    /// Where the last whole line ends. What stands behind it was being written when it broke off.
    pub(super) end: u64,
}

/// Reads lines from `start` on; `see` is given the text of each that is right, where its line begins,
/// and the length of the line.
pub(super) fn read(
    mut from: impl BufRead,
    start: u64,
    seed: &[u8],
    mut see: impl FnMut(&[u8], (u64, usize)),
) -> io::Result<Lines> {
    let mut lines = Lines { broken: 0, end: start };
    let mut bytes = Vec::new();
    // Whether what comes may be the rest of a broken line that was cut in two.
    let mut in_broken = false;
    loop {
        bytes.clear();
        from.read_until(b'\n', &mut bytes)?;
        if bytes.last() != Some(&b'\n') {
            return Ok(lines);
        }
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let at = lines.end + (bytes.len() - rest.len()) as u64;
            let Some(text) = text(seed, rest) else {
                let is_rest = in_broken && head(rest).is_none();
                lines.broken += usize::from(!is_rest);
                in_broken = true;
                break;
            };
            let before = head(rest).map_or(0, |(_, start, _)| start);
            // One byte more is the end of the line, whatever has become of it.
            let length = (before + text.len() + 1).min(rest.len());
            see(text, (at, length));
            in_broken = false;
            rest = &rest[length..];
        }
        lines.end += bytes.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value that the definition of CRC-32 gives, and one of zlib.
    #[test]
    fn the_checksum_is_that_of_its_definition() {
        assert_eq!(checksum(b"", b"123456789"), 0xcbf4_3926);
        assert_eq!(checksum(b"1234", b"56789"), 0xcbf4_3926);
        assert_eq!(line(b"", "123456789"), "cbf43926 9 123456789\n");
    }

    /// Whatever bit of three lines is changed: the others are read, and nothing wrong.
    #[test]
    fn a_changed_bit_costs_one_line() {
        let texts = ["{\"run\":1}", "{\"run\":20,\"x\":[1.5]}", "{}"];
        let whole: Vec<u8> = texts.iter().flat_map(|text| line(b"s", text).into_bytes()).collect();
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let mut seen = Vec::new();
            let lines = read(&bytes[..], 0, b"s", |text, _| seen.push(text.to_vec())).unwrap();
            let wrong = seen.iter().filter(|text| !texts.iter().any(|t| t.as_bytes() == *text));
            assert_eq!(wrong.count(), 0, "bit {bit}");
            assert!(seen.len() >= 2, "bit {bit}: {}", seen.len());
            assert!(lines.broken <= 1, "bit {bit}: {}", lines.broken);
        }
    }

    #[test]
    fn another_seed_is_another_sweep() {
        let one = line(b"one", "{}");
        assert!(text(b"one", one.as_bytes()).is_some());
        assert!(text(b"other", one.as_bytes()).is_none());
    }
}
