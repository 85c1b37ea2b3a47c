//! The sum of a chunk in its own footer: a bit that has turned over is found wherever it is, in the numbers, too.
//!
//! sum = SHA-256 of the bytes of the file, in which the digits of the sum are zeros

use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek as _, SeekFrom, Write as _};

/// The key of the sum.
pub(crate) const KEY: &str = "eom sum";
/// The sum while it is not known.
pub(crate) const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// What stands between key and digits: a text is next, of this length.
const BETWEEN: &[u8] = &[0x18, 64];
/// The end of a file: the length of the footer, four letters.
const END: u64 = 8;

/// Writes the sum of a file that is written but for it.
pub(crate) fn seal(file: &mut File) -> io::Result<()> {
    let place = place(file)?.ok_or(ErrorKind::InvalidData)?;
    let sum = sum(file, place)?;
    file.seek(SeekFrom::Start(place))?;
    file.write_all(sum.as_bytes())
}

/// Whether the bytes of a file are those that were written.
pub(crate) fn is_whole(file: &mut File) -> io::Result<bool> {
    let Some(place) = place(file)? else { return Ok(false) };
    let mut found = [0; BLANK.len()];
    file.seek(SeekFrom::Start(place))?;
    file.read_exact(&mut found)?;
    Ok(sum(file, place)?.as_bytes() == found)
}

/// Where the digits of the sum stand; nothing where a file has none.
fn place(file: &mut File) -> io::Result<Option<u64>> {
    let length = file.seek(SeekFrom::End(0))?;
    let Some(end) = length.checked_sub(END) else { return Ok(None) };
    file.seek(SeekFrom::Start(end))?;
    let mut size = [0; 4];
    file.read_exact(&mut size)?;
    let size = u64::from(u32::from_le_bytes(size));
    let Some(first) = end.checked_sub(size) else { return Ok(None) };
    let mut footer = Vec::new();
    file.seek(SeekFrom::Start(first))?;
    Read::by_ref(file).take(size).read_to_end(&mut footer)?;
    let key = [KEY.as_bytes(), BETWEEN].concat();
    let found = footer.windows(key.len()).position(|some| some == key);
    let digits = found.map(|at| at + key.len()).filter(|at| at + BLANK.len() <= footer.len());
    Ok(digits.map(|at| first + at as u64))
}

fn sum(file: &mut File, place: u64) -> io::Result<String> {
    let mut sum = Sha256::new();
    file.seek(SeekFrom::Start(0))?;
    io::copy(&mut Read::by_ref(file).take(place), &mut sum)?;
    sum.update(BLANK);
    file.seek(SeekFrom::Start(place + BLANK.len() as u64))?;
    io::copy(file, &mut sum)?;
    Ok(format!("{:x}", sum.finalize()))
}
