"""Pendulums with friction on the length of the force at their pin: where they turn, and where they stop.

    (J + m l^2) a = -m g l sin(x) - s k N,    s = sign(x'), k = mu r,
    N^2 = (m l x'^2 + m g cos x)^2 + (m g sin x + m l a)^2

N by the quadratic that both make; x by extrapolation, the turns by roots of x'. It stays where
m g l |sin x| <= k m g. Each is computed with two step sizes, which agree to 22 digits.

Run: python generate.py > turns.csv (1 min).
"""

import platform

import mpmath
from mpmath import mp, mpf

M, L, J, G = mpf(1), mpf(1), mpf("0.1"), mpf("9.81")
CASES = [("0.3", "0.1", "2.5", "0"), ("0.3", "1", "0.4", "6"), ("0.8", "0.5", "-1", "0"), ("0.05", "0.3", "1.5", "-1")]
TURNS = 6


def acceleration(k, x, v, s):
    inertia, pull = J + M * L**2, M * G * L * mp.sin(x)
    along = (M * L * v**2 + M * G * mp.cos(x)) ** 2
    free, by = M * G * mp.sin(x) - M * L * pull / inertia, -M * L * s * k / inertia
    a, b, c = 1 - by**2, free * by, free**2 + along
    force = (b + mp.sqrt(b * b + a * c)) / a
    return (-pull - s * k * force) / inertia


def step(k, s, state, h, order):
    """One step by extrapolated midpoint steps (Gragg, Bulirsch, Stoer)."""
    rows = []
    for j in range(1, order + 1):
        n = 2 * j
        d = h / n
        f = lambda y: (y[1], acceleration(k, y[0], y[1], s))
        before, here = state, tuple(y + d * g for y, g in zip(state, f(state)))
        for _ in range(n - 1):
            before, here = here, tuple(b + 2 * d * g for b, g in zip(before, f(here)))
        end = tuple((b + y + d * g) / 2 for b, y, g in zip(before, here, f(here)))
        row = [end]
        for i, old in enumerate(rows[-1] if rows else []):
            ratio = mpf(j) / (j - i - 1)
            row.append(tuple(a + (a - o) / (ratio**2 - 1) for a, o in zip(row[i], old)))
        rows.append(row)
    return rows[-1][-1]


def turns(case, h, order):
    mu, r, x, v = map(mpf, case)
    k, t, found, state = mu * r, mpf(0), [], (x, v)
    s = mp.sign(v) if v else -mp.sign(mp.sin(x))
    while len(found) < TURNS:
        after = step(k, s, state, h, order)
        if s * after[1] > 0:
            state, t = after, t + h
            continue
        rest = mpmath.findroot(lambda d: step(k, s, state, d, order)[1], (h / 2, h / 3), tol=mpf(10) ** -40)
        state, t = (step(k, s, state, rest, order)[0], mpf(0)), t + rest
        stays = L * abs(mp.sin(state[0])) <= k
        found.append((t, state[0], stays))
        if stays:
            break
        s = -mp.sign(mp.sin(state[0]))
    return found


def main():
    mp.dps = 40
    print(f"# Python {platform.python_version()}, mpmath {mpmath.__version__}")
    print("mu,r,angle,rate,turn,t,at,stays")
    for case in CASES:
        one, other = turns(case, mpf(1) / 100, 14), turns(case, mpf(1) / 77, 14)
        for turn, (a, b) in enumerate(zip(one, other), 1):
            assert max(abs(a[0] - b[0]), abs(a[1] - b[1])) < mpf(10) ** -22, (case, a, b)
            print(",".join([*case, str(turn), mp.nstr(a[0], 22), mp.nstr(a[1], 22), str(int(a[2]))]))


main()
