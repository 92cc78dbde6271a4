from __future__ import annotations

import json
import time
from datetime import datetime, timedelta, timezone
from email.message import Message
from typing import Any

import pytest

from onward_client.webhooks import WebhookEvent, WebhookVerificationError, sign_for_test, unwrap

# The example in services/insights/WEBHOOKS.md.
SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
BODY = (
    '{"user_id":"joe@example.com","current_limit":1000,"limit_period":"30","tasks_consumed":800,"tasks_remaining":200,'
    '"limit_reset_after":12,"tasks_consumed_percent":80,"tasks_remaining_percent":20}'
)
HEADERS = {
    "content-type": "application/json",
    "subscription-id": "5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e",
    "event-name": "user_tasks_limit_80",
    "webhook-id": "019aa6f0-3c5e-7d41-9b7a-52f0c1d2e3f4",
    "webhook-timestamp": "1795273200",
    "webhook-signature": "v1,pCTJL17Hdk0Wh8rLdeuTOuTYuSY0Hbr+4LrhMZqTnhA=",
}
ANY_AGE = float("inf")
OTHER = "whsec_b3RoZXI="
DATA = json.loads(BODY)


def message() -> Message:
    headers = Message()
    for name, value in HEADERS.items():
        headers[name] = value
    return headers


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (BODY, HEADERS),
        (BODY.encode(), HEADERS),
        (bytearray(BODY.encode()), HEADERS),
        (memoryview(BODY.encode()), message()),
        (BODY, {name.upper(): value for name, value in HEADERS.items()}),
    ],
    ids=["text", "bytes", "a bytearray", "a memoryview and a message", "header names in upper case"],
)
def test_unwrap_returns_the_event(body: Any, headers: Any) -> None:
    assert unwrap(body, headers, SECRET, tolerance_seconds=ANY_AGE) == WebhookEvent(
        id=HEADERS["webhook-id"],
        type="user_tasks_limit_80",
        subscription_id=HEADERS["subscription-id"],
        app_key=None,
        sent_at=datetime(2026, 11, 21, 15, 0, tzinfo=timezone.utc),
        test=False,
        data=DATA,
    )


def test_unwrap_accepts_any_of_several_secrets_and_signatures() -> None:
    headers = {**HEADERS, "webhook-signature": f"v1,AAAA v2,x v1,!!! {HEADERS['webhook-signature']}"}
    assert unwrap(BODY, headers, [OTHER, SECRET], tolerance_seconds=ANY_AGE).id == HEADERS["webhook-id"]


WITHOUT_SIGNATURE = {name: value for name, value in HEADERS.items() if name != "webhook-signature"}


@pytest.mark.parametrize(
    ("body", "headers", "secrets"),
    [
        (BODY.replace("800", "900"), HEADERS, SECRET),
        (f"\ufeff{BODY}", HEADERS, SECRET),
        (BODY, HEADERS, OTHER),
        (BODY, HEADERS, []),
        (BODY, {**HEADERS, "webhook-id": "x"}, SECRET),
        (BODY, WITHOUT_SIGNATURE, SECRET),
        (BODY, {**HEADERS, "webhook-signature": HEADERS["webhook-signature"].replace("v1", "v2")}, SECRET),
        (BODY, {**HEADERS, "webhook-signature": "v1,\udcff"}, SECRET),
        (BODY, {**HEADERS, "webhook-id": "\udcff"}, SECRET),
        (BODY, {**HEADERS, "webhook-timestamp": "soon"}, SECRET),
        (BODY, {**HEADERS, "webhook-timestamp": "9" * 400}, SECRET),
    ],
    ids=[
        "another body",
        "a byte order mark",
        "another secret",
        "no secret",
        "another id",
        "no signature",
        "a signature of another version",
        "a signature that is not UTF-8",
        "an id that is not UTF-8",
        "a time that is no number",
        "a time that is too large",
    ],
)
def test_unwrap_refuses_a_webhook_that_is_not_signed(body: str, headers: Any, secrets: Any) -> None:
    for form in (body, body.encode()):
        with pytest.raises(WebhookVerificationError):
            unwrap(form, headers, secrets, tolerance_seconds=ANY_AGE)


@pytest.mark.parametrize("seconds", [-301, 302])
def test_unwrap_refuses_a_webhook_that_was_signed_too_long_from_now(seconds: int) -> None:
    sent_at = datetime.now(timezone.utc) + timedelta(seconds=seconds)
    body, headers = sign_for_test(DATA, SECRET, sent_at=sent_at)
    with pytest.raises(WebhookVerificationError, match="at most 300 s are allowed"):
        unwrap(body, headers, SECRET)


def test_unwrap_explains_how_to_get_the_bytes_when_it_gets_a_parsed_body() -> None:
    with pytest.raises(TypeError, match=r"request\.get_data"):
        unwrap(DATA, HEADERS, SECRET, tolerance_seconds=ANY_AGE)


@pytest.mark.parametrize("secret", ["whsec_", "", "whsec_!!"])
def test_unwrap_refuses_a_secret_of_another_form(secret: str) -> None:
    with pytest.raises(ValueError, match="whsec_"):
        unwrap(BODY, HEADERS, secret, tolerance_seconds=ANY_AGE)


def test_sign_for_test_makes_a_webhook_that_unwrap_accepts() -> None:
    body, headers = sign_for_test({**DATA, "user_id": "Ünï"}, SECRET, id="test-1", type="user_tasks_limit_100")
    event = unwrap(body, headers, SECRET)
    assert (event.id, event.type, event.data["user_id"]) == ("test-1", "user_tasks_limit_100", "Ünï")
    assert abs(event.sent_at.timestamp() - time.time()) < 60
