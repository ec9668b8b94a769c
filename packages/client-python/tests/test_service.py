"""Both clients against the running service, directly and behind a proxy that fails.

SHOPSCOPE_BASE_URL is its address. SHOPSCOPE_TEST_KEYS is a JSON object with one key per name of this file and client,
each of a workspace of its own. What the responses billed is written to SHOPSCOPE_TEST_REPORT: whoever started the
service compares it with the usage of the workspaces.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from shopscope import ApiError, AsyncClient, Client, EnrichProgress, ResponseInfo
from shopscope._platform import Platform

from .scripted_service import (
    TLS,
    Answer,
    AsyncDriven,
    Exchange,
    Received,
    ScriptedService,
    cut,
    failure,
)

pytestmark = pytest.mark.service

UNKNOWN = [f"unknown-shop-{n}.example" for n in range(120)]
MORE_THAN_TWO_MINUTES_ALLOW = 70
"""Requests. The plan free allows 30 a minute."""
NewClient = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture
def base_url() -> str:
    return os.environ["SHOPSCOPE_BASE_URL"]


@pytest.fixture
def key_of(kind: str) -> Callable[[str], str]:
    keys: dict[str, str] = json.loads(os.environ["SHOPSCOPE_TEST_KEYS"])
    return lambda name: keys[f"{name}-{kind}"]


@pytest.fixture
def new_client(kind: str, base_url: str) -> Iterator[NewClient]:
    loop = asyncio.new_event_loop()
    clients: list[Any] = []

    def create(key: str, **options: Any) -> Any:
        settings = {"api_key": key, "base_url": base_url, **options}
        client = Client(**settings) if kind == "sync" else AsyncDriven(AsyncClient(**settings), loop)
        clients.append(client)
        return client

    yield create
    for client in clients:
        client.close() if isinstance(client, Client) else client.aclose()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


def report(name: str, billed: object) -> None:
    file = Path(os.environ["SHOPSCOPE_TEST_REPORT"])
    reported = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({**reported, name: billed}))


def test_account_usage_index_health_and_the_contract_are_read(new_client: NewClient, key_of: Any) -> None:
    client = new_client(key_of("main"))
    assert client.get_account()["plan"]["slug"] == "scale"
    assert client.get_usage()["period"]["used"]["lookup_cached"] == 0
    assert "endpoints" in client.get_index()
    assert "rest" in client.get_host()
    assert client.get_health()["status"] == "ok"
    assert client.get_openapi()["openapi"] == "3.1.0"


def test_all_technologies_are_read_page_by_page(new_client: NewClient, key_of: Any) -> None:
    client = new_client(key_of("main"))
    assert len({technology["slug"] for technology in client.list_technologies(limit=200)}) > 200
    assert len(client.list_technologies(kind="platform", limit=1).first()["data"]) == 1


def test_errors_of_the_service_have_their_code_and_their_request_id(new_client: NewClient, key_of: Any) -> None:
    client = new_client(key_of("main"))
    with pytest.raises(ApiError) as raised:
        client.get_store("nowhere.example", request_id="client-test-1")
    assert (raised.value.code, raised.value.status, raised.value.request_id) == ("not_found", 404, "client-test-1")
    reader = new_client(key_of("reader"))
    calls: dict[str, Callable[[], Any]] = {
        "unauthorized": lambda: new_client("svc_live_wrong").get_usage(),
        "forbidden_scope": lambda: reader.enrich_stores(["a.example"], refresh=True),
        "invalid_request": lambda: client.list_technologies(limit=0).first(),
        "not_implemented": lambda: client.get_store_history("a.example").first(),
    }
    served = client.get_index()["endpoints"]
    for code, call in calls.items():
        if code == "not_implemented" and "getStoreHistory" in served:
            continue
        with pytest.raises(ApiError) as raised:
            call()
        assert raised.value.code == code


def test_a_repeated_call_with_its_key_is_replayed_and_bills_nothing(
    new_client: NewClient, key_of: Any, kind: str
) -> None:
    client = new_client(key_of("replay"))
    seen: list[ResponseInfo] = []
    options = {"refresh": True, "idempotency_key": "list-7-batch-0", "on_response": seen.append}
    first = client.enrich_stores(UNKNOWN[:1], **options)
    assert client.enrich_stores(UNKNOWN[:1], **options) == first
    assert [info.replayed for info in seen] == [False, True]
    assert first["billed"]["lookup_live"] == 1
    report(f"replay-{kind}", first["billed"])


def test_behind_a_proxy_that_fails_every_domain_is_answered_once_and_billed_as_the_responses_say(
    base_url: str, key_of: Any, kind: str
) -> None:
    service = httpx.Client(base_url=base_url)

    def passed(received: Received) -> httpx.Response:
        headers = {name: value for name, value in received.headers.items() if name not in ("host", "content-length")}
        return service.request(received.method, received.url, headers=headers, json=received.body)

    def forward(received: Received, exchange: Exchange) -> None:
        response = passed(received)
        exchange.respond(response.status_code, response.content, kept(response.headers))

    def forward_and_cut(received: Received, exchange: Exchange) -> None:
        passed(received)
        cut(received, exchange)

    def forward_and_cut_within_body(received: Received, exchange: Exchange) -> None:
        response = passed(received)
        half = response.content[: len(response.content) // 2]
        length = {"Content-Length": str(len(response.content))}
        exchange.close_connection = True
        exchange.respond(response.status_code, half, {**kept(response.headers), **length})

    def bad_gateway(_: Received, exchange: Exchange) -> None:
        exchange.respond(502, b"<html>", {})

    faults: list[Answer] = [
        cut,
        forward_and_cut,
        forward_and_cut_within_body,
        failure(503, "unavailable", {"Retry-After": "0"}),
        bad_gateway,
    ]
    lock = threading.Lock()
    requests = 0

    def answer(received: Received, exchange: Exchange) -> None:
        nonlocal requests
        with lock:
            requests += 1
            fault = faults[requests // 2 % len(faults)] if requests % 2 == 0 else forward
        fault(received, exchange)

    progress: list[EnrichProgress] = []
    options = {"api_key": key_of("proxy"), "max_retries": 8}
    with ScriptedService([answer], is_async=kind == "async", options=options) as proxy:
        results = list(proxy.client.enrich_all(UNKNOWN, refresh=True, batch_size=5, on_progress=progress.append))
        assert len(proxy.received) > len(UNKNOWN) / 5
    service.close()
    assert [result["input"] for result in results] == UNKNOWN
    assert all(result["scan_requested"] for result in results)
    assert progress[-1].billed["lookup_live"] == len(UNKNOWN)
    report(f"proxy-{kind}", progress[-1].billed)


def kept(headers: httpx.Headers) -> dict[str, str]:
    hop_by_hop = ("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "date")
    return {name: value for name, value in headers.items() if name not in hop_by_hop}


class FirstPause(Exception):
    """A pause that a test does not wait for."""


class Impatient(Platform):
    def __init__(self) -> None:
        self.pauses: list[float] = []

    def sleep(self, seconds: float, stop: threading.Event) -> None:
        self.pauses.append(seconds)
        raise FirstPause

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds, threading.Event())


def test_429_of_the_service_is_waited_for_as_it_says(base_url: str, key_of: Any, kind: str) -> None:
    """Each call is that of a new client, which does not know the headers of the others."""
    statuses: list[int] = []
    platform = Impatient()
    settings = {"api_key": key_of("free"), "base_url": base_url, "_platform": platform}

    async def call_async() -> None:
        async def record(response: httpx.Response) -> None:
            statuses.append(response.status_code)

        async with httpx.AsyncClient(verify=TLS, event_hooks={"response": [record]}) as http:
            for _ in range(MORE_THAN_TWO_MINUTES_ALLOW):
                await AsyncClient(http_client=http, **settings).get_usage()

    def call() -> None:
        with httpx.Client(
            verify=TLS, event_hooks={"response": [lambda response: statuses.append(response.status_code)]}
        ) as http:
            for _ in range(MORE_THAN_TWO_MINUTES_ALLOW):
                Client(http_client=http, **settings).get_usage()

    with pytest.raises(FirstPause):
        call() if kind == "sync" else asyncio.run(call_async())
    assert statuses[-1] == 429
    assert 0 < platform.pauses[0] <= 60.5
