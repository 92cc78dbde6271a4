from __future__ import annotations

import base64
import json
import mimetypes
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, List, Mapping, Optional, Tuple, Type, TypedDict, TypeVar
from urllib.parse import quote, urlencode, urlsplit

if TYPE_CHECKING:
    from ._response import Received

T = TypeVar("T")


class NotGiven:
    """The type of `NOT_GIVEN`."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


#: The default of arguments for which None has a meaning.
NOT_GIVEN = NotGiven()


class RequestOptions(TypedDict, total=False):
    """Keyword arguments of every method that sends requests. They take precedence over the options of the client."""

    #: The seconds for one attempt: 60 by default, which is longer than Onward waits for an app. None: no limit.
    timeout: Optional[float]
    #: The seconds for all attempts of a request together, with the pauses between them. None, the default: no limit.
    total_timeout: Optional[float]
    #: How often a failed request is repeated, if that is safe. 2 by default; 0 turns retries off.
    max_retries: int
    #: Further headers.
    headers: Mapping[str, str]


@dataclass(frozen=True)
class RequestEvent:
    method: str
    #: Without the query, which may hold personal data.
    url: str
    attempt: int


@dataclass(frozen=True)
class ResponseEvent(RequestEvent):
    status: int
    request_id: Optional[str]
    duration: float


class ConnectionOptions(RequestOptions, total=False):
    """Keyword arguments of every client."""

    #: The name of your program, for the `User-Agent`.
    app_name: str
    #: Called before each attempt.
    on_request: Callable[[RequestEvent], None]
    #: Called after each attempt that was answered.
    on_response: Callable[[ResponseEvent], None]


def _only_body(body: Any, _received: Received) -> Any:
    return body


@dataclass(frozen=True)
class WireRequest(Generic[T]):
    method: str
    #: With encoded variables.
    path: str
    #: Whether the request may be sent again when Onward may have executed it already.
    repeatable: bool
    #: None values are left out.
    query: Mapping[str, Any] = field(default_factory=dict)
    #: Sent as JSON, unless it is NOT_GIVEN.
    body: Any = NOT_GIVEN
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Makes the result from the JSON body of the response.
    read: Callable[[Any, Received], T] = _only_body


@dataclass(frozen=True)
class ListRequest(Generic[T]):
    #: The property of the response that holds the items.
    field: str
    #: Returns the request for the page at a cursor. The first page has None.
    at: Callable[[Optional[str]], WireRequest[Any]]


def encode_headers(*groups: Mapping[str, str]) -> List[Tuple[bytes, bytes]]:
    """Joins headers; later ones replace earlier ones. httpx refuses text that is not ASCII, so all are UTF-8 bytes."""
    joined: Dict[str, Tuple[bytes, bytes]] = {}
    for group in groups:
        for name, value in group.items():
            joined[name.lower()] = (name.encode(), value.encode())
    return list(joined.values())


def encode_body(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_encode_file).encode()


def _encode_file(value: Any) -> Dict[str, str]:
    """Returns what a file parameter of a function takes, for bytes or the path of a file."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, os.PathLike):
        path = Path(value)
        content_type = mimetypes.guess_type(path.name)[0]
        named = {"base64": base64.b64encode(path.read_bytes()).decode(), "name": path.name}
        return named if content_type is None else {**named, "content_type": content_type}
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def encode_query(query: Mapping[str, Any]) -> str:
    given = {name: _query_text(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _query_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def segment(name: str, value: str) -> str:
    """Returns a value as one segment of a path. Raises a ValueError for a segment that URL libraries would remove."""
    if value in ("", ".", ".."):
        raise ValueError(f"{name} must not be empty, . or ..")
    return quote(value, safe="")


def present(**values: Any) -> Dict[str, Any]:
    """Returns the values that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def refuse_unknown(options: Mapping[str, Any], known: Type[Any]) -> None:
    """Raises a TypeError for a keyword argument that a TypedDict does not have."""
    names = known.__annotations__
    unknown = options.keys() - names.keys()
    if unknown:
        raise TypeError(f"there is no argument {', '.join(sorted(unknown))}; there are also {', '.join(names)}")


def required(argument: Optional[str], name: str, variable: str) -> str:
    """Returns the argument, or the environment variable. Raises a ValueError if both are missing."""
    value = argument or os.environ.get(variable)
    if not value:
        raise ValueError(f"{name} is missing: pass it as an argument, or set {variable}")
    return value


def read_base_url(text: str) -> str:
    try:
        url = urlsplit(text)
        _ = url.port
    except ValueError:
        raise ValueError(f"base_url must be an http or https URL, not {text!r}") from None
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError(f"base_url must be an http or https URL, not {text!r}")
    if url.username or url.password or url.query or url.fragment:
        raise ValueError("base_url must not contain a user name, query or fragment")
    return text.rstrip("/")
