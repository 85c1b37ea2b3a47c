//! Lists that begin at a line of the cache.

/// Numbers and bytes of a line.
const LINE: (usize, usize) = (8, 64);

/// Numbers from the begin of a line on: a row of them that is as long as a register stands in one line, or
/// in as few as it can. How long a step takes would else depend on where the memory happens to be.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    numbers: Vec<f64>,
    first: usize,
}

impl Lines {
    /// Room for so many numbers, whatever they are.
    pub(super) fn resize(&mut self, length: usize) {
        if self.len() != length {
            self.numbers.resize(length + LINE.0, 0.0);
            self.first = self.numbers.as_ptr().align_offset(LINE.1).min(LINE.0);
            self.numbers.truncate(self.first + length);
        }
    }
}

impl std::ops::Deref for Lines {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.numbers[self.first..]
    }
}

impl std::ops::DerefMut for Lines {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.numbers[self.first..]
    }
}
