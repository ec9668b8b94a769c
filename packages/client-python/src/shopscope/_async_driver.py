from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import Any, TypeVar

import anyio
import httpx

from ._batches import create_batches_async
from ._enrich import EnrichedDomain, EnrichOptions, prepare
from ._flow import Attempt, Await, Command, Ended, Flow, HttpResponse, ReadKey, Sleep, Start, resume
from ._http import attempt_timed_out, transport_error
from ._platform import Platform
from ._session import Session
from ._tasks import end_tasks, map_in_order

T = TypeVar("T")

AsyncApiKey = str | Callable[[], str | Awaitable[str]]


class AsyncDriver:
    """Carries out the commands of flows. A driver belongs to one event loop."""

    def __init__(self, http: httpx.AsyncClient, api_key: AsyncApiKey, platform: Platform) -> None:
        self._http = http
        self._api_key = api_key
        self._platform = platform
        self._started: set[asyncio.Task[None]] = set()

    async def run(self, flow: Flow[T]) -> T:
        step = resume(flow)
        while not isinstance(step, Ended):
            outcome, error = None, None
            try:
                outcome = await self._carry_out(step)
            except BaseException as raised:
                error = raised
            step = resume(flow, outcome, error)
        return step.result

    async def enrich_all(
        self, session: Session, domains: Iterable[str] | AsyncIterable[str], options: EnrichOptions
    ) -> AsyncGenerator[EnrichedDomain, None]:
        # Its started flows end with the iteration.
        driver = AsyncDriver(self._http, self._api_key, self._platform)
        try:
            run = await driver.run(prepare(session, options))
            batches = create_batches_async(domains, run.batch_size)
            async with aclosing(
                map_in_order(batches, run.window, lambda batch: driver.run(run.enrich(batch)))
            ) as enriched:
                async for results in enriched:
                    for result in results:
                        yield result
        finally:
            await end_tasks([*driver._started])

    async def _carry_out(self, command: Command) -> Any:
        match command:
            case ReadKey():
                return await self._read_key()
            case Attempt():
                return await self._attempt(command)
            case Sleep(seconds):
                await self._platform.sleep_async(seconds)
            case Await(future):
                return await asyncio.wrap_future(future)
            case Start(flow):
                task = asyncio.create_task(self.run(flow))
                self._started.add(task)
                task.add_done_callback(self._started.discard)
        return None

    async def _read_key(self) -> str:
        if isinstance(self._api_key, str):
            return self._api_key
        key = self._api_key()
        return await key if inspect.isawaitable(key) else key

    async def _attempt(self, attempt: Attempt) -> HttpResponse:
        """The time limits of httpx are those of single reads: a limit around them covers the whole attempt."""
        sent = attempt.request
        request = self._http.build_request(
            sent.method, sent.url, headers=sent.headers, content=sent.content, timeout=attempt.timeout
        )
        try:
            with anyio.move_on_after(attempt.timeout):
                response = await self._http.send(request, auth=None, follow_redirects=False)
                return HttpResponse(response.status_code, response.headers, response.content)
        except httpx.RequestError as error:
            raise transport_error(error, attempt) from error
        raise attempt_timed_out(attempt)
