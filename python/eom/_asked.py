"""The keywords of a run, and how what is given is told apart from them."""

from collections.abc import Mapping
from operator import index

from eom._errors import UnknownNameError

# The keywords of a run, with what they are where they are not given.
_RUN = {
    "scenario": None, "q0": None, "v0": None, "u": None, "t0": None, "impacts": None, "events": None,
    "t_eval": None, "every": None, "method": "automatic", "step": None, "order": None, "rtol": None,
    "atol": None, "impact": None, "max_step": None, "max_steps": None, "max_events": None, "start": "refuse",
    "start_tolerance": None, "forces": "bounded", "conserve": None,
}


class told_options:
    """Where a name stands for nothing it may have been meant as a keyword: those are told, too."""

    def __enter__(self):
        pass

    def __exit__(self, kind, error, traceback):
        if kind is UnknownNameError and str(error).startswith("there is no name `"):
            name = str(error).split("`")[1]
            if name in _ELSEWHERE:
                raise UnknownNameError(f"there is no name `{name}`: {_ELSEWHERE[name]}") from None
            raise UnknownNameError(f"{error}\n  options: until, {', '.join(_RUN)}, values") from None


def named(values):
    """The names of a dictionary of values by name."""
    for name in values:
        if not isinstance(name, str):
            raise TypeError(f"names are texts; {name!r:.200} is none")
    return list(values)


def listed(what, given):
    """One name or several, as a list."""
    try:
        names = [given] if isinstance(given, str) else list(given)
    except TypeError:
        names = [given]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{what}: give a name, or a list of names; {name!r:.200} is none")
    return names


# What SciPy and others call what is called otherwise here.
_ELSEWHERE = {
    "y0": "q0=[...] and v0=[...] give the start", "t_span": "t0= and until= are its ends",
    "x0": "q0=[...] and v0=[...] give the start", "dense_output": "`r.sol(t)` is always there",
    "args": "parameters are given by their names", "fun": "the right-hand side is `rhs`", "jac": "the Jacobian is `jac`",
    "vectorized": "`rhs` takes many states as it is", "first_step": "the first step is found", "min_step": "there is none",
}


def _by_name(given):
    """What has names for its numbers, as a dictionary: any mapping, a series with names."""
    if isinstance(given, dict):
        return given
    if isinstance(given, Mapping):
        return dict(given)
    labels = getattr(given, "index", None)
    if hasattr(given, "items") and hasattr(labels, "tolist") and any(isinstance(one, str) for one in labels):
        return dict(given.items())
    return given


# Keywords that are counts.
_COUNTS = ("impacts", "order", "max_steps", "max_events")


def _checked(name, value):
    """A keyword of a run; NumPy would drop what is imaginary or hidden."""
    if value is None:
        return value
    if name in _COUNTS:
        return whole(name, value)
    if name == "t_eval":
        import numpy as np

        from eom._points import floats

        times = floats(name, value, np)
        if times.ndim != 1:
            raise ValueError(f"t_eval must be a list of times; it has the shape {times.shape}")
        return times.tolist()
    if isinstance(value, (int, float, str, dict)):
        return value
    if isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c":
        raise TypeError(f"`{name}` must be real; it is {value!r:.200}")
    return _by_name(value) if name in ("q0", "v0", "u", "atol") else value


def whole(name, value, least=1):
    """A number of impacts, steps, events."""
    try:
        count = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number; it is {value!r:.200}") from None
    if count < 0:
        raise ValueError(f"{name} must be {least} or more; it is {count}")
    return min(count, 2**63 - 1)


def asked_of(until, names):
    """What is set by name, and the keywords of a run."""
    if isinstance(until, (tuple, list)):
        raise TypeError(f"until is the time of the end, and t0= that of the start; it is {until!r:.200}")
    values = names.pop("values", None) or {}
    if not isinstance(values, Mapping):
        raise TypeError(f"values: give a dictionary of values by name; it is {values!r:.200}")
    values = {name: values[name] for name in named(values)}
    asked = dict(_RUN, until=_checked("until", until))
    for key in [key for key in names if key in _RUN]:
        asked[key] = _checked(key, names.pop(key))
    if not isinstance(asked["start"], str):
        raise TypeError(
            f"start is \"refuse\" or \"project\"; it is {asked['start']!r:.200}. A parameter `start` is set by "
            "values={\"start\": ...}"
        )
    if asked["order"] is not None and str(asked["method"]).lower() not in ("taylor", "automatic"):
        raise ValueError(f"order is of the series of method=\"taylor\"; the method is {asked['method']!r:.200}")
    for name, value in names.items():
        if name in values:
            raise TypeError(f"`{name}` is given twice, by name and in values")
        values[name] = value
    return values, asked
