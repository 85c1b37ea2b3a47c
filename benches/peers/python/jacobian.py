"""Accelerations and multipliers with all of their derivatives by the state: heyoka and CasADi's C, in a chain of calls.

Each has two ways. Its own differentiates what solves for x = (a, lambda); the other differentiates what is solved,
  r(x; y) = (F + A^T lambda - M a, gamma - A a) = 0,    M da - A^T dlambda = d(F + ...), A da = d(gamma - ...) at fixed x,
by the same LDL^T, whose factors are found once as common subexpressions. Of 12 links the first takes compilers minutes, and is left
out: of 6 it is slower already. Outputs are a, lambda, then a by q, a by v, lambda by q,
lambda by v, each by columns.
"""
import lagrange
import peer
import problems
from natives import casadi_object, heyoka_objects, timed


def ordered(values, columns, n):
    """the outputs of both ways: columns are those of x by q and v"""
    out = list(values)
    for part in (slice(0, n), slice(n, None)):
        for column in columns:
            out += column[part]
    return out


def residuals(d, a, multipliers):
    """r, its two parts"""
    forces = [f - sum(m * x for m, x in zip(row, a)) for f, row in zip(d["F"], d["M"])]
    forces = [f + sum(row[i] * x for row, x in zip(d["A"], multipliers)) for i, f in enumerate(forces)]
    return forces, [g - sum(c * x for c, x in zip(row, a)) for g, row in zip(d["gamma"], d["A"])]


def solved(d, slopes, n):
    """the columns from those of r"""
    return [lagrange.solve(dict(M=d["M"], F=s[:n], A=d["A"], gamma=s[n:])) for s in slopes]


def casadi(system, implicit):
    import casadi as ca
    d, (n, k) = lagrange.casadi(system), problems.shape(system)
    state, rows = ca.vertcat(d["q"], d["v"]), lagrange.lists(d, system)
    values = lagrange.solve(rows)
    if implicit:
        x = ca.SX.sym("x", n + k)
        symbols = [x[i] for i in range(n + k)]
        forces, others = residuals(rows, symbols[:n], symbols[n:])
        slopes = ca.substitute(ca.jacobian(ca.vertcat(*forces, *others), state), x, ca.vertcat(*values))
        columns = solved(rows, [[slopes[i, j] for i in range(n + k)] for j in range(2 * n)], n)
    else:
        slopes = ca.jacobian(ca.vertcat(*values), state)
        columns = [[slopes[i, j] for i in range(n + k)] for j in range(2 * n)]
    outputs = ca.densify(ca.vertcat(*ordered(values, columns, n)))
    f = ca.Function("f", [state], [outputs], {"cse": True})
    pointer = casadi_object(f"jacobian_{system}_{int(implicit)}", f)
    return timed(system, pointer, False, outputs.numel())


def heyoka(system, implicit):
    import heyoka as hy
    d, (n, k) = lagrange.heyoka(system), problems.shape(system)
    state, values = d["q"] + d["v"], lagrange.expressions(lagrange.solve(d))

    def by_state(functions):
        """the columns of their first derivatives"""
        slopes = hy.diff_tensors(lagrange.expressions(functions), diff_args=state, diff_order=1).jacobian
        return [list(column) for column in slopes.T]
    if implicit:
        x = list(hy.make_vars(*[f"x{i}" for i in range(n + k)]))
        forces, others = residuals(d, x[:n], x[n:])
        found = dict(zip(map(str, x), values))
        slopes = [hy.subs(column, found) for column in by_state(forces + others)]
        columns = solved(d, slopes, n)
    else:
        columns = by_state(values)
    outputs = lagrange.expressions(ordered(values, columns, n))
    pointer = heyoka_objects(f"jacobian_{system}_{int(implicit)}", outputs, state, True)[0]
    return timed(system, pointer, False, len(outputs))


WAYS = ((False, ""), (True, ", of what is solved"))
for system in problems.STATE:
    for implicit, way in WAYS[1:] if system == "nlink12" else WAYS:
        for name, make in (("CasADi SX, C by gcc", casadi), ("heyoka fast_math", heyoka)):
            peer.contestant("jacobian/" + system, name + way, lambda: make(system, implicit))
peer.serve("heyoka", "casadi")
