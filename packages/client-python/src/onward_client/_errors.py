from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Literal, Mapping, Optional, Sequence, Union, cast

import httpx

from ._types import CallResult

#: Every error code of both areas.
ErrorCode = Literal[
    "invalid_parameters",
    "invalid_body",
    "invalid_user_id",
    "account_not_connected",
    "account_not_found",
    "account_reconnect_required",
    "unauthenticated",
    "https_required",
    "origin_not_allowed",
    "role_required",
    "denied_by_policy",
    "suspended",
    "approval_required",
    "approval_refused",
    "scope_required",
    "assignment_required",
    "cross_site_request",
    "sign_in_link_invalid",
    "embed_link_invalid",
    "not_found",
    "method_not_allowed",
    "app_not_found",
    "function_not_found",
    "call_not_found",
    "application_not_found",
    "user_not_found",
    "subscription_not_found",
    "delivery_not_found",
    "replay_not_found",
    "workspace_not_found",
    "connected_account_not_found",
    "oauth_client_not_found",
    "mcp_token_not_found",
    "mcp_client_not_found",
    "approval_not_found",
    "api_key_not_found",
    "session_not_found",
    "member_not_found",
    "too_many_subscriptions",
    "too_many_accounts",
    "too_many_mcp_tokens",
    "too_many_api_keys",
    "subscription_disabled",
    "replay_running",
    "belongs_to_other_workspace",
    "already_deleted",
    "already_decided",
    "changed_since_read",
    "too_many_approvals",
    "workspace_has_applications",
    "last_owner",
    "too_many_memberships",
    "too_many_members",
    "too_many_applications",
    "too_many_suspensions",
    "too_many_tokens",
    "app_is_built_in",
    "idempotency_conflict",
    "idempotency_in_progress",
    "answer_not_stored",
    "body_too_large",
    "unsupported_media_type",
    "rate_limited",
    "task_limit_reached",
    "too_many_changes",
    "too_many_new_users",
    "too_much_in_flight",
    "internal_error",
    "upstream_unreachable",
    "upstream_invalid",
    "token_renewal_failed",
    "revocation_failed",
    "unavailable",
    "outcome_not_recorded",
    "upstream_timeout",
    "outcome_unknown",
    "loop_detected",
]


class OnwardError(Exception):
    """The base of all errors of this package, except for a TypeError or ValueError for wrong arguments."""

    # `args` remain the arguments of the constructor, so that errors can be pickled.
    def __init__(self, message: str) -> None:
        self.message = message

    def __str__(self) -> str:
        return self.message


class ApiConnectionError(OnwardError):
    """Onward did not answer: the connection failed or broke off. `__cause__` is the error of httpx."""

    def __init__(self, message: str, attempts: int) -> None:
        super().__init__(message)
        #: How often the request was sent.
        self.attempts = attempts


class ApiTimeoutError(ApiConnectionError):
    """Onward did not answer in time. For a call, the app may have received the request."""


class WebhookVerificationError(OnwardError):
    """A webhook is not from Onward, is too old, or was changed on its way."""


_MAX_SHOWN = 300


def _shortly(output: Any) -> str:
    """Returns the beginning of what an app answered, for the message of an error."""
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    if text in ("", "null", "{}"):
        return ""
    return f": {text[:_MAX_SHOWN]}…" if len(text) > _MAX_SHOWN else f": {text}"


class FunctionFailedError(OnwardError):
    """`call_or_raise`: the app received the call and refused it."""

    def __init__(self, function_name: str, result: CallResult) -> None:
        how = "reported an error in its response" if result.app_error else f"responded with {result.network_code}"
        super().__init__(f"{function_name}: the app {how}{_shortly(result.output)} (call {result.call_id or 'without an id'})")
        self.result = result


class PagesEndedError(OnwardError):
    """`call_pages`: the app announces or may have further pages, but the next one cannot be requested.

    `result` is the last page.
    """

    def __init__(self, function_name: str, result: CallResult) -> None:
        call = result.call_id or "without an id"
        super().__init__(f"{function_name}: there may be further pages: {result.next_page_problem} (call {call})")
        self.result = result


@dataclass(frozen=True)
class ApiErrorParts:
    status: int
    headers: httpx.Headers
    #: The parsed body; the text if it is not JSON.
    body: Any
    attempts: int


class ApiError(OnwardError):
    """Onward answered with an error status."""

    status: int
    #: The reason, for a program. None if the response is not from Onward, but for example from a proxy. Newer servers may
    #: send other codes.
    code: Union[ErrorCode, str, None]
    #: One text for each field, such as `contact_id: must be a number`.
    details: Sequence[str]
    #: The nearest names, for a name that does not exist.
    suggestions: Sequence[str]
    #: Names this request in the logs of Onward.
    request_id: Optional[str]
    #: The call in the calls log, if the function was executed.
    call_id: Optional[str]
    #: Seconds after which Onward asks to try again.
    retry_after: Optional[float]
    docs_url: Optional[str]
    headers: httpx.Headers
    body: Any
    #: How often the request was sent.
    attempts: int

    def __init__(self, parts: ApiErrorParts) -> None:
        own = error_body(parts.body)
        headers = parts.headers
        self.status = parts.status
        self.code = own.get("code")
        self.details = own.get("error_details", [])
        self.suggestions = own.get("suggestions", [])
        self.request_id = headers.get("x-request-id") or own.get("request_id")
        self.call_id = headers.get("x-call-id")
        self.retry_after = _seconds(headers.get("retry-after"))
        self.docs_url = own.get("docs_url")
        self.headers = headers
        self.body = parts.body
        self.attempts = parts.attempts
        reason = _describe(own) if own else f"the server answered {parts.status}, but not in the format of Onward"
        self.message = reason if self.request_id is None else f"{reason} (request {self.request_id})"


class BadRequestError(ApiError):
    """400, and the other 4xx statuses without a separate class: change the request."""


class AccountNotConnectedError(BadRequestError):
    """The user has to connect an account of the app, or connect it again. Open `login_url` in the user's browser."""

    login_url: Optional[str]

    def __init__(self, parts: ApiErrorParts) -> None:
        super().__init__(parts)
        self.login_url = error_body(parts.body).get("login_url")


class ApprovalRequiredError(BadRequestError):
    """A rule asks for an approval of the call.

    Show `approval_url` to the user, or decide with `user.approvals`. Then repeat the same call.
    """

    approval_id: Optional[str]
    approval_url: Optional[str]

    def __init__(self, parts: ApiErrorParts) -> None:
        super().__init__(parts)
        own = error_body(parts.body)
        self.approval_id = own.get("approval_id")
        self.approval_url = own.get("approval_url")


class AuthenticationError(ApiError):
    """401: a credential is missing or wrong."""


class NotFoundError(ApiError):
    """404: there is no such function, app, user and so on."""


class ConflictError(ApiError):
    """409: the request does not fit the present state."""


class RateLimitError(ApiError):
    """429: too many requests. Try again after `retry_after` seconds."""


class TaskLimitReachedError(ApiError):
    """429: the user has reached the task limit. The period ends after `retry_after` seconds."""


class UpstreamError(ApiError):
    """502 or 504: the app could not be reached, or did not answer properly.

    `code` says whether the call may have taken effect.
    """


class ServerError(ApiError):
    """500, 503 and other 5xx statuses: Onward failed, or is overloaded."""


_BY_CODE = {
    "account_not_connected": AccountNotConnectedError,
    "account_reconnect_required": AccountNotConnectedError,
    "approval_required": ApprovalRequiredError,
    "task_limit_reached": TaskLimitReachedError,
}
_BY_STATUS = {
    401: AuthenticationError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
    502: UpstreamError,
    504: UpstreamError,
}


def api_error(parts: ApiErrorParts) -> ApiError:
    """Returns the error for a response with an error status."""
    other = ServerError if parts.status >= 500 else BadRequestError
    of_status = _BY_STATUS.get(parts.status, other)
    return _BY_CODE.get(error_body(parts.body).get("code", ""), of_status)(parts)


def error_body(body: Any) -> Mapping[str, Any]:
    """Returns the body of an error of Onward; an empty mapping for any other body."""
    own = cast(Mapping[str, Any], body if isinstance(body, dict) else {})
    details: Any = own.get("error_details")
    texts: Sequence[Any] = [own.get("error"), own.get("code"), *(details if isinstance(details, list) else [None])]
    return own if all(isinstance(text, str) for text in texts) else {}


def _describe(body: Mapping[str, Any]) -> str:
    error: str = body["error"]
    details: Sequence[str] = body["error_details"]
    return f"{error}: {'; '.join(details)}" if details else error


def _seconds(header: Optional[str]) -> Optional[float]:
    """Reads a `Retry-After` header, in seconds or as a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())
