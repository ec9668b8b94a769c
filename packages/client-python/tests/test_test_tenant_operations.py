from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import Start
from .scripted_service import answer_json, cut


@pytest.mark.parametrize(
    ("call", "line", "body"),
    [
        (lambda client: client.reset_test_tenant(), "POST /v1/test/reset", None),
        (
            lambda client: client.append_test_event("scan.failed"),
            "POST /v1/test/events",
            {"type": "scan.failed"},
        ),
        (
            lambda client: client.append_test_event("scan.failed", data={"domain": "slow.test"}),
            "POST /v1/test/events",
            {"type": "scan.failed", "data": {"domain": "slow.test"}},
        ),
        (
            lambda client: client.set_test_allowance(lookup_cached=3, timeout=5.0),
            "POST /v1/test/allowance",
            {"lookup_cached": 3},
        ),
    ],
)
def test_an_operation_of_the_test_tenant_sends_one_request(
    start: Start, call: Callable[[Any], object], line: str, body: object
) -> None:
    service = start(answer_json(200, {"answer": line}))
    assert call(service.client) == {"answer": line}
    assert [(f"{each.method} {each.url}", each.body) for each in service.received] == [(line, body)]


def test_an_event_is_appended_once_when_an_attempt_is_lost_because_both_have_one_idempotency_key(start: Start) -> None:
    service = start(cut, answer_json(200, {"event": {"id": "evt_1"}}))
    assert service.client.append_test_event("scan.failed") == {"event": {"id": "evt_1"}}
    keys = [received.headers["idempotency-key"] for received in service.received]
    assert len(keys) == 2
    assert len(set(keys)) == 1
