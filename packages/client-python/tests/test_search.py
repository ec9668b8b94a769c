from __future__ import annotations

import hashlib
from typing import Any

import pytest

from shopscope import ShopscopeError

from .conftest import Start
from .scripted_service import Answer, ScriptedService, answer_json, failure

WHERE: Any = {"technologies": [{"any": ["klaviyo"]}]}


def page(domains: list[str], cursor: str | None, history_query: int = 0) -> Answer:
    billed = {"lookup_cached": len(domains), "history_query": history_query}
    return answer_json(
        200, {"billed": billed, "data": [{"domain": domain} for domain in domains], "next_cursor": cursor}
    )


def domains_of(rows: Any) -> list[str]:
    return [row["domain"] for row in rows]


def bodies_of(service: ScriptedService) -> list[Any]:
    return [received.body for received in service.received]


def test_a_search_yields_the_rows_of_all_pages_of_one_cursor_also_behind_empty_pages(start: Start) -> None:
    service = start(page(["a", "b"], "x"), page([], "y"), page(["c"], None))
    cursors: list[str | None] = []
    rows = service.client.search(
        WHERE, sort="-product_count", limit=2, on_page=lambda each: cursors.append(each["next_cursor"])
    )
    assert domains_of(rows) == ["a", "b", "c"]
    assert cursors == ["x", "y", None]
    request = {"where": WHERE, "sort": "-product_count", "limit": 2}
    assert bodies_of(service) == [{**request, "cursor": cursor} for cursor in (None, "x", "y")]


def test_a_search_with_max_units_asks_for_no_more_rows_than_its_units_allow_and_then_ends(start: Start) -> None:
    service = start(page(["a", "b"], "x"), page(["c"], "y"))
    assert domains_of(service.client.search(WHERE, limit=2, max_units={"lookup_cached": 3})) == ["a", "b", "c"]
    assert bodies_of(service) == [
        {"where": WHERE, "limit": 2, "cursor": None, "max_units": {"lookup_cached": 3}},
        {"where": WHERE, "limit": 1, "cursor": "x", "max_units": {"lookup_cached": 1}},
    ]


def test_a_search_of_removals_ends_before_a_page_that_needs_a_history_query_more_than_max_units(start: Start) -> None:
    service = start(page(["a"], "x", 1), page(["b"], "y", 1), page(["c"], None, 1))
    dropped: Any = {"dropped": [{"any": ["yotpo"]}]}
    assert domains_of(service.client.search(dropped, max_units={"history_query": 2})) == ["a", "b"]
    assert len(service.received) == 2


def test_a_search_with_an_empty_list_of_removals_needs_no_history_query(start: Start) -> None:
    service = start(page(["a"], None))
    where: Any = {"dropped": []}
    assert domains_of(service.client.search(where, max_units={"history_query": 0})) == ["a"]


def test_a_search_without_units_sends_nothing(start: Start) -> None:
    service = start(page(["a"], None))
    assert list(service.client.search(WHERE, max_units={"lookup_cached": 0})) == []
    assert service.received == []


def test_a_search_continues_at_a_cursor_and_a_repeated_cursor_ends_it_with_an_error(start: Start) -> None:
    service = start(page(["a"], "kept"))
    with pytest.raises(ShopscopeError, match="repeated a cursor"):
        list(service.client.search(WHERE, cursor="kept"))
    assert bodies_of(service)[0]["cursor"] == "kept"


def test_an_error_of_a_later_page_of_a_search_follows_the_rows_before_it(start: Start) -> None:
    service = start(page(["a"], "x"), failure(402, "payment_required"))
    rows: list[str] = []
    with pytest.raises(ShopscopeError):
        for row in service.client.search(WHERE):
            rows.append(row["domain"])
    assert rows == ["a"]


def test_a_count_sends_its_query_with_the_facets(start: Start) -> None:
    service = start(answer_json(200, {"total": {"value": 12, "relation": "eq"}}))
    assert service.client.count(WHERE, facets=["country"], facet_size=5)["total"] == {"value": 12, "relation": "eq"}
    assert bodies_of(service) == [{"where": WHERE, "facets": ["country"], "facet_size": 5}]
    with pytest.raises(TypeError):
        service.client.count(WHERE, facets="country")


def job(state: str, error: object = None) -> Answer:
    return answer_json(200, {"id": "job_1", "state": state, "error": error})


def results(*texts: str) -> Answer:
    parts = [
        {"part": part, "rows": text.count("\n"), "sha256": hashlib.sha256(text.encode()).hexdigest()}
        for part, text in enumerate(texts, 1)
    ]
    return answer_json(200, {"data": parts, "next_cursor": None})


def content(text: str, media_type: str = "application/x-ndjson") -> Answer:
    return lambda _, exchange: exchange.respond(200, text.encode(), {"Content-Type": media_type})


def test_an_export_starts_a_job_waits_for_it_and_yields_the_rows_of_its_parts_in_order(start: Start) -> None:
    parts = ['{"domain":"a.example"}\n{"domain":"bü.example"}\n', '{"domain":"c.example"}\n']
    service = start(job("queued"), job("running"), job("succeeded"), results(*parts), *map(content, parts))
    rows = service.client.export(WHERE, max_rows=5_000, max_units={"lookup_cached": 5_000}, idempotency_key="of-today")
    assert domains_of(rows) == ["a.example", "bü.example", "c.example"]
    first = service.received[0]
    assert first.headers["idempotency-key"] == "of-today"
    limits = {"max_rows": 5_000, "max_units": {"lookup_cached": 5_000}}
    assert first.body == {"where": WHERE, "format": "ndjson", **limits}
    assert [received.url for received in service.received] == [
        "/v1/stores/export",
        "/v1/jobs/job_1",
        "/v1/jobs/job_1",
        "/v1/jobs/job_1/results",
        "/v1/jobs/job_1/parts/1",
        "/v1/jobs/job_1/parts/2",
    ]


def test_an_export_that_failed_yields_the_rows_that_it_has_billed_before_its_error(start: Start) -> None:
    text = '{"domain":"a.example"}\n'
    error = {"code": "edition_ended", "message": "The edition has ended."}
    service = start(job("queued"), job("failed", error), results(text), content(text))
    rows: list[str] = []
    with pytest.raises(ShopscopeError, match=r"the export job_1 is failed: The edition has ended\."):
        for row in service.client.export(WHERE):
            rows.append(row["domain"])
    assert rows == ["a.example"]


def test_a_part_of_an_export_that_differs_from_its_sha256_is_not_yielded(start: Start) -> None:
    service = start(results("a\n"), content("b\n", "text/csv"))
    with pytest.raises(ShopscopeError, match="part 1 of the export job_1 differs from its sha256"):
        list(service.client.export_parts("job_1"))
