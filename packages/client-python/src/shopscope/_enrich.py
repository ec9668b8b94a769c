from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from . import _operations
from ._batches import EnrichBatch
from ._flow import Flow, result_of
from ._job_watcher import JobWatcher
from ._request import Request
from ._session import Session
from ._turns import Turns
from .types import Billed, EnrichResult, Job

T = TypeVar("T")

_WAITING_PER_REQUEST = 4
"""Batches of a run with `wait` that may wait for their scans at the same time, per request at the same time."""
_NOTHING: Billed = {"lookup_cached": 0, "lookup_live": 0}


@dataclass(frozen=True)
class EnrichProgress:
    done: int
    """Domains whose result is final."""
    waiting: int
    """Domains whose scan has not ended."""
    billed: Billed
    """Units that the responses of this run reported. A repeated response counts again and is billed once."""


class EnrichedDomain(EnrichResult):
    job: Job | None
    """The scan of this domain, ended; None without `wait` or without a scan."""


@dataclass(frozen=True)
class EnrichOptions:
    """The options of enrich_all."""

    refresh: bool
    wait: bool
    concurrency: int
    batch_size: int | None
    idempotency_key: Callable[[EnrichBatch], str] | None
    on_progress: Callable[[EnrichProgress], None] | None


class EnrichRun:
    """One run of enrich_all. Its batches may be enriched at the same time, even by threads."""

    def __init__(self, session: Session, options: EnrichOptions, concurrency: int, batch_size: int) -> None:
        self.batch_size = batch_size
        self.window = concurrency * (_WAITING_PER_REQUEST if options.wait else 1)
        """Batches at the same time."""
        self._session = session
        self._options = options
        self._turns = Turns(concurrency)
        self._watcher = JobWatcher(self._send, session.platform.now)
        self._id = uuid.uuid4()
        self._lock = threading.Lock()
        self._progress = EnrichProgress(done=0, waiting=0, billed=_NOTHING)

    def enrich(self, batch: EnrichBatch) -> Flow[list[EnrichedDomain]]:
        options = self._options
        key = options.idempotency_key(batch) if options.idempotency_key else f"{self._id}-{batch.index}"
        found = yield from self._enrich(batch.domains, key, options.refresh)
        results = [cast(EnrichedDomain, {**result, "job": None}) for result in found]
        if options.wait:
            yield from self._wait_for_scans(results, key)
        self._count(done=len(results))
        self._report()
        return results

    def _wait_for_scans(self, results: list[EnrichedDomain], key: str) -> Flow[None]:
        """Looks up again what the scans have observed."""
        scanned = [(result, job_id) for result in results if (job_id := result["scan_job_id"]) is not None]
        if not scanned:
            return
        self._count(waiting=len(scanned))
        self._report()
        jobs = yield from self._watcher.watch([job_id for _, job_id in scanned])
        observed: list[EnrichedDomain] = []
        for (result, _), future in zip(scanned, jobs, strict=True):
            result["job"] = job = yield from result_of(future)
            if job["state"] == "succeeded":
                observed.append(result)
        later = yield from self._enrich([result["input"] for result in observed], f"{key}-scanned", refresh=False)
        for result, seen in zip(observed, later, strict=True):
            result["match"], result["reason"], result["store"] = seen["match"], seen["reason"], seen["store"]
        self._count(waiting=-len(scanned))

    def _enrich(self, domains: Sequence[str], key: str, refresh: bool) -> Flow[list[EnrichResult]]:
        if not domains:
            return []
        response = yield from self._send(_operations.enrich_stores(domains, refresh), idempotency_key=key)
        self._count(billed=response["billed"])
        return response["results"]

    def _send(self, request: Request[T], **options: Any) -> Flow[T]:
        turn = self._turns.take()
        try:
            yield from result_of(turn)
            return (yield from self._session.send(request, options))
        finally:
            self._turns.give(turn)

    def _count(self, done: int = 0, waiting: int = 0, billed: Billed = _NOTHING) -> None:
        with self._lock:
            now = self._progress
            self._progress = EnrichProgress(
                done=now.done + done,
                waiting=now.waiting + waiting,
                billed={
                    "lookup_cached": now.billed["lookup_cached"] + billed["lookup_cached"],
                    "lookup_live": now.billed["lookup_live"] + billed["lookup_live"],
                },
            )

    def _report(self) -> None:
        if self._options.on_progress:
            # Calls from several threads come one after another, none with older counts than the one before.
            with self._lock:
                self._options.on_progress(self._progress)


def prepare(session: Session, options: EnrichOptions) -> Flow[EnrichRun]:
    """A run within the limits of the plan."""
    account = yield from session.send(_operations.get_account())
    limits = account["plan"]["limits"]
    max_size = limits["enrich_batch_max"]
    return EnrichRun(
        session,
        options,
        concurrency=max(1, min(options.concurrency, limits["concurrency"])),
        batch_size=max(1, min(options.batch_size or max_size, max_size)),
    )
