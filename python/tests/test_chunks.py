"""Sweeps in chunks: whoever makes them, in whatever order, however often they are killed, the bytes are the same."""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import eom
from conftest import BALL

OVER = {"e": np.linspace(0.2, 0.9, 11).tolist(), "y": [0.5, 1, 2]}
KEYWORDS = dict(until=2, outcomes=["gap(floor)"], size=4)


@pytest.fixture(scope="module")
def system():
    return eom.system(BALL)


@pytest.fixture(scope="module")
def expected(system, tmp_path_factory):
    """The bytes of the chunks that one process makes."""
    folder = tmp_path_factory.mktemp("expected")
    made = system.sweep(OVER, **KEYWORDS, out=folder)
    assert (made.runs, made.chunks, made.missing) == (33, 9, [])
    return content(folder)


def content(folder):
    """Names and bytes of what is in a folder, but for what was not whole when its process was killed."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".tmp"]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def test_the_rows_are_those_of_a_sweep(system, tmp_path):
    pytest.importorskip("pyarrow")
    rows = [dict(e=0.5, y=1), dict(e=0.7, y=2), dict(e=0.5, y=-1), dict(e=0.3, y=1)]
    table = system.sweep(rows, until=2, outcomes=["kinetic"])
    made = system.sweep(rows, until=2, outcomes=["kinetic"], out=tmp_path, size=np.int64(3))
    arrow = made.to_arrow()
    assert arrow.column_names == ["run", *table]
    assert arrow["run"].to_pylist() == [0, 1, 2, 3] and table["ended"][2] == "refused"
    for name, column in table.items():
        for kept, value in zip(arrow[name].to_pylist(), column):
            is_missing = kept is None and (np.isnan(value) or name in {"impacts", "events", "steps"})
            assert is_missing or kept == value, name


def test_a_stream_of_chunks(system, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    rows = [dict(e=0.5, y=y) for y in (1, -1, 2, 3, 4, 5, -2)]
    made = system.sweep(rows, until=2, outcomes=["kinetic"], out=tmp_path, size=3)
    stream = pyarrow.RecordBatchReader.from_stream
    batches = list(stream(made))
    assert [batch.num_rows for batch in batches] == [3, 3, 1]
    whole = made.to_arrow().replace_schema_metadata()
    assert pyarrow.Table.from_batches(batches).equals(whole)
    kept = made.stream("runs")
    assert stream(kept).read_all().equals(whole) and stream(kept).schema == whole.schema
    with pytest.raises(ValueError, match="there is no table `samples`"):
        stream(made.stream("samples"))
    # A chunk is read when its turn comes: one that is gone by then is told, and those before it are whole.
    reader = stream(made)
    (tmp_path / "runs" / "chunk-000002.parquet").unlink()
    assert [next(reader).num_rows for _ in range(2)] == [3, 3]
    with pytest.raises(Exception, match="chunk-000002"):
        next(reader)


@pytest.mark.parametrize("pool", [
    lambda: ThreadPoolExecutor(3),
    lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn")),
], ids=["threads", "processes"])
def test_executors(system, expected, tmp_path, pool):
    with pool() as executor:
        system.sweep(OVER, **KEYWORDS, out=tmp_path, on=executor)
    assert content(tmp_path) == expected


def test_the_command_and_what_is_missing(system, expected, tmp_path, command):
    system.sweep(OVER, **KEYWORDS, out=tmp_path)
    (tmp_path / "runs" / "chunk-000003.parquet").unlink()
    broken = tmp_path / "runs" / "chunk-000007.parquet"
    broken.write_bytes(broken.read_bytes()[:100])
    found = eom.gather(tmp_path)
    assert (found.missing, found.broken, found.complete) == ([3, 7], [broken], False)
    with pytest.raises(ValueError, match="2 of 9 chunks are missing"):
        found.files()
    system.sweep(OVER, **KEYWORDS, out=tmp_path)
    assert content(tmp_path) == expected
    joined = tmp_path / "all.parquet"
    eom.gather(tmp_path).join(joined)
    with pytest.raises(ValueError, match="the name of this file ends in .parquet"):
        eom.gather(tmp_path).join(joined.with_suffix(".csv"))
    command("gather", str(tmp_path), "--table", str(tmp_path / "same.parquet"))
    assert joined.read_bytes() == (tmp_path / "same.parquet").read_bytes()


def test_rows_of_a_grid_are_made_when_they_are_asked_for():
    from eom._points import Points

    small = Points(OVER)
    grid = np.meshgrid(*OVER.values(), indexing="ij")
    assert (small.rows() == np.stack([axis.ravel() for axis in grid], axis=1)).all()
    assert (small.rows(5, 9) == small.rows()[5:9]).all()
    large = Points({name: np.arange(100_000) for name in "xyz"})
    assert large.count == 10**15
    assert large.rows(10**15 - 1, 10**15).tolist() == [[99_999] * 3]


WRONG = [
    (dict(on="ray"), TypeError, "give `out`"),
    (dict(out="x", size=0), ValueError, "size is the number of runs in a chunk"),
    (dict(out="x", on="slurm"), ValueError, "there is no carrier `slurm`"),
    (dict(out="x", on=3), TypeError, "a Dask client or an executor, not int"),
    (dict(out="x", outcomes=["hight"]), eom.UnknownNameError, "there is no number of the motion `hight`"),
    (dict(out="x", e=0.5), TypeError, "`e` is swept and set"),
    (dict(out="there"), ValueError, "is of another sweep: its values is"),
]


@pytest.mark.parametrize("keywords, kind, message", WRONG)
def test_what_cannot_be_made_in_chunks_is_told(system, tmp_path, monkeypatch, keywords, kind, message):
    monkeypatch.chdir(tmp_path)
    system.sweep({"e": [0.5]}, until=1, m=2, out="there")
    with pytest.raises(kind, match=message):
        system.sweep({"e": [0.5]}, until=1, **keywords)


@pytest.mark.thread_unsafe
def test_ctrl_c_keeps_whole_chunks(system, tmp_path):
    over = {"y": np.linspace(1, 2, 400_000)}
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(eom.Interrupted, match="of 400 chunks are missing") as caught:
        system.sweep(over, until=20, out=tmp_path)
    assert 0 < len(caught.value.result.missing) <= 400
    assert not [file for file in tmp_path.rglob("*.tmp")]


# Schedules at which workers are killed, of each carrier; each is a seed.
SCHEDULES = range(10)


def is_running(nanny):
    return nanny.process is not None and nanny.process.status.name == "running"


def test_dask_with_workers_that_are_killed(system, expected, tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        for seed in SCHEDULES:
            folder = tmp_path / str(seed)
            # One that is only starting is not tried again, and may be killed all the same: then there is none until the
            # cluster is asked for it.
            kill = Killer(seed, lambda: [nanny.pid for nanny in list(cluster.workers.values()) if is_running(nanny)])
            with kill, Again(lambda: cluster.scale(2)):
                system.sweep(OVER, **KEYWORDS, out=folder, on=client)
            assert content(folder) == expected, seed


def test_ray_with_workers_and_a_node_that_are_lost(system, expected, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    # Workers look for modules where this process stands: not among the sources.
    monkeypatch.chdir(tmp_path)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        # What submits is at the head, which stays.
        ray.init(address=cluster.address, log_to_driver=False)
        node = cluster.add_node(num_cpus=1)
        for seed in SCHEDULES:
            folder, lost = tmp_path / str(seed), None
            if seed == 5:
                lost = threading.Timer(random.Random(seed).uniform(0, 0.3), cluster.remove_node, (node, False))
                lost.start()
            with Killer(seed, ray_workers):
                system.sweep(OVER, **KEYWORDS, out=folder, on="ray")
            if lost is not None:
                lost.join()
            assert content(folder) == expected, seed
    finally:
        ray.shutdown()
        cluster.shutdown()


# A cluster at an address, until its input is closed.
SERVER = """
import sys
from ray.util.client.server import server
served = server.init_and_serve("127.0.0.1", int(sys.argv[1]), include_dashboard=False, num_cpus=1)
print("up", flush=True)
sys.stdin.read()
"""


def test_ray_at_an_address(system, expected, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    pytest.importorskip("grpc")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    piped = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with subprocess.Popen([sys.executable, "-c", SERVER, port], **piped) as server:
        try:
            assert b"up\n" in iter(server.stdout.readline, b"")
            system.sweep(OVER, **KEYWORDS, out=tmp_path / "made", on=f"ray://127.0.0.1:{port}")
            assert content(tmp_path / "made") == expected
        finally:
            ray.shutdown()
            server.stdin.close()


def ray_workers():
    """The processes in which Ray makes calls."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            title = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
            # With its agents a node goes down, the head too.
            if title.startswith(b"ray::") and b"Agent" not in title:
                found.append(int(folder.name))
        except OSError:
            pass
    return found


class Again:
    """Does something each second."""

    def __init__(self, work):
        self._work, self._stop = work, threading.Event()
        self._thread = threading.Thread(target=self._repeat)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _repeat(self):
        while not self._stop.wait(1):
            self._work()


class Killer:
    """Kills a worker at random times while a sweep is carried."""

    def __init__(self, seed, pids):
        self._order, self._pids, self._stop = random.Random(seed), pids, threading.Event()
        self._thread = threading.Thread(target=self._kill)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _kill(self):
        # A few kills: with one after another no work would be done.
        for _ in range(2):
            if self._stop.wait(self._order.uniform(0, 0.1)):
                return
            pids = [pid for pid in self._pids() if pid]
            if pids:
                try:
                    os.kill(self._order.choice(pids), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.01)
