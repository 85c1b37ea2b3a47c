"""Motions with dry friction in high precision: see ../README.md, dry/.

Run: python generate.py (2 min). Writes incline.csv, dumbbell.csv, belt.csv, rod.csv beside it.
"""

import pathlib
import platform

import mpmath as mp

mp.mp.dps = 40
HERE = pathlib.Path(__file__).parent
VERSIONS = f"# Python {platform.python_version()}, mpmath {mp.__version__}"
G = mp.mpf("9.81")


def write(name, header, rows):
    lines = [VERSIONS, ",".join(header)]
    for row in rows:
        lines.append(",".join(x if isinstance(x, str) else mp.nstr(x, 30) for x in row))
    (HERE / name).write_text("\n".join(lines) + "\n")


def incline(mu, phi, vx, vw):
    """Stop of a particle on an incline: with psi the angle of v from the line of fall,

    s' = -g (mu cos phi - sin phi cos psi),  psi' = -g sin phi sin psi / s,
    s = s0 (sin psi0/sin psi) (tan(psi/2)/tan(psi0/2))^k,  k = mu/tan phi > 1,

    and t, x, w are integrals over psi from psi0 to 0.
    """
    s0 = mp.hypot(vx, vw)
    psi0 = mp.atan2(vx, -vw)
    k = mu / mp.tan(phi)

    def s(psi):
        return s0 * mp.sin(psi0) / mp.sin(psi) * (mp.tan(psi / 2) / mp.tan(psi0 / 2)) ** k

    def dt(psi):
        return s(psi) / (G * mp.sin(phi) * mp.sin(psi))

    def integral(f):
        # s falls as psi^(k - 1): psi = psi0 z^(1/(k - 1)) takes away the power at psi = 0.
        def g(z):
            psi = psi0 * z ** (1 / (k - 1))
            return f(psi) * psi / ((k - 1) * z)

        return mp.quad(g, [0, mp.mpf(1) / 2, 1])

    t = integral(dt)
    x = integral(lambda psi: dt(psi) * s(psi) * mp.sin(psi))
    w = integral(lambda psi: -dt(psi) * s(psi) * mp.cos(psi))
    return t, x, w


def extrapolated(f, t, y, h, tolerance):
    """One step of Gragg, Bulirsch and Stoer."""
    table = []
    for k in range(1, 16):
        n = 2 * k
        d = h / n
        before, here = y, [a + d * b for a, b in zip(y, f(t, y))]
        for i in range(1, n):
            slope = f(t + i * d, here)
            before, here = here, [a + 2 * d * b for a, b in zip(before, slope)]
        slope = f(t + h, here)
        last = [(a + b + d * c) / 2 for a, b, c in zip(here, before, slope)]
        row = [last]
        for j in range(1, k):
            ratio = mp.mpf(k * k) / ((k - j) ** 2) - 1
            row.append([a + (a - b) / ratio for a, b in zip(row[j - 1], table[k - 2][j - 1])])
        table.append(row)
        if k > 3:
            error = max(abs(a - b) for a, b in zip(row[-1], row[-2]))
            if error < tolerance:
                return row[-1]
    return None


M1, M2, L, MU = mp.mpf(1), mp.mpf(2), mp.mpf(1), mp.mpf("0.3")
L1, L2 = M2 / (M1 + M2) * L, M1 / (M1 + M2) * L
INERTIA = M1 * L1**2 + M2 * L2**2
C = (MU * G * M1, MU * G * M2)


def slips(y):
    """Velocities of both particles."""
    _, _, a, vx, vy, om = y
    s, c = mp.sin(a), mp.cos(a)
    return (vx - L1 * om * s, vy + L1 * om * c), (vx + L2 * om * s, vy - L2 * om * c)


def forces(w):
    speed = mp.hypot(*w[0]), mp.hypot(*w[1])
    return [tuple(-C[i] * u / speed[i] for u in w[i]) for i in (0, 1)]


def dumbbell_slope(_, y):
    f = forces(slips(y))
    s, c = mp.sin(y[2]), mp.cos(y[2])
    torque = L1 * (c * f[0][1] - s * f[0][0]) - L2 * (c * f[1][1] - s * f[1][0])
    total = [f[0][i] + f[1][i] for i in (0, 1)]
    return [y[3], y[4], y[5], total[0] / (M1 + M2), total[1] / (M1 + M2), torque / INERTIA]


def remaining(y):
    """Time to the stop of each particle."""
    h = mp.mpf(10) ** -30
    moved = [a + h * b for a, b in zip(y, dumbbell_slope(0, y))]
    times = []
    for here, there in zip(slips(y), slips(moved)):
        rate = (mp.hypot(*there) - mp.hypot(*here)) / h
        times.append(mp.hypot(*here) / -rate if rate < 0 else mp.inf)
    return times


def dumbbell(theta, v):
    """Both slide until one stops; then the other turns about it until all stops."""
    t, y = mp.mpf(0), [mp.mpf(0), mp.mpf(0), theta, *v]
    while True:
        left = remaining(y)
        tau = min(left)
        if tau < mp.mpf(10) ** -19:
            break
        h = min(tau / 4, mp.mpf(1) / 40)
        while (next_y := extrapolated(dumbbell_slope, t, y, h, mp.mpf(10) ** -28)) is None:
            h /= 2
        t, y = t + h, next_y
    first = left.index(tau)
    other = 1 - first
    t1 = t + tau
    # About the stopped particle the other goes on a circle of radius L: m L om' = -c.
    mass = (M1, M2)[other]
    om = y[5]
    t2 = t1 + abs(om) * mass * L / C[other]
    turn = om * (t2 - t1) / 2
    # What holds the stopped particle: centripetal force and the other's friction.
    assert mp.hypot(mass * om**2 * L, 0) < C[first], "it does not hold"
    arm = (L1, -L2)[first]
    px, py = y[0] + arm * mp.cos(y[2]), y[1] + arm * mp.sin(y[2])
    theta = y[2] + turn
    end = (px - arm * mp.cos(theta), py - arm * mp.sin(theta), theta)
    return t1, str(first + 1), t2, *end


def belt(m, k, c, u, d):
    """m x'' = -k x - c sign(w) + d w, w = x' - u: sticks until k x = c, slides, sticks again."""
    x0 = c / k
    # Sliding with w < 0: z = x - (c - d u)/k, m z'' = -k z + d z'.
    rest = (c - d * u) / k
    a = d / (2 * m)
    om = mp.sqrt(k / m - a * a)

    def z(t):
        b = (u - a * (x0 - rest)) / om
        return mp.e ** (a * t) * ((x0 - rest) * mp.cos(om * t) + b * mp.sin(om * t))

    slip = mp.findroot(lambda t: mp.diff(z, t) - u, (mp.mpf("1.6") * mp.pi / om, 2 * mp.pi / om), solver="anderson")
    x1 = z(slip) + rest
    assert abs(k * x1) < c, "it does not stick"
    return slip, x1, slip + (x0 - x1) / u


def rod_slope(_, y):
    """m = 1, half length 1/2, mu g = C: forces in closed form, those of the document's (4.21)."""
    half, c = mp.mpf(1) / 2, ROD
    a, vx, vy, om = y[2:]
    sin, cos = mp.sin(a), mp.cos(a)
    lam, nu = vx * cos + vy * sin, vy * cos - vx * sin
    ends = nu - half * om, nu + half * om

    def primitives(u):
        root = mp.hypot(lam, u)
        angle = mp.asinh(u / abs(lam))
        return angle, root, (u * root - lam * lam * angle) / 2

    i0, i1, i2 = (b - a for a, b in zip(primitives(ends[0]), primitives(ends[1])))
    # Along the rod, across it, and the moment; s = (u - nu)/om, ds = du/om.
    along, across = -c * lam * i0 / om, -c * i1 / om
    moment = -c * (i2 - nu * i1) / (om * om)
    inertia = half * half / 3
    return [vx, vy, om, along * cos - across * sin, along * sin + across * cos, moment / inertia]


def rod(theta, v):
    """All of the rod comes to rest at once: v halves its time to that until it is 1e-19."""
    t, y = mp.mpf(0), [mp.mpf(0), mp.mpf(0), theta, *v]
    while True:
        slope = rod_slope(t, y)
        weights = 1, 1, mp.mpf(1) / 12
        power = sum(w * a * b for w, a, b in zip(weights, y[3:], slope[3:]))
        square = sum(w * a * a for w, a in zip(weights, y[3:]))
        tau = -square / power
        if tau < mp.mpf(10) ** -19:
            return t + tau, *y[:3]
        h = min(tau / 6, mp.mpf(1) / 40)
        while (next_y := extrapolated(rod_slope, t, y, h, mp.mpf(10) ** -26)) is None:
            h /= 2
        t, y = t + h, next_y


ROD = mp.mpf("0.2") * G
RODS = [("0", "1", "0.5", "6"), ("0.3", "1.2", "-0.5", "2"), ("1", "0.1", "2", "-1"), ("0", "0.5", "0.2", "9")]
INCLINES = [("0.7", "0.6", "3", "2"), ("0.8", "0.3", "1", "-2"), ("0.75", "0.6", "0.5", "1")]
STARTS = [("0.3", "1", "0.5", "3"), ("0.3", "0.3", "-0.2", "6"), ("0.3", "2", "1.5", "1.5")]
BELTS = [("1", "2", "1", "0.5", "0.2"), ("2", "30", "4", "0.1", "0.5")]

if __name__ == "__main__":
    rows = [(*case, *incline(*map(mp.mpf, case))) for case in INCLINES]
    write("incline.csv", ["mu", "phi", "vx", "vw", "t", "x", "w"], rows)
    rows = [(*case, *dumbbell(mp.mpf(case[0]), list(map(mp.mpf, case[1:])))) for case in STARTS]
    write("dumbbell.csv", ["theta", "vx", "vy", "omega", "t1", "first", "t2", "x", "y", "theta2"], rows)
    rows = [(*case, *belt(*map(mp.mpf, case))) for case in BELTS]
    write("belt.csv", ["m", "k", "c", "u", "d", "slip", "x1", "period"], rows)
    rows = [(*case, *rod(mp.mpf(case[0]), list(map(mp.mpf, case[1:])))) for case in RODS]
    write("rod.csv", ["theta", "vx", "vy", "omega", "t", "x", "y", "theta2"], rows)
