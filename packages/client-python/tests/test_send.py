from __future__ import annotations

import asyncio
import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from shopscope import (
    ApiError,
    AsyncClient,
    AttemptTimeoutError,
    Client,
    ResponseInfo,
    ShopscopeError,
    TransportError,
)

from .conftest import Start
from .scripted_service import (
    TLS,
    Answer,
    Exchange,
    Received,
    ScriptedService,
    answer_json,
    cut,
    cut_within_body,
    failure,
    silent,
)

store = answer_json(200, {"match": "matched", "store": {"domain": "shop.example"}})


def plain(status: int, text: str) -> Answer:
    return lambda _, exchange: exchange.respond(status, text.encode(), {})


def broken_encoding(_: Received, exchange: Exchange) -> None:
    exchange.respond(200, b"no gzip", {"Content-Encoding": "gzip"})


failures_that_pass: dict[str, Answer] = {
    "the connection is cut before the response": cut,
    "the connection is cut within the body": cut_within_body,
    "the body cannot be decompressed": broken_encoding,
    "429": failure(429, "rate_limited", {"Retry-After": "7"}),
    "503": failure(503, "unavailable", {"Retry-After": "1"}),
    "500": failure(500, "internal"),
    "a proxy answers 502": plain(502, "<html>bad gateway</html>"),
    "a proxy answers 504 with nothing": plain(504, ""),
}


@pytest.mark.parametrize("first", failures_that_pass.values(), ids=failures_that_pass.keys())
def test_an_attempt_that_failed_is_repeated(start: Start, first: Answer) -> None:
    service = start(first, store)
    assert service.client.get_store("shop.example")["match"] == "matched"
    assert len(service.received) == 2


def test_attempts_have_the_same_idempotency_key_and_request_id(start: Start) -> None:
    service = start(cut, cut_within_body, answer_json(200, {"results": []}))
    service.client.enrich_stores(["shop.example"], request_id="my-request")
    keys = [received.headers["idempotency-key"] for received in service.received]
    assert keys == [keys[0]] * 3
    assert re.fullmatch(r"[\w-]{8,128}", keys[0])
    assert [received.headers["x-request-id"] for received in service.received] == ["my-request"] * 3
    service.client.enrich_stores(["shop.example"])
    assert service.received[-1].headers["idempotency-key"] != keys[0]


def test_an_idempotency_key_of_the_caller_is_sent(start: Start) -> None:
    service = start(answer_json(200, {"results": []}))
    service.client.enrich_stores(["shop.example"], refresh=True, idempotency_key="list-7-batch-0")
    assert service.received[0].headers["idempotency-key"] == "list-7-batch-0"
    assert service.received[0].body == {"domains": ["shop.example"], "refresh": True}


def test_a_refresh_that_is_not_asked_for_is_not_sent(start: Start) -> None:
    service = start(answer_json(200, {"results": []}))
    service.client.enrich_stores(["shop.example"])
    assert service.received[0].body == {"domains": ["shop.example"]}


def test_an_attempt_is_repeated_after_retry_after_and_not_before(start: Start) -> None:
    service = start(
        failure(503, "unavailable", {"Retry-After": "9"}), failure(429, "rate_limited", {"Retry-After": "60"}), store
    )
    service.client.get_store("shop.example")
    assert service.pauses[0] >= 9
    assert service.pauses[1] >= 60


def test_a_lone_surrogate_in_a_domain_is_sent_replaced(start: Start) -> None:
    service = start(store)
    service.client.get_store("\ud800.example")
    assert service.received[0].url == "/v1/stores/%3F.example"


def test_attempts_are_at_most_max_retries_with_growing_pauses(start: Start) -> None:
    service = start(cut, max_retries=6)
    with pytest.raises(TransportError):
        service.client.get_usage()
    assert len(service.received) == 7
    assert service.pauses == [0.25, 0.5, 1, 2, 4, 4]


def test_a_deletion_whose_response_was_lost_is_done_when_its_repetition_finds_nothing(start: Start) -> None:
    service = start(cut, failure(404, "not_found"))
    service.client.delete_list("lst_1")
    assert [(received.method, received.url) for received in service.received] == [("DELETE", "/v1/lists/lst_1")] * 2


def test_a_deletion_of_nothing_is_an_error(start: Start) -> None:
    service = start(failure(404, "not_found"))
    with pytest.raises(ApiError) as raised:
        service.client.remove_list_store("lst_1", "shop.example")
    assert raised.value.code == "not_found"


def test_a_response_204_has_no_value(start: Start) -> None:
    service = start(plain(204, ""))
    service.client.delete_list("lst_1")


def test_500_is_repeated_once(start: Start) -> None:
    service = start(failure(500, "internal"))
    with pytest.raises(ApiError) as raised:
        service.client.get_usage()
    assert raised.value.code == "internal"
    assert len(service.received) == 2
    assert service.pauses[0] >= 2


final = [
    (400, "invalid_request"),
    (401, "unauthorized"),
    (403, "forbidden_scope"),
    (404, "not_found"),
    (409, "conflict"),
    (501, "not_implemented"),
]


@pytest.mark.parametrize(("status", "code"), final)
def test_other_errors_are_final_with_code_message_and_request_id(start: Start, status: int, code: str) -> None:
    service = start(failure(status, code))
    with pytest.raises(ApiError) as raised:
        service.client.get_store("shop.example")
    error = raised.value
    assert (error.code, error.status, error.message, error.request_id) == (code, status, f"It is {code}.", "req_1")
    assert str(error) == f"It is {code}. (code {code}, status {status}, request req_1)"
    assert len(service.received) == 1


def test_402_says_which_unit_is_spent_and_until_when(start: Start) -> None:
    end = "2026-12-01T00:00:00.000Z"
    service = start(failure(402, "payment_required", reset_at=end, unit="lookup_cached"))
    with pytest.raises(ApiError) as raised:
        service.client.get_store("shop.example")
    assert (raised.value.code, raised.value.reset_at, raised.value.unit) == ("payment_required", end, "lookup_cached")


def test_an_error_survives_a_pickle() -> None:
    error = ApiError("Spent.", code="payment_required", status=402, unit="lookup_cached")
    copy: ApiError = pickle.loads(pickle.dumps(error))
    assert (copy.message, copy.code, copy.status, copy.unit) == ("Spent.", "payment_required", 402, "lookup_cached")


def test_a_retry_after_above_a_minute_is_raised_with_its_time_and_not_waited_for(start: Start) -> None:
    service = start(failure(503, "unavailable", {"Retry-After": "3600"}))
    with pytest.raises(ApiError) as raised:
        service.client.get_usage()
    assert raised.value.retry_after == 3600
    assert service.pauses == []


@pytest.mark.parametrize("body", ["", "<html>", "null", "[]", '{"error": "text"}', '{"error": {}}', "[" * 100_000])
def test_an_error_that_is_none_of_the_api_has_its_status(start: Start, body: str) -> None:
    service = start(plain(418, body))
    with pytest.raises(ApiError) as raised:
        service.client.get_usage()
    assert (raised.value.code, raised.value.status) == ("unexpected_response", 418)


def test_a_redirect_is_not_followed_so_the_key_stays_at_the_base_address(start: Start) -> None:
    other = start(store)

    def redirect(_: Received, exchange: Exchange) -> None:
        exchange.respond(307, b"", {"Location": other.url})

    service = start(redirect)
    with pytest.raises(ApiError) as raised:
        service.client.get_store("shop.example")
    assert raised.value.code == "unexpected_response"
    assert other.received == []


def test_an_attempt_without_a_response_ends_after_its_time_limit(start: Start) -> None:
    service = start(silent, timeout=0.5, max_retries=1)
    with pytest.raises(AttemptTimeoutError):
        service.client.get_usage()
    assert len(service.received) == 2


def drip(begin: bytes) -> Answer:
    """Sends a byte now and then, far more often than the time limit, until the service ends."""

    def answer(_: Received, exchange: Exchange) -> None:
        exchange.wfile.write(begin)
        while not exchange.hold(0.01):
            exchange.wfile.write(b"a")

    return answer


slow: dict[str, Answer] = {
    "headers": drip(b"HTTP/1.1 200 OK\r\nX-Slow: "),
    "body": drip(b'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n{"'),
}


@pytest.mark.parametrize("answer", slow.values(), ids=slow.keys())
def test_the_time_limit_is_of_the_whole_attempt_not_of_each_read(start: Start, answer: Answer) -> None:
    service = start(answer, max_retries=0)
    with pytest.raises(AttemptTimeoutError):
        service.client.get_usage(timeout=0.2)


def test_the_key_of_each_attempt_is_asked_for_so_it_can_be_rotated(start: Start) -> None:
    keys = iter(["first", "second"])
    service = start(cut, store, api_key=lambda: next(keys))
    service.client.get_store("shop.example")
    sent = [received.headers["authorization"] for received in service.received]
    assert sent == ["Bearer first", "Bearer second"]


def test_the_async_client_awaits_an_async_function_of_the_key() -> None:
    async def read_key() -> str:
        return "read_later"

    with ScriptedService([store], is_async=True, options={"api_key": read_key}) as service:
        service.client.get_store("shop.example")
        assert service.received[0].headers["authorization"] == "Bearer read_later"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("", "the API key is empty"),
        ("\ufeffsvc_live_x", "a byte order mark (U+FEFF) at position 1"),
        ('"svc_live_x"', "a quotation mark (U+0022) at position 1"),
        ("svc_live_x\u201d", "a quotation mark (U+201D) at position 11"),
        ("svc_live_x\n", "a line break (U+000A) at position 11"),
        ("svc_live_x ", "a blank (U+0020) at position 11"),
        ("svc_live\U0001f600x", "a character (U+1F600) at position 9"),
        ("svc_live_x;", "the character ; (U+003B) at position 11"),
    ],
)
def test_a_key_is_refused_at_once_by_its_first_foreign_character_and_never_shown(
    start: Start, key: str, words: str
) -> None:
    service = start(store, api_key=key)
    with pytest.raises(ValueError, match=re.escape(words)) as raised:
        service.client.get_usage()
    assert "svc_live" not in str(raised.value)
    assert (service.received, service.pauses) == ([], [])


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", "/v1/v1", "/gate", "/gate/v1//"])
def test_a_base_address_may_end_with_v1(start: Start, end: str) -> None:
    service = start(store)
    with Client(api_key="svc_live_x", base_url=f" {service.url}{end} ") as client:
        client.get_store("shop.example")
    prefix = "/gate" if end.startswith("/gate") else ""
    assert service.received[0].url == f"{prefix}/v1/stores/shop.example"


def test_an_unknown_option_is_an_error_of_the_caller(start: Start) -> None:
    service = start(store)
    with pytest.raises(TypeError):
        service.client.get_store("shop.example", timout=1)


def test_on_response_tells_attempts_request_id_replay_and_what_is_left(start: Start) -> None:
    headers = {"X-Request-Id": "req_9", "Idempotent-Replayed": "true", "X-Usage-Remaining": "41"}
    service = start(cut, answer_json(200, {"results": []}, headers))
    seen: list[ResponseInfo] = []
    service.client.enrich_stores([], on_response=seen.append)
    [info] = seen
    assert (info.status, info.request_id, info.attempts) == (200, "req_9", 2)
    assert (info.replayed, info.usage_remaining) == (True, 41)


def test_a_path_encodes_a_url_as_one_segment(start: Start) -> None:
    service = start(store)
    service.client.get_store("https://shop.example/a?b#c")
    assert service.received[0].url == "/v1/stores/https%3A%2F%2Fshop.example%2Fa%3Fb%23c"


@pytest.mark.parametrize("domain", ["", ".", ".."])
def test_a_path_refuses_what_would_name_another_operation(start: Start, domain: str) -> None:
    service = start(store)
    with pytest.raises(ValueError, match="is neither a domain"):
        service.client.get_store(domain)
    assert service.received == []


def test_one_text_is_no_list_of_domains(start: Start) -> None:
    service = start(store)
    for call in (service.client.enrich_stores, service.client.enrich_all):
        with pytest.raises(TypeError, match="list of domains"):
            call("shop.example")


def test_a_profile_with_the_same_etag_is_none(start: Start) -> None:
    service = start(plain(304, ""))
    assert service.client.get_store_if_changed("shop.example", '"v1"') is None
    assert service.received[0].headers["if-none-match"] == '"v1"'


@pytest.mark.parametrize(
    "base_url",
    ["", "api.example.com", "ftp://api.example.com", "https://", "https://x.example/v1?a=1", "https://x.example/#a"],
)
def test_a_base_address_that_is_none_is_refused(start: Start, base_url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        start(store, base_url=base_url)


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_time_limit_of_nothing_is_refused(start: Start, timeout: float) -> None:
    with pytest.raises(ValueError, match="time limit"):
        start(store, timeout=timeout)


def test_the_user_agent_names_the_program_before_the_package(start: Start) -> None:
    service = start(store, user_agent="my-program/2")
    service.client.get_store("shop.example")
    assert re.fullmatch(r"my-program/2 shopscope-python/[\d.]+", service.received[0].headers["user-agent"])


def test_threads_share_a_client() -> None:
    def echo(received: Received, exchange: Exchange) -> None:
        body = {"match": "matched", "store": {"domain": received.url.split("/")[-1]}}
        exchange.respond(200, json.dumps(body).encode(), {})

    with ScriptedService([echo], is_async=False, options={}) as service, ThreadPoolExecutor(8) as threads:
        domains = [f"shop{n}.example" for n in range(100)]
        found = threads.map(service.client.get_store, domains)
        assert [each["store"]["domain"] for each in found] == domains


def test_a_cancelled_task_sends_no_further_attempt() -> None:
    async def cancel(service: ScriptedService) -> None:
        async with AsyncClient(api_key="svc_live_x", base_url=service.url) as client:
            call = asyncio.create_task(client.get_usage())
            while not service.received:
                await asyncio.sleep(0)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call

    with ScriptedService([silent], is_async=False, options={}) as service:
        asyncio.run(cancel(service))
        assert len(service.received) == 1


def test_an_http_client_of_the_caller_sends_the_key_of_the_client_and_stays_open() -> None:
    seen: list[tuple[str, str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append((str(request.url), request.headers["Authorization"]))
        return httpx.Response(200, json={"status": "ok"})

    async def call_async() -> bool:
        http = httpx.AsyncClient(transport=httpx.MockTransport(answer), auth=("other", "key"), verify=TLS)
        async with AsyncClient(api_key="svc_live_x", base_url="https://api.example.com", http_client=http) as client:
            await client.get_health()
        is_closed = http.is_closed
        await http.aclose()
        return is_closed

    http = httpx.Client(transport=httpx.MockTransport(answer), auth=("other", "key"), verify=TLS)
    with Client(api_key="svc_live_x", base_url="https://api.example.com/", http_client=http) as client:
        client.get_health()
    assert not http.is_closed
    http.close()
    assert asyncio.run(call_async()) is False
    assert seen == [("https://api.example.com/v1/health", "Bearer svc_live_x")] * 2


def test_all_errors_have_one_class() -> None:
    assert all(issubclass(error, ShopscopeError) for error in (ApiError, TransportError, AttemptTimeoutError))


def test_requests_go_through_the_proxy_of_the_environment_unless_no_proxy_names_the_host(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = start(store)
    for name in ("http_proxy", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", service.url)
    with Client(api_key="svc_live_x", base_url="http://api.shopscope.example/v1") as client:
        client.get_store("shop.example")
    assert service.received[0].url == "http://api.shopscope.example/v1/stores/shop.example"
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Client(api_key="svc_live_x", base_url=service.url) as client:
        client.get_store("shop.example")
    assert service.received[1].url == "/v1/stores/shop.example"
