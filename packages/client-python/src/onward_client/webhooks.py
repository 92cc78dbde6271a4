"""Verifies webhooks, and signs webhooks for tests."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Union,
    cast,
)

from ._errors import WebhookVerificationError
from ._types import (
    AccountEvent,
    ApprovalDecided,
    ApprovalRequested,
    LevelEventName,
    LimitChanged,
    TaskStatusWithPercents,
    WebhookData,
)

__all__ = [
    "SignedWebhook",
    "Webhook",
    "WebhookEvent",
    "WebhookHeaders",
    "WebhookVerificationError",
    "sign_for_test",
    "unwrap",
]


@dataclass(frozen=True)
class WebhookEvent:
    """A webhook. `type` says which fields `data` has."""

    #: The same for each attempt to deliver this webhook. Store it to recognise repetitions.
    id: str
    #: `user_tasks_limit_80`, `account_connected` and so on.
    type: str
    subscription_id: str
    #: The application of the user. None for a test delivery, and if the event is about all users.
    app_key: Optional[str]
    sent_at: datetime
    #: Whether it is a test delivery with invented figures.
    test: bool
    data: WebhookData


if TYPE_CHECKING:

    class _LevelReached(WebhookEvent):
        type: LevelEventName
        data: TaskStatusWithPercents

    class _AccountChanged(WebhookEvent):
        type: Literal["account_connected", "account_disconnected", "account_reconnect_required"]
        data: AccountEvent

    class _ApprovalRequested(WebhookEvent):
        type: Literal["approval_requested"]
        data: ApprovalRequested

    class _ApprovalDecided(WebhookEvent):
        type: Literal["approval_decided"]
        data: ApprovalDecided

    class _LimitChanged(WebhookEvent):
        type: Literal["limit_changed"]
        data: LimitChanged

    #: A webhook event whose `data` a type checker knows once `type` was compared.
    Webhook = Union[_LevelReached, _AccountChanged, _ApprovalRequested, _ApprovalDecided, _LimitChanged]
else:
    Webhook = WebhookEvent


class _HasItems(Protocol):
    def items(self) -> Iterable[Tuple[str, Any]]: ...


#: The headers of a request, such as a dict or the `headers` of Flask, Django, FastAPI and `http.server`.
WebhookHeaders = Union[Mapping[str, str], _HasItems]

_TOLERANCE_SECONDS = 300


def unwrap(
    body: Union[str, bytes, bytearray, memoryview],
    headers: WebhookHeaders,
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
) -> Webhook:
    """Verifies a webhook and returns its event.

    `body` is the body as it was received, before any parser. `secrets` is the signing secret, or several while a
    secret is being replaced. Raises a WebhookVerificationError for a webhook that is not from Onward or too old.
    """
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise TypeError(
            "body must be the text or the bytes of the request, because the signature covers its exact bytes. With "
            "Flask, use request.get_data(); with Django, request.body; with FastAPI, await request.body()"
        )
    content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, signatures = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not event_id or not timestamp or not signatures:
        raise WebhookVerificationError("the headers webhook-id, webhook-timestamp and webhook-signature are required")
    try:
        age = time.time() - int(timestamp)
    except (ValueError, OverflowError):
        raise WebhookVerificationError("the header webhook-timestamp must be a number of seconds") from None
    if abs(age) > tolerance_seconds:
        raise WebhookVerificationError(
            f"the webhook was signed {age:.0f} s ago; at most {tolerance_seconds:g} s are allowed"
        )
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    wanted = [_signature(key, event_id, timestamp, content) for key in keys]
    if not any(hmac.compare_digest(_bytes(one), other) for one in signatures.split(" ") for other in wanted):
        raise WebhookVerificationError(
            "no signature matches: check the secret, and that the body was not parsed or changed"
        )
    event = WebhookEvent(
        id=event_id,
        type=given.get("event-name", ""),
        subscription_id=given.get("subscription-id", ""),
        app_key=given.get("app-key"),
        sent_at=datetime.fromtimestamp(int(timestamp), timezone.utc),
        test=given.get("onward-test") == "true",
        data=json.loads(content),
    )
    return cast("Webhook", event)


class SignedWebhook(NamedTuple):
    body: str
    headers: Dict[str, str]


def sign_for_test(
    data: WebhookData,
    secret: str,
    *,
    id: Optional[str] = None,
    type: str = "user_tasks_limit_80",
    sent_at: Optional[datetime] = None,
) -> SignedWebhook:
    """Returns the body and the headers of a signed webhook, to test your own receiver with."""
    event_id = id or f"test-{uuid.uuid4()}"
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    timestamp = str(int(time.time() if sent_at is None else sent_at.timestamp()))
    headers = {
        "content-type": "application/json",
        "subscription-id": "00000000-0000-4000-8000-000000000000",
        "event-name": type,
        "webhook-id": event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": _signature(_key(secret), event_id, timestamp, body.encode()).decode(),
    }
    return SignedWebhook(body, headers)


def _signature(key: bytes, event_id: str, timestamp: str, content: bytes) -> bytes:
    signed = _bytes(f"{event_id}.{timestamp}.") + content
    return b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())


def _bytes(header: str) -> bytes:
    # Some servers put surrogates into headers in place of bytes that are not UTF-8. These match no signature.
    return header.encode("utf-8", "replace")


def _key(secret: str) -> bytes:
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("the signing secret must have the form whsec_…")
    return key
