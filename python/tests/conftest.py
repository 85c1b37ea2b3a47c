"""What the tests share: declarations, and the command where there is one."""

import os
import subprocess
from pathlib import Path

import pytest

import eom

# Figures are drawn without a screen, those of doctests too.
os.environ.setdefault("MPLBACKEND", "Agg")

ROOT = Path(__file__).resolve().parents[2]

BALL = """
/// A ball above a floor.
system Ball {
    coordinates { /// Height, m.
        y }
    parameters { /// Mass, kg.
        m = 1 where m > 0, g = 9.81, e = 0.5 }
    kinetic = m/2*ẏ^2;
    potential = m*g*y;
    contact floor { gap = y; impact = restitution(e); }
    scenario drop { y = 1; until impacts = 3; }
}
"""

PENDULUM = """
system DoublePendulum {
    coordinates { θ1, θ2 }
    parameters { m1 = 1 where m1 > 0, m2 = 2 where m2 > 0, l1 = 1 where l1 > 0, l2 = 0.5 where l2 > 0, g = 9.81 }
    let x1 = l1*sin(θ1);
    let y1 = -l1*cos(θ1);
    let x2 = x1 + l2*sin(θ2);
    let y2 = y1 - l2*cos(θ2);
    kinetic = m1/2*(ẋ1^2 + ẏ1^2) + m2/2*(ẋ2^2 + ẏ2^2);
    potential = m1*g*y1 + m2*g*y2;
    scenario fall { θ1 = 2; θ2 = 1; until t = 2; }
}
"""

PUSHED = """
system Pushed {
    coordinates { x }
    parameters { k = 4 where k > 0 }
    inputs { F }
    kinetic = ẋ^2/2;
    potential = k*x^2/2;
    force x = F;
}
"""


@pytest.fixture(scope="session")
def ball():
    return eom.system(BALL)


@pytest.fixture(scope="session")
def pendulum():
    return eom.system(PENDULUM)


@pytest.fixture(scope="session")
def pushed():
    return eom.system(PUSHED)


@pytest.fixture(scope="session")
def command():
    """The command `eom` of the same sources: EOM_COMMAND says where it is."""
    path = os.environ.get("EOM_COMMAND")
    if not path:
        pytest.skip("EOM_COMMAND is not set: the command is not there to be compared with")

    def run(*arguments):
        return subprocess.run([path, *arguments], check=True, capture_output=True, text=True).stdout

    return run
