from __future__ import annotations

import pickle
from typing import Any, Type

import pytest
from scripted import Runner, Scripted, error

import onward_client
from onward_client import (
    AccountNotConnectedError,
    ApprovalRequiredError,
    ApiConnectionError,
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    FunctionFailedError,
    NotFoundError,
    OnwardError,
    RateLimitError,
    ServerError,
    TaskLimitReachedError,
    UpstreamError,
)


def failure_of_call(client: Runner) -> Any:
    return client.failure(lambda: client.user(max_retries=0).functions.call("f"))


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid_parameters", BadRequestError),
        (400, "account_not_connected", AccountNotConnectedError),
        (403, "approval_required", ApprovalRequiredError),
        (400, "account_reconnect_required", AccountNotConnectedError),
        (401, "unauthenticated", AuthenticationError),
        (403, "https_required", BadRequestError),
        (404, "function_not_found", NotFoundError),
        (409, "idempotency_conflict", ConflictError),
        (413, "body_too_large", BadRequestError),
        (429, "rate_limited", RateLimitError),
        (429, "task_limit_reached", TaskLimitReachedError),
        (500, "internal_error", ServerError),
        (502, "upstream_unreachable", UpstreamError),
        (503, "unavailable", ServerError),
        (504, "upstream_timeout", UpstreamError),
        (508, "loop_detected", ServerError),
        (418, "a_newer_code", BadRequestError),
    ],
)
def test_an_error_has_the_class_of_its_status_and_code(
    client: Runner, scripted: Scripted, status: int, code: str, kind: Type[ApiError]
) -> None:
    scripted.answers((status, error(code)))
    failure = failure_of_call(client)
    assert (type(failure), failure.status, failure.code) == (kind, status, code)
    assert isinstance(failure, ApiError)
    assert isinstance(failure, OnwardError)


def test_an_error_has_the_reason_the_details_and_what_the_headers_say(client: Runner, scripted: Scripted) -> None:
    headers = {"X-Request-ID": "req-1", "X-Call-ID": "call-1", "Retry-After": "7"}
    body = {
        **error("function_not_found", "there is no function f", ["f: did you mean g?"]),
        "suggestions": ["g"],
        "docs_url": "https://d",
    }
    scripted.answers((404, body, headers))
    failure = failure_of_call(client)
    assert str(failure) == "there is no function f: f: did you mean g? (request req-1)"
    assert (failure.details, failure.suggestions) == (["f: did you mean g?"], ["g"])
    assert (failure.request_id, failure.call_id, failure.retry_after) == ("req-1", "call-1", 7)
    assert (failure.docs_url, failure.body, failure.attempts) == ("https://d", body, 1)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("", None), ("soon", None), ("-1", 0), ("2.5", 2.5), ("Thu, 01 Jan 1970 00:00:00 GMT", 0)],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(
    client: Runner, scripted: Scripted, header: str, seconds: Any
) -> None:
    scripted.answers((500, error("internal_error"), {"Retry-After": header}))
    assert failure_of_call(client).retry_after == seconds


def test_an_error_has_the_page_on_which_the_user_connects_an_account(client: Runner, scripted: Scripted) -> None:
    scripted.answers((400, {**error("account_not_connected"), "login_url": "https://onward/connect/x"}))
    assert failure_of_call(client).login_url == "https://onward/connect/x"


def test_an_error_contains_no_credentials(client: Runner, scripted: Scripted) -> None:
    scripted.answers((500, error("internal_error")))
    failure = failure_of_call(client)
    shown = f"{failure!r} {failure} {vars(failure)}"
    assert scripted.received[0].headers["hash"] not in shown
    assert "secret" not in shown


def test_errors_can_be_sent_to_another_process(client: Runner, scripted: Scripted) -> None:
    scripted.answers((400, {**error("account_not_connected"), "login_url": "https://x"}, {"X-Request-ID": "req-1"}))
    failure = pickle.loads(pickle.dumps(failure_of_call(client)))
    assert isinstance(failure, AccountNotConnectedError)
    assert (str(failure), failure.login_url) == ("it did not work (request req-1)", "https://x")
    refused = ApiConnectionError("Onward could not be reached", 3)
    assert pickle.loads(pickle.dumps(refused)).attempts == 3


def test_no_error_has_the_name_of_a_built_in() -> None:
    assert not [name for name in onward_client.__all__ if name in dir(__builtins__)]


def test_an_error_page_of_another_server_causes_an_api_error_without_a_code(client: Runner, scripted: Scripted) -> None:
    scripted.answers((502, "<h1>Bad gateway</h1>"))
    failure = failure_of_call(client)
    assert str(failure) == "the server answered 502, but not in the format of Onward"
    assert (failure.code, failure.body) == (None, "<h1>Bad gateway</h1>")


def test_an_answer_without_json_causes_an_api_connection_error(client: Runner, scripted: Scripted) -> None:
    scripted.answers((200, "<p>hello"))
    failure = client.failure(lambda: client.user().functions.call("f"))
    assert isinstance(failure, ApiConnectionError)
    assert len(scripted.received) == 1


def test_a_redirect_is_not_followed(client: Runner, scripted: Scripted) -> None:
    scripted.answers((307, "", {"Location": f"{scripted.url}/other"}))
    failure = failure_of_call(client)
    assert (failure.status, failure.code, len(scripted.received)) == (307, None, 1)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"network_code": 404, "output": {}}, "f: the app responded with 404 (call c1)"),
        (
            {"network_code": 200, "output": {}, "meta": {"app_error": True}},
            "f: the app reported an error in its response (call c1)",
        ),
    ],
)
def test_a_call_that_the_app_refused_is_a_result_of_call_and_an_error_of_call_or_raise(
    client: Runner, scripted: Scripted, body: Any, message: str
) -> None:
    scripted.answers((200, body, {"X-Call-ID": "c1"}))
    result = client.run(lambda: client.user().functions.call("f"))
    assert (result.ok, result.network_code) == (False, body["network_code"])
    failure = client.failure(lambda: client.user().functions.call_or_raise("f"))
    assert isinstance(failure, FunctionFailedError)
    assert (str(failure), failure.result.call_id) == (message, "c1")
    assert str(pickle.loads(pickle.dumps(failure))) == message
