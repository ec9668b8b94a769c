from __future__ import annotations

import time

import httpx
import pytest

from shopscope._platform import Platform
from shopscope._rate_pacer import RatePacer

from .conftest import Start
from .scripted_service import answer_json


def window(remaining: int, reset: int, limit: int = 2) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": str(reset),
    }


class Clock:
    def __init__(self) -> None:
        self.now = 0.0


def test_a_request_waits_for_the_next_minute_when_the_minute_is_spent(start: Start) -> None:
    service = start(*(answer_json(200, {}, window(*left)) for left in ((1, 40), (0, 40), (1, 60))))
    service.client.get_usage()
    service.client.get_usage()
    assert service.pauses == []
    service.client.get_usage()
    assert service.pauses == [40]


def test_requests_in_flight_count_as_spent() -> None:
    clock = Clock()
    pacer = RatePacer(lambda: clock.now)
    assert pacer.begin() == 0
    pacer.ended(httpx.Headers(window(1, 30)))
    assert pacer.begin() == 0
    assert pacer.begin() == 30
    clock.now = 30
    assert pacer.begin() == 0


def test_requests_in_flight_count_as_spent_when_another_one_ends() -> None:
    pacer = RatePacer(lambda: 0)
    assert [pacer.begin(), pacer.begin()] == [0, 0]
    pacer.ended(httpx.Headers(window(1, 30)))
    assert pacer.begin() == 30


def test_a_response_without_headers_of_the_limit_holds_nothing_back(start: Start) -> None:
    service = start(answer_json(200, {}))
    for _ in range(5):
        service.client.get_usage()
    assert service.pauses == []


def test_after_429_other_requests_wait_too() -> None:
    clock = Clock()
    pacer = RatePacer(lambda: clock.now)
    pacer.refused(12)
    assert pacer.begin() == 12
    clock.now = 12
    assert pacer.begin() == 0


@pytest.mark.parametrize("jump", [3_600, -3_600], ids=["ahead", "back"])
def test_a_clock_of_the_machine_that_jumps_between_two_requests_changes_no_pause(
    monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    pacer = RatePacer(Platform().now)
    assert pacer.begin() == 0
    pacer.ended(httpx.Headers(window(0, 40)))
    now = time.time() + jump
    monkeypatch.setattr(time, "time", lambda: now)
    assert 0 < pacer.begin() <= 40
