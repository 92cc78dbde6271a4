from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, TypeVar, cast

import httpx

from ._errors import ApiConnectionError
from ._numbers import read_json
from ._request import WireRequest
from ._types import CallResult

T = TypeVar("T")


@dataclass(frozen=True)
class Received:
    """A complete response with a 2xx status."""

    status: int
    headers: httpx.Headers
    text: str
    attempts: int


@dataclass(frozen=True)
class RateLimit:
    """One rate limit, such as `user`: `remaining` of `limit` requests, for the next `reset_seconds`."""

    name: str
    limit: Optional[int]
    remaining: Optional[int]
    reset_seconds: Optional[int]


@dataclass(frozen=True)
class CompleteResponse:
    """The response of the server from which a result was made."""

    status: int
    headers: httpx.Headers
    #: The body.
    text: str
    #: How often the request was sent.
    attempts: int
    request_id: Optional[str]
    #: The rate limits that the request counted against.
    rate_limits: Sequence[RateLimit]


class _Dict(Dict[str, Any]):
    """A JSON object that knows its response."""


class _List(List[Any]):
    """A JSON array that knows its response."""


def response_of(result: object) -> CompleteResponse:
    """Returns the response of the server from which a method made its result.

    Raises a TypeError for any other value, such as a copy of the result.
    """
    received = getattr(result, "_received", None)
    if not isinstance(received, Received):
        raise TypeError("this is not the result of a method of the client")
    headers = received.headers
    request_id = headers.get("x-request-id")
    return CompleteResponse(received.status, headers, received.text, received.attempts, request_id, rate_limits_of(headers))


def read_response(request: WireRequest[T], received: Received) -> T:
    """Makes the result of a method from a response. `response_of` finds the response of the result."""
    try:
        body = read_json(received.text)
    except ValueError:
        raise ApiConnectionError("the response is not JSON, so it is not from Onward", received.attempts) from None
    result: Any = request.read(body, received)
    if isinstance(result, dict):
        result = _Dict(cast(Dict[str, Any], result))
    elif isinstance(result, list):
        result = _List(result)
    if isinstance(result, (_Dict, _List, CallResult)):
        # A frozen dataclass accepts a new attribute only in this way.
        object.__setattr__(result, "_received", received)
    return cast(T, result)


def rate_limits_of(headers: httpx.Headers) -> List[RateLimit]:
    """Reads the headers of the IETF draft, such as `"user";r=1187;t=24` and `"user";q=1200;w=60`."""
    policies = _members(headers.get("ratelimit-policy", ""))
    return [
        RateLimit(name, policies.get(name, {}).get("q"), values.get("r"), values.get("t"))
        for name, values in _members(headers.get("ratelimit", "")).items()
    ]


def _members(header: str) -> Mapping[str, Mapping[str, int]]:
    return {
        name: {key: int(value) for key, value in re.findall(r";([a-z]+)=(\d+)", parameters)}
        for name, parameters in re.findall(r'"([^"]+)"((?:;[a-z]+=\d+)*)', header)
    }
