"""The protocol between the table and a peer, on standard input and output.

The peer prints one line of JSON: {"contestants": [{"row", "name", "tolerance"?}], "versions": {…},
"failed": [{"row", "name", "why"}]}. For each line that it reads, the number of a contestant, it does
the work once and prints {"ns": …} with what applies of outputs, state, times, steps, or {"failed": …}. A
run of precision is one from each start of data/runs.json: time and steps of one, all last states in turn.
"""
import importlib.metadata
import json
import sys
import time
import traceback

QUICK = "--quick" in sys.argv
WORK = next((a[7:] for a in sys.argv if a.startswith("--work=")), ".")
WANTED = [a for a in sys.argv[1:] if not a.startswith("--")]

contestants, measures, failed = [], [], []


def wanted(row):
    return row in WANTED


def contestant(row, name, make, tolerance=None, role="peer"):
    """`make` prepares and returns what measures; what it cannot prepare is said and left out"""
    if not wanted(row):
        return
    try:
        measures.append(make())
        contestants.append(dict(row=row, name=name, tolerance=tolerance, role=role))
    except Exception as error:
        failed.append(dict(row=row, name=name, why=f"{type(error).__name__}: {error}"[:200]))
        traceback.print_exc()


def shortest(work, seconds):
    """the shortest of some calls that take about so long together, ns"""
    best, spent = float("inf"), 0.0
    while spent < seconds or best == float("inf"):
        start = time.thread_time()
        work()
        took = time.thread_time() - start
        best, spent = min(best, took), spent + took
    return best * 1e9


def serve(*packages):
    versions = {}
    for package in packages:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    say(dict(contestants=contestants, versions=versions, failed=failed))
    for line in sys.stdin:
        try:
            say(measures[int(line)]())
        except Exception as error:
            say(dict(failed=f"{type(error).__name__}: {error}"[:200]))


def say(value):
    print(json.dumps(value), flush=True)
