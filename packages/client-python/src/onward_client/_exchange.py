from __future__ import annotations

import logging
import platform
import re
import sys
import time
from dataclasses import dataclass
from typing import Any, Callable, Generic, Mapping, Optional, TypeVar, Union

import httpx

from ._response import Received
from ._errors import ApiConnectionError, ApiError, ApiErrorParts, ApiTimeoutError, OnwardError, api_error
from ._numbers import read_json
from ._request import (
    NOT_GIVEN,
    ConnectionOptions,
    RequestEvent,
    RequestOptions,
    ResponseEvent,
    WireRequest,
    encode_body,
    encode_headers,
    encode_query,
    read_base_url,
    refuse_unknown,
)
from ._retry import MAX_RETRY_AFTER_SECONDS, may_retry, pause_seconds
from ._version import VERSION

T = TypeVar("T")

#: Lines contain no credentials, queries or bodies.
_log = logging.getLogger("onward_client")


@dataclass(frozen=True)
class Settings:
    """What all requests of a client have in common."""

    base_url: str
    user_agent: str
    timeout: Optional[float]
    total_timeout: Optional[float]
    max_retries: int
    headers: Mapping[str, str]
    on_request: Optional[Callable[[RequestEvent], None]]
    on_response: Optional[Callable[[ResponseEvent], None]]


def read_settings(base_url: str, options: ConnectionOptions) -> Settings:
    refuse_unknown(options, ConnectionOptions)
    return Settings(
        base_url=read_base_url(base_url),
        user_agent=_user_agent(options.get("app_name")),
        timeout=options.get("timeout", 60.0),
        total_timeout=options.get("total_timeout"),
        max_retries=options.get("max_retries", 2),
        headers=options.get("headers", {}),
        on_request=options.get("on_request"),
        on_response=options.get("on_response"),
    )


def _user_agent(app_name: Optional[str]) -> str:
    """Returns for example `onward-sdk/0.1.0 (python/3.11.2; linux) app/shop`."""
    app = "" if app_name is None else f" app/{re.sub(r'[^A-Za-z0-9_.-]', '-', app_name)}"
    return f"onward-sdk/{VERSION} (python/{platform.python_version()}; {sys.platform}){app}"


class Exchange(Generic[T]):
    """One request with all its attempts: what to send, what a response means, and whether to send it again.

    It does no input or output, so that the clients with and without asyncio share it.
    """

    def __init__(
        self,
        settings: Settings,
        request: WireRequest[T],
        options: RequestOptions,
        credentials: Mapping[str, str],
    ) -> None:
        refuse_unknown(options, RequestOptions)
        total_timeout = options.get("total_timeout", settings.total_timeout)
        self._settings = settings
        self._request = request
        self._timeout = options.get("timeout", settings.timeout)
        self._max_retries = options.get("max_retries", settings.max_retries)
        self._total_ends_at = float("inf") if total_timeout is None else time.monotonic() + total_timeout
        # A body that is no JSON is an error of the caller, so it is encoded before the first attempt.
        self._content = None if request.body is NOT_GIVEN else encode_body(request.body)
        self._headers = encode_headers(
            {"Accept": "application/json", "Accept-Encoding": "gzip, deflate", "User-Agent": settings.user_agent},
            {} if self._content is None else {"Content-Type": "application/json"},
            settings.headers,
            request.headers,
            options.get("headers", {}),
            credentials,
        )
        self._attempt = 0

    def begin(self) -> httpx.Request:
        """Begins an attempt, and returns what to send."""
        self._attempt += 1
        self._began_at = time.monotonic()
        self._limit = min(
            float("inf") if self._timeout is None else self._timeout,
            max(0.0, self._total_ends_at - self._began_at),
        )
        url = self._settings.base_url + self._request.path
        self._event = RequestEvent(self._request.method, url, self._attempt)
        if self._settings.on_request is not None:
            self._settings.on_request(self._event)
        wait = None if self._limit == float("inf") else self._limit
        # A request that httpx.Client builds would carry the cookies of earlier responses.
        return httpx.Request(
            self._request.method,
            url + encode_query(self._request.query),
            headers=self._headers,
            content=self._content,
            extensions={"timeout": httpx.Timeout(wait).as_dict()},
        )

    def check_time(self) -> None:
        """Called while the body arrives: httpx limits only the wait for each piece of it."""
        if time.monotonic() - self._began_at > self._limit:
            raise self._timed_out()

    def finish(self, response: httpx.Response, content: bytes) -> Received:
        """Ends an attempt that was answered. Raises an ApiError for an error status."""
        status, headers, attempt = response.status_code, response.headers, self._attempt
        duration = time.monotonic() - self._began_at
        if self._settings.on_response is not None:
            request_id = headers.get("x-request-id")
            self._settings.on_response(
                ResponseEvent(**vars(self._event), status=status, request_id=request_id, duration=duration)
            )
        method, path = self._request.method, self._request.path
        _log.debug("%s %s answered %d in %d ms, attempt %d", method, path, status, duration * 1_000, attempt)
        text = content.decode("utf-8", "replace")
        if response.is_success:
            return Received(status, headers, text, attempt)
        raise api_error(ApiErrorParts(status, headers, _parsed(text), attempt))

    def pause_after(self, err: Union[httpx.HTTPError, OnwardError]) -> float:
        """Returns the seconds to wait before the next attempt. Raises the failure if there is to be none."""
        failure = self._failure_of(err)
        retry_after = failure.retry_after if isinstance(failure, ApiError) else None
        pause = pause_seconds(self._attempt, retry_after)
        if (
            self._attempt > self._max_retries
            or not may_retry(failure, self._request.repeatable)
            or (retry_after or 0) > MAX_RETRY_AFTER_SECONDS
            or time.monotonic() + pause >= self._total_ends_at
        ):
            if failure is err:
                raise failure
            raise failure from err
        method, path = self._request.method, self._request.path
        _log.info("%s %s failed: %s; trying again in %d ms", method, path, failure, pause * 1_000)
        return pause

    def _failure_of(self, err: Exception) -> Union[ApiError, ApiConnectionError]:
        if isinstance(err, (ApiError, ApiConnectionError)):
            return err
        if isinstance(err, httpx.TimeoutException):
            return self._timed_out()
        reason = str(err) or type(err).__name__
        if "WRONG_VERSION_NUMBER" in reason:
            reason = "the server does not use TLS; is it http://?"
        return ApiConnectionError(f"Onward could not be reached at {self._settings.base_url}: {reason}", self._attempt)

    def _timed_out(self) -> ApiTimeoutError:
        return ApiTimeoutError(f"Onward did not answer within {self._limit:.3g} s", self._attempt)


def _parsed(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError:
        return text
