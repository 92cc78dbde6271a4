"""What happens to a tool call between a model and Onward, without input and output."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Mapping, Optional, Sequence, Union, cast

from ._response import response_of
from ._errors import (
    AccountNotConnectedError,
    ApiConnectionError,
    ApiError,
    ApprovalRequiredError,
    AuthenticationError,
    OnwardError,
)
from ._numbers import read_json
from ._types import CallResult, RefusedAccount


@dataclass(frozen=True)
class ToolError:
    code: str
    message: str
    details: Sequence[str] = ()
    #: A page on which the user connects an account of the app.
    login_url: Optional[str] = None
    #: Seconds.
    retry_after: Optional[float] = None
    #: A page on which the user approves the call.
    approval_url: Optional[str] = None


@dataclass(frozen=True)
class ToolOutcome:
    """The result of a tool, for a model. Failures that a model can act on are results too."""

    ok: bool
    #: The body of the app's response; None if there is none.
    output: Any = None
    network_code: Optional[int] = None
    #: Pass it as `_cursor`, with the same arguments, to get the next page.
    cursor: Optional[str] = None
    #: Why there is no `cursor`, although the app announces or may have a further page.
    next_page_problem: Optional[str] = None
    #: The seconds after which the app wants the next request.
    retry_after: Optional[int] = None
    #: The header `Location` of the app's response.
    location: Optional[str] = None
    #: Present if the app refused the credentials of the account: the user connects it again at its `login_url`.
    refused_account: Optional[RefusedAccount] = None
    #: After a 403 of the app: the scopes that the function needs. Each item is enough, with all of its scopes.
    needed_scopes: Optional[Sequence[Sequence[str]]] = None
    error: Optional[ToolError] = None
    call_id: Optional[str] = None
    request_id: Optional[str] = None


def read_arguments(arguments: object) -> Union[Dict[str, Any], ToolOutcome]:
    """Returns the arguments of a model, given as an object or as JSON text; an outcome if they are no object."""
    parsed: Any = arguments
    if isinstance(arguments, str):
        try:
            parsed = read_json(arguments) if arguments.strip() else {}
        except ValueError:
            parsed = None
    if not isinstance(parsed, Mapping):
        return ToolOutcome(False, error=ToolError("invalid_parameters", "the arguments must be a JSON object"))
    return dict(cast(Mapping[str, Any], parsed))


def outcome_of_result(result: CallResult) -> ToolOutcome:
    cursor = result.cursor
    return ToolOutcome(
        ok=result.ok,
        output=result.output,
        network_code=result.network_code,
        cursor=cursor if cursor is None or isinstance(cursor, str) else _json(cursor),
        next_page_problem=result.next_page_problem,
        retry_after=result.retry_after,
        location=result.location,
        refused_account=result.refused_account,
        needed_scopes=result.needed_scopes,
        call_id=result.call_id,
        request_id=response_of(result).request_id,
    )


def outcome_of_error(err: OnwardError) -> ToolOutcome:
    """Returns the outcome for a failed call. Raises the error if no model can act on it."""
    if isinstance(err, ApiError) and not isinstance(err, AuthenticationError):
        code = err.code or f"status_{err.status}"
        login_url = err.login_url if isinstance(err, AccountNotConnectedError) else None
        approval_url = err.approval_url if isinstance(err, ApprovalRequiredError) else None
        error = ToolError(code, err.message, err.details, login_url, err.retry_after, approval_url)
        return ToolOutcome(False, error=error, call_id=err.call_id, request_id=err.request_id)
    if isinstance(err, ApiConnectionError):
        return ToolOutcome(False, error=ToolError("unreachable", err.message))
    raise err


def unknown_tool(name: str, offered: Iterable[str]) -> ToolOutcome:
    """Returns the outcome for a tool that was not offered."""
    message = f"there is no tool {name}; the tools are {', '.join(offered)}"
    return ToolOutcome(False, error=ToolError("function_not_found", message))


def for_model(outcome: ToolOutcome) -> Dict[str, Any]:
    """Returns what a model reads about a result, with the names of Onward's API."""
    error = outcome.error
    if error is None:
        shown = {} if outcome.ok else {"failed": True}
        hints = {
            "_cursor": outcome.cursor,
            "next_page_problem": outcome.next_page_problem,
            "retry_after": outcome.retry_after,
            "location": outcome.location,
            "refused_account": outcome.refused_account,
            "needed_scopes": outcome.needed_scopes,
        }
        return {**shown, "network_code": outcome.network_code, "output": outcome.output, **_present(hints)}
    optional = {
        "error_details": list(error.details) or None,
        "login_url": error.login_url,
        "approval_url": error.approval_url,
        "retry_after": error.retry_after,
    }
    return {"error": error.message, "code": error.code, **_present(optional)}


def _present(values: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def text_for_model(outcome: ToolOutcome, max_characters: int) -> str:
    """Returns the result as JSON, cut after `max_characters`."""
    text = _json(for_model(outcome))
    if len(text) <= max_characters:
        return text
    following = "" if outcome.cursor is None else f" The next page has the _cursor {_json(outcome.cursor)}."
    return f"{text[:max_characters]}… [cut after {max_characters} of {len(text)} characters. Ask for less.{following}]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
