"""Flows: what the synchronous and the asynchronous client have in common, without any input or output.

A flow is a generator. It yields commands; a driver (_sync_driver.py, _async_driver.py) carries each one out and sends
the outcome back into the flow, or throws the error of the command into it. The return value of the flow is its result.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import httpx

T = TypeVar("T")


@dataclass(frozen=True)
class HttpRequest:
    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None


@dataclass(frozen=True)
class HttpResponse:
    status: int
    headers: httpx.Headers
    content: bytes


@dataclass(frozen=True)
class ReadKey:
    """Outcome: the API key."""


@dataclass(frozen=True)
class Attempt:
    """Outcome: the complete response. Raises TransportError; AttemptTimeoutError after `timeout` seconds."""

    request: HttpRequest
    timeout: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Await:
    """Outcome: the result of the future, which another flow sets."""

    future: Future[Any]


@dataclass(frozen=True)
class Start:
    """Runs a flow beside this one. That flow raises nothing."""

    flow: Flow[None]


Command: TypeAlias = ReadKey | Attempt | Sleep | Await | Start
Flow: TypeAlias = Generator[Command, Any, T]


@dataclass(frozen=True)
class Ended(Generic[T]):
    result: T


def resume(flow: Flow[T], outcome: object = None, error: BaseException | None = None) -> Command | Ended[T]:
    """The next command of a flow, or its end. `outcome` and `error` are those of the command before."""
    try:
        return flow.throw(error) if error else flow.send(outcome)
    except StopIteration as end:
        return Ended(end.value)


def read_key() -> Flow[str]:
    key: str = yield ReadKey()
    return key


def attempt(request: HttpRequest, timeout: float) -> Flow[HttpResponse]:
    response: HttpResponse = yield Attempt(request, timeout)
    return response


def result_of(future: Future[T]) -> Flow[T]:
    result: T = yield Await(future)
    return result
