//! Workspace that is made when it is first asked for: most runs never close a contact, and many short
//! ones would spend more time on making room than on moving.

use crate::snapshot::words::{Broken, Part, Reader, Value, Writer};
use crate::system::System;
use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};

/// A workspace for one system.
#[derive(Clone)]
pub(crate) struct OnDemand<'a, T> {
    system: &'a dyn System,
    make: fn(&'a dyn System) -> T,
    /// On the heap: what is never asked for takes no room where runs are moved.
    made: OnceCell<Box<T>>,
}

impl<'a, T> OnDemand<'a, T> {
    pub(crate) fn new(system: &'a dyn System, make: fn(&'a dyn System) -> T) -> Self {
        Self { system, make, made: OnceCell::new() }
    }

    /// It, where it has been made.
    pub(crate) fn made(&self) -> Option<&T> {
        self.made.get().map(Box::as_ref)
    }

    /// The same, to change.
    pub(crate) fn made_mut(&mut self) -> Option<&mut T> {
        self.made.get_mut().map(Box::as_mut)
    }
}

impl<T> Deref for OnDemand<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.made.get_or_init(|| Box::new((self.make)(self.system)))
    }
}

impl<T> DerefMut for OnDemand<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        let Self { system, make, made } = self;
        made.get_or_init(|| Box::new(make(*system)));
        match made.get_mut() {
            Some(made) => made,
            None => unreachable!("it has just been made"),
        }
    }
}

impl<T: Part> Part for OnDemand<'_, T> {
    fn save(&self, to: &mut Writer) {
        self.made().is_some().write(to);
        if let Some(made) = self.made() {
            made.save(to);
        }
    }

    /// What has not been made of the one is made for the other; the reverse does not come.
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        if bool::read(from)? { (**self).restore(from) } else { from.check(self.made().is_none()) }
    }
}
