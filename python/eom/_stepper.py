"""Runs that go on when they are told to."""

from __future__ import annotations

from eom import _eom
from eom._result import End, Event


class Stepper(_eom.Stepper):
    """A run under way, with inputs that may change: `System.stepper` makes it.

    Attributes
    ----------
    t : float
        The time.
    q, v, y : numpy.ndarray
        Coordinates, speeds, both, as they are now: arrays that cannot be written. `apply` puts others in their place.
    u : numpy.ndarray
        The inputs, likewise; ``stepper.u = [...]`` holds others from now on.
    closed : list of str
        The contacts that are closed.

    Examples
    --------
    >>> import eom
    >>> spring = eom.system('''system Pushed {
    ...     coordinates { x } inputs { F }
    ...     kinetic = ẋ^2/2; force x = F;
    ... }''')
    >>> s = spring.stepper()
    >>> s.u = [2]
    >>> s.advance(1)
    True
    >>> round(float(s.q[0]), 12), round(float(s.v[0]), 12)
    (1.0, 2.0)
    """

    def __setattr__(self, name, value):
        if not name.startswith("_") and not hasattr(type(self), name):
            raise AttributeError(
                f"a stepper has no `{name}` to set: `u` holds its inputs, in the order of the declaration, and `apply` "
                "puts another state in place of its own"
            )
        super().__setattr__(name, value)

    @property
    def events(self):
        """What happened in the last `advance`."""
        return [Event(*each) for each in zip(*self._events())]

    @property
    def end(self):
        """How the run has ended; None while it has not."""
        end = self._end()
        return None if end is None else End(*end)

    @property
    def accelerations(self):
        """The rates of the speeds, with the forces of closed contacts and friction."""
        return self._forces()[0]

    @property
    def multipliers(self):
        """The multipliers of the constraints."""
        return self._forces()[1]

    @property
    def contact_forces(self):
        """The force of each contact along its gap."""
        return dict(zip((item.name for item in self.system.contacts), self._forces()[2].tolist()))

    def __copy__(self):
        return _stepper(type(self), self.system, self._settings, self._asked, self.save())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return _stepper, (type(self), self.system, self._settings, self._asked, self.save())

    def __repr__(self):
        return f"<eom.Stepper of {self.system.name} at t = {self.t}>"


def _stepper(kind, system, values, asked, saved=None):
    made = kind(system, values, asked)
    made._settings, made._asked = dict(values), dict(asked)
    if saved is not None:
        made.restore(saved)
    return made
