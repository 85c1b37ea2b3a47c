"""heyoka's batch integrator on 10,000 pennies with 20 impacts each: a lane that is done is filled again.
Two processes, half of the pennies each."""
import time
from multiprocessing import get_context

import events
import peer
import problems

COUNT, IMPACTS = 10000, 20


def start(i):
    spin, turn = [0.005 * (2 * (((i + 1) * g) % 1.0) - 1)
                  for g in (0.6180339887498949, 0.7548776662466927)]
    return problems.penny_start(10.0 + spin, 0.2 + turn)


def worker(pipe, first):
    """the pennies first, first + 2, …; (seconds of this process, times of the last impacts) on demand"""
    import heyoka as hy
    import numpy as np
    lanes = hy.recommended_simd_size()
    states = np.array([start(i) for i in range(first, COUNT, 2)])
    system, guards = events.penny_system()
    done = {}

    def at(side):
        def callback(taylor, sign, k):
            s = taylor.state[:, k].copy()
            events.impact(s, side)
            done["hits"][k] += 1
            if done["hits"][k] >= IMPACTS:
                who = done["who"][k]
                if who >= 0:
                    done["times"][who] = taylor.time[k] - done["since"][k]
                    done["left"] -= 1
                done["who"][k], done["hits"][k] = -1, -10**9
                if done["next"] < len(states):
                    s = states[done["next"]]
                    done["who"][k], done["hits"][k], done["since"][k] = done["next"], 0, taylor.time[k]
                    done["next"] += 1
            taylor.state[:, k] = s
            return done["left"] > 0
        return callback
    rising = hy.event_direction.positive
    guarded = [hy.t_event_batch(g, callback=at(e), direction=rising) for g, e in zip(guards, (1.0, -1.0))]
    taylor = hy.taylor_adaptive_batch(
        system, np.ascontiguousarray(states[:lanes].T), t_events=guarded, tol=1e-12,
        fast_math=True)
    pipe.send("ready")
    while pipe.recv():
        done.update(hits=[0] * lanes, who=list(range(lanes)), since=[0.0] * lanes, next=lanes,
                    left=len(states), times=[0.0] * len(states))
        taylor.set_time([0.0] * lanes)
        taylor.state[:] = states[:lanes].T
        taylor.reset_cooldowns()
        begin = time.process_time()
        taylor.propagate_until([1e9] * lanes)
        pipe.send((time.process_time() - begin, done["times"]))


def ensemble():
    context = get_context("spawn")
    pipes = []
    for first in (0, 1):
        ours, theirs = context.Pipe()
        context.Process(target=worker, args=(theirs, first), daemon=True).start()
        pipes.append(ours)
    for pipe in pipes:
        pipe.recv()

    def measure():
        for pipe in pipes:
            pipe.send(True)
        (t0, even), (t1, odd) = [pipe.recv() for pipe in pipes]
        return dict(ns=(t0 + t1) * 1e9 / COUNT, times=[t for two in zip(even, odd) for t in two])
    return measure


if __name__ == "__main__":
    peer.contestant("ensemble", "heyoka fast_math, batch", ensemble, 1e-12)
    peer.serve("heyoka")
