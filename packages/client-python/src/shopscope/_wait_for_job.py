from __future__ import annotations

from collections.abc import Callable

from . import _operations
from ._flow import Flow, Sleep
from ._session import Session
from .errors import JobTimeoutError
from .types import Job

_FIRST_PAUSE = 1.0
_MAX_PAUSE = 10.0


def has_ended(job: Job) -> bool:
    return job["state"] not in ("queued", "running")


def wait_for_job(session: Session, job_id: str, timeout: float, on_progress: Callable[[Job], None] | None) -> Flow[Job]:
    """Reads a job until it has ended: after one second, then in longer intervals. Raises JobTimeoutError."""
    now = session.platform.now
    start = now()
    pause = _FIRST_PAUSE
    while True:
        job = yield from session.send(_operations.get_job(job_id))
        if has_ended(job):
            return job
        if on_progress:
            on_progress(job)
        if now() + pause - start > timeout:
            raise JobTimeoutError(f"the job {job['id']} is {job['state']} after {timeout} seconds")
        yield Sleep(pause)
        pause = min(_MAX_PAUSE, pause * 1.5)
