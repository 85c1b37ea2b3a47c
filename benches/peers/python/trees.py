"""Chains of joints in space, with axes that alternate and any places and inertias: eom from text, Pinocchio, MuJoCo."""
import numpy as np

import eom

JOINTS = (6, 15, 30)
CALLS = 100
GRAVITY = 9.81


def bodies(count):
    """axis, place of the joint in the body before, mass, centre, inertia about the centre"""
    random, found = np.random.default_rng(1), []
    for i in range(count):
        J = np.diag(random.uniform(0.15, 0.25, 3))
        for (k, l), entry in zip(((0, 1), (0, 2), (1, 2)), random.uniform(-0.02, 0.02, 3)):
            J[k, l] = J[l, k] = entry
        found.append((i % 2, random.uniform(-0.6, 0.6, 3), 1.5, random.uniform(-0.3, 0.3, 3), J))
    return found


def state(count):
    random = np.random.default_rng(2)
    return random.normal(size=count), random.normal(size=count)


def declared(chain):
    """the velocities of each body in its own axes"""
    lines = [f"system Chain {{ coordinates {{ q[1..={len(chain)}] }} parameters {{ g = {GRAVITY} }}",
             "let ω[0] = [0, 0, 0]; let V[0] = [0, 0, 0]; let n[0] = [0, 0, 1]; let h[0] = 0;"]
    kinetic, potential = [], []
    for i, (axis, place, m, c, J) in enumerate(chain, 1):
        spin = ", ".join(f"q̇[{i}]" if k == axis else "0" for k in range(3))
        place, c, J = place.tolist(), c.tolist(), J.tolist()
        lines.append(
            f"let S[{i}] = rot_{'xy'[axis]}(-q[{i}]); let ω[{i}] = S[{i}]*ω[{i - 1}] + [{spin}]; "
            f"let V[{i}] = S[{i}]*(V[{i - 1}] + cross(ω[{i - 1}], {place})); let n[{i}] = S[{i}]*n[{i - 1}]; "
            f"let h[{i}] = h[{i - 1}] + dot(n[{i - 1}], {place}); let U[{i}] = V[{i}] + cross(ω[{i}], {c});")
        kinetic.append(f"{m}/2*dot(U[{i}], U[{i}]) + dot(ω[{i}], {J}*ω[{i}])/2")
        potential.append(f"{m}*g*(h[{i}] + dot(n[{i}], {c}))")
    lines += [f"kinetic = {' + '.join(kinetic)};", f"potential = {' + '.join(potential)};", "}"]
    return "\n".join(lines)


def of_eom(chain):
    system = eom.system(declared(chain))
    q, v = state(len(chain))
    return lambda: system.accelerations(0.0, q, v)


def of_pinocchio(chain):
    import pinocchio as pin
    model, parent = pin.Model(), 0
    model.gravity.linear = np.array([0, 0, -GRAVITY])
    for i, (axis, place, m, c, J) in enumerate(chain):
        joint = (pin.JointModelRX, pin.JointModelRY)[axis]()
        parent = model.addJoint(parent, joint, pin.SE3(np.eye(3), place), f"q{i}")
        model.appendBodyToJoint(parent, pin.Inertia(m, c, J), pin.SE3.Identity())
    data, (q, v), none = model.createData(), state(len(chain)), np.zeros(len(chain))
    return lambda: pin.aba(model, data, q, v, none)


def of_mujoco(chain):
    import mujoco
    text = ""
    for axis, place, m, c, J in reversed(chain):
        full = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        place, c, full = (" ".join(map(repr, map(float, numbers))) for numbers in (place, c, full))
        text = (f'<body pos="{place}"><joint axis="{1 - axis} {axis} 0"/>'
                f'<inertial pos="{c}" mass="{m}" fullinertia="{full}"/>{text}</body>')
    world = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 -{GRAVITY}"/><worldbody>{text}</worldbody></mujoco>')
    data = mujoco.MjData(world)
    data.qpos[:], data.qvel[:] = state(len(chain))

    def accelerations():
        mujoco.mj_forward(world, data)
        return data.qacc
    return accelerations


def rows():
    """title, error, and for each tool what is timed, as the rows from Python have them"""
    for count in JOINTS:
        chain = bodies(count)
        exact = np.array(of_pinocchio(chain)())

        def error(found, exact=exact):
            return float(np.max(np.abs(found - exact)) / np.max(np.abs(exact)))

        def times(work):
            def all_calls():
                for _ in range(CALLS):
                    last = work()
                return last
            return all_calls
        tools = {"eom": of_eom, "Pinocchio": of_pinocchio, "MuJoCo": of_mujoco}
        made = {name: times(tool(chain)) for name, tool in tools.items()}
        yield f"{CALLS} calls of the accelerations of a chain of {count} joints in space", error, made, 20
