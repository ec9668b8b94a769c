from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import httpx

from ._flow import Attempt, Await, Command, Flow, HttpResponse, ReadKey, Sleep, Start
from ._http import attempt_timed_out, transport_error
from ._platform import Platform
from ._tasks import end_tasks

T = TypeVar("T")

AsyncApiKey = str | Callable[[], str | Awaitable[str]]


class AsyncDriver:
    """Carries out the commands of flows. A driver belongs to one event loop."""

    def __init__(self, http: httpx.AsyncClient, api_key: AsyncApiKey, platform: Platform) -> None:
        self._http = http
        self._api_key = api_key
        self._platform = platform
        self._started: set[asyncio.Task[None]] = set()

    def separate(self) -> AsyncDriver:
        """A driver whose started flows end with its own `end`."""
        return AsyncDriver(self._http, self._api_key, self._platform)

    async def end(self) -> None:
        await end_tasks([*self._started])

    async def run(self, flow: Flow[T]) -> T:
        outcome: object = None
        error: BaseException | None = None
        while True:
            try:
                command = flow.throw(error) if error else flow.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            outcome, error = None, None
            try:
                outcome = await self._carry_out(command)
            except BaseException as raised:
                error = raised

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
