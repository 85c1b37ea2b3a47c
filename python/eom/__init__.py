"""eom: declare a mechanical system, get its equations, run it.

>>> import eom
>>> ball = eom.system('''
... system Ball {
...     coordinates { y }
...     parameters { m = 1 where m > 0, g = 9.81, e = 0.8 }
...     kinetic = m/2*ẏ^2;
...     potential = m*g*y;
...     contact floor { gap = y; impact = restitution(e); }
...     scenario drop { y = 1; until t = 1; }
... }''')
>>> r = ball.run()
>>> [(event.kind, round(event.t, 3)) for event in r.events]
[('impact', 0.452)]
"""

from eom import models
from eom._errors import AnalysisError, DeclarationError, Interrupted, Mistake, StartError, UnknownNameError
from eom._system import Claim, Equations, Named, Parameters, Sentence, System, load, system

__all__ = [
    "AnalysisError",
    "Claim",
    "DeclarationError",
    "Equations",
    "Interrupted",
    "Mistake",
    "Named",
    "Parameters",
    "Sentence",
    "StartError",
    "System",
    "UnknownNameError",
    "formula",
    "gather",
    "load",
    "models",
    "random",
    "system",
]

__version__ = "0.1.0"


def __getattr__(name):
    # What most programs do not need is imported when it is asked for.
    if name in {"Result", "Event", "Events", "End", "Ledger"}:
        from eom import _result

        return getattr(_result, name)
    if name in {"Linear", "SecondOrder", "Orbit", "Exponent", "Bifurcation", "Sensitivity", "Gradient"}:
        from eom import _analysis

        return getattr(_analysis, name)
    if name == "Animation":
        from eom._film import Animation

        return Animation
    if name == "Guard":
        from eom._guard import Guard

        return Guard
    if name in {"Symbolic", "formula"}:
        from eom import _sympy

        return getattr(_sympy, name)
    if name == "Stepper":
        from eom._stepper import Stepper

        return Stepper
    if name in {"Gathered", "gather"}:
        from eom import _chunks

        return getattr(_chunks, name)
    if name in {"Sweep", "random"}:
        from eom import _sweep

        return getattr(_sweep, name)
    raise AttributeError(f"module 'eom' has no attribute {name!r}")
