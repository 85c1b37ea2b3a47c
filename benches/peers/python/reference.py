"""Writes ../../data: what the other scripts and the Rust side are compared with.

evaluations.json  accelerations and multipliers in 40 digits, solved with pivots
jacobians.json    the same with a by q, a by v, lambda by q, lambda by v behind them, each by columns: central differences
                  of 2^-100 in 120 digits
runs.json         starts of the smooth problems, the benchmark's own and others near it, and the last
                  states from there: heyoka with 160 bits at 1e-40
impacts.json      the first 20 impacts of the penny: exact arcs in 40 digits
"""
import json
import os
import random
from fractions import Fraction

import mpmath as mp

import lagrange
import problems

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data")
mp.mp.dps = 40


def write(name, value):
    with open(os.path.join(DATA, name + ".json"), "w") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def doubles(values):
    """nearest to them; what is zero by digits that cancel is zero"""
    return [float(x) if abs(x) > 1e-30 else 0.0 for x in values]


def exact(system):
    return [Fraction(x) for x in problems.STATE[system]]


def evaluation(system, d, state):
    """accelerations and multipliers of equations by SymEngine at a state of rational numbers"""
    import symengine as se
    n, k = problems.shape(system)
    bits = 4 * mp.mp.dps

    def wide(x):
        return se.Float(mp.nstr(mp.mpf(x.numerator) / x.denominator, mp.mp.dps), precision=bits)
    # numbers of as many bits, so that no product is rounded to a double; constants of the declaration are doubles, as everywhere
    values = {s: wide(x) for s, x in zip(d["q"] + d["v"], state)}

    def number(e):
        e = se.sympify(e).subs(values)
        return mp.mpf(str(se.sympify(e).n(bits, real=True)))
    K, right = mp.zeros(n + k), mp.zeros(n + k, 1)
    for i in range(n):
        right[i] = number(d["F"][i])
        for j in range(n):
            K[i, j] = number(d["M"][i][j])
    for a in range(k):
        right[n + a] = number(d["gamma"][a])
        for i in range(n):
            K[n + a, i] = number(d["A"][a][i])
            K[i, n + a] = -K[n + a, i]
    return list(mp.lu_solve(K, right))


def jacobian(system):
    d, state, (n, _) = lagrange.symengine(system), exact(system), problems.shape(system)
    h, columns = Fraction(1, 2**100), []
    with mp.workdps(120):
        for i in range(2 * n):
            sides = [evaluation(system, d, state[:i] + [state[i] + s * h] + state[i + 1:]) for s in (1, -1)]
            columns.append([(a - b) * 2**99 for a, b in zip(*sides)])
    parts = [column[part] for part in (slice(0, n), slice(n, None)) for column in columns]
    values = evaluation(system, d, state)
    return sum(parts, values)


def runs(system, count=21, bits=160):
    import heyoka as hy
    import numpy as np
    moved = random.Random(1)
    own = problems.START[system]
    others = [problems.near(system, [moved.uniform(-0.01, 0.01) for _ in own]) for _ in range(count - 1)]
    starts = [[float(x) for x in own]] + others
    equations = lagrange.first_order(system)
    taylor, ends = None, []
    for start in starts:
        state = np.array([hy.real(x, bits) for x in start])
        if taylor is None:
            taylor = hy.taylor_adaptive(equations, state, fp_type=hy.real, compact_mode=True,
                                        tol=hy.real(1e-40, bits))
        taylor.time, taylor.state[:] = hy.real(0.0, bits), state
        taylor.propagate_until(hy.real(problems.END[system], bits))
        ends.append([float(x) for x in taylor.state])
    return dict(starts=starts, ends=ends)


def arc(q, t):
    x, y, th, ph, spin, turn = q
    k = 2 * mp.sin(turn * t / 2) / turn
    x, y = x + R * spin * k * mp.cos(ph + turn * t / 2), y + R * spin * k * mp.sin(ph + turn * t / 2)
    return [x, y, th + spin * t, ph + turn * t, spin, turn]


def guard(q, side):
    return ((q[0] + side * R * mp.cos(q[3])) / a)**2 + ((q[1] + side * R * mp.sin(q[3])) / b)**2 - 1


def impacts(count=20):
    q, t, times = [mp.mpf(0)] * 3 + [mp.pi / 2, mp.mpf(10), mp.mpf("0.2")], mp.mpf(0), []
    step = mp.mpf("0.01")
    for _ in range(count):
        s, hit = mp.mpf(0), []
        while not hit:
            hit = [e for e in (1, -1) if guard(arc(q, s + step), e) > 0]
            s += step
        roots = []
        for e in hit:
            low, high = max(s - step, mp.mpf("1e-9")), s
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (low, middle) if guard(arc(q, middle), e) > 0 else (middle, high)
            roots.append((mp.findroot(lambda u: guard(arc(q, u), e), (low, high), solver="secant"), e))
        root, e = min(roots)
        q, t = arc(q, root), t + root
        c, sn = mp.cos(q[3]), mp.sin(q[3])
        hx, hy = 2 * (q[0] + e * R * c) / a**2, 2 * (q[1] + e * R * sn) / b**2
        d1, d2, g1 = R * (hx * c + hy * sn), e * R * (hy * c - hx * sn), m * R**2 + I
        f = 2 * (d1 * q[4] + d2 * q[5]) / (d1**2 / g1 + d2**2 / J)
        q[4] -= f * d1 / g1
        q[5] -= f * d2 / J
        times.append(float(t))
    return times


m, R, I, J, a, b = (mp.mpf(repr(problems.PENNY[key])) for key in "mRIJab")
if __name__ == "__main__":
    write("evaluations", {s: doubles(evaluation(s, lagrange.symengine(s), exact(s))) for s in problems.STATE})
    write("jacobians", {s: doubles(jacobian(s)) for s in problems.STATE})
    write("impacts", impacts())
    write("runs", {system: runs(system) for system in problems.END})
