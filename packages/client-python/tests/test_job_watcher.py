from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from concurrent.futures import Future
from typing import Any

from shopscope._flow import Flow, Sleep, Start
from shopscope._job_watcher import JobWatcher
from shopscope._request import Request
from shopscope.types import Job


class Jobs:
    """A service with jobs, and the time of its client."""

    def __init__(self) -> None:
        self.states: dict[str, str] = {}
        self.further_pages = 0
        self.requests: Counter[str] = Counter()
        self.now = 0.0
        self.watcher = JobWatcher(self.send, lambda: self.now)

    def send(self, request: Request[Any]) -> Flow[Any]:
        self.requests[request.path] += 1
        if request.path == "/v1/jobs":
            data = [{"id": job_id} for job_id, state in self.states.items() if state == request.query["state"]]
            return self._answer({"data": data, "next_cursor": "next" if self.further_pages else None})
        job_id = request.path.split("/")[-1]
        return self._answer({"id": job_id, "state": self.states[job_id]})

    def _answer(self, body: object) -> Generator[Any, Any, object]:
        yield from ()
        return body

    def watch(self, *job_ids: str) -> tuple[list[Future[Job]], Flow[None] | None]:
        """The futures, and the flow that was started for them."""
        flow = self.watcher.watch(list(job_ids))
        started: Flow[None] | None = None
        try:
            command = next(flow)
            assert isinstance(command, Start)
            started = command.flow
            next(flow)
        except StopIteration as end:
            return end.value, started
        raise AssertionError("only one flow is started")

    def run(self, flow: Flow[None] | None, rounds: int) -> None:
        assert flow
        for command in flow:
            assert command == Sleep(5)
            self.now += 5
            rounds -= 1
            if rounds < 0:
                return


def test_a_watcher_ends_with_its_last_job_and_starts_again_with_the_next_one() -> None:
    jobs = Jobs()
    for job_id in ("job_1", "job_2"):
        jobs.states[job_id] = "succeeded"
        [future], flow = jobs.watch(job_id)
        jobs.run(flow, rounds=10)
        assert future.result(timeout=0)["id"] == job_id


def test_further_jobs_are_waited_for_by_the_same_flow() -> None:
    jobs = Jobs()
    jobs.states = {"job_1": "queued", "job_2": "running"}
    [first], flow = jobs.watch("job_1")
    [again, second], other = jobs.watch("job_1", "job_2")
    assert other is None
    jobs.run(flow, rounds=2)
    assert not first.done()
    jobs.states = {"job_1": "failed", "job_2": "succeeded"}
    jobs.run(flow, rounds=2)
    assert [future.result(timeout=0)["state"] for future in (first, again, second)] == ["failed", "failed", "succeeded"]


def test_a_job_that_does_not_end_is_given_back_as_it_is_after_65_minutes() -> None:
    jobs = Jobs()
    jobs.states["job_1"] = "running"
    [future], flow = jobs.watch("job_1")
    jobs.run(flow, rounds=10_000)
    assert future.result(timeout=0)["state"] == "running"
    assert 65 * 60 < jobs.now < 66 * 60


def test_of_long_lists_only_the_first_pages_are_read_and_the_jobs_are_asked_for() -> None:
    jobs = Jobs()
    jobs.states["job_1"] = "succeeded"
    jobs.further_pages = 1_000
    [future], flow = jobs.watch("job_1")
    jobs.run(flow, rounds=10)
    assert future.done()
    assert jobs.requests == {"/v1/jobs": 10, "/v1/jobs/job_1": 1}
