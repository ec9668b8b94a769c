"""A server whose answers a test gives, and a client of it whose pauses pass at once."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, TypeVar

import httpx

from shopscope import AsyncClient, AsyncPaged, Client
from shopscope._platform import Platform, Stopped

T = TypeVar("T")

TLS = ssl.create_default_context()
"""Reading the certificates of the machine takes longer than a test."""


@dataclass(frozen=True)
class Received:
    """What one request found."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: Any


class Exchange(BaseHTTPRequestHandler):
    """One request and the means to answer it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.command, self.path, headers, json.loads(text) if text else None)
        self.server.service.answer(received, self)

    do_POST = do_PATCH = do_DELETE = do_GET

    def respond(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def hold(self, seconds: float | None = None) -> bool:
        """Waits for the end of the service, which is True."""
        self.close_connection = True
        return self.server.service.ended.wait(seconds)

    def log_message(self, format: str, *args: object) -> None:
        pass


Answer = Callable[[Received, Exchange], None]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    service: ScriptedService

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves is part of the tests."""


class ScriptedPlatform(Platform):
    """Time that passes with the pauses of the client."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = 0.0
        self.pauses: list[float] = []

    def now(self) -> float:
        return self._now

    def random(self) -> float:
        return 0.5

    def sleep(self, seconds: float, stop: threading.Event) -> None:
        if stop.is_set():
            raise Stopped
        with self._lock:
            self.pauses.append(seconds)
            self._now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._now += seconds
        await asyncio.sleep(0)


class AsyncDriven:
    """An asynchronous client as if it were a synchronous one: one list of tests describes both."""

    def __init__(self, client: AsyncClient | AsyncPaged[Any, Any], loop: asyncio.AbstractEventLoop) -> None:
        self._client = client
        self._loop = loop

    def _settle(self, value: Any) -> Any:
        if isinstance(value, Awaitable):
            return self._run(value)
        if isinstance(value, AsyncPaged):
            return AsyncDriven(value, self._loop)
        return self._iterate(value) if isinstance(value, AsyncIterator) else value

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *args, **options: self._settle(getattr(self._client, name)(*args, **options))

    def __iter__(self) -> Iterator[Any]:
        assert isinstance(self._client, AsyncPaged)
        return self._iterate(aiter(self._client))

    def _iterate(self, items: Any) -> Iterator[Any]:
        try:
            while True:
                try:
                    yield self._run(anext(items))
                except StopAsyncIteration:
                    return
        finally:
            self._run(items.aclose())

    def _run(self, value: Awaitable[T]) -> T:
        async def wait() -> T:
            return await value

        return self._loop.run_until_complete(wait())


class ScriptedService:
    """Answers each request in turn, all further ones with the last answer."""

    def __init__(self, answers: Sequence[Answer], is_async: bool, options: Mapping[str, Any]) -> None:
        self._answers = answers
        self._lock = threading.Lock()
        self.received: list[Received] = []
        self.ended = threading.Event()
        self._server = _Server(("127.0.0.1", 0), Exchange)
        self._server.service = self
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(poll_interval=0.01))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self.platform = ScriptedPlatform()
        self.loop = asyncio.new_event_loop() if is_async else None
        self._http: httpx.Client | httpx.AsyncClient | None = None
        self.client = self._new_client(**options)

    def _new_client(self, **options: Any) -> Any:
        settings = {"api_key": "svc_live_secret", "base_url": self.url, "_platform": self.platform, **options}
        try:
            if self.loop:
                self._http = httpx.AsyncClient(verify=TLS)
                return AsyncDriven(AsyncClient(http_client=self._http, **settings), self.loop)
            self._http = httpx.Client(verify=TLS)
            return Client(http_client=self._http, **settings)
        except ValueError:
            self.end()
            raise

    @property
    def pauses(self) -> list[float]:
        return self.platform.pauses

    def answer(self, received: Received, exchange: Exchange) -> None:
        with self._lock:
            self.received.append(received)
            count = len(self.received)
        self._answers[min(count, len(self._answers)) - 1](received, exchange)

    def end(self) -> None:
        self.ended.set()
        if isinstance(self._http, httpx.Client):
            self._http.close()
        if self.loop:
            if isinstance(self._http, httpx.AsyncClient):
                self.loop.run_until_complete(self._http.aclose())
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> ScriptedService:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()


def answer_json(status: int, body: object, headers: Mapping[str, str] | None = None) -> Answer:
    content = json.dumps(body).encode()
    return lambda _, exchange: exchange.respond(
        status, content, {"Content-Type": "application/json", **(headers or {})}
    )


def failure(status: int, code: str, headers: Mapping[str, str] | None = None, **more: object) -> Answer:
    error = {"code": code, "message": f"It is {code}.", "request_id": "req_1", **more}
    return answer_json(status, {"error": error}, headers)


def cut(_: Received, exchange: Exchange) -> None:
    """Ends the connection without a response."""
    exchange.close_connection = True


def cut_within_body(_: Received, exchange: Exchange) -> None:
    exchange.close_connection = True
    exchange.respond(200, b'{"match":', {"Content-Length": "1000"})


def silent(_: Received, exchange: Exchange) -> None:
    exchange.hold()
