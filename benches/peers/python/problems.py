"""The benchmark problems: parameters, states, Lagrangians.

A builder takes a namespace with sin, cos, sqrt (symengine, casadi, heyoka, mpmath) and lists q, v of
its symbols, so that all tools get the same declaration, with positions or velocities as sums:
  L  Lagrangian
  D  dissipation function, d/dt dL/dv - dL/dq + dD/dv = A^T lambda, or None
  A  rows of the constraints A(q) v = 0
"""
import math

G = 9.81
PENNY = dict(m=0.0025, R=0.01, I=1.25e-7, J=6.25e-8, a=0.15, b=0.20)
BALL = dict(m=0.0459, R=0.02135, mu=0.02, h=0.05)


def nlink(m, q, v, n):
    """n links of unit length and mass, angles from the downward vertical"""
    T = U = y = vx = vy = 0
    for i in range(n):
        vx = vx + m.cos(q[i]) * v[i]
        vy = vy + m.sin(q[i]) * v[i]
        y = y - m.cos(q[i])
        T = T + 0.5 * (vx * vx + vy * vy)
        U = U + G * y
    return dict(L=T - U, D=None, A=[])


def penny(m, q, v):
    p, (x, y, th, ph) = PENNY, q
    L = 0.5 * p["m"] * (v[0]**2 + v[1]**2) + 0.5 * p["I"] * v[2]**2 + 0.5 * p["J"] * v[3]**2
    A = [[1, 0, -p["R"] * m.cos(ph), 0], [0, 1, -p["R"] * m.sin(ph), 0]]
    return dict(L=L, D=None, A=A)


def particle(m, q, v):
    x, y = q
    f = 0.3 * m.sin(x) * m.cos(2 * y)
    fx = 0.3 * m.cos(x) * m.cos(2 * y)
    fy = -0.6 * m.sin(x) * m.sin(2 * y)
    zd = fx * v[0] + fy * v[1]
    return dict(L=0.5 * (v[0]**2 + v[1]**2 + zd**2) - G * f, D=None, A=[])


def ball(m, q, v):
    b, (x, y, z, psi, th, phi), (xd, yd, zd, psid, thd, phid) = BALL, q, v
    fx = b["h"] * m.cos(x) * m.sin(y)
    fy = b["h"] * m.sin(x) * m.cos(y)
    wx = phid * m.sin(th) * m.sin(psi) + thd * m.cos(psi)
    wy = phid * m.cos(psi) * m.sin(th) - thd * m.sin(psi)
    wz = phid * m.cos(th) + psid
    s = b["R"] / m.sqrt(fx**2 + fy**2 + 1)
    gx = xd - s * (wy + wz * fy)
    gy = yd + s * (wx + wz * fx)
    gz = zd + s * (wx * fy - wy * fx)
    k2 = 0.4 * b["R"]**2
    L = (0.5 * b["m"] * (xd**2 + yd**2 + zd**2)
         + 0.5 * b["m"] * k2 * (thd**2 + phid**2 + psid**2 + 2 * phid * psid * m.cos(th))
         - b["m"] * G * z)
    return dict(L=L, D=0.5 * b["mu"] * (gx**2 + gy**2 + gz**2), A=[[-fx, -fy, 1, 0, 0, 0]])


def shape(name):
    """numbers of coordinates and of constraints"""
    if name.startswith("nlink"):
        return int(name[5:]), 0
    return dict(double_pendulum=(2, 0), penny=(4, 2), particle=(2, 0), ball=(6, 1))[name]


def build(m, name, q, v):
    n, _ = shape(name)
    if name.startswith("nlink") or name == "double_pendulum":
        return nlink(m, q, v, n)
    return dict(penny=penny, particle=particle, ball=ball)[name](m, q, v)


_x, _y = 0.4, 0.3
_fx = BALL["h"] * math.cos(_x) * math.sin(_y)
_fy = BALL["h"] * math.sin(_x) * math.cos(_y)


def penny_start(spin, turn):
    ph = math.pi / 2
    R = PENNY["R"]
    return [0.0, 0.0, 0.0, ph, R * math.cos(ph) * spin, R * math.sin(ph) * spin, spin, turn]


START = dict(
    double_pendulum=[1.5, 1.5, 0.0, 0.0],
    nlink6=[0.3 + 0.1 * i for i in range(6)] + [0.0] * 6,
    nlink12=[0.3 + 0.05 * i for i in range(12)] + [0.0] * 12,
    penny=penny_start(10.0, 0.2),
    particle=[-0.5, 0.3, 0.5, 0.5],
    ball=[_x, _y, BALL["h"] * math.sin(_x) * math.sin(_y), 0.2, 1.2, 0.3,
          1.0, 0.5, _fx * 1.0 + _fy * 0.5, 2.0, 0.5, 1.0],
)


def near(system, by):
    """the start of a run with each number moved by that, on the constraints"""
    s = [x + d for x, d in zip(START[system], by)]
    if system == "ball":
        h, (x, y), (xd, yd) = BALL["h"], s[:2], s[6:8]
        s[2] = h * math.sin(x) * math.sin(y)
        s[8] = h * math.cos(x) * math.sin(y) * xd + h * math.sin(x) * math.cos(y) * yd
    return s


END = dict(double_pendulum=20.0, nlink6=10.0, particle=50.0, ball=2.0)
# where functions are evaluated
STATE = dict(
    double_pendulum=[0.7, 1.3, 0.4, -0.9],
    nlink6=[0.3 + 0.2 * i for i in range(6)] + [0.5 - 0.3 * i for i in range(6)],
    nlink12=[0.3 + 0.2 * i for i in range(12)] + [0.5 - 0.1 * i for i in range(12)],
    penny=[0.01, 0.02, 0.3, 0.9, 0.1 * math.cos(0.9), 0.1 * math.sin(0.9), 10.0, 0.2],
    particle=START["particle"],
    ball=START["ball"],
)
