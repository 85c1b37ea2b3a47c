"""The keywords of a run, and how what is given is told apart from them."""

from collections.abc import Mapping

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
            raise UnknownNameError(f"{error}\n  options: until, {', '.join(_RUN)}, values") from None


def named(values):
    """The names of a dictionary of values by name."""
    for name in values:
        if not isinstance(name, str):
            raise TypeError(f"names are texts; {name!r:.200} is none")
    return list(values)


def asked_of(until, names):
    """What is set by name, and the keywords of a run."""
    values = names.pop("values", None) or {}
    if not isinstance(values, Mapping):
        raise TypeError(f"values: give a dictionary of values by name; it is {values!r:.200}")
    values = {name: values[name] for name in named(values)}
    asked = dict(_RUN, until=until)
    for key in [key for key in names if key in _RUN]:
        asked[key] = names.pop(key)
    for name, value in names.items():
        if name in values:
            raise TypeError(f"`{name}` is given twice, by name and in values")
        values[name] = value
    return values, asked
