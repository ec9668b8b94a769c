from __future__ import annotations

from typing import Any

import httpx

from shopscope import _operations
from shopscope._flow import Attempt, Flow, HttpResponse, ReadKey, Sleep
from shopscope._session import Session

from .scripted_service import ScriptedPlatform


def begin(flow: Flow[Any]) -> object:
    """The command after the one for the key."""
    assert next(flow) == ReadKey()
    return flow.send("svc_live_x")


def test_after_429_other_requests_of_the_client_wait_too() -> None:
    session = Session(
        base_url="https://api.example.com", timeout=1, max_retries=4, user_agent=None, platform=ScriptedPlatform()
    )
    refused = session.send(_operations.get_usage())
    assert isinstance(begin(refused), Attempt)
    pause = refused.send(HttpResponse(429, httpx.Headers({"Retry-After": "12"}), b""))
    assert isinstance(pause, Sleep)
    assert pause.seconds >= 12
    assert begin(session.send(_operations.get_usage())) == pause
