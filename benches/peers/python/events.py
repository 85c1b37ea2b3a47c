"""heyoka's event detection: elastic impacts of the penny at the edge of an ellipse, and a bouncing ball.
The impact map is a callback in Python, in closed form."""
import math
import time

import lagrange
import peer
import problems

P = problems.PENNY
R, m, I, J, a, b = (P[key] for key in ("R", "m", "I", "J", "a", "b"))


def impact(s, side):
    """v+ = (I - 2P) v-: the reflection within the constraints, in theta' and phi'"""
    x, y, _, ph, _, _, spin, turn = s.tolist()
    c, sn = math.cos(ph), math.sin(ph)
    hx, hy = 2 * (x + side * R * c) / a**2, 2 * (y + side * R * sn) / b**2
    d1, d2, g1 = R * (hx * c + hy * sn), side * R * (hy * c - hx * sn), m * R * R + I
    f = 2 * (d1 * spin + d2 * turn) / (d1 * d1 / g1 + d2 * d2 / J)
    spin -= f * d1 / g1
    turn -= f * d2 / J
    s[4:8] = R * c * spin, R * sn * spin, spin, turn


def penny_system():
    """the equations and the guard of each side"""
    import heyoka as hy
    equations = lagrange.first_order("penny")
    q = [left for left, _ in equations]
    guards = [((q[0] + e * R * hy.cos(q[3])) / a)**2 + ((q[1] + e * R * hy.sin(q[3])) / b)**2 - 1.0
              for e in (1.0, -1.0)]
    return equations, guards


def penny(tolerance, count):
    def make():
        import heyoka as hy
        system, guards = penny_system()
        times = []

        def at(side):
            def callback(taylor, sign):
                impact(taylor.state, side)
                times.append(taylor.time)
                return len(times) < count
            return callback
        rising = hy.event_direction.positive
        events = [hy.t_event(g, callback=at(e), direction=rising) for g, e in zip(guards, (1.0, -1.0))]
        taylor = hy.taylor_adaptive(
            system, problems.START["penny"], t_events=events, tol=tolerance, fast_math=True)

        def measure():
            taylor.time = 0.0
            taylor.state[:] = problems.START["penny"]
            taylor.reset_cooldowns()
            times.clear()
            start = time.thread_time()
            steps = taylor.propagate_until(1e9)[3]
            ns = (time.thread_time() - start) * 1e9 / count
            return dict(ns=ns, state=taylor.state.tolist(), times=times[:20], steps=steps)
        return measure
    return make


def ball():
    import heyoka as hy
    y, v = hy.make_vars("y", "v")
    times = []

    def callback(taylor, sign):
        taylor.state[1] *= -0.9
        times.append(taylor.time)
        return len(times) < 150
    event = hy.t_event(y, callback=callback, direction=hy.event_direction.negative)
    taylor = hy.taylor_adaptive([(y, v), (v, hy.expression(-problems.G))], [1.0, 0.0], t_events=[event], fast_math=True)

    def measure():
        taylor.time = 0.0
        taylor.state[:] = [1.0, 0.0]
        taylor.reset_cooldowns()
        times.clear()
        start = time.thread_time()
        taylor.propagate_until(10.0, max_steps=100000)
        return dict(ns=(time.thread_time() - start) * 1e9 / 150, times=list(times))
    return measure


if __name__ == "__main__":
    for tolerance in (1e-12, 1e-15):
        peer.contestant("impacts", "heyoka fast_math", penny(tolerance, 10000), tolerance)
    peer.contestant("bounces", "heyoka fast_math", ball)
    peer.serve("heyoka")
