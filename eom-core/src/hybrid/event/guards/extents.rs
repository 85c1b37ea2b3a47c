//! The guards of extents: how far the surface of a contact reaches.
//!
//! A contact may have conditions of places, `when x < 1;`. Each is an extent, positive where the condition holds. While the
//! contact is closed, or carried, its extents are guards: where one falls through zero the surface ends, and the contact
//! opens. While it is open they stay 1, since an open contact asks for its conditions where its gap falls through zero.

use super::{Guards, Side};
use crate::flow::Point;
use crate::info::SystemInfo;
use std::ops::Range;

/// The contact of each extent.
pub(super) fn contacts_of(info: &SystemInfo) -> Vec<usize> {
    let contacts = info.contacts.iter().enumerate();
    contacts.flat_map(|(contact, info)| std::iter::repeat_n(contact, info.extents)).collect()
}

impl Guards<'_> {
    /// The contact whose extent the guard is.
    pub(in crate::hybrid) fn extent(&self, guard: usize) -> Option<usize> {
        let extent = guard.checked_sub(self.contacts + self.events)?;
        self.extents.get(extent).copied()
    }

    /// Whether a contact is closed or carried.
    pub(in crate::hybrid) fn is_held(&self, contact: usize) -> bool {
        self.mode.is_closed(contact) || self.carried[contact]
    }

    /// Whether the guard is an extent of a contact that is closed or carried.
    pub(in crate::hybrid) fn reaches(&self, guard: usize) -> bool {
        self.extent(guard).is_some_and(|contact| self.is_held(contact))
    }

    /// The guards of all extents.
    pub(in crate::hybrid) fn of_extents(&self) -> Range<usize> {
        let first = self.contacts + self.events;
        first..first + self.extents.len()
    }

    /// Their values at (t, y).
    pub(in crate::hybrid) fn write_extents(&self, (t, y): (f64, &[f64]), values: &mut [f64]) {
        let (q, v) = y.split_at(self.system.info().positions());
        self.extent_values((t, q, v), values);
    }

    pub(super) fn extent_values(&self, (t, q, v): (f64, &[f64], &[f64]), values: &mut [f64]) {
        if self.extents.iter().any(|contact| self.is_held(*contact)) {
            self.system.extents(t, q, v, &self.inputs, values);
        }
        for (value, contact) in values.iter_mut().zip(&self.extents) {
            if !self.is_held(*contact) {
                *value = 1.0;
            }
        }
    }

    /// The extents of a contact at a state, whatever the mode.
    pub(in crate::hybrid) fn extents_of(
        &self,
        contact: usize,
        t: f64,
        (q, v): (&[f64], &[f64]),
    ) -> Vec<f64> {
        if !self.extents.contains(&contact) {
            return Vec::new();
        }
        let mut values = vec![0.0; self.extents.len()];
        self.system.extents(t, q, v, &self.inputs, &mut values);
        let own = values.iter().zip(&self.extents).filter(|(_, of)| **of == contact);
        own.map(|(value, _)| *value).collect()
    }

    /// Whether the surface of a contact does not reach as far as a state.
    pub(in crate::hybrid) fn is_beyond(&self, contact: usize, at: &Point) -> bool {
        self.extents_of(contact, at.t.high, at.parts()).iter().any(|extent| *extent < 0.0)
    }

    /// Places the extents of the contacts that are held on their sides: what is closed may be at its end, what is carried
    /// beyond it, as is what has just ended.
    pub(in crate::hybrid) fn begin_extents(
        &mut self,
        [values, roundings]: [&[f64]; 2],
        ended: &[usize],
    ) {
        for (guard, contact) in self.of_extents().zip(self.extents.clone()) {
            let (value, rounding) = (values[guard], roundings[guard]);
            let is_beyond = self.carried[contact] && (value < 0.0 || ended.contains(&contact));
            let sign = if is_beyond { -1.0 } else { 1.0 };
            // One that begins a time from here that cannot be told from none has its surface before it.
            let leaving = sign * value <= rounding;
            self.sides[guard] = Side { sign, leaving };
            self.floors[guard] = if leaving { value.abs() } else { 0.0 };
        }
    }
}
