from __future__ import annotations

import json
import random
import time
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from email.message import Message
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook

from shopscope import WebhookHeaders, WebhookVerificationError, verify_webhook

ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"
SENT = 1614265330
BODY = '{"test": 2432232314}'
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
"""The vector that the libraries of Standard Webhooks publish."""
OTHER = "whsec_Ceo5qEr07ixe2NLpvHk3FH9bwyWavXrA"
WRONG = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc="
HEADERS = {"webhook-id": ID, "webhook-timestamp": str(SENT), "webhook-signature": SIGNATURE}
CHANCE = random.Random(46)


def reason_of(
    headers: WebhookHeaders,
    body: Any = BODY,
    secrets: Any = SECRET,
    now: float = SENT,
) -> str:
    try:
        verify_webhook(headers, body, secrets, now=lambda: now)
    except WebhookVerificationError as error:
        assert "MfKQ" not in str(error)
        return error.reason
    return "accepted"


def signed(secret: str, webhook_id: str, sent: int, body: str) -> str:
    """By the package standardwebhooks, which reads a time without a zone as UTC."""
    return Webhook(secret).sign(webhook_id, datetime(1970, 1, 1) + timedelta(seconds=sent), body)


def any_secret() -> str:
    return "whsec_" + b64encode(CHANCE.randbytes(CHANCE.randint(24, 64))).decode()


def any_message() -> tuple[str, int, str]:
    letters = "abc<>&\"'\\/ äß漢😀\u2028\x00"
    data = {"domain": "".join(CHANCE.choices(letters, k=CHANCE.randint(0, 30))), "n": CHANCE.random()}
    body = json.dumps({"type": "scan.completed", "data": data}, ensure_ascii=CHANCE.random() < 0.5)
    return f"evt_{CHANCE.getrandbits(128):032x}", CHANCE.randint(0, 4_000_000_000), body


def headers_of(webhook_id: str, sent: int, signature: str) -> dict[str, str]:
    return {"webhook-id": webhook_id, "webhook-timestamp": str(sent), "webhook-signature": signature}


def test_verify_webhook_accepts_the_published_vector_of_standard_webhooks() -> None:
    assert signed(SECRET, ID, SENT, BODY) == SIGNATURE
    assert verify_webhook(HEADERS, BODY, SECRET, now=lambda: SENT) == {"test": 2432232314, "id": ID}


@pytest.mark.parametrize("body", [BODY, BODY.encode(), bytearray(BODY.encode()), memoryview(BODY.encode())])
def test_verify_webhook_takes_the_body_as_a_text_or_as_bytes(body: Any) -> None:
    assert reason_of(HEADERS, body) == "accepted"


def message_of(pairs: Mapping[str, str]) -> Message:
    message = Message()
    for name, value in pairs.items():
        message[name.title()] = value
    return message


@pytest.mark.parametrize(
    "headers",
    [
        {name.upper(): value for name, value in HEADERS.items()},
        list(HEADERS.items()),
        [(name.encode(), value.encode()) for name, value in HEADERS.items()],
        {name: [value] for name, value in HEADERS.items()},
        httpx.Headers(HEADERS),
        message_of(HEADERS),
        {
            "wsgi.input": object(),
            "wsgi.version": (1, 0),
            **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in HEADERS.items()},
        },
    ],
    ids=["capitals", "pairs", "ASGI", "lists", "httpx", "http.server", "WSGI"],
)
def test_verify_webhook_reads_the_headers_of_any_framework(headers: Any) -> None:
    assert reason_of(headers) == "accepted"


def test_verify_webhook_reads_headers_that_can_be_read_once() -> None:
    assert reason_of(iter(HEADERS.items())) == "accepted"


@pytest.mark.parametrize(
    "signature",
    [
        f"{WRONG} v2{WRONG[2:]} {SIGNATURE} {WRONG}",
        [WRONG, SIGNATURE],
        f"{SIGNATURE}, {WRONG}",
    ],
)
def test_verify_webhook_finds_a_matching_signature_among_others(signature: Any) -> None:
    assert reason_of({**HEADERS, "webhook-signature": signature}) == "accepted"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"webhook-id": None}, "missing_header"),
        ({"webhook-id": ""}, "missing_header"),
        ({"webhook-timestamp": None}, "missing_header"),
        ({"webhook-signature": []}, "missing_header"),
        ({"webhook-id": [ID, ID]}, "malformed_header"),
        ({"Webhook-Id": ID}, "malformed_header"),
        ({"webhook-timestamp": "hello"}, "malformed_header"),
        ({"webhook-timestamp": f"{SENT}.0"}, "malformed_header"),
        ({"webhook-timestamp": f"{SENT}\n"}, "malformed_header"),
        ({"webhook-timestamp": "١٦١٤٢٦٥٣٣٠"}, "malformed_header"),
        ({"webhook-signature": WRONG}, "no_matching_signature"),
        ({"webhook-signature": SIGNATURE[:8]}, "no_matching_signature"),
        ({"webhook-signature": "v1,"}, "no_matching_signature"),
        ({"webhook-signature": "v1,ä%"}, "no_matching_signature"),
        ({"webhook-signature": f"v2{SIGNATURE[2:]}"}, "no_matching_signature"),
    ],
)
def test_verify_webhook_refuses_a_webhook_with_the_reason(change: dict[str, Any], reason: str) -> None:
    assert reason_of({**HEADERS, **change}) == reason


@pytest.mark.parametrize(
    ("seconds", "reason"),
    [(-301, "timestamp_too_new"), (-300, "accepted"), (300.9, "accepted"), (301, "timestamp_too_old")],
)
def test_verify_webhook_compares_the_timestamp_with_the_time(seconds: float, reason: str) -> None:
    assert reason_of(HEADERS, now=SENT + seconds) == reason


def test_verify_webhook_uses_the_time_of_the_machine_by_default() -> None:
    sent = int(time.time())
    assert verify_webhook(headers_of(ID, sent, signed(SECRET, ID, sent, BODY)), BODY, SECRET)["id"] == ID
    with pytest.raises(WebhookVerificationError, match="old"):
        verify_webhook(HEADERS, BODY, SECRET)


@pytest.mark.parametrize(
    "secrets",
    [[], "", SECRET[6:], SECRET[:-1] + "!", SECRET + "\n", "whsec_" + "A" * 31, "whsec_MfKQ9", [SECRET, "whsec_MfKQ"]],
)
def test_verify_webhook_refuses_a_malformed_secret_and_never_shows_it(secrets: Any) -> None:
    assert reason_of(HEADERS, secrets=secrets) == "malformed_secret"


@pytest.mark.parametrize("body", ["", "text", "[]", "null", '{"type":'])
def test_verify_webhook_refuses_a_signed_body_that_is_not_an_object_of_json(body: str) -> None:
    assert reason_of(headers_of(ID, SENT, signed(SECRET, ID, SENT, body)), body) == "malformed_body"


@pytest.mark.parametrize("body", [json.loads(BODY), None])
def test_verify_webhook_says_that_a_parsed_body_is_the_fault_of_the_caller(body: Any) -> None:
    with pytest.raises(TypeError, match="raw body"):
        verify_webhook(HEADERS, body, SECRET)


def test_verify_webhook_examines_a_bounded_number_of_signatures() -> None:
    assert reason_of({**HEADERS, "webhook-signature": f"{WRONG} " * 16 + SIGNATURE}) == "no_matching_signature"


def test_verify_webhook_accepts_each_signature_of_the_package_standardwebhooks_also_while_secrets_overlap() -> None:
    for _ in range(200):
        webhook_id, sent, body = any_message()
        secrets = [any_secret(), any_secret()]
        first, second = (signed(secret, webhook_id, sent, body) for secret in secrets)
        for signature in (first, second, f"{first} {second}", f"{second} {first}"):
            event = verify_webhook(headers_of(webhook_id, sent, signature), body.encode(), secrets, now=lambda: sent)  # noqa: B023
            assert event == {**json.loads(body), "id": webhook_id}
        for secret in secrets:
            assert reason_of(headers_of(webhook_id, sent, f"{first} {second}"), body, secret, sent) == "accepted"


def test_the_package_standardwebhooks_and_verify_webhook_refuse_and_accept_the_same_webhooks() -> None:
    """Of webhooks of the present, because the package has no other time."""
    for _ in range(200):
        webhook_id, _, body = any_message()
        sent = int(datetime.now(tz=timezone.utc).timestamp()) + CHANCE.choice([0, -200, 200, -400, 400])
        mine, theirs = any_secret(), any_secret()
        signature = signed(CHANCE.choice([mine, theirs]), webhook_id, sent, body)
        headers = headers_of(webhook_id, sent, f"{signature} {WRONG}")
        try:
            expected = {**Webhook(mine).verify(body, headers), "id": webhook_id}
        except Exception:
            with pytest.raises(WebhookVerificationError):
                verify_webhook(headers, body, mine)
        else:
            assert verify_webhook(headers, body, mine) == expected


def test_verify_webhook_refuses_a_webhook_with_any_bit_changed() -> None:
    webhook_id, sent, body = any_message()
    raw, signature = body.encode(), signed(SECRET, webhook_id, sent, body)
    parts = {**headers_of(webhook_id, sent, signature), "body": raw.decode("latin-1")}
    assert reason_of(headers_of(webhook_id, sent, signature), raw, now=sent) == "accepted"
    for name, text in parts.items():
        # The last character of a signature before its padding has two bits that base64 does not use.
        end = len(text) - 2 if name == "webhook-signature" else len(text)
        for place in range(end):
            for bit in range(8):
                changed = text[:place] + chr(ord(text[place]) ^ (1 << bit)) + text[place + 1 :]
                given = {**parts, name: changed}
                other_body = given.pop("body").encode("latin-1")
                assert reason_of(given, other_body, now=sent) != "accepted", (name, place, bit)


def test_verify_webhook_refuses_the_signature_of_another_secret() -> None:
    assert reason_of(headers_of(ID, SENT, signed(OTHER, ID, SENT, BODY))) == "no_matching_signature"
