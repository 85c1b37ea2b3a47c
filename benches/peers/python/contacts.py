"""MuJoCo on bodies with friction: a box that hops along a floor, ten boxes on an incline. Its contacts give way: they are
springs with damping, of a stiffness that goes with the time step, with the damping of the restitution of one bounce."""
import math
import time

import peer

G = 9.81
HOPS = dict(b=0.5, h=0.25, mu=0.3, e=0.5, speed=6.0, end=3.0)
STACK = dict(boxes=10, mu=0.02, phi=0.05, end=0.5)

# The frequency of contacts, in parts of the rate of steps.
STIFFNESS = 0.2


def model(sizes, mu, e, gravity, step):
    """boxes in a vertical plane, each with the coordinates x, z and its angle"""
    omega = STIFFNESS / step
    log = math.log(e) if e > 0 else -math.inf
    damping = 1.0 if e == 0 else -log / math.hypot(math.pi, log)
    contact = f'friction="{mu} 0 0" condim="3" solref="{-omega**2} {-2 * damping * omega}" solimp="0.99 0.99 0.001"'
    bodies = "".join(
        f'<body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>'
        f'<geom type="box" size="{b} 1 {h}" mass="1" {contact}/></body>' for b, h in sizes)
    # The width of 2 across the plane has no part in its motion; the inertia about the hinge is (b² + h²)/3.
    return (f'<mujoco><option timestep="{step}" cone="elliptic" gravity="{gravity[0]} 0 {gravity[1]}"/>'
            f'<default><joint damping="0"/></default>'
            f'<worldbody><geom type="plane" size="100 100 1" {contact}/>{bodies}</worldbody></mujoco>')


def run(text, places, speeds, end, step):
    import mujoco
    world = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(world)
    steps, count = round(end / step), len(places) // 3

    def measure():
        mujoco.mj_resetData(world, data)
        data.qpos[:], data.qvel[:] = places, speeds
        start = time.thread_time()
        mujoco.mj_step(world, data, nstep=steps)
        ns = (time.thread_time() - start) * 1e9
        # x, z, angle of each body one after another; the table has each of them of all bodies.
        by_body = [list(values) for values in (data.qpos, data.qvel)]
        state = [values[3 * body + part] for values in by_body for part in range(3) for body in range(count)]
        return dict(ns=ns, state=state, steps=steps)
    return measure


def hops(step):
    p = HOPS
    text = model([(p["b"], p["h"])], p["mu"], p["e"], (0.0, -G), step)
    return lambda: run(text, [0.0, 1.0 + p["h"], 0.0], [p["speed"], 0.0, 0.0], p["end"], step)


def stack(step):
    p = STACK
    gravity = G * math.sin(p["phi"]), -G * math.cos(p["phi"])
    text = model([(1.0, 0.5)] * p["boxes"], p["mu"], 0.0, gravity, step)
    places = [place for i in range(p["boxes"]) for place in (0.0, i + 0.5, 0.0)]
    return lambda: run(text, places, [0.0] * len(places), p["end"], step)


if __name__ == "__main__":
    for step in (1e-2, 1e-3, 1e-4):
        peer.contestant("hops", "MuJoCo", hops(step), step)
    for step in (5e-3, 1e-3):
        peer.contestant("stack", "MuJoCo", stack(step), step)
    peer.serve("mujoco")
