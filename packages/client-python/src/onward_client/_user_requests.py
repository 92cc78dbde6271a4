"""The requests of area A, for the clients with and without asyncio."""

from __future__ import annotations

import time
import uuid
from datetime import datetime, timezone
from typing import Any, Dict, Mapping, Optional, Sequence, Type, cast

from ._response import Received
from ._errors import ApiTimeoutError, FunctionFailedError, PagesEndedError
from ._request import ListRequest, RequestOptions, WireRequest, present, refuse_unknown, segment
from ._types import (
    App,
    AppWithAccounts,
    Approval,
    ApprovalWithBackground,
    ApprovedMcpSignIn,
    BatchCall,
    BatchResult,
    CallOptions,
    CallOutcome,
    CallResult,
    ConnectedAccount,
    ConnectSession,
    CreatedMcpToken,
    DryRun,
    DryRunOptions,
    FunctionItem,
    FunctionType,
    LoggedCall,
    McpMode,
    McpSignInLink,
    McpToken,
    OwnAccount,
    PolicyRule,
    PredictedFunction,
    Success,
    Variables,
)


def list_apps(search: Optional[str], connected_only: Optional[bool], page_size: Optional[int]) -> ListRequest[App]:
    query = present(search=search, connected_only=connected_only, page_size=page_size)
    return ListRequest(
        "apps", lambda cursor: WireRequest("POST", "/apps/list", True, query={**query, "_cursor": cursor})
    )


def get_app(name: str) -> WireRequest[AppWithAccounts]:
    return WireRequest("POST", f"/apps/{segment('name', name)}/get", True)


def list_functions(
    app: Optional[str],
    connected_only: Optional[bool],
    search: Optional[str],
    type: Optional[FunctionType],
    include: Optional[str],
    page_size: Optional[int],
) -> ListRequest[FunctionItem]:
    query = present(
        app=app, connected_only=connected_only, search=search, type=type, include=include, page_size=page_size
    )
    return ListRequest(
        "functions", lambda cursor: WireRequest("POST", "/functions/list", True, query={**query, "_cursor": cursor})
    )


def get_function(
    name: str,
    prompt: Optional[str],
    variables: Optional[Variables],
    time_zone: Optional[str],
    include: Optional[str],
) -> WireRequest[FunctionItem]:
    body = present(prompt=prompt, _variables=variables, time_zone=time_zone)
    path = f"/functions/{segment('name', name)}/get"
    return WireRequest("POST", path, True, query={"include": include}, body=body)


def predict_function(
    prompt: str,
    app: Optional[str],
    connected_only: Optional[bool],
    predict_arguments: Optional[bool],
    top_k: Optional[int],
    explain: Optional[bool],
    variables: Optional[Variables],
    time_zone: Optional[str],
    include: Optional[str],
) -> WireRequest[Sequence[PredictedFunction]]:
    body = present(
        prompt=prompt,
        predict_arguments=predict_arguments,
        top_k=top_k,
        _variables=variables,
        time_zone=time_zone,
    )
    query = {"app": app, "connected_only": connected_only, "include": include, "explain": explain}
    return WireRequest("POST", "/functions/predict", True, query=query, body=body, read=_predicted)


def _predicted(body: Any, _received: Received) -> Sequence[PredictedFunction]:
    functions: Sequence[PredictedFunction] = body["functions"]
    return functions


def call_function(
    name: str, arguments: Optional[Mapping[str, Any]], options: CallOptions, max_retries: int
) -> WireRequest[CallResult]:
    key = options.get("idempotency_key") or _new_key(options.get("max_retries", max_retries))
    return WireRequest(
        repeatable=key is not None,
        headers={} if key is None else {"Idempotency-Key": key},
        read=_call_result,
        **_call_parts(name, arguments, options, {}),
    )


def dry_run(name: str, arguments: Optional[Mapping[str, Any]], options: DryRunOptions) -> WireRequest[DryRun]:
    return WireRequest(repeatable=True, **_call_parts(name, arguments, options, {"dry_run": True}))


def _call_parts(
    name: str, arguments: Optional[Mapping[str, Any]], options: DryRunOptions, query: Mapping[str, Any]
) -> Dict[str, Any]:
    fields = options.get("fields")
    reserved = present(
        _variables=options.get("variables"),
        _cursor=options.get("cursor"),
        _fields=None if fields is None else list(fields),
    )
    return {
        "method": "POST",
        "path": f"/functions/{segment('name', name)}/call",
        "query": {"connected_account_id": options.get("connected_account_id"), **query},
        "body": {**(arguments or {}), **reserved},
    }


def without_call(options: CallOptions) -> RequestOptions:
    """Returns the options that are about sending a call. Raises a TypeError for an unknown one."""
    return _without(options, CallOptions)


def without_dry_run(options: DryRunOptions) -> RequestOptions:
    """Returns the options that are about sending a dry run. Raises a TypeError for an unknown one."""
    return _without(options, DryRunOptions)


def _without(options: Mapping[str, Any], described: Type[Any]) -> RequestOptions:
    refuse_unknown(options, described)
    own = described.__annotations__.keys() - RequestOptions.__annotations__.keys()
    return cast(RequestOptions, {name: value for name, value in options.items() if name not in own})


def _new_key(max_retries: int) -> Optional[str]:
    return f"auto_{uuid.uuid4()}" if max_retries > 0 else None


def batch_call(
    calls: Sequence[BatchCall], in_order: Optional[bool], idempotency_key: Optional[str], max_retries: int
) -> WireRequest[Sequence[BatchResult]]:
    key = idempotency_key or _new_key(max_retries)
    mode = None if in_order is None else "in_order" if in_order else "parallel"
    return WireRequest(
        "POST",
        "/functions/batch-call",
        key is not None,
        body={"calls": [dict(call) for call in calls], **present(mode=mode)},
        headers={} if key is None else {"Idempotency-Key": key},
        read=lambda body, _received: [_batch_result(item) for item in body["results"]],
    )


def _batch_result(item: Mapping[str, Any]) -> BatchResult:
    call_id: Optional[str] = item["call_id"]
    replayed: bool = item["replayed"]
    result = None if "result" not in item else _result_of(item["result"], call_id, replayed)
    return BatchResult(result, item.get("error"), item["status"], call_id, replayed, item.get("retry_after"))


def _call_result(body: Any, received: Received) -> CallResult:
    replayed = received.headers.get("idempotency-replayed") == "true"
    return _result_of(body, received.headers.get("x-call-id"), replayed)


def _result_of(body: Mapping[str, Any], call_id: Optional[str], replayed: bool) -> CallResult:
    network_code: int = body["network_code"]
    meta = body.get("meta", {})
    app_error = meta.get("app_error") is True
    return CallResult(
        output=body.get("output"),
        network_code=network_code,
        ok=200 <= network_code <= 299 and not app_error,
        app_error=app_error,
        cursor=body.get("_cursor"),
        next_page_problem=meta.get("next_page_problem"),
        retry_after=meta.get("retry_after"),
        location=meta.get("location"),
        fields_missing=meta.get("fields_missing", []),
        refused_account=meta.get("refused_account"),
        needed_scopes=meta.get("needed_scopes"),
        call_id=call_id,
        replayed=replayed,
    )


def raise_if_cut_off(name: str, page: CallResult) -> None:
    if page.next_page_problem is not None:
        raise PagesEndedError(name, page)


def raise_unless_ok(name: str, result: CallResult) -> CallResult:
    if not result.ok:
        raise FunctionFailedError(name, result)
    return result


def list_accounts(app: Optional[str]) -> WireRequest[Sequence[OwnAccount]]:
    return WireRequest("POST", "/connected-accounts/list", True, body=present(app=app), read=_accounts)


def _accounts(body: Any, _received: Received) -> Sequence[OwnAccount]:
    accounts: Sequence[OwnAccount] = body["connected_accounts"]
    return accounts


def rename_account(account_id: int, display_name: str) -> WireRequest[ConnectedAccount]:
    path = f"/connected-accounts/{segment('account_id', str(account_id))}"
    return WireRequest("PATCH", path, True, body={"display_name": display_name})


def set_default_account(account_id: int) -> WireRequest[ConnectedAccount]:
    return WireRequest("POST", f"/connected-accounts/{segment('account_id', str(account_id))}/set_as_default", True)


def open_session(
    app: Optional[str],
    redirect_uri: Optional[str],
    manage: Optional[bool],
    pick: Optional[bool],
    locale: Optional[str],
    user_name: Optional[str],
) -> WireRequest[ConnectSession]:
    body = present(
        app=app, redirect_uri=redirect_uri, manage=manage, pick=pick, locale=locale, user_name=user_name
    )
    return WireRequest("POST", "/connect/session", True, body=body)


class NewAccount:
    """Finds the account that was connected, or connected again, since the accounts were listed for the first time."""

    def __init__(self, app: str, total_timeout: Optional[float]) -> None:
        self._app = app
        self._total_timeout = total_timeout
        self._end_at = None if total_timeout is None else time.monotonic() + total_timeout
        self._before: Optional[Mapping[int, str]] = None
        self._attempts = 0

    def find(self, accounts: Sequence[OwnAccount], interval: float) -> Optional[ConnectedAccount]:
        """Returns it; None if there is none yet. Raises an ApiTimeoutError if there is no time for another attempt."""
        self._attempts += 1
        if self._before is None:
            self._before = {account["id"]: account["modified_at"] for account in accounts}
        for account in accounts:
            if account["status"] == "active" and self._before.get(account["id"]) != account["modified_at"]:
                return account
        if self._end_at is not None and time.monotonic() + interval >= self._end_at:
            raise ApiTimeoutError(
                f"no account of {self._app} was connected within {self._total_timeout} s", self._attempts
            )
        return None


def confirm_account(account_id: int, confirmation: str) -> WireRequest[ConnectedAccount]:
    path = f"/connected-accounts/{segment('account_id', str(account_id))}/confirm"
    return WireRequest("POST", path, False, body={"confirmation": confirmation})


def disconnect_account(account_id: int, force: Optional[bool]) -> WireRequest[Success]:
    path = f"/connected-accounts/{segment('account_id', str(account_id))}"
    return WireRequest("DELETE", path, False, query={"force": force})


def list_calls(
    function_name: Optional[str],
    app: Optional[str],
    outcome: Optional[CallOutcome],
    since: Optional[datetime],
    until: Optional[datetime],
    internal: Optional[bool],
    page_size: Optional[int],
) -> ListRequest[LoggedCall]:
    filters = present(
        function_name=function_name,
        app=app,
        outcome=outcome,
        since=_timestamp("since", since),
        until=_timestamp("until", until),
        internal=internal,
        page_size=page_size,
    )
    return ListRequest(
        "calls", lambda cursor: WireRequest("POST", "/calls/list", True, body={**filters, **present(_cursor=cursor)})
    )


def _timestamp(name: str, at: Optional[datetime]) -> Optional[str]:
    if at is None:
        return None
    if at.tzinfo is None:
        raise ValueError(f"{name} must have a time zone, such as datetime.now(timezone.utc)")
    return at.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def get_call(call_id: str) -> WireRequest[LoggedCall]:
    return WireRequest("POST", f"/calls/{segment('call_id', call_id)}/get", True)


def list_approvals(state: Optional[str], page_size: Optional[int]) -> ListRequest[Approval]:
    return ListRequest(
        "approvals",
        lambda cursor: WireRequest(
            "POST", "/approvals/list", True, body=present(state=state, page_size=page_size, _cursor=cursor)
        ),
    )


def get_approval(approval_id: str) -> WireRequest[ApprovalWithBackground]:
    return WireRequest("GET", f"/approvals/{segment('approval_id', approval_id)}", True)


def decide_approval(approval_id: str, result: str, reason: Optional[str]) -> WireRequest[Approval]:
    path = f"/approvals/{segment('approval_id', approval_id)}/decide"
    return WireRequest("POST", path, False, body=present(result=result, reason=reason))


def create_mcp_token(
    mode: McpMode,
    name: Optional[str],
    apps: Optional[Sequence[str]],
    functions: Optional[Sequence[str]],
    read_only: Optional[bool],
    rules: Optional[Sequence[PolicyRule]],
    expires_in_days: Optional[int],
    output_chars: Optional[int],
) -> WireRequest[CreatedMcpToken]:
    body = present(
        mode=mode,
        name=name,
        **_mcp_limits(apps, functions, read_only, rules),
        expires_in_days=expires_in_days,
        output_chars=output_chars,
    )
    return WireRequest("POST", "/mcp/tokens", False, body=body)


def list_mcp_tokens(page_size: Optional[int]) -> ListRequest[McpToken]:
    return ListRequest(
        "tokens",
        lambda cursor: WireRequest(
            "POST", "/mcp/tokens/list", True, body=present(page_size=page_size, _cursor=cursor)
        ),
    )


def narrow_mcp_token(
    token_id: str,
    apps: Optional[Sequence[str]],
    functions: Optional[Sequence[str]],
    read_only: Optional[bool],
    rules: Optional[Sequence[PolicyRule]],
) -> WireRequest[McpToken]:
    path = f"/mcp/tokens/{segment('token_id', token_id)}"
    return WireRequest("PATCH", path, True, body=_mcp_limits(apps, functions, read_only, rules))


def _mcp_limits(
    apps: Optional[Sequence[str]],
    functions: Optional[Sequence[str]],
    read_only: Optional[bool],
    rules: Optional[Sequence[PolicyRule]],
) -> Dict[str, Any]:
    return present(
        apps=None if apps is None else list(apps),
        functions=None if functions is None else list(functions),
        read_only=read_only,
        rules=None if rules is None else list(rules),
    )


def create_mcp_sign_in_link(expires_in_minutes: Optional[int]) -> WireRequest[McpSignInLink]:
    return WireRequest("POST", "/mcp/sign-in/link", True, body=present(expires_in_minutes=expires_in_minutes))


def approve_mcp_sign_in(request: str) -> WireRequest[ApprovedMcpSignIn]:
    return WireRequest("POST", "/mcp/sign-in/approve", True, body={"request": request})


def revoke_mcp_token(token_id: str) -> WireRequest[Success]:
    return WireRequest("DELETE", f"/mcp/tokens/{segment('token_id', token_id)}", False)


def any_request(
    method: str,
    path: str,
    query: Optional[Mapping[str, Any]],
    body: Any,
    repeatable: Optional[bool],
) -> WireRequest[Any]:
    may_repeat = method == "GET" if repeatable is None else repeatable
    return WireRequest(method, path, may_repeat, query=query or {}, body=body)
