"""From a Lagrangian, its construction included, to M, F, A and gamma: SymEngine, CasADi, heyoka."""
import time

import lagrange
import peer

TOOLS = [("SymEngine", lagrange.symengine), ("CasADi SX", lagrange.casadi), ("heyoka", lagrange.heyoka)]


def maker(tool, system):
    def make():
        start = time.perf_counter()
        tool("nlink2")
        tool(system)
        seconds = min(0.2, 4 * (time.perf_counter() - start))
        return lambda: dict(ns=peer.shortest(lambda: tool(system), min(seconds, 0.03)))
    return make


for row in peer.WANTED:
    for name, tool in TOOLS:
        peer.contestant(row, name, maker(tool, row.split("/")[1]))
peer.serve("symengine", "casadi", "heyoka")
