"""What carries chunks of a sweep to other processes and machines: each submits a call, and says what is done.

A carrier has ``submit(call, *arguments)``, which gives a ticket; ``done(tickets)``, which waits until at least one is
done, and gives those that are; ``result(ticket)``, which raises what the call raised, or `Lost`; ``cancel(tickets)``.
"""

from __future__ import annotations

from importlib import import_module

# How often a chunk is tried again where its worker was lost.
RETRIES = 10


class Lost(Exception):
    """The call did not end, since its worker was lost: it may be made again."""


class Executor:
    """Any `concurrent.futures.Executor`: threads, processes, `mpi4py.futures`."""

    def __init__(self, executor):
        self._executor = executor

    def submit(self, call, *arguments):
        return self._executor.submit(call, *arguments)

    def done(self, tickets):
        from concurrent.futures import FIRST_COMPLETED, wait

        return wait(tickets, return_when=FIRST_COMPLETED).done

    def result(self, ticket):
        return ticket.result()

    def cancel(self, tickets):
        for ticket in tickets:
            ticket.cancel()


class Dask:
    """A `distributed.Client`: of a LocalCluster, of dask-jobqueue, of any scheduler."""

    def __init__(self, client):
        self._client = client

    def submit(self, call, *arguments):
        # The same call again is a call again: what it is for is the file that it writes.
        return self._client.submit(call, *arguments, pure=False, retries=RETRIES)

    def done(self, tickets):
        from distributed import wait

        return wait(tickets, return_when="FIRST_COMPLETED").done

    def result(self, ticket):
        # What came of a call that is done may be lost with its worker, and to wait for it once more is of no use: the
        # chunk is in its file.
        from distributed import KilledWorker

        if ticket.status in {"error", "cancelled"}:
            try:
                ticket.result()
            except KilledWorker as error:
                raise Lost(str(error)) from error

    def cancel(self, tickets):
        self._client.cancel(list(tickets))


class Ray:
    """Ray: the cluster at an address (``ray://head:10001``), or ``ray``: the one that is there, else one is begun."""

    def __init__(self, address):
        # By its name: a module that is an attribute is no longer one to the check of the types.
        self._ray, self._calls = import_module("ray"), {}
        if not self._ray.is_initialized():
            self._ray.init(address if address.startswith("ray://") else None, log_to_driver=False)

    def submit(self, call, *arguments):
        remote = self._calls.get(call)
        if remote is None:
            remote = self._calls[call] = self._ray.remote(max_retries=RETRIES)(call)
        return remote.remote(*arguments)

    def done(self, tickets):
        return set(self._ray.wait(list(tickets), num_returns=1)[0])

    def result(self, ticket):
        from ray.exceptions import RayError, RayTaskError, TaskCancelledError

        try:
            self._ray.get(ticket)
        except RayTaskError as error:
            # What was raised there, as it was raised.
            raise getattr(error, "cause", None) or error
        except TaskCancelledError:
            raise
        except RayError as error:
            # Of a worker, a node, a raylet: not all of them Ray tries again by itself.
            raise Lost(str(error)) from error

    def cancel(self, tickets):
        for ticket in tickets:
            self._ray.cancel(ticket)


def carrier(on):
    """The carrier of what `on` of a sweep is."""
    if isinstance(on, str):
        if on == "ray" or on.startswith("ray://"):
            return Ray(on)
        raise ValueError(f'there is no carrier `{on}`: give "ray", "ray://host:port", a Dask client or an executor')
    if type(on).__module__.partition(".")[0] == "distributed" and hasattr(on, "submit"):
        return Dask(on)
    if hasattr(on, "submit") and hasattr(on, "shutdown"):
        return Executor(on)
    raise TypeError(f'`on` is "ray", "ray://host:port", a Dask client or an executor, not {type(on).__name__}')
