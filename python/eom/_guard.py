"""What an integrator of others watches along a motion: the gaps of contacts, the guards of events."""

from __future__ import annotations

from eom._points import floats


class Guard:
    """A contact or a declared event, as ``scipy.integrate.solve_ivp`` takes events: a function of t and y that is zero
    where it happens.

    ``solve_ivp(s.rhs, span, y0, jac=s.jac, events=[*s.contacts, *s.events])`` stops where the state jumps, and
    ``after`` gives the state from which it goes on.

    Attributes
    ----------
    name, ascii, doc, more : str
        As declared, with Greek letters spelled out, its documentation, the law of a contact.
    terminal : bool
        Whether the state jumps there: for contacts, and for events with a reset. It may be set.
    direction : int
        −1 where the function falls, 1 where it rises, 0 for both. It may be set.

    Examples
    --------
    >>> import eom
    >>> ball = eom.system('''system Ball {
    ...     coordinates { y }
    ...     kinetic = ẏ^2/2; potential = 9.81*y;
    ...     contact floor { gap = y; impact = restitution(1/2); }
    ... }''')
    >>> floor, = ball.contacts
    >>> floor(0, [0.25, 0]), floor.terminal, floor.direction
    (0.25, True, -1)
    >>> floor.after(0, [0, -2])
    array([0., 1.])
    """

    __slots__ = ("name", "ascii", "doc", "more", "terminal", "direction", "_system", "_index", "_places")

    def __init__(self, system, index, row, terminal, direction):
        self._system, self._index = system, index
        self.name, self.ascii, self.doc, self.more = row
        self.terminal, self.direction = terminal, direction
        # How many coordinates there are, and with the speeds, and how many contacts stand before the events.
        n = len(system._names("coordinates"))
        self._places = n, n + len(system._names("velocities")), len(system._names("contacts"))

    def __call__(self, t, y, u=None):
        """The gap, or the guard of the event, at y = (q, v) with the inputs u; at many states an array.

        Conditions of a contact (``when``) are not looked at.
        """
        import numpy as np

        # An integrator asks often, and of what is one.
        y = y if getattr(y, "dtype", None) == float and isinstance(y, np.ndarray) else floats("y", y, np)
        n, width, contacts = self._places
        if y.shape[-1:] != (width,):
            raise ValueError(f"y = (q, v) has {width} numbers for a state; it has the shape {y.shape}")
        q = y[..., :n]
        if self._index < contacts:
            found, place = self._system.gaps(t, q), self._index
        else:
            found, place = self._system.guards(t, q, y[..., n:], u), self._index - contacts
        return found.item(place) if found.ndim == 1 else found[:, place]

    def after(self, t, y, u=None):
        """The state (q, v) after it happened at y: by the law of the contact, by the reset of the event.

        Raises
        ------
        ValueError
            Where a contact has no impact.
        """
        return self._system._after(self._index, t, y, u)

    def __reduce__(self):
        row = self.name, self.ascii, self.doc, self.more
        return type(self), (self._system, self._index, row, self.terminal, self.direction)

    def __repr__(self):
        return f"<eom.Guard {self.name} of {self._system.name}>"


def guards(system):
    """The contacts of a system, and its events."""
    rows = [*system._names("contacts"), *system._names("events")]
    watched = enumerate(zip(rows, system._watched(), strict=True))
    made = [Guard(system, i, row, jumps, direction) for i, (row, (direction, jumps)) in watched]
    contacts = len(system._names("contacts"))
    return tuple(made[:contacts]), tuple(made[contacts:])
