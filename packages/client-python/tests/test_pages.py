from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from shopscope import ApiError, ShopscopeError

from .conftest import Start
from .scripted_service import Answer, answer_json, failure


def page(data: list[int], cursor: str | None) -> Answer:
    return answer_json(200, {"data": data, "next_cursor": cursor})


def test_the_first_page_of_a_list(start: Start) -> None:
    service = start(page([1, 2], "next"))
    technologies = service.client.list_technologies(kind="app", sort="-stores")
    assert technologies.first() == {"data": [1, 2], "next_cursor": "next"}
    assert [received.url for received in service.received] == ["/v1/technologies?kind=app&sort=-stores"]


def test_an_iterated_list_has_all_items_in_order_also_behind_empty_pages(start: Start) -> None:
    service = start(page([1, 2], "a"), page([], "b"), page([3], None))
    assert list(service.client.list_technologies(q="kl")) == [1, 2, 3]
    queries = [parse_qs(urlsplit(received.url).query) for received in service.received]
    assert queries == [{"q": ["kl"]}, {"q": ["kl"], "cursor": ["a"]}, {"q": ["kl"], "cursor": ["b"]}]


def test_the_pages_of_a_list(start: Start) -> None:
    service = start(page([1], "a"), page([2], None))
    assert [each["data"] for each in service.client.list_technologies().pages()] == [[1], [2]]


def test_a_page_is_requested_when_it_is_needed_and_the_first_one_once(start: Start) -> None:
    service = start(page([1], "a"), page([2], "b"))
    technologies = service.client.list_technologies()
    assert service.received == []
    technologies.first()
    items = iter(technologies)
    assert next(items) == 1
    items.close()
    assert len(service.received) == 1


def test_a_list_continues_at_a_cursor(start: Start) -> None:
    service = start(page([9], None))
    assert list(service.client.list_technologies(cursor="kept")) == [9]
    assert service.received[0].url == "/v1/technologies?cursor=kept"


def test_a_parameter_that_is_a_keyword_of_python_ends_with_an_underscore(start: Start) -> None:
    service = start(page([9], None))
    assert list(service.client.get_store_history("shop.example", from_="2026-01-01", to=None)) == [9]
    assert service.received[0].url == "/v1/stores/shop.example/history?from=2026-01-01"


def test_a_parameter_with_several_values_is_sent_with_commas(start: Start) -> None:
    service = start(page([9], None))
    found = service.client.search_signals(technology=["klaviyo", "yotpo"], country=("DE",), type="technology_added")
    assert list(found) == [9]
    expected = "/v1/signals?technology=klaviyo%2Cyotpo&country=DE&type=technology_added"
    assert service.received[0].url == expected


def test_a_list_without_an_end_ends_with_the_page_that_has_no_more(start: Start) -> None:
    more = answer_json(200, {"data": [1], "next_cursor": "a", "has_more": True})
    last = answer_json(200, {"data": [2], "next_cursor": "a", "has_more": False})
    service = start(more, last)
    pages = list(service.client.search_signals(order="asc", confirmed_from="2026-01-01T00:00:00Z").pages())
    assert [(each["data"], each["next_cursor"]) for each in pages] == [([1], "a"), ([2], "a")]
    assert len(service.received) == 2


def test_the_options_of_a_call_are_those_of_each_page(start: Start) -> None:
    service = start(page([1], "a"), page([2], None))
    statuses: list[int] = []
    options = {"request_id": "my-request", "on_response": lambda info: statuses.append(info.status)}
    assert list(service.client.search_signals(**options)) == [1, 2]
    assert [received.headers["x-request-id"] for received in service.received] == ["my-request"] * 2
    assert (statuses, service.received[0].url) == ([200, 200], "/v1/signals")


def test_a_repeated_cursor_ends_the_iteration_with_an_error(start: Start) -> None:
    service = start(page([1], "a"))
    with pytest.raises(ShopscopeError, match="repeated a cursor"):
        list(service.client.list_technologies())


def test_an_error_of_a_later_page_follows_the_items_before_it(start: Start) -> None:
    service = start(page([1], "a"), failure(400, "invalid_request"))
    items = iter(service.client.list_technologies())
    assert next(items) == 1
    with pytest.raises(ApiError) as raised:
        next(items)
    assert raised.value.code == "invalid_request"
