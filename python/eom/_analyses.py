"""What is asked of a motion: the methods of `System` whose answers are in `_analysis`."""

from eom import _eom
from eom._asked import asked_of, listed, told_options, whole


# What ends a run beside a time, and what a run keeps.
_ENDS = ("impacts", "events")
_KEPT = ("t_eval", "every", "conserve")


def _asked(until, names, idle, what):
    """What is asked of a motion, without what would say nothing here."""
    for key in idle:
        if names.get(key) is not None:
            raise TypeError(f"`{key}` is of a run: {what}")
    return asked_of(until, names)


def _endless(names, what):
    """What is asked of a start, of which no end is given."""
    return _asked(None, names, ("until", *_ENDS, *_KEPT), what)


class Analyses:
    """Linear systems, orbits, exponents, sensitivities."""

    __slots__ = ()

    def linear(self, find=False, hold=(), trim=(), free=(), keep=(), **names):
        """The linear system along the steady motion from a start, with its eigenvalues: ``eom analyse linear``.

        Parameters
        ----------
        find : bool
            Look for a steady motion near the start by Newton's method.
        hold : str or iterable of str
            Entries of the state that stay as they are while it is found.
        trim : str or iterable of str
            Inputs that are found with it.
        free : str or iterable of str
            The free entries of the linear system, in this order; without them coordinates in their order, then their
            velocities.
        keep : str or iterable of str
            Coordinates that are kept though nothing depends on them.
        **names
            The start and the parameters, as those of `run`.

        Returns
        -------
        Linear

        Raises
        ------
        AnalysisError
            Where there is none; the message says why.

        Examples
        --------
        >>> import eom
        >>> text = "system Swing { coordinates { θ } kinetic = θ̇^2/2; potential = -9*cos(θ); force θ = -0.2*θ̇; }"
        >>> swing = eom.system(text)
        >>> hanging = swing.linear(θ=0)
        >>> hanging.free, hanging.stable
        (['θ', 'θ̇'], True)
        >>> hanging.eigenvalues.round(4)
        array([-0.1+2.9983j, -0.1-2.9983j])
        >>> swing.linear(find=True, θ=3).q.round(9)
        array([3.14159265])
        """
        from eom._analysis import Linear

        values, asked = _endless(names, "a linear system is that of a state")
        with told_options():
            lists = (listed("hold", hold), listed("trim", trim), listed("free", free), listed("keep", keep))
            return Linear(self, _eom.linear(self, values, asked, find, *lists))

    def orbit(self, section=None, period=None, returns=1, **names):
        """The periodic orbit near a start, with its multipliers: ``eom analyse orbit``.

        Parameters
        ----------
        section : str, optional
            The contact or event after which it returns.
        period : float, optional
            In its place, the period of what drives the system.
        returns : int
            After how many of these it returns.
        **names
            The start and the parameters, as those of `run`; ``until`` is when a return is given up.

        Returns
        -------
        Orbit

        Raises
        ------
        AnalysisError
            Where none is found; the message says why.

        Examples
        --------
        >>> import eom
        >>> walker = eom.system('''
        ... system Rimless {
        ...     coordinates { θ }
        ...     parameters { α = pi/8, γ = 0.08 }
        ...     kinetic = θ̇^2/2;
        ...     potential = cos(θ);
        ...     event heel { guard = θ - γ - α; rising; reset { θ = θ - 2*α; θ̇ = cos(2*α)*θ̇; } }
        ... }''')
        >>> orbit = walker.orbit("heel", θ=0.08 - 3.14159/8, θ_dot=0.5, until=50)
        >>> orbit.stable, orbit.multipliers.round(9)
        (True, array([0.5+0.j]))
        """
        from eom._analysis import Orbit

        what = "an orbit ends where it returns, or is given up at `until`"
        values, asked = _asked(names.pop("until", None), names, (*_ENDS, *_KEPT), what)
        with told_options():
            return Orbit(self, _eom.orbit(self, values, asked, section, period, whole("returns", returns)))

    def lyapunov(self, count=None, span=1.0, spans=1000, transient=100, **names):
        """Lyapunov exponents of the motion from a start: ``eom analyse lyapunov``.

        Parameters
        ----------
        count : int, optional
            How many, the largest ones; without it all.
        span : float
            The time between two orthonormalisations.
        spans, transient : int
            How many spans are counted, and how many are left out before.
        **names
            The start and the parameters, as those of `run`.

        Returns
        -------
        list of Exponent

        Raises
        ------
        AnalysisError
            Where there are none; the message says why.

        Examples
        --------
        >>> import eom
        >>> falls = eom.system("system Falls { coordinates { x } kinetic = ẋ^2/2; potential = -2*x^2; }")
        >>> [round(one.value, 6) for one in falls.lyapunov(span=0.25, spans=40, transient=40, x=1e-9)]
        [2.0, -2.0]
        """
        from eom._analysis import Exponent

        values, asked = _endless(names, "exponents are of `spans` times `span`")
        count = None if count is None else whole("count", count)
        how = count, span, whole("spans", spans), whole("transient", transient, 0)
        with told_options():
            found = _eom.lyapunov(self, values, asked, how)
            return [Exponent(*one) for one in found]

    def bifurcation(self, name, values, of, section=None, period=None, returns=1, last=30, carry=None, until=None, **names):
        """Where the motion is at its last returns to a section, over values of a name: ``eom analyse bifurcation``.

        Parameters
        ----------
        name : str
            A parameter, an input or a value of the start.
        values : array_like
            What it is in each run.
        of : str or iterable of str
            Numbers of the motion, ``"x"`` before what happens at a return, ``"x_dot+"`` after it: whatever ``r[...]``
            takes, ``"2*x_dot+"`` too.
        section : str, optional
            The contact or event at which it returns.
        period : float or array_like, optional
            In its place, the period of what drives the system; for each value its own where there are several.
        returns : int
            After how many of these it returns.
        last : int
            The last returns of each run, so many.
        carry : {"up", "down", "both"}, optional
            Begin each run where the one before has come to, with rising values, falling ones, or both.
        until, **names
            The motion, as that of `run`.

        Returns
        -------
        Bifurcation

        Examples
        --------
        >>> import eom
        >>> ball = eom.system('''
        ... system Table {
        ...     coordinates { z }
        ...     parameters { A = 0.0041, e = 0.8 }
        ...     kinetic = ż^2/2;
        ...     potential = 9.81*z;
        ...     contact table { gap = z - A*sin(30*t); impact = restitution(e); }
        ...     scenario bounce { t = 0.135; z = 0.0565; until impacts = 10; }
        ... }''')
        >>> found = ball.bifurcation("A", [0.0115, 0.0118], "z_dot+", "table", impacts=1500)
        >>> found.repeats_after
        [1, 2]
        >>> A, speeds = found.points()
        >>> len(A), float(speeds[0].round(6))
        (60, 1.027301)
        """
        from eom._analysis import bifurcation

        run, asked = _asked(until, names, _KEPT, "numbers are taken at the returns")
        with told_options():
            return bifurcation(self, run, asked, (name, values), of, (section, period, returns), (last, carry))

    def sensitivity(self, until=None, **names):
        """How the state at the end of a motion changes with its start, inputs and parameters, through impacts; where an event
        ends it, how the time of that does.

        A derivative by a parameter holds all others, those too whose default is computed from it and which
        `System.with_parameters` moves along.

        Parameters
        ----------
        until, **names
            The motion, as that of `run`, without what a run keeps: ``impacts=3`` and ``events="top"`` end it, too.

        Returns
        -------
        Sensitivity

        Raises
        ------
        AnalysisError
            Where there is no derivative; the message says why.

        Examples
        --------
        >>> import eom
        >>> spring = eom.system("system Spring { coordinates { x } parameters { k = 4 } kinetic = ẋ^2/2; potential = k*x^2/2; }")
        >>> found = spring.sensitivity(until=1, x=1)
        >>> found["k"].round(9), found.by_start[0].round(9)
        (array([-0.22732436, -0.01925094]), array([-0.41614684,  0.45464871]))
        >>> ball = eom.system("system B { coordinates { y } kinetic = ẏ^2/2; potential = 2*y; contact c { gap = y; impact = elastic; } }")
        >>> ball.sensitivity(impacts=1, y=1).time_by_start.round(9)  # of t = ẏ/2 + sqrt(ẏ^2/4 + y)
        array([0.5, 0.5])
        """
        from eom._analysis import Sensitivity

        values, asked = _asked(until, names, _KEPT, "a sensitivity is that of the end")
        with told_options():
            return Sensitivity(self, _eom.sensitivity(self, values, asked))

    def gradient(self, of, until=None, **names):
        """How a number at the end of a motion changes with its start, all inputs and all parameters: one sweep backwards, where a time
        ends it.

        Parameters are held as by `sensitivity`.

        Parameters
        ----------
        of : str, dict or array_like
            The number: an entry of the end by name, a weighted sum of some, or the weights of all of (q, v).
        until, **names
            The motion, as that of `sensitivity`.

        Returns
        -------
        Gradient

        Raises
        ------
        AnalysisError
            Where there is no derivative; the message says why.

        Examples
        --------
        >>> import eom
        >>> spring = eom.system("system Spring { coordinates { x } parameters { k = 4 } kinetic = ẋ^2/2; potential = k*x^2/2; }")
        >>> found = spring.gradient("x", until=1, x=1)
        >>> round(found.value, 9), round(found["k"], 9)
        (-0.416146837, -0.227324357)
        """
        from eom._analysis import gradient

        values, asked = _asked(until, names, _KEPT, "a gradient is that of the end")
        with told_options():
            return gradient(self, of, values, asked)
