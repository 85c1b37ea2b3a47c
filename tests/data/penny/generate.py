"""Reference impacts of the penny billiard (bouncing-penny.txt, sections V and VI).

Run with `python generate.py` in an environment that has mpmath; it writes the five
CSV files beside itself. It shares no code with the project.

Motion between impacts is the arc (26), x and y as R Ω s sinc(ω s/2) cos(φ + ω s/2),
so that ω = 0 needs no case of its own. The contact points run on circles at the
constant rate ω, thus a gap is a trigonometric polynomial of degree 2 in ω s. The first
falling crossing is found twice: by a march that cannot step over a root (`first_zero`)
and from all roots of that polynomial (`ArcPolynomial`).
"""

import csv
import math
import pathlib
import platform
from dataclasses import dataclass, replace

import mpmath as mp

HERE = pathlib.Path(__file__).parent
IMPACTS = 20
DIGITS, CHECK_DIGITS, AGREE, PRINTED = 60, 80, 30, 40
SIDES = {"front": 1, "back": -1}


@dataclass(frozen=True)
class Table:
    """The penny and its table: lengths in m, masses in kg, inertias in kg m²."""

    R: object
    m: object
    I: object
    J: object
    a: object
    b: object


@dataclass(frozen=True)
class State:
    """A point of the constraint manifold: v = (R Ω cos φ, R Ω sin φ, Ω, ω)."""

    t: object
    x: object
    y: object
    θ: object
    φ: object
    Ω: object
    ω: object


@dataclass(frozen=True)
class Impact:
    contact: str
    before: State
    v_minus: object
    v_plus: object
    gap_rate_minus: object
    gap_rate_plus: object

    @property
    def after(self):
        return replace(self.before, Ω=self.v_plus[2], ω=self.v_plus[3])


def exact_input(shape):
    """Table I and the start of section VI-A as exact decimals, at the current precision."""
    R, m = mp.mpf(1) / 100, mp.mpf(25) / 10000
    a = mp.mpf(15 if shape == "elliptic" else 20) / 100
    table = Table(R, m, m * R**2 / 2, m * R**2 / 4, a, mp.mpf(20) / 100)
    zero = mp.mpf(0)
    return table, State(zero, zero, zero, zero, mp.pi / 2, mp.mpf(10), mp.mpf(2) / 10)


def double_input(shape):
    """The same with R, m, a, b, φ0, ω0 rounded to the nearest double; I, J exact in those."""
    table, start = exact_input(shape)
    r = lambda value: mp.mpf(float(value))
    R, m = r(table.R), r(table.m)
    table = Table(R, m, m * R**2 / 2, m * R**2 / 4, r(table.a), r(table.b))
    return table, replace(start, φ=r(mp.pi / 2), ω=r(start.ω))


def flow(p, q, s):
    """The arc (26), s after q."""
    half = q.ω * s / 2
    chord = p.R * q.Ω * s * (mp.sin(half) / half if half else 1)
    return replace(
        q,
        t=q.t + s,
        x=q.x + chord * mp.cos(q.φ + half),
        y=q.y + chord * mp.sin(q.φ + half),
        θ=q.θ + q.Ω * s,
        φ=q.φ + q.ω * s,
    )


def gap(p, q, side):
    """g = 1 − (X/a)² − (Y/b)² at the contact point (27) or (34)."""
    X = q.x + side * p.R * mp.cos(q.φ)
    Y = q.y + side * p.R * mp.sin(q.φ)
    return 1 - (X / p.a) ** 2 - (Y / p.b) ** 2


def gap_gradient(p, q, side):
    """∇g in (x, y, θ, φ)."""
    c, s = mp.cos(q.φ), mp.sin(q.φ)
    gx = -2 * (q.x + side * p.R * c) / p.a**2
    gy = -2 * (q.y + side * p.R * s) / p.b**2
    return mp.matrix([gx, gy, 0, side * p.R * (gy * c - gx * s)])


def velocity(p, q):
    return mp.matrix([p.R * q.Ω * mp.cos(q.φ), p.R * q.Ω * mp.sin(q.φ), q.Ω, q.ω])


def dot(u, v):
    return mp.fsum(u[i] * v[i] for i in range(len(u)))


def first_zero(p, q, side, just_hit):
    """First s > 0 with g = 0, found from below.

    With |g̈| ≤ K the gap stays above g + ġ h − K h²/2; the march advances to the zero of
    that minorant, so it can't pass a root, and converges to it quadratically. Inside the
    table |(X/a, Y/b)| ≤ 1, so K = 2 V²/c² + 2 |ω| V/c with V = R √(Ω² + ω²), c = min(a, b).
    A contact just hit starts at the top of its first minorant, where g > 0 again.
    """
    V = p.R * mp.sqrt(q.Ω**2 + q.ω**2)
    c = min(p.a, p.b)
    K = 2 * V**2 / c**2 + 2 * abs(q.ω) * V / c
    resolution = mp.ldexp(1, 4 - mp.mp.prec)
    s = mp.mpf(0)
    if just_hit:
        s = dot(gap_gradient(p, q, side), velocity(p, q)) / K
    while True:
        now = flow(p, q, s)
        g, rate = gap(p, now, side), dot(gap_gradient(p, now, side), velocity(p, now))
        if g <= 0:
            return s
        h = 2 * g / (mp.sqrt(rate**2 + 2 * K * g) - rate)
        s += h
        if h < resolution * s:
            return s
        if s > 1000:
            return mp.inf


class ArcPolynomial:
    """g along an arc: Σ c_n e^{i n ω s}, |n| ≤ 2, exactly, from five samples."""

    def __init__(self, p, q, side):
        self.ω = q.ω
        samples = [gap(p, flow(p, q, 2 * mp.pi * k / (5 * q.ω)), side) for k in range(5)]
        self.c = {
            n: mp.fsum(samples[k] * mp.expjpi(mp.mpf(-2 * n * k) / 5) for k in range(5)) / 5
            for n in range(-2, 3)
        }

    def times(self, coefficients):
        """All s in (0, period) at which Σ c_n e^{i n ω s} = 0."""
        tiny = mp.mpf(10) ** (12 - mp.mp.dps)
        degree = max((n for n in coefficients if abs(coefficients[n]) > tiny), default=0)
        if degree == 0:
            return []
        leading_first = [coefficients[n] for n in range(degree, -degree - 1, -1)]
        roots = mp.polyroots(leading_first, maxsteps=400, extraprec=4 * mp.mp.prec)
        near = mp.mpf(10) ** (-mp.mp.dps // 3)
        period = 2 * mp.pi / abs(self.ω)
        times = [mp.arg(z) / self.ω % period for z in roots if abs(abs(z) - 1) < near]
        return sorted(s for s in times if near < s < period - near)

    def zeros(self):
        return self.times(self.c)

    def lowest_turning_gap(self, until):
        """Least value of g where ġ = 0 before `until`: the distance from a tangency."""
        at = lambda s: mp.fsum(c * mp.expj(n * self.ω * s) for n, c in self.c.items()).real
        turns = self.times({n: n * c for n, c in self.c.items()})
        return min((at(s) for s in turns if s < until), default=mp.inf)


def next_impact(p, q, hit):
    """Arc time and contact of the next falling crossing; `hit` is the contact just left."""
    times = {c: first_zero(p, q, side, c == hit) for c, side in SIDES.items()}
    contact = min(times, key=times.get)
    return times[contact], contact


def rows(p, φ):
    """ω¹, ω² of (24)."""
    return mp.matrix([[1, 0, -p.R * mp.cos(φ), 0], [0, 1, -p.R * mp.sin(φ), 0]])


def projector(G, B):
    """P = G⁻¹Bᵀ (B G⁻¹Bᵀ)⁻¹ B."""
    GB = mp.inverse(G) * B.T
    return GB * mp.inverse(B * GB) * B


def elastic(p, q, v, dg):
    """v⁺ = (I − 2P) v⁻ with B = [ω¹; ω²; ∇g]."""
    G = mp.diag([p.m, p.m, p.I, p.J])
    A = rows(p, q.φ)
    B = mp.matrix([[A[i, j] for j in range(4)] for i in range(2)] + [list(dg)])
    return v - 2 * (projector(G, B) * v)


def project(p, q, v, dg):
    """Reflect on ∇g as if there were no constraint, (5), then project on ker A, (20)."""
    G = mp.diag([p.m, p.m, p.I, p.J])
    reflected = v - 2 * (projector(G, dg.T) * v)
    return reflected - projector(G, rows(p, q.φ)) * reflected


def corner_conditions(p, q, v, dg):
    """The elastic map from (15) alone: λ(α) from (16), then the nonzero α of (17)."""
    W = mp.diag([1 / p.m, 1 / p.m, 1 / p.I, 1 / p.J])
    A = rows(p, q.φ)
    λ = mp.lu_solve(A * W * A.T, -(A * W * dg))
    push = A.T * λ + dg
    α = -2 * dot(push, v) / dot(push, W * push)
    return v + α * (W * push)


def printed_project(p, q, v, dg, side):
    """The map of section V-B as printed: (28) with C of (29), then π_Δ of (32), (33)."""
    c, s, hx, hy = mp.cos(q.φ), mp.sin(q.φ), -dg[0], -dg[1]
    turn = side * p.R * (hy * c - hx * s)
    C = -2 * (hx * v[0] + hy * v[1] + turn * v[3]) / ((hx**2 + hy**2) / p.m + turn**2 / p.J)
    u = [v[0] + C / p.m * hx, v[1] + C / p.m * hy, v[2], v[3] + C / p.J * turn]
    Ω = (p.m * p.R * (c * u[0] + s * u[1]) + p.I * u[2]) / (p.I + p.m * p.R**2)
    return mp.matrix([p.R * c * Ω, p.R * s * Ω, Ω, u[3]])


LAWS = {"elastic": elastic, "project": project}


def impact_at(p, q, contact, law):
    side = SIDES[contact]
    v, dg = velocity(p, q), gap_gradient(p, q, side)
    v_plus = LAWS[law](p, q, v, dg)
    return Impact(contact, q, v, v_plus, dot(dg, v), dot(dg, v_plus))


def run(p, start, law, count, hit=None):
    """Up to `count` impacts from `start`; stops early where the law leaves the gap closing."""
    impacts, q = [], start
    for _ in range(count):
        s, contact = next_impact(p, q, hit)
        if s == mp.inf:
            break
        impact = impact_at(p, flow(p, q, s), contact, law)
        impacts.append(impact)
        if impact.gap_rate_plus <= 0:
            break
        q, hit = impact.after, contact
    return impacts


def numbers(impact):
    q = impact.before
    return [q.t, q.x, q.y, q.θ, q.φ, *impact.v_minus, *impact.v_plus]


def size(v):
    return max(abs(x) for x in v)


def verify(p, start, law, impacts):
    """Second derivations of each impact and each first root; the distance from tangency."""
    small = mp.mpf(10) ** (8 - mp.mp.dps)
    margin, q, hit = mp.inf, start, None
    for i in impacts:
        side, dg = SIDES[i.contact], gap_gradient(p, i.before, SIDES[i.contact])
        if law == "elastic":
            other = corner_conditions(p, i.before, i.v_minus, dg)
        else:
            other = printed_project(p, i.before, i.v_minus, dg, side)
        assert size(i.v_plus - other) < small * size(i.v_plus)
        assert size(rows(p, i.before.φ) * i.v_plus) < small
        assert abs(gap(p, i.before, side)) < small and i.gap_rate_minus < 0
        first = mp.inf
        for contact, sign in SIDES.items():
            arc = ArcPolynomial(p, q, sign)
            first = min([first, *arc.zeros()])
            margin = min(margin, arc.lowest_turning_gap(i.before.t - q.t))
        assert abs(first - (i.before.t - q.t)) < mp.mpf(10) ** -25, (first, i.before.t - q.t)
        q, hit = i.after, i.contact
    return margin


def scales(q, p):
    """One rounding of each stored component, in units of ε: lengths by the table."""
    return {"x": p.b, "y": p.b, "φ": max(1, abs(q.φ)), "Ω": abs(q.Ω), "ω": abs(q.ω)}


def mixing(q):
    """The impact map subtracts numbers of the size of both rates: each of Ω⁺ and ω⁺ then
    carries a rounding of the larger one. Factors over `scales`."""
    larger = max(abs(q.Ω), abs(q.ω))
    return {"x": 1, "y": 1, "φ": 1, "Ω": larger / abs(q.Ω), "ω": larger / abs(q.ω)}


def shifts(p, q, law, count, hit, reference):
    """|δt_k| / δ after `q` for each component moved by δ times its scale, δ = 1e−30."""
    δ = mp.mpf(10) ** -30
    result = {}
    for name, scale in scales(q, p).items():
        moved = replace(q, **{name: getattr(q, name) + δ * scale})
        other = run(p, moved, law, count, hit)
        assert [i.contact for i in other] == [i.contact for i in reference]
        result[name] = [abs(o.before.t - r.before.t) / δ for o, r in zip(other, reference)]
    return result


def parameter_shifts(p, start, law, reference):
    """The same for relative changes of R, m, I, J, a, b, one at a time."""
    δ = mp.mpf(10) ** -30
    result = []
    for name in ("R", "m", "I", "J", "a", "b"):
        other = run(replace(p, **{name: getattr(p, name) * (1 + δ)}), start, law, len(reference))
        result.append([abs(o.before.t - r.before.t) / δ for o, r in zip(other, reference)])
    return result


def time_errors(other, reference):
    """t_k of another run less the reference's, for as long as it meets the same impacts."""
    errors = []
    for o, r in zip(other, reference):
        if o.contact != r.contact or o.gap_rate_minus >= 0 or o.gap_rate_plus <= 0:
            break
        errors.append(mp.nstr(o.before.t - r.before.t, 6))
    return errors + [""] * (len(reference) - len(errors))


def injected_shifts(shape, law, reference):
    """For each k, the shifts of t_k by one rounding of each component after each earlier
    impact: as stored, and with the impact map's mixing."""
    p, _ = exact_input(shape)
    n = len(reference)
    stored, mixed = [[] for _ in range(n)], [[] for _ in range(n)]
    for j, i in enumerate(reference[:-1]):
        factor = mixing(i.after)
        for name, column in shifts(p, i.after, law, n - j - 1, i.contact, reference[j + 1 :]).items():
            for k, value in enumerate(column, j + 1):
                stored[k].append(value)
                mixed[k].append(value * factor[name])
    return stored, mixed


def sensitivity(shape, law, reference):
    """One row an impact; the columns are explained in ../README.md."""
    p, start = exact_input(shape)
    n = len(reference)
    initial = shifts(p, start, law, n, None, reference).values()
    parameters = parameter_shifts(p, start, law, reference)
    stored, mixed = injected_shifts(shape, law, reference)
    input_errors = time_errors(run(*double_input(shape), law, n), reference)
    with mp.workprec(53):
        double = run(*exact_input(shape), law, n)
    double_errors = time_errors(double, reference)
    table = []
    for k, i in enumerate(reference):
        t = i.before.t
        first = [column[k] for column in initial]
        sums = [mp.fsum(first), mp.fsum(column[k] for column in parameters)]
        sums += [mp.fsum(stored[k]), mp.fsum(mixed[k])]
        worst = sums[0] + sums[3] + t
        rss = mp.sqrt(mp.fsum(x**2 for x in [*first, *mixed[k], t]))
        amplifications = [max(first), *sums, max(mixed[k], default=mp.mpf(0)), sums[0] + sums[2] + t, worst, rss]
        table.append((amplifications, [input_errors[k], double_errors[k]]))
    report_reach(f"{shape}_{law}", table)
    for k, (amplifications, errors) in enumerate(table):
        shown = [mp.nstr(x, 6) for x in amplifications]
        yield [f"{shape}_{law}", k + 1, mp.nstr(reference[k].before.t, 20), *shown, *errors]


def report_reach(name, table):
    """The number of leading impacts within 1e−12: by ε = 2⁻⁵³ times each estimate, as run."""
    def leading(within):
        return next((k for k, line in enumerate(table) if not within(line)), len(table))

    ε, tolerance = mp.ldexp(1, -53), mp.mpf(10) ** -12
    for column, label in ((-3, "stored"), (-2, "worst_case"), (-1, "root_sum_square")):
        print(f"  {name} {label}: {leading(lambda line: ε * line[0][column] <= tolerance)}")
    print(f"  {name} double run: {leading(lambda line: line[1][1] and abs(mp.mpf(line[1][1])) <= tolerance)}")


def compute(shape, law):
    """The run at both precisions; asserts that they agree and that each root is the first."""
    with mp.workdps(CHECK_DIGITS):
        check = run(*exact_input(shape), law, IMPACTS)
    p, start = exact_input(shape)
    impacts = run(p, start, law, IMPACTS)
    worst = mp.mpf(0)
    for i, c in zip(impacts, check, strict=True):
        assert i.contact == c.contact
        worst = max([worst, *(abs(x / y - 1) for x, y in zip(numbers(i), numbers(c)))])
    assert worst < mp.mpf(10) ** -max(AGREE, PRINTED), worst
    margin = verify(p, start, law, impacts)
    energy = [dot(v, mp.diag([p.m, p.m, p.I, p.J]) * v) / 2 for v in (velocity(p, start), impacts[-1].v_plus)]
    show = lambda x: mp.nstr(x, 6)
    print(
        f"{shape}_{law}: {len(impacts)} impacts, t_end {mp.nstr(impacts[-1].before.t, 17)},",
        f"relative difference {DIGITS}/{CHECK_DIGITS} digits {show(worst)},",
        f"min |ġ⁻| {show(min(-i.gap_rate_minus for i in impacts))},",
        f"min ġ⁺ {show(min(i.gap_rate_plus for i in impacts))},",
        f"min ġ⁺/|ġ⁻| {show(min(-i.gap_rate_plus / i.gap_rate_minus for i in impacts))},",
        f"least turning gap {show(margin)}, E_end/E_0 {mp.nstr(energy[1] / energy[0], 12)}",
    )
    return impacts


def write(name, header, lines):
    made = f"# generate.py, mpmath {mp.__version__} ({mp.libmp.BACKEND}), Python {platform.python_version()}"
    with open(HERE / name, "w", newline="", encoding="utf-8") as file:
        file.write(f"{made}, {DIGITS} digits, checked at {CHECK_DIGITS}\n")
        csv.writer(file, lineterminator="\n").writerows([header, *lines])


def main():
    mp.mp.dps = DIGITS
    names = ["x", "y", "θ", "φ"]
    rates = [f"{name}_dot{sign}" for sign in "-+" for name in names]
    table = []
    for shape in ("round", "elliptic"):
        for law in LAWS:
            impacts = compute(shape, law)
            lines = (
                [k, mp.nstr(i.before.t, PRINTED), i.contact, *(mp.nstr(x, PRINTED) for x in numbers(i)[1:])]
                for k, i in enumerate(impacts, 1)
            )
            write(f"{shape}_{law}.csv", ["impact", "t", "contact", *names, *rates], lines)
            table += sensitivity(shape, law, impacts)
    header = [
        "run", "impact", "t", "initial_max", "initial_sum", "parameters_sum", "stored_sum",
        "injected_sum", "injected_max", "stored_case", "worst_case", "root_sum_square",
        "double_input_shift", "double_run_error",
    ]  # fmt: skip
    write("sensitivity.csv", header, table)


if __name__ == "__main__":
    main()
