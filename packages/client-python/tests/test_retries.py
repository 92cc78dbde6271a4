from __future__ import annotations

import os
import socket
from typing import Any

import httpx
import pytest
from scripted import Answering, Received, Runner, Scripted, error

from onward_client import ApiConnectionError, ApiTimeoutError, Onward, RateLimitError

NOW = {"Retry-After": "0"}
RESULT = {"network_code": 200, "output": {"id": 1}}


def call(user: Any, **options: Any) -> Any:
    return user.functions.call("f", {"a": 1}, **options)


def keys(scripted: Scripted) -> Any:
    return [one.headers.get("idempotency-key") for one in scripted.received]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (429, "rate_limited"),
        (429, "too_much_in_flight"),
        (503, "unavailable"),
        (409, "idempotency_in_progress"),
        # Nothing was sent to the app.
        (502, "upstream_unreachable"),
        (502, "token_renewal_failed"),
    ],
)
def test_a_failed_call_is_repeated_with_the_same_key(
    client: Runner, scripted: Scripted, status: int, code: str
) -> None:
    scripted.answers((status, error(code), NOW), (200, RESULT))
    result = client.run(lambda: call(client.user()))
    assert (result.network_code, result.output) == (200, {"id": 1})
    first, second = keys(scripted)
    assert first.startswith("auto_")
    assert first == second


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "invalid_parameters"),
        (404, "function_not_found"),
        (409, "idempotency_conflict"),
        (429, "task_limit_reached"),
        (500, "internal_error"),
        # The app may have acted.
        (502, "upstream_invalid"),
        (504, "upstream_timeout"),
        (504, "outcome_unknown"),
    ],
)
def test_a_call_is_not_repeated_where_that_could_do_harm(
    client: Runner, scripted: Scripted, status: int, code: str
) -> None:
    scripted.answers((status, error(code), NOW), (200, RESULT))
    failure = client.failure(lambda: call(client.user()))
    assert (failure.status, failure.code, failure.attempts) == (status, code, 1)
    assert len(scripted.received) == 1


def test_a_call_is_repeated_twice_by_default(client: Runner, scripted: Scripted) -> None:
    scripted.answers((503, error("unavailable"), NOW))
    failure = client.failure(lambda: call(client.user()))
    assert (failure.status, failure.attempts, len(scripted.received)) == (503, 3, 3)


@pytest.mark.parametrize("place", ["client", "call"])
def test_max_retries_0_means_one_attempt_without_a_key(client: Runner, scripted: Scripted, place: str) -> None:
    scripted.answers((503, error("unavailable"), NOW))
    option = {"max_retries": 0}
    user = client.user(**(option if place == "client" else {}))
    failure = client.failure(lambda: call(user, **(option if place == "call" else {})))
    assert (failure.attempts, keys(scripted)) == (1, [None])


def test_the_key_of_the_caller_is_kept(client: Runner, scripted: Scripted) -> None:
    scripted.answers((503, error("unavailable"), NOW), (200, RESULT))
    client.run(lambda: call(client.user(), idempotency_key="order-1"))
    assert keys(scripted) == ["order-1", "order-1"]


@pytest.mark.parametrize(("should", "status", "times"), [("true", 500, 2), ("false", 503, 1)])
def test_x_should_retry_is_obeyed(client: Runner, scripted: Scripted, should: str, status: int, times: int) -> None:
    scripted.answers((status, error("unavailable"), {**NOW, "X-Should-Retry": should}))
    client.failure(lambda: call(client.user(max_retries=1)))
    assert len(scripted.received) == times


def test_a_longer_retry_after_is_not_waited_for(client: Runner, scripted: Scripted) -> None:
    scripted.answers((429, error("rate_limited"), {"Retry-After": "11"}))
    failure = client.failure(lambda: call(client.user()))
    assert isinstance(failure, RateLimitError)
    assert (failure.retry_after, failure.attempts) == (11, 1)


def test_a_pause_that_exceeds_the_total_time_is_not_begun(client: Runner, scripted: Scripted) -> None:
    scripted.answers((503, error("unavailable"), {"Retry-After": "9"}))
    failure = client.failure(lambda: call(client.user(), total_timeout=5))
    assert (failure.status, failure.attempts) == (503, 1)


def break_off(response: Answering) -> None:
    response.close_connection = True
    response.connection.shutdown(socket.SHUT_RDWR)


def break_off_in_the_middle(response: Answering) -> None:
    response.send(200, '{"network_code"', {"Content-Length": "100"})
    break_off(response)


@pytest.mark.parametrize("way", [break_off, break_off_in_the_middle])
def test_a_call_whose_connection_breaks_is_repeated_with_the_same_key(
    client: Runner, scripted: Scripted, way: Any
) -> None:
    def answer(_received: Received, response: Answering) -> None:
        if len(scripted.received) == 1:
            way(response)
        else:
            response.send(200, RESULT)

    scripted.answer(answer)
    assert client.run(lambda: call(client.user())).network_code == 200
    assert len(set(keys(scripted))) == 1


def test_a_request_is_not_repeated_after_a_broken_connection_if_that_could_do_harm(
    client: Runner, scripted: Scripted
) -> None:
    scripted.answer(lambda _received, response: break_off(response))
    create = {"events": ["user_tasks_limit_80"], "callback_url": "https://x.example/"}
    failure = client.failure(lambda: client.insights().subscriptions.create(**create))
    assert isinstance(failure, ApiConnectionError)
    assert str(failure).startswith("Onward could not be reached at http")
    assert isinstance(failure.__cause__, httpx.HTTPError)
    assert len(scripted.received) == 1


def wait(scripted: Scripted) -> Any:
    return lambda _received, _response: scripted.ended.wait(30)


def test_timeout_ends_an_attempt_without_an_answer(client: Runner, scripted: Scripted) -> None:
    scripted.answer(wait(scripted))
    failure = client.failure(lambda: call(client.user(), timeout=0.1, max_retries=0))
    assert isinstance(failure, ApiTimeoutError)
    assert (str(failure), failure.attempts) == ("Onward did not answer within 0.1 s", 1)


def test_timeout_ends_an_attempt_whose_answer_does_not_end(client: Runner, scripted: Scripted) -> None:
    def answer(_received: Received, response: Answering) -> None:
        response.send(200, "{", {"Content-Length": "100000"})
        # Far more often than the time limit, but not for ever.
        for _ in range(300):
            response.wfile.write(b" ")
            if scripted.ended.wait(0.01):
                return
        break_off(response)

    scripted.answer(answer)
    assert isinstance(client.failure(lambda: client.user().apps.get("a", timeout=1, max_retries=0)), ApiTimeoutError)


def test_total_timeout_ends_all_attempts_together(client: Runner, scripted: Scripted) -> None:
    scripted.answer(wait(scripted))
    options = {"timeout": 0.1, "total_timeout": 0.15, "max_retries": 100}
    assert isinstance(client.failure(lambda: client.user().apps.get("a", **options)), ApiTimeoutError)
    assert len(scripted.received) < 3


def test_timeout_none_means_no_limit(scripted: Scripted) -> None:
    assert scripted.user(timeout=0.0001).apps.get("a", timeout=None) == {}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_opens_connections_of_its_own(scripted: Scripted) -> None:
    def answer(_received: Received, response: Answering) -> None:
        response.send(200, {"port": response.client_address[1]})

    scripted.answer(answer)
    user = scripted.user()
    port = user.request("GET", "/a")["port"]
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, str(user.request("GET", "/a")["port"]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        other = int(pipe.read())
    assert user.request("GET", "/a")["port"] == port
    assert other != port


def test_a_client_shares_connections_among_its_users_and_closes_them(scripted: Scripted) -> None:
    ports = set()

    def answer(_received: Received, response: Answering) -> None:
        ports.add(response.client_address[1])
        response.send(200, {})

    scripted.answer(answer)
    with Onward(base_url=scripted.url, app_key="key", app_secret="secret") as onward:
        for user_id in ("joe", "ann"):
            onward.for_user(user_id).apps.get("a")
    assert len(ports) == 1
    with pytest.raises(RuntimeError):
        onward.for_user("joe").apps.get("a")


def test_a_client_of_httpx_can_be_passed_and_stays_open(scripted: Scripted) -> None:
    with httpx.Client(timeout=0.001, follow_redirects=True) as http_client:
        with Onward(base_url=scripted.url, app_key="key", app_secret="secret", http_client=http_client) as onward:
            assert onward.for_user("joe").apps.get("a") == {}
        assert not http_client.is_closed
