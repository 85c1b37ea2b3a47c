//! The words of a snapshot: how what a run is made of is written in numbers of 64 bits, and read again.
//!
//! ```text
//! f64         its bits
//! integer     itself
//! list        its length, then its entries
//! option      0, or 1 and what there is
//! choice      its number, then what belongs to it
//! name        its bytes, eight a word
//! ```
//!
//! A *value* is read as what stands in the words. A *part* is read into one that has been made for the same
//! system with the same options: its lists have to be as long as they are, and what it has of the system, or makes anew
//! before it is used, is not in the words. Each part begins with a word that is made of the names of its
//! fields, so that words of a part with other fields are told from its own.
//!
//! Nothing is believed of the words: memory is taken entry by entry, as far as words are there.

use crate::info::{FrictionKind, SystemInfo};

/// The words do not hold what they should; in which part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken(pub(crate) &'static str);

/// No run counts further.
const COUNT_MAX: u64 = 1 << 53;

/// Takes words.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) words: Vec<u64>,
}

/// Gives words.
#[derive(Debug)]
pub(crate) struct Reader<'w> {
    words: &'w [u64],
    info: &'static SystemInfo,
    /// What is read at present.
    part: &'static str,
    /// No integer is larger.
    pub(super) largest: u64,
}

/// What is read as it stands in the words.
pub(crate) trait Value: Sized {
    fn write(&self, to: &mut Writer);
    fn read(from: &mut Reader<'_>) -> Result<Self, Broken>;
}

/// What is read into one of the same system.
pub(crate) trait Part {
    fn save(&self, to: &mut Writer);
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken>;
}

impl Writer {
    pub(crate) fn word(&mut self, word: u64) {
        self.words.push(word);
    }

    pub(crate) fn list<V: Value>(&mut self, list: &[V]) {
        self.word(list.len() as u64);
        for value in list {
            value.write(self);
        }
    }
}

impl<'w> Reader<'w> {
    /// Of the words of a run of a system.
    pub(crate) fn new(words: &'w [u64], info: &'static SystemInfo) -> Self {
        Self { words, info, part: "a run", largest: u64::MAX }
    }

    /// Integers are from here on what a run has counted, not what it is allowed to.
    pub(crate) fn counts(mut self) -> Self {
        self.largest = COUNT_MAX;
        self
    }

    pub(crate) fn broken(&self) -> Broken {
        Broken(self.part)
    }

    pub(crate) fn word(&mut self) -> Result<u64, Broken> {
        let (first, rest) = self.words.split_first().ok_or(self.broken())?;
        self.words = rest;
        Ok(*first)
    }

    /// The next word has to be this one.
    pub(crate) fn expect(&mut self, word: u64) -> Result<(), Broken> {
        let found = self.word()?;
        self.check(found == word)
    }

    pub(crate) fn check(&self, holds: bool) -> Result<(), Broken> {
        if holds { Ok(()) } else { Err(self.broken()) }
    }

    /// A part begins.
    pub(crate) fn enter(&mut self, part: &'static str, layout: u64) -> Result<(), Broken> {
        self.part = part;
        self.expect(layout)
    }

    /// All words have been read.
    pub(crate) fn end(&self) -> Result<(), Broken> {
        if self.words.is_empty() { Ok(()) } else { Err(Broken("a run, and no more")) }
    }

    pub(super) fn list<V: Value>(&mut self) -> Result<Vec<V>, Broken> {
        let (length, mut list) = (self.word()?, Vec::new());
        for _ in 0..length {
            list.push(V::read(self)?);
        }
        Ok(list)
    }

    /// The system has to be one with which it fits.
    pub(crate) fn fits(&self, fits: impl FnOnce(&SystemInfo) -> bool) -> Result<(), Broken> {
        self.check(fits(self.info))
    }

    /// These have to be indices of contacts.
    pub(crate) fn contacts(&self, contacts: &[usize]) -> Result<(), Broken> {
        self.check(contacts.iter().all(|contact| *contact < self.info.contacts.len()))
    }

    /// These have to be indices of terms of friction.
    pub(crate) fn frictions(&self, terms: &[usize]) -> Result<(), Broken> {
        self.check(terms.iter().all(|term| *term < self.info.frictions.len()))
    }

    /// It has to be an index of a guard.
    pub(crate) fn guard(&self, guard: usize) -> Result<(), Broken> {
        let SystemInfo { contacts, events, frictions, .. } = self.info;
        let rows = frictions.iter().filter(|friction| friction.kind == FrictionKind::Row).count();
        let extents: usize = contacts.iter().map(|contact| contact.extents).sum();
        self.check(guard < contacts.len() + events.len() + extents + frictions.len() + rows)
    }

    /// A state has to have so many coordinates and speeds.
    pub(crate) fn sizes(&self, q: &[f64], v: &[f64]) -> Result<(), Broken> {
        self.check(q.len() == self.info.positions() && v.len() == self.info.speeds())
    }

    /// A name of the system as a static one.
    pub(super) fn name(&self, name: &str) -> Result<&'static str, Broken> {
        let SystemInfo { coordinates, velocities, rotations, rows, contacts, .. } = *self.info;
        let SystemInfo { events, frictions, .. } = *self.info;
        let own = contacts.iter().flat_map(|contact| contact.rows).map(|row| row.name);
        let mut names = (coordinates.iter().chain(velocities).map(|entry| entry.name))
            .chain(rotations.iter().map(|rotation| rotation.name))
            .chain(rows.iter().map(|row| row.name))
            .chain(contacts.iter().map(|contact| contact.name))
            .chain(own)
            .chain(events.iter().map(|event| event.name))
            .chain(frictions.iter().map(|friction| friction.name))
            .chain(["friction"]);
        names.find(|known| *known == name).ok_or(self.broken())
    }
}

/// Words of what is told by words: the last word changes where any does (FNV-1a, over words).
pub(crate) const fn folded(words: &[u64], start: u64) -> u64 {
    let (mut sum, mut i) = (start, 0);
    while i < words.len() {
        sum = (sum ^ words[i]).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        i += 1;
    }
    sum
}

/// A word for a text: the names of the fields of a part, equations.
pub(crate) const fn layout(names: &str) -> u64 {
    let (mut sum, mut rest) = (0xcbf2_9ce4_8422_2325, names.as_bytes());
    while let Some((eight, behind)) = rest.split_first_chunk() {
        sum = folded(&[u64::from_le_bytes(*eight)], sum);
        rest = behind;
    }
    while let [byte, behind @ ..] = rest {
        sum = folded(&[*byte as u64], sum);
        rest = behind;
    }
    sum
}

/// A struct as a part: fields that are parts themselves, those that are values, and those that are room, or
/// made of the system, the inputs and the options. A field that is in none of the lists does not compile. What has to
/// hold of the fields besides can be told at the end.
macro_rules! part {
    (
        $type:ty {
            parts: [$($part:ident),* $(,)?],
            values: [$($value:ident),* $(,)?],
            room: [$($room:ident),* $(,)?] $(,)?
        }
        $(, |$it:ident, $reader:ident| $check:expr)?
    ) => {
        impl $crate::snapshot::words::Part for $type {
            fn save(&self, to: &mut $crate::snapshot::words::Writer) {
                let Self { $($part,)* $($value,)* $($room: _,)* } = self;
                to.word(const { $crate::snapshot::words::part!(@layout $($part)* ; $($value)*) });
                $($crate::snapshot::words::Part::save($part, to);)*
                $($crate::snapshot::words::Value::write($value, to);)*
            }

            fn restore(
                &mut self,
                from: &mut $crate::snapshot::words::Reader<'_>,
            ) -> Result<(), $crate::snapshot::words::Broken> {
                let Self { $($part,)* $($value,)* $($room: _,)* } = &mut *self;
                let layout = const { $crate::snapshot::words::part!(@layout $($part)* ; $($value)*) };
                from.enter(stringify!($type), layout)?;
                $($crate::snapshot::words::Part::restore($part, from)?;)*
                $(*$value = $crate::snapshot::words::Value::read(from)?;)*
                $(
                    let ($it, $reader) = (&*self, &*from);
                    $check?;
                )?
                Ok(())
            }
        }
    };
    (@layout $($part:ident)* ; $($value:ident)*) => {
        $crate::snapshot::words::layout(
            concat!($(stringify!($part), " ",)* ";", $(" ", stringify!($value),)*)
        )
    };
}

/// A struct as a value, by its fields. What has to hold of them can be told.
macro_rules! value {
    ($type:ident { $($field:ident),* $(,)? } $(, |$it:ident, $reader:ident| $check:expr)?) => {
        impl $crate::snapshot::words::Value for $type {
            fn write(&self, to: &mut $crate::snapshot::words::Writer) {
                let Self { $($field),* } = self;
                $($crate::snapshot::words::Value::write($field, to);)*
            }

            fn read(
                from: &mut $crate::snapshot::words::Reader<'_>,
            ) -> Result<Self, $crate::snapshot::words::Broken> {
                let made = Self { $($field: $crate::snapshot::words::Value::read(from)?),* };
                $(
                    let ($it, $reader) = (&made, &*from);
                    $check?;
                )?
                Ok(made)
            }
        }
    };
}

/// An enum as a value: the number of each choice, which stays what it is.
macro_rules! choice {
    ($type:ident {
        $($number:literal => $name:ident $({ $($field:ident),* })? $(( $($item:ident),* ))?),* $(,)?
    }) => {
        impl $crate::snapshot::words::Value for $type {
            fn write(&self, to: &mut $crate::snapshot::words::Writer) {
                match self {
                    $(Self::$name $({ $($field),* })? $(( $($item),* ))? => {
                        to.word($number);
                        $($($crate::snapshot::words::Value::write($field, to);)*)?
                        $($($crate::snapshot::words::Value::write($item, to);)*)?
                    })*
                }
            }

            fn read(
                from: &mut $crate::snapshot::words::Reader<'_>,
            ) -> Result<Self, $crate::snapshot::words::Broken> {
                Ok(match from.word()? {
                    $($number => {
                        $($(let $field = $crate::snapshot::words::Value::read(from)?;)*)?
                        $($(let $item = $crate::snapshot::words::Value::read(from)?;)*)?
                        Self::$name $({ $($field),* })? $(( $($item),* ))?
                    })*
                    _ => return Err(from.broken()),
                })
            }
        }
    };
}

pub(crate) use {choice, part, value};
