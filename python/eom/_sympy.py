"""The functions of a system as matrices of SymPy."""

from __future__ import annotations

from collections import namedtuple
from math import isfinite

Symbolic = namedtuple("Symbolic", ["M", "h", "F", "A", "b", "gaps", "q", "v", "u", "parameters", "multipliers"])
Symbolic.__doc__ = """M v̇ + h = F + Aᵀλ with A v + b = 0.

``M``, ``h``, ``F``, ``A``, ``b``, ``gaps`` are matrices; ``q``, ``v``, ``u`` lists of symbols; ``parameters`` has the
value of each symbol of a parameter that has one, for ``subs``; ``multipliers`` are the symbols of λ, which F has where
forces hold them.
"""


def _functions(sympy):
    """The functions of the language by their names; most are called as in SymPy."""

    def ramp(x):
        return sympy.Min(sympy.Max(x, 0), 1)

    def smoothstep(x):
        r = ramp(x)
        return r**3 * (10 - 15 * r + 6 * r**2)

    names = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "sign", "erf")
    same = {name: getattr(sympy, name) for name in names}
    return {**same, "abs": sympy.Abs, "ln": sympy.log, "ramp": ramp, "smoothstep": smoothstep}


def _values(sympy, operations, symbols):
    """The value of each operation: those that it is of stand before it."""
    functions = _functions(sympy)
    known = {"pi": sympy.pi, "time": sympy.Symbol("t")}
    values = []
    for kind, text, of in operations:
        if kind == "number":
            above, below = text.split("/")
            value = sympy.Rational(int(above), int(below))
        elif kind in known:
            value = known[kind]
        elif kind in symbols:
            value = symbols[kind][of[0]]
        else:
            arguments = [values[place] for place in of]
            if kind == "sum":
                value = sympy.Add(*(c * x for c, x in _pairs(arguments)))
            elif kind == "product":
                value = sympy.Mul(arguments[0], *(sympy.Pow(x, e) for x, e in _pairs(arguments[1:])))
            else:
                value = functions[text](*arguments)
        values.append(value)
    return values


def _pairs(items):
    return zip(items[::2], items[1::2])


def symbolic(system):
    """The functions of a system; `Equations.sympy` says more."""
    from eom._result import _need

    sympy = _need("sympy")
    kinds = ("coordinates", "velocities", "inputs", "parameters")
    symbols = {kind: [sympy.Symbol(item.ascii) for item in system._list(kind)] for kind in kinds}
    symbols["rows"] = [sympy.Symbol(f"lambda({item.ascii})") for item in system._list("rows")]
    operations, functions = system._functions()
    values = _values(sympy, operations, symbols)
    made = {}
    for name, rows in functions:
        width = len(rows[0]) if rows else len(symbols["velocities"]) if name == "A" else 1
        made[name] = sympy.Matrix(len(rows), width, [values[place] for row in rows for place in row])
    given = zip(symbols["parameters"], system.parameters.values())
    q, v, u, _ = (symbols[kind] for kind in kinds)
    parameters = {symbol: value for symbol, value in given if isfinite(value)}
    return Symbolic(**made, q=q, v=v, u=u, parameters=parameters, multipliers=symbols["rows"])


def formula(expression):
    """The text of an expression of SymPy in the language of declarations.

    Parameters
    ----------
    expression : sympy.Expr
        Symbols keep their names; functions of the time, those of ``dynamicsymbols``, q(t), and their derivatives are
        written ``q``, ``q_dot``, ``q_ddot``. Functions of anything else have no form.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        Where something has no form in the language; the message says what.

    Examples
    --------
    >>> import eom, sympy
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> q, k = dynamicsymbols("theta"), sympy.Symbol("k")
    >>> eom.formula(k*sympy.Abs(q)**3/3), eom.formula(q.diff()**2/2)
    ('k*abs(theta)^3/3', 'theta_dot^2/2')
    """
    from eom._result import _need

    sympy = _need("sympy")
    AppliedUndef, StrPrinter = sympy.core.function.AppliedUndef, sympy.printing.str.StrPrinter
    own = {"Abs": "abs", "log": "ln"}
    known = {*_functions(sympy), *own} - {"abs", "ln", "ramp", "smoothstep"}
    kinds = (sympy.Add, sympy.Mul, sympy.Pow, sympy.Rational, sympy.Float, type(sympy.pi), type(sympy.E), sympy.Tuple)

    def is_written(part):
        """Whether a part of an expression, but for what it is of, has a form."""
        if isinstance(part, sympy.Symbol):
            return part.name.isidentifier()
        if isinstance(part, AppliedUndef):
            # What is written is its name alone: it moves with the time, and depends on nothing else.
            return [str(of) for of in part.args] == ["t"] and part.func.__name__.isidentifier()
        if isinstance(part, sympy.Derivative):
            return isinstance(part.expr, AppliedUndef) and part.variable_count[0][1] in (1, 2)
        if isinstance(part, sympy.Function):
            return part.func.__name__ in known
        return part.is_finite is not False and isinstance(part, kinds)

    def power(printer, expr, rational=False):
        return StrPrinter._print_Pow(printer, expr, rational=rational).replace("**", "^")

    def decimal(printer, expr):
        # With all of its digits.
        number = float(expr)
        return repr(number) if sympy.Float(number) == expr else f"({sympy.Rational(expr)})"

    def function(printer, expr):
        name = expr.func.__name__
        if isinstance(expr, AppliedUndef):
            return name
        return f"{own.get(name, name)}({printer.stringify(expr.args, ', ')})"

    def rate(printer, expr):
        return f"{printer._print(expr.expr)}_{'d' * int(expr.variable_count[0][1])}ot"

    printed = {"Pow": power, "Float": decimal, "Exp1": lambda printer, expr: "exp(1)", "Derivative": rate}
    printed |= dict.fromkeys(("Function", "Abs", "log"), function)
    printer = type("Printer", (StrPrinter,), {f"_print_{kind}": print_ for kind, print_ in printed.items()})()

    given, expression = expression, sympy.sympify(expression)
    if not isinstance(expression, sympy.Basic):
        raise TypeError(f"an expression of SymPy is asked for, not {given!r:.200}")
    for part in sympy.preorder_traversal(expression):
        if not is_written(part):
            raise ValueError(f"`{part}` has no form in the language of declarations")
    return printer.doprint(expression)
