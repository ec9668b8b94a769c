from __future__ import annotations

from typing import Any

import httpx
import pytest

from shopscope import _operations
from shopscope._flow import Attempt, Flow, HttpResponse, ReadKey, Sleep
from shopscope._session import Session

from .scripted_service import ScriptedPlatform


def begin(flow: Flow[Any]) -> object:
    """The command after the one for the key."""
    assert next(flow) == ReadKey()
    return flow.send("svc_live_x")


def session_of_test() -> Session:
    return Session(
        base_url="https://api.example.com", timeout=1, max_retries=4, user_agent=None, platform=ScriptedPlatform()
    )


def test_after_429_other_requests_of_the_client_wait_too() -> None:
    session = session_of_test()
    refused = session.send(_operations.get_usage())
    assert isinstance(begin(refused), Attempt)
    pause = refused.send(HttpResponse(429, httpx.Headers({"Retry-After": "12"}), b""))
    assert isinstance(pause, Sleep)
    assert pause.seconds >= 12
    assert begin(session.send(_operations.get_usage())) == pause


EARLY, LATE = "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:40 GMT"


@pytest.mark.parametrize(
    ("date", "retry_after", "pause"),
    [(EARLY, LATE, 40.25), (LATE, EARLY, 0.25), ("", LATE, 0.25)],
    ids=["later", "past", "of a response without a date"],
)
def test_a_date_in_retry_after_counts_from_the_date_of_the_response(date: str, retry_after: str, pause: float) -> None:
    flow = session_of_test().send(_operations.get_usage())
    begin(flow)
    headers = httpx.Headers({"Date": date, "Retry-After": retry_after})
    assert flow.send(HttpResponse(503, headers, b"")) == Sleep(pause)
