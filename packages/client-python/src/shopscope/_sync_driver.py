from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import wait
from typing import Any, TypeVar

import httpx

from ._batches import create_batches
from ._enrich import EnrichedDomain, EnrichOptions, prepare
from ._flow import Attempt, Await, Command, Ended, Flow, HttpResponse, ReadKey, Sleep, Start, resume
from ._http import attempt_timed_out, transport_error
from ._platform import Platform, Stopped
from ._session import Session
from ._threads import in_thread, map_in_order

T = TypeVar("T")

SyncApiKey = str | Callable[[], str]


class SyncDriver:
    """Carries out the commands of flows. Threads may share a driver.

    `stop` is set -> each flow ends before its next command, and sleeps end at once.
    """

    def __init__(
        self,
        http: httpx.Client,
        api_key: SyncApiKey,
        platform: Platform,
        stop: threading.Event | None = None,
    ) -> None:
        self._http = http
        self._api_key = api_key
        self._platform = platform
        self._stop = stop or threading.Event()

    def run(self, flow: Flow[T]) -> T:
        step = resume(flow)
        while not isinstance(step, Ended):
            outcome, error = None, None
            try:
                outcome = self._carry_out(step)
            except BaseException as raised:
                error = raised
            step = resume(flow, outcome, error)
        return step.result

    def enrich_all(
        self, session: Session, domains: Iterable[str], options: EnrichOptions
    ) -> Generator[EnrichedDomain, None, None]:
        stop = threading.Event()
        driver = SyncDriver(self._http, self._api_key, self._platform, stop)
        try:
            run = driver.run(prepare(session, options))
            batches = create_batches(domains, run.batch_size)
            for results in map_in_order(batches, run.window, lambda batch: driver.run(run.enrich(batch))):
                yield from results
        finally:
            stop.set()

    def _carry_out(self, command: Command) -> Any:
        if self._stop.is_set():
            raise Stopped
        match command:
            case ReadKey():
                return self._api_key if isinstance(self._api_key, str) else self._api_key()
            case Attempt():
                return self._attempt(command)
            case Sleep(seconds):
                self._platform.sleep(seconds, self._stop)
            case Await(future):
                return future.result()
            case Start(flow):
                in_thread(lambda: self.run(flow))
        return None

    def _attempt(self, attempt: Attempt) -> HttpResponse:
        """The time limits of httpx are those of single reads, and none covers the resolution of names. So the attempt
        has a thread of its own, and this one waits for it.

        The time limit passes -> this call raises at once, and the other thread ends with its next or missing read.
        """
        is_abandoned = threading.Event()
        response = in_thread(lambda: self._exchange(attempt, is_abandoned))
        try:
            wait([response], attempt.timeout)
            if not response.done():
                raise attempt_timed_out(attempt)
            return response.result()
        finally:
            is_abandoned.set()

    def _exchange(self, attempt: Attempt, is_abandoned: threading.Event) -> HttpResponse:
        sent = attempt.request
        request = self._http.build_request(
            sent.method, sent.url, headers=sent.headers, content=sent.content, timeout=attempt.timeout
        )
        try:
            response = self._http.send(request, stream=True, auth=None, follow_redirects=False)
            try:
                content = bytearray()
                for part in response.iter_bytes():
                    content += part
                    if is_abandoned.is_set():
                        break
                return HttpResponse(response.status_code, response.headers, bytes(content))
            finally:
                response.close()
        except httpx.RequestError as error:
            raise transport_error(error, attempt) from error
