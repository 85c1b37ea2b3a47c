"""Accelerations and multipliers: heyoka, CasADi's C, numba, all with an unrolled LDL^T; timed by
compiled loops over function pointers, in a chain (latency) and over a batch of 264 states."""
import math

import lagrange
import peer
import problems
from natives import casadi_object, heyoka_objects, kept, timed

def heyoka(system):
    made = {}

    def maker(fast, batch):
        def make():
            if fast not in made:
                d = lagrange.heyoka(system)
                outputs = lagrange.expressions(lagrange.solve(d))
                made[fast] = heyoka_objects(system, outputs, d["q"] + d["v"], fast)
            return timed(system, made[fast][batch], batch)
        return make
    for fast in (False, True):
        name = "heyoka fast_math" if fast else "heyoka"
        peer.contestant("latency/" + system, name, maker(fast, 0))
        peer.contestant("batch/" + system, name, maker(fast, 1))


def casadi(system):
    import casadi as ca
    d = lagrange.casadi(system)
    outputs = ca.vertcat(*lagrange.solve(lagrange.lists(d, system)))
    f = ca.Function("f", [ca.vertcat(d["q"], d["v"])], [outputs], {"cse": True})
    return timed(system, casadi_object(system, f), False)


def numba(system):
    import numba as nb
    import symengine as se
    d = lagrange.symengine(system)
    n, k = problems.shape(system)
    flat = [e for row in d["M"] for e in row] + d["F"] + [e for row in d["A"] for e in row] + d["gamma"]
    shared, reduced = se.cse([se.sympify(e) for e in flat])
    lines = [f"{symbol} = {e}" for symbol, e in shared]

    def named(e):
        e = se.sympify(e)
        if e.is_Symbol or e.is_number:
            return e
        symbol = se.Symbol(f"t{len(lines)}")
        lines.append(f"{symbol} = {e}")
        return symbol
    it = iter([named(e) for e in reduced])
    take = lambda rows, columns: [[next(it) for _ in range(columns)] for _ in range(rows)]
    parts = dict(M=take(n, n), F=take(1, n)[0], A=take(k, n), gamma=take(1, k)[0])
    outputs = lagrange.solve(parts, named)
    unpack = [f"q{i} = s[{i}]; v{i} = s[{n + i}]" for i in range(n)]
    body = unpack + lines + [f"o[{i}] = {e}" for i, e in enumerate(outputs)]
    names = dict(sin=math.sin, cos=math.cos, sqrt=math.sqrt)
    exec("def rhs(s, o):\n    " + "\n    ".join(body), names)
    f = nb.njit(names["rhs"])
    pointer = nb.types.CPointer(nb.types.float64)

    @nb.cfunc(nb.types.void(pointer, pointer))
    def c(s, o):
        f(nb.carray(s, (2 * n,)), nb.carray(o, (n + k,)))
    kept.append((f, c))
    return timed(system, c.address, False)


for system in problems.STATE:
    heyoka(system)
    peer.contestant("latency/" + system, "CasADi SX, C by gcc", lambda: casadi(system))
    peer.contestant("latency/" + system, "SymEngine and numba", lambda: numba(system))
peer.serve("heyoka", "casadi", "symengine", "numba")
