from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import Start
from .scripted_service import answer_json, cut

FROM = "2026-01-01T00:00:00Z"
TO = "2026-01-02T00:00:00Z"
CREATION = {"url": "https://hooks.example", "event_types": ["scan.failed"]}


@pytest.mark.parametrize(
    ("call", "line", "body"),
    [
        (
            lambda client: client.create_webhook("https://hooks.example", ["scan.failed"], max_per_minute=None),
            "POST /v1/webhooks",
            {**CREATION, "max_per_minute": None},
        ),
        (lambda client: client.list_webhooks(limit=5).first(), "GET /v1/webhooks?limit=5", None),
        (lambda client: client.get_webhook("whk_1"), "GET /v1/webhooks/whk_1", None),
        (
            lambda client: client.update_webhook("whk_1", state="paused"),
            "PATCH /v1/webhooks/whk_1",
            {"state": "paused"},
        ),
        (lambda client: client.delete_webhook("whk_1"), "DELETE /v1/webhooks/whk_1", None),
        (lambda client: client.test_webhook("whk_1"), "POST /v1/webhooks/whk_1/test", {}),
        (
            lambda client: client.test_webhook("whk_1", type="scan.failed"),
            "POST /v1/webhooks/whk_1/test",
            {"type": "scan.failed"},
        ),
        (
            lambda client: client.rotate_webhook_secret("whk_1", overlap_hours=0),
            "POST /v1/webhooks/whk_1/rotate_secret",
            {"overlap_hours": 0},
        ),
        (
            lambda client: client.replay_webhook("whk_1", FROM, TO, event_types=["scan.failed"]),
            "POST /v1/webhooks/whk_1/replay",
            {"from": FROM, "to": TO, "only": "failed", "event_types": ["scan.failed"]},
        ),
        (
            lambda client: client.list_webhook_deliveries("whk_1", state="failed").first(),
            "GET /v1/webhooks/whk_1/deliveries?state=failed",
            None,
        ),
        (
            lambda client: client.list_deliveries(event_id="evt_1", from_="2026-01-01").first(),
            "GET /v1/deliveries?event_id=evt_1&from=2026-01-01",
            None,
        ),
        (lambda client: client.get_delivery("dlv_1"), "GET /v1/deliveries/dlv_1", None),
        (lambda client: client.retry_delivery("dlv_1"), "POST /v1/deliveries/dlv_1/retry", None),
    ],
)
def test_an_operation_of_webhooks_sends_one_request(
    start: Start, call: Callable[[Any], object], line: str, body: object
) -> None:
    service = start(answer_json(200, {"data": [], "next_cursor": None}))
    call(service.client)
    assert [(f"{each.method} {each.url}", each.body) for each in service.received] == [(line, body)]


def test_a_webhook_is_created_once_when_an_attempt_is_lost_because_both_have_one_idempotency_key(start: Start) -> None:
    service = start(cut, answer_json(201, {"id": "whk_1", "secret": None}))
    created = service.client.create_webhook("https://hooks.example", ["scan.failed"])
    assert created == {"id": "whk_1", "secret": None}
    keys = [received.headers["idempotency-key"] for received in service.received]
    assert len(keys) == 2
    assert len(set(keys)) == 1


def test_wait_for_job_follows_a_replay_to_its_end(start: Start) -> None:
    states = ["queued", "running", "succeeded"]
    service = start(*(answer_json(200, {"id": "job_o1", "type": "replay", "state": state}) for state in states))
    job = service.client.replay_webhook("whk_1", FROM, TO, only="all")
    assert service.client.wait_for_job(job["id"])["state"] == "succeeded"
