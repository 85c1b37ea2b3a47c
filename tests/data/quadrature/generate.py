"""Reference values for the quadrature, 40 digits of mpmath rounded to binary64.

roots.csv: for the friction of a thin rod, with w = (λ1, λ2 + s ω) on [a, b],

    F1 = ∫ λ1/‖w‖ ds,  F2 = ∫ (λ2 + s ω)/‖w‖ ds,  F3 = ∫ s (λ2 + s ω)/‖w‖ ds,  D = ∫ ‖w‖ ds

in closed form, for λ1 from 1 down to 0.

board.csv: for the friction of a flat board |α| ≤ a, |β| ≤ b that moves with (u, v, ω) in its own
axes, w = (u − ω β, v + ω α), by the closed form over α and mpmath.quad over β,

    F1 = ∫∫ (u − ω β)/‖w‖,  F2 = ∫∫ (v + ω α)/‖w‖,  F3 = ∫∫ (α (v + ω α) − β (u − ω β))/‖w‖

smooth.csv: ∫ of named functions by mpmath.quad at 40 digits.
"""

import csv
import os
import random
from mpmath import mp, mpf, sqrt, asinh, quad, sin, cos, exp, log, tanh, linspace

mp.dps = 40
os.chdir(os.path.dirname(os.path.abspath(__file__)))


def closed(l1, l2, w, a, b):
    """With y = λ2 + s ω, all four are ∫ of polynomials in y over √(λ1² + y²), or of the root."""
    l1, l2, w, a, b = map(mpf, (l1, l2, w, a, b))
    ya, yb = l2 + w * a, l2 + w * b
    root = lambda y: sqrt(l1**2 + y**2)
    if l1 == 0:
        j0 = None  # not needed: F1 is 0
        length = lambda y: y * abs(y) / 2
        square = lambda y: y * abs(y) / 2
        log_part = lambda y: mpf(0)
    else:
        log_part = lambda y: asinh(y / abs(l1))
        length = lambda y: (y * root(y) + l1**2 * log_part(y)) / 2
        square = lambda y: (y * root(y) - l1**2 * log_part(y)) / 2
    d = lambda f: f(yb) - f(ya)
    f1 = l1 * d(log_part) / w
    f2 = d(root) / w
    # s = (y − λ2)/ω
    f3 = (d(square) - l2 * d(root)) / w**2
    dd = d(length) / w
    return f1, f2, f3, dd


def roots():
    draw = random.Random(7)
    cases = []
    for l1 in ["1", "0.1", "1e-2", "1e-3", "1e-4", "1e-6", "1e-8", "1e-10", "1e-12", "1e-14", "0"]:
        for _ in range(4):
            cases.append((l1, draw.uniform(-2, 2), draw.uniform(-3, 3), -draw.uniform(0.1, 2), draw.uniform(0.1, 2)))
        cases.append((l1, 0.0, 1.0, -1.0, 1.0))
        cases.append((l1, 1.0, 1.0, -1.0, 1.0))
        cases.append((l1, 5.0, 1e-3, -1.0, 2.0))
    with open("roots.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["lambda1", "lambda2", "omega", "a", "b", "f1", "f2", "f3", "d"])
        for l1, l2, w, a, b in cases:
            values = closed(l1, l2, w, a, b)
            row = [float(l1), l2, w, a, b] + [float(v) for v in values]
            writer.writerow([repr(x) for x in row])


def board_row(u, v, w, a, b):
    u, v, w, a, b = map(mpf, (u, v, w, a, b))

    def inner(beta):
        l1 = u - w * beta
        y0, y1 = v - w * a, v + w * a
        root = lambda y: sqrt(l1**2 + y**2)
        log_part = lambda y: asinh(y / abs(l1)) if l1 != 0 else mpf(0)
        square = lambda y: (y * root(y) - l1**2 * log_part(y)) / 2
        i0 = (log_part(y1) - log_part(y0)) / w
        iy = (root(y1) - root(y0)) / w
        iay = (square(y1) - square(y0) - v * (root(y1) - root(y0))) / w**2
        return l1 * i0, iy, iay - beta * l1 * i0

    centre = u / w
    points = [-b, b] if abs(centre) >= b else [-b, centre, b]
    return [quad(lambda beta, k=k: inner(beta)[k], points) for k in range(3)]


def board():
    draw = random.Random(11)
    cases = [(0.0, 0.0, 1.0, 1.0, 0.5), (0.2, 0.3, 1.0, 1.0, 0.5), (0.5, 1.0, 1.0, 1.0, 0.5)]
    cases += [(0.5 + 1e-6, 1.0 + 1e-6, 1.0, 1.0, 0.5), (1e-9, 1e-9, 2.0, 1.0, 0.5)]
    for spin in (3.0, 1.0, 0.1, 1e-3):
        for _ in range(4):
            cases.append((draw.uniform(-1, 1), draw.uniform(-1, 1), spin, draw.uniform(0.3, 2), draw.uniform(0.3, 2)))
    with open("board.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["u", "v", "omega", "a", "b", "f1", "f2", "f3"])
        for case in cases:
            writer.writerow([repr(x) for x in case] + [repr(float(f)) for f in board_row(*case)])


SMOOTH = {
    "exp": (lambda s: exp(s), 0, 3),
    "runge": (lambda s: 1 / (1 + 25 * s * s), -1, 1),
    "wave": (lambda s: cos(40 * s) * exp(-s), 0, 5),
    "log": (lambda s: log(s), 0, 1),
    "root": (lambda s: sqrt(s), 0, 1),
    "step": (lambda s: tanh(200 * (s - mpf(1) / 3)), 0, 1),
    "backwards": (lambda s: s * sin(s), 2, -1),
    "kink": (lambda s: abs(s - mpf(1) / 3), 0, 1),
}


def smooth():
    breaks = {"step": [0, mpf(1) / 3, 1], "kink": [0, mpf(1) / 3, 1]}
    with open("smooth.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["function", "a", "b", "value"])
        for name, (f, a, b) in SMOOTH.items():
            points = breaks.get(name, linspace(a, b, 40) if name == "wave" else [a, b])
            writer.writerow([name, a, b, repr(float(quad(f, points)))])


if __name__ == "__main__":
    roots()
    board()
    smooth()
