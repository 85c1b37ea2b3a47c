"""Writes elementary.tsv: arguments and 107 bits of the value, by mpmath at 400 bits.

python3 elementary.py > elementary.tsv      (mpmath 1.3)
"""
import random
from mpmath import mp, mpf

mp.prec = 400
random.seed(20)


def between(low, high):
    return lambda: random.uniform(low, high)


def scaled(low, high, signed=True):
    """Uniform in the exponent."""
    return lambda: (random.choice([-1, 1]) if signed else 1) * 2.0 ** random.uniform(low, high)


def smoothstep(x):
    r = min(max(x, 0), 1)
    return r**3 * (10 - 15 * r + 6 * r**2)


angle = [between(-4, 4), between(-100, 100), between(-1.6e6, 1.6e6), scaled(-30, 10), scaled(21, 300)]
FUNCTIONS = {
    "sin": (mp.sin, angle),
    "cos": (mp.cos, angle),
    "tan": (mp.tan, angle),
    "asin": (mp.asin, [between(-1, 1), scaled(-30, 0)]),
    "acos": (mp.acos, [between(-1, 1), scaled(-30, 0)]),
    "atan": (mp.atan, [between(-4, 4), scaled(-30, 60)]),
    "atan2": (mp.atan2, [between(-4, 4), scaled(-30, 30)]),
    "sinh": (mp.sinh, [between(-4, 4), between(-700, 700), scaled(-30, 0)]),
    "cosh": (mp.cosh, [between(-4, 4), between(-700, 700), scaled(-30, 0)]),
    "tanh": (mp.tanh, [between(-4, 4), between(-30, 30), scaled(-30, 0)]),
    "exp": (mp.exp, [between(-4, 4), between(-700, 700), scaled(-30, 0)]),
    "ln": (mp.log, [between(0, 4), between(0.9, 1.1), scaled(-1000, 1000, signed=False)]),
    "asinh": (mp.asinh, [between(-4, 4), scaled(-30, 60)]),
    "hypot": (mp.hypot, [between(-4, 4), scaled(-30, 30)]),
    "log2": (lambda x: mp.log(x, 2), [between(0, 4), between(0.9, 1.1), scaled(-1000, 1000, signed=False)]),
    "exp2": (lambda x: mp.power(2, x), [between(-4, 4), between(-1000, 1000), scaled(-30, 0)]),
    "powf": (mp.power, [between(0, 4), scaled(-30, 30, signed=False)]),
    "erf": (mp.erf, [between(-4, 4), between(-6.5, 6.5), scaled(-30, 0)]),
    "smoothstep": (smoothstep, [between(-0.5, 1.5), between(0, 1), scaled(-30, 0, signed=False)]),
    "log10": (lambda x: mp.log(x, 10), [between(0, 4), between(0.9, 1.1), scaled(-1000, 1000, signed=False)]),
}
# Multiples of π/2 rounded to doubles, where nearly all of the argument cancels.
NEAR = [float(k * mp.pi / 2) for k in (1, 2, 3, 4, 7, 11, 102, 1023, 573204, 1048575, 1048577, 2**40)]

for name, (function, ranges) in FUNCTIONS.items():
    points = [[draw()] for draw in ranges for _ in range(120 // len(ranges))]
    if name in ("sin", "cos", "tan"):
        points += [[x] for x in NEAR] + [[-x] for x in NEAR]
    if name in ("atan2", "hypot"):
        points = [p + [random.choice(ranges)()] for p in points]
    if name == "powf":
        points = [p + [random.choice([1 / 3, -2.5, random.uniform(-9, 9)])] for p in points]
    for point in points:
        value = function(*[mpf(x) for x in point])
        high = float(value)
        low = float(value - mpf(high))
        print("\t".join([name] + [repr(x) for x in [point[0], (point + [0.0])[1], high, low]]))
