"""M a = F + A^T lambda, A a = gamma from a Lagrangian, by the calculus of each tool, and the solve."""
import problems


def _gamma(diff, A, q, v):
    rows = []
    for row in A:
        g = 0
        for a, vi in zip(row, v):
            if not isinstance(a, (int, float)):
                for qj, vj in zip(q, v):
                    g = g - diff(a, qj) * vj * vi
        rows.append(g)
    return rows


def symengine(name):
    import symengine
    return by(symengine, name)


def by(se, name):
    """by SymEngine, or SymPy, whose functions have the same names"""
    n, _ = problems.shape(name)
    q, v = list(se.symbols(f"q0:{n}")), list(se.symbols(f"v0:{n}"))
    s = problems.build(se, name, q, v)
    p = [se.diff(s["L"], x) for x in v]
    M = [[None] * n for _ in range(n)]
    F = []
    for i in range(n):
        for j in range(i + 1):
            M[i][j] = M[j][i] = se.diff(p[i], v[j])
        f = se.diff(s["L"], q[i])
        for j in range(n):
            f = f - se.diff(p[i], q[j]) * v[j]
        F.append(f if s["D"] is None else f - se.diff(s["D"], v[i]))
    return dict(q=q, v=v, M=M, F=F, A=s["A"], gamma=_gamma(se.diff, s["A"], q, v))


def casadi(name):
    import casadi as ca
    n, k = problems.shape(name)
    q, v = ca.SX.sym("q", n), ca.SX.sym("v", n)
    s = problems.build(ca, name, [q[i] for i in range(n)], [v[i] for i in range(n)])
    p = ca.gradient(s["L"], v)
    M = ca.jacobian(p, v)
    F = ca.gradient(s["L"], q) - ca.jtimes(p, q, v)
    if s["D"] is not None:
        F = F - ca.gradient(s["D"], v)
    A = gamma = None
    if k:
        A = ca.vertcat(*[ca.horzcat(*row) for row in s["A"]])
        gamma = -ca.jtimes(ca.mtimes(A, v), q, v)
    return dict(q=q, v=v, M=M, F=F, A=A, gamma=gamma)


def lists(d, name):
    """the matrices of CasADi as lists of rows"""
    n, k = problems.shape(name)
    return dict(M=[[d["M"][i, j] for j in range(n)] for i in range(n)], F=[d["F"][i] for i in range(n)],
                A=[[d["A"][i, j] for j in range(n)] for i in range(k)], gamma=[d["gamma"][i] for i in range(k)])


def heyoka(name):
    """second derivatives of L in one call; heyoka.lagrangian knows no constraints"""
    import heyoka as hy
    n, _ = problems.shape(name)
    q = list(hy.make_vars(*[f"q{i}" for i in range(n)]))
    v = list(hy.make_vars(*[f"v{i}" for i in range(n)]))
    s = problems.build(hy, name, q, v)
    tensors = hy.diff_tensors([s["L"]], diff_args=q + v, diff_order=2)

    def d(*indices):
        orders = [0] * (2 * n)
        for i in indices:
            orders[i] += 1
        try:
            return tensors[[0] + orders]
        except KeyError:
            return hy.expression(0.0)

    M = [[d(n + max(i, j), n + min(i, j)) for j in range(n)] for i in range(n)]
    F = [hy.sum([d(i)] + [-d(n + i, j) * v[j] for j in range(n)]) for i in range(n)]
    if s["D"] is not None:
        F = [f - hy.diff(s["D"], x) for f, x in zip(F, v)]
    return dict(q=q, v=v, M=M, F=F, A=s["A"], gamma=_gamma(hy.diff, s["A"], q, v))


def is_zero(x):
    if isinstance(x, (int, float)):
        return x == 0
    if hasattr(x, "is_zero") and callable(x.is_zero):
        return bool(x.is_zero())
    return str(x) in ("0", "0.0", "0.0000000000000000")


def ldl(M, rights, name=lambda e: e):
    """unrolled LDL^T; `name` is applied to every temporary"""
    n = len(M)
    L = [[0] * n for _ in range(n)]
    pivots = []
    for j in range(n):
        w = [0 if is_zero(L[j][k]) else name(L[j][k] / pivots[k]) for k in range(j)]
        d = M[j][j]
        for k in range(j):
            if not is_zero(w[k]):
                d = d - L[j][k] * w[k]
        pivots.append(name(1.0 / name(d)))
        for i in range(j + 1, n):
            a = M[i][j]
            for k in range(j):
                if not is_zero(L[i][k]) and not is_zero(w[k]):
                    a = a - L[i][k] * w[k]
            L[i][j] = 0 if is_zero(a) else name(a * pivots[j])
    solutions = []
    for right in rights:
        y = list(right)
        for i in range(n):
            for k in range(i):
                if not is_zero(L[i][k]) and not is_zero(y[k]):
                    y[i] = y[i] - L[i][k] * y[k]
            y[i] = y[i] if is_zero(y[i]) else name(y[i])
        x = [0 if is_zero(y[i]) else name(y[i] * pivots[i]) for i in range(n)]
        for i in reversed(range(n)):
            for k in range(i + 1, n):
                if not is_zero(L[k][i]) and not is_zero(x[k]):
                    x[i] = x[i] - L[k][i] * x[k]
            x[i] = x[i] if is_zero(x[i]) else name(x[i])
        solutions.append(x)
    return solutions


def solve(d, name=lambda e: e):
    """accelerations and multipliers, by the Schur complement of M"""
    M, F, A, gamma = d["M"], d["F"], d["A"], d["gamma"]
    if not A:
        return ldl(M, [F], name)[0]
    free, *W = ldl(M, [F] + [list(row) for row in A], name)

    def dot(row, x):
        total = 0
        for a, b in zip(row, x):
            if not is_zero(a) and not is_zero(b):
                total = total + a * b
        return total

    S = [[dot(row, w) for w in W] for row in A]
    S = [[e if is_zero(e) else name(e) for e in row] for row in S]
    multipliers = ldl(S, [[name(g - dot(row, free)) for g, row in zip(gamma, A)]], name)[0]
    accelerations = []
    for i, a in enumerate(free):
        for w, lam in zip(W, multipliers):
            if not is_zero(w[i]):
                a = a + w[i] * lam
        accelerations.append(a)
    return accelerations + list(multipliers)


def first_order(name):
    """heyoka's equations dq/dt = v, dv/dt = a"""
    d = heyoka(name)
    return list(zip(d["q"], d["v"])) + list(zip(d["v"], expressions(solve(d))))


def expressions(values):
    """zeros that the solve found are numbers of Python"""
    import heyoka as hy
    return [e if isinstance(e, hy.expression) else hy.expression(float(e)) for e in values]
