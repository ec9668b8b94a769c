from __future__ import annotations

import pytest

from shopscope import JobTimeoutError

from .conftest import Start
from .scripted_service import answer_json


def test_a_job_is_read_until_it_has_ended(start: Start) -> None:
    states = ["queued", "running", "running", "succeeded"]
    service = start(*(answer_json(200, {"id": "job_1", "state": state}) for state in states))
    assert service.client.wait_for_job("job_1")["state"] == "succeeded"
    assert service.pauses == [1, 1.5, 2.25]


def test_a_wait_for_a_job_is_bounded(start: Start) -> None:
    service = start(answer_json(200, {"id": "job_1", "state": "running"}))
    with pytest.raises(JobTimeoutError, match="job_1 is running"):
        service.client.wait_for_job("job_1", timeout=60)
    assert 50 < sum(service.pauses) <= 60
    assert max(service.pauses) == 10


def test_a_scan_is_requested_and_cancelled_under_an_idempotency_key(start: Start) -> None:
    service = start(answer_json(202, {"id": "job_1", "state": "queued"}))
    service.client.request_scan("shop.example", idempotency_key="scan-of-today")
    service.client.cancel_job("job_1")
    assert [received.url for received in service.received] == ["/v1/stores/shop.example/scans", "/v1/jobs/job_1/cancel"]
    assert service.received[0].headers["idempotency-key"] == "scan-of-today"
    assert all(received.headers["idempotency-key"] and received.body is None for received in service.received)
