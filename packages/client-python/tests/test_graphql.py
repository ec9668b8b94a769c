from __future__ import annotations

from typing import Any

import pytest

from shopscope import ApiError

from .conftest import Start
from .scripted_service import Exchange, Received, answer_json, cut

DOCUMENT = "query ($domain: String!) { store(domain: $domain) { match } }"
COST: dict[str, Any] = {
    "requested": {"lookup_cached": 1, "history_query": 0},
    "billed": {"lookup_cached": 1, "history_query": 0},
    "nodes": {"requested": 1, "limit": 1000},
}
ANSWER = {"data": {"store": {"match": "matched"}}, "extensions": {"cost": COST}}


def test_graphql_sends_the_document_and_its_variables(start: Start) -> None:
    service = start(answer_json(200, ANSWER))
    answer = service.client.graphql(DOCUMENT, {"domain": "shop.example"}, max_units={"lookup_cached": 1})
    match: str = answer["data"]["store"]["match"]
    assert match == "matched"
    assert answer["extensions"]["cost"]["billed"]["lookup_cached"] == 1
    assert [(f"{each.method} {each.url}", each.body) for each in service.received] == [
        (
            "POST /v1/graphql",
            {
                "query": DOCUMENT,
                "variables": {"domain": "shop.example"},
                "extensions": {"maxUnits": {"lookup_cached": 1}},
            },
        )
    ]


def test_graphql_bills_once_when_an_attempt_is_lost_because_both_have_one_idempotency_key(start: Start) -> None:
    service = start(cut, answer_json(200, ANSWER))
    service.client.graphql(DOCUMENT, {"domain": "shop.example"})
    keys = [received.headers["idempotency-key"] for received in service.received]
    assert len(keys) == 2
    assert len(set(keys)) == 1


def test_quote_graphql_asks_for_a_dry_run_and_returns_the_cost(start: Start) -> None:
    service = start(answer_json(200, {"extensions": {"cost": COST}}))
    assert service.client.quote_graphql(DOCUMENT, operation_name="a") == COST
    assert service.received[0].body == {"query": DOCUMENT, "operationName": "a", "extensions": {"dryRun": True}}


def test_get_graphql_schema_returns_the_text_of_the_schema(start: Start) -> None:
    def schema(received: Received, exchange: Exchange) -> None:
        exchange.respond(200, b"type Query", {"Content-Type": "application/graphql; charset=utf-8"})

    service = start(schema)
    assert service.client.get_graphql_schema() == "type Query"


def test_a_document_that_does_not_parse_raises_an_error_with_its_place(start: Start) -> None:
    message = "query: Syntax Error: Expected Name, found <EOF> (line 1, column 2)"
    service = start(answer_json(400, {"error": {"code": "invalid_request", "message": message, "request_id": "req_1"}}))
    with pytest.raises(ApiError, match="line 1, column 2"):
        service.client.graphql("{")
