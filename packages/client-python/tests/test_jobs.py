from __future__ import annotations

import pytest

from shopscope import JobTimeoutError

from .conftest import Start
from .scripted_service import answer_json


def test_a_job_is_read_until_it_has_ended(start: Start) -> None:
    states = ["queued", "running", "running", "succeeded"]
    service = start(*(answer_json(200, {"id": "job_1", "state": state}) for state in states))
    seen: list[str] = []
    job = service.client.wait_for_job("job_1", on_progress=lambda job: seen.append(job["state"]))
    assert job["state"] == "succeeded"
    assert seen == states[:-1]
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


def test_an_enrichment_of_a_list_and_its_quote_have_one_path_and_send_only_what_was_given(start: Start) -> None:
    service = start(answer_json(202, {"id": "job_u1", "state": "queued"}))
    service.client.enrich_list("lst_1", idempotency_key="enrich-of-today")
    service.client.enrich_list("lst_1", refresh=True, max_units=500)
    service.client.quote_list_enrich("lst_1", refresh=True)
    assert [received.body for received in service.received] == [
        {},
        {"refresh": True, "max_units": 500},
        {"refresh": True, "dry_run": True},
    ]
    assert {received.url for received in service.received} == {"/v1/lists/lst_1/enrich"}
    assert service.received[0].headers["idempotency-key"] == "enrich-of-today"


def test_the_results_of_an_enrichment_are_read_page_by_page(start: Start) -> None:
    rows = [{"domain": f"{name}.example", "match": "no_match", "external_id": None} for name in "abc"]
    service = start(
        answer_json(200, {"data": rows[:2], "next_cursor": "next"}),
        answer_json(200, {"data": rows[2:], "next_cursor": None}),
    )
    assert list(service.client.get_job_results("job_u1")) == rows
    assert [received.url for received in service.received] == [
        "/v1/jobs/job_u1/results",
        "/v1/jobs/job_u1/results?cursor=next",
    ]
