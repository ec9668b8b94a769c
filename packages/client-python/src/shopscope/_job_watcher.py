from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _operations
from ._flow import Flow, Sleep, Start
from ._request import Request
from ._wait_for_job import has_ended
from .types import Job

_MAX_WAIT = 65 * 60.0
"""The service ends every scan within an hour. Bounds a wait for one that does not."""
_PAUSE = 5.0
_PAGE_SIZE = 200
_MAX_PAGES = 5
"""Lists of more pages are not worth reading: the jobs are asked for one by one."""
_UNFINISHED: tuple[Literal["queued", "running"], ...] = ("queued", "running")
"""Queued first: a job that is leased between the two lists is in the second one."""


@dataclass(frozen=True)
class _Waiting:
    since: float
    job: Future[Job] = field(default_factory=Future)


class JobWatcher:
    """Waits for many jobs with few requests: each round reads the lists of queued and of running jobs, then each job
    that is in neither. Threads may share a watcher.

    The jobs cannot be read -> every wait raises the error.
    """

    def __init__(self, send: Callable[[Request[Any]], Flow[Any]], now: Callable[[], float]) -> None:
        self._send = send
        self._now = now
        self._lock = threading.Lock()
        self._waiting: dict[str, _Waiting] = {}
        self._is_running = False

    def watch(self, job_ids: list[str]) -> Flow[list[Future[Job]]]:
        """A future of each job, which is done when the job has ended."""
        with self._lock:
            waiting = [self._waiting.setdefault(job_id, _Waiting(self._now())) for job_id in job_ids]
            is_first = not self._is_running
            self._is_running = True
        if is_first:
            yield Start(self._run())
        return [each.job for each in waiting]

    def _run(self) -> Flow[None]:
        try:
            while self._has_waiting():
                yield from self._round()
        except BaseException as error:
            with self._lock:
                rejected = list(self._waiting.values())
                self._waiting.clear()
                self._is_running = False
            for each in rejected:
                if each.job.set_running_or_notify_cancel():
                    each.job.set_exception(error)
            if not isinstance(error, Exception):
                raise

    def _has_waiting(self) -> bool:
        with self._lock:
            self._is_running = bool(self._waiting)
            return self._is_running

    def _round(self) -> Flow[None]:
        yield Sleep(_PAUSE)
        unfinished = yield from self._unfinished()
        with self._lock:
            waiting = list(self._waiting.items())
        for job_id, each in waiting:
            is_overdue = self._now() - each.since > _MAX_WAIT
            if job_id in unfinished and not is_overdue:
                continue
            job: Job = yield from self._send(_operations.get_job(job_id))
            if not has_ended(job) and not is_overdue:
                continue
            with self._lock:
                del self._waiting[job_id]
            if each.job.set_running_or_notify_cancel():
                each.job.set_result(job)

    def _unfinished(self) -> Flow[set[str]]:
        job_ids: set[str] = set()
        for state in _UNFINISHED:
            jobs = _operations.list_jobs({"state": state, "type": "scan", "limit": _PAGE_SIZE})
            cursor: str | None = None
            for _ in range(_MAX_PAGES):
                page = yield from self._send(jobs.page(cursor))
                job_ids.update(job["id"] for job in page["data"])
                cursor = page["next_cursor"]
                if cursor is None:
                    break
        return job_ids
