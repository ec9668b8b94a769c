from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from shopscope import ApiError

from .conftest import Start
from .scripted_service import Answer, ScriptedService, answer_json, failure


def page(sequences: list[int], cursor: str, has_more: bool = False) -> Answer:
    events = [{"sequence": sequence} for sequence in sequences]
    return answer_json(200, {"data": events, "next_cursor": cursor, "has_more": has_more})


def queries_of(service: ScriptedService) -> list[dict[str, list[str]]]:
    return [parse_qs(urlsplit(received.url).query) for received in service.received]


def test_the_events_of_all_pages_come_in_order_and_end_with_what_there_is(start: Start) -> None:
    service = start(page([1, 2], "a", True), page([], "b", True), page([3], "c"))
    events = service.client.events(types=["scan.failed", "scan.completed"], watchlist_id="wl_1")
    assert [event["sequence"] for event in events] == [1, 2, 3]
    query = {"limit": ["200"], "types": ["scan.failed,scan.completed"], "watchlist_id": ["wl_1"]}
    assert queries_of(service) == [query, {**query, "after": ["a"]}, {**query, "after": ["b"]}]


def test_a_stored_cursor_is_behind_events_that_the_loop_has_taken_and_the_next_run_continues_there(
    start: Start,
) -> None:
    service = start(page([1, 2], "a", True), page([3], "b"), page([], "b"))
    seen: list[object] = []
    for event in service.client.events(on_cursor=seen.append):
        seen.append(event["sequence"])
    assert seen == [1, 2, "a", 3, "b"]
    assert list(service.client.events(after="b", on_cursor=seen.append)) == []
    assert seen == [1, 2, "a", 3, "b"]
    assert queries_of(service)[-1] == {"limit": ["200"], "after": ["b"]}


def test_a_loop_that_ends_within_a_page_stores_no_cursor_behind_it(start: Start) -> None:
    service = start(page([1, 2], "a"))
    cursors: list[str] = []
    events = service.client.events(on_cursor=cursors.append)
    assert next(events)["sequence"] == 1
    events.close()
    assert cursors == []


def test_a_follower_waits_for_further_events_and_asks_at_most_once_in_a_second(start: Start) -> None:
    service = start(page([], "a"), page([1], "b"), page([2, 3], "c"))
    events = service.client.events(follow=True)
    assert [next(events)["sequence"] for _ in range(3)] == [1, 2, 3]
    events.close()
    query = {"limit": ["200"], "wait": ["8"]}
    assert queries_of(service) == [query, {**query, "after": ["a"]}, {**query, "after": ["b"]}]
    assert len(service.pauses) == 2
    assert all(0 < pause <= 1 for pause in service.pauses)


def test_a_cursor_behind_which_events_were_deleted_ends_the_iteration_with_the_error_of_the_service(
    start: Start,
) -> None:
    service = start(failure(400, "invalid_request"))
    with pytest.raises(ApiError) as raised:
        list(service.client.events(after="old", follow=True))
    assert raised.value.code == "invalid_request"


def test_one_text_is_no_list_of_types(start: Start) -> None:
    service = start(page([], "a"))
    with pytest.raises(TypeError):
        list(service.client.events(types="scan.failed"))
