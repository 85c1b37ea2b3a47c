//! Numbers, names, lists and what may be there, in words.

use super::words::{Broken, Part, Reader, Value, Writer};
use crate::system::enclosure::{Interval, Jet};
use std::collections::VecDeque;
use std::sync::Arc;

impl Value for u64 {
    fn write(&self, to: &mut Writer) {
        to.word(*self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let word = from.word()?;
        from.check(word <= from.largest)?;
        Ok(word)
    }
}

impl Value for usize {
    fn write(&self, to: &mut Writer) {
        to.word(*self as u64);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Self::try_from(u64::read(from)?).map_err(|_| from.broken())
    }
}

impl Value for f64 {
    fn write(&self, to: &mut Writer) {
        to.word(self.to_bits());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.word().map(Self::from_bits)
    }
}

/// A box by its sides.
impl Value for Interval {
    fn write(&self, to: &mut Writer) {
        (self.low(), self.high()).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Value::read(from).map(|(low, high)| Self::new(low, high))
    }
}

impl Value for Jet {
    fn write(&self, to: &mut Writer) {
        (self.value, self.rate, self.bend).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Value::read(from).map(|(value, rate, bend)| Self { value, rate, bend })
    }
}

impl Value for bool {
    fn write(&self, to: &mut Writer) {
        to.word(u64::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.word()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(from.broken()),
        }
    }
}

impl Value for String {
    fn write(&self, to: &mut Writer) {
        write_text(self, to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let length = usize::read(from)?;
        let mut bytes = Vec::new();
        for _ in 0..length.div_ceil(8) {
            bytes.extend(from.word()?.to_le_bytes());
        }
        bytes.truncate(length);
        Self::from_utf8(bytes).map_err(|_| from.broken())
    }
}

/// A name of the system, or of what it has.
impl Value for &'static str {
    fn write(&self, to: &mut Writer) {
        write_text(self, to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let name = String::read(from)?;
        from.name(&name)
    }
}

fn write_text(text: &str, to: &mut Writer) {
    to.word(text.len() as u64);
    for bytes in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        to.word(u64::from_le_bytes(word));
    }
}

impl<V: Value> Value for Option<V> {
    fn write(&self, to: &mut Writer) {
        self.is_some().write(to);
        if let Some(value) = self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        bool::read(from)?.then(|| V::read(from)).transpose()
    }
}

impl<V: Value> Value for Vec<V> {
    fn write(&self, to: &mut Writer) {
        to.list(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.list()
    }
}

impl<V: Value> Value for Box<[V]> {
    fn write(&self, to: &mut Writer) {
        to.list(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.list().map(Vec::into_boxed_slice)
    }
}

impl<V: Value> Value for Arc<[V]> {
    fn write(&self, to: &mut Writer) {
        to.list(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.list().map(Self::from)
    }
}

impl<V: Value> Value for VecDeque<V> {
    fn write(&self, to: &mut Writer) {
        to.word(self.len() as u64);
        for value in self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.list().map(Self::from)
    }
}

impl<V: Value> Value for [V; 2] {
    fn write(&self, to: &mut Writer) {
        for value in self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok([V::read(from)?, V::read(from)?])
    }
}

impl<A: Value, B: Value> Value for (A, B) {
    fn write(&self, to: &mut Writer) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

impl<A: Value, B: Value, C: Value> Value for (A, B, C) {
    fn write(&self, to: &mut Writer) {
        self.0.write(to);
        self.1.write(to);
        self.2.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok((A::read(from)?, B::read(from)?, C::read(from)?))
    }
}

/// A list of values whose length the system tells.
impl<V: Value> Part for Vec<V> {
    fn save(&self, to: &mut Writer) {
        to.list(self);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        from.expect(self.len() as u64)?;
        for value in self {
            *value = V::read(from)?;
        }
        Ok(())
    }
}

impl<V: Value, const N: usize> Part for [Option<V>; N] {
    fn save(&self, to: &mut Writer) {
        for value in self {
            value.write(to);
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        for value in self {
            *value = Option::read(from)?;
        }
        Ok(())
    }
}

impl<V: Value, const N: usize> Part for [Vec<V>; N] {
    fn save(&self, to: &mut Writer) {
        for list in self {
            list.save(to);
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        self.iter_mut().try_for_each(|list| list.restore(from))
    }
}

/// What is there, or not, by the system and the options.
impl<P: Part> Part for Option<P> {
    fn save(&self, to: &mut Writer) {
        self.is_some().write(to);
        if let Some(part) = self {
            part.save(to);
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        from.expect(u64::from(self.is_some()))?;
        self.iter_mut().try_for_each(|part| part.restore(from))
    }
}

impl<P: Part> Part for Box<P> {
    fn save(&self, to: &mut Writer) {
        self.as_ref().save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        self.as_mut().restore(from)
    }
}
