"""The functions of a system as matrices of SymPy."""

from __future__ import annotations

import re
from collections import namedtuple
from unicodedata import normalize

Symbolic = namedtuple("Symbolic", ["M", "h", "F", "A", "b", "gaps", "q", "v", "u", "parameters"])
Symbolic.__doc__ = """M v̇ + h = F + Aᵀλ with A v + b = 0.

``M``, ``h``, ``F``, ``A``, ``b``, ``gaps`` are matrices; ``q``, ``v``, ``u`` lists of symbols; ``parameters`` has the
value of each symbol of a parameter, for ``subs``.
"""

# A name with the dots of its derivatives, which Python does not count among letters.
_NAME = re.compile("[^\\W\\d][\\w\u0307\u0308\u20db]*")


def symbolic(system):
    """The functions of a system; `Equations.sympy` says more."""
    from eom._result import _need

    sympy = _need("sympy")
    known = {"pi": sympy.pi, "π": sympy.pi, "t": sympy.Symbol("t")}
    lists = {}
    for kind in ("coordinates", "velocities", "inputs", "parameters"):
        lists[kind] = [sympy.Symbol(item.ascii) for item in system._list(kind)]
        for item, symbol in zip(system._list(kind), lists[kind]):
            known[normalize("NFC", item.name)] = known[item.ascii] = symbol
    known.update({name: getattr(sympy, name) for name in
                  ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp",
                   "sign", "erf")})
    known.update(abs=sympy.Abs, ln=sympy.log, ramp=lambda x: sympy.Max(x, 0))

    def expression(text):
        places = {}

        def place(match):
            name = normalize("NFC", match[0])
            if name not in known:
                raise ValueError(f"`{name}` has no form in SymPy")
            return places.setdefault(name, f"_{len(places)}")

        plain = _NAME.sub(place, text).replace("^", "**")
        return sympy.parse_expr(plain, {own: known[name] for name, own in places.items()})

    made = {}
    for name, rows in system._functions():
        width = len(rows[0]) if rows else len(lists["velocities"]) if name == "A" else 1
        made[name] = sympy.Matrix(len(rows), width, [expression(text) for row in rows for text in row])
    values = dict(zip(lists["parameters"], system.parameters.values()))
    return Symbolic(**made, q=lists["coordinates"], v=lists["velocities"], u=lists["inputs"], parameters=values)
