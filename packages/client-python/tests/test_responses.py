from __future__ import annotations

import copy
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from scripted import Answering, Received, Runner, Scripted

from onward_client import PagesEndedError, RateLimit, response_of


@pytest.fixture
def _pages(scripted: Scripted) -> None:
    """Serves six apps, two on each page."""

    def answer(received: Received, response: Answering) -> None:
        first = int(parse_qs(urlsplit(received.url).query).get("_cursor", ["0"])[0])
        apps = [{"name": f"app-{n}"} for n in (first, first + 1)]
        response.send(200, {"apps": apps, "_cursor": None if first >= 4 else str(first + 2)})

    scripted.answer(answer)


def names(items: Any) -> Any:
    return [item["name"] for item in items]


def test_the_last_page_is_followed_by_an_error_if_the_app_has_more(client: Runner, scripted: Scripted) -> None:
    refused = {"status": "expired", "login_url": "https://x.example"}
    more = {"next_page_problem": "/next is not the URL of a page", "retry_after": 7, "location": "/x"}
    meta = {**more, "fields_missing": ["y"], "refused_account": refused, "needed_scopes": [["a"], ["b", "c"]]}
    scripted.answers((200, {"network_code": 200, "output": [1], "_cursor": None, "meta": meta}))
    with pytest.raises(PagesEndedError, match="f: there may be further pages: /next is not the URL of a page") as raised:
        client.run(lambda: client.user().functions.call_pages("f"))
    page = raised.value.result
    assert (page.output, page.cursor, page.retry_after, page.location) == ([1], None, 7, "/x")
    assert page.fields_missing == ["y"]
    assert page.refused_account == refused
    assert page.needed_scopes == [["a"], ["b", "c"]]


def test_the_results_of_a_batch_are_results_of_calls_or_errors(client: Runner, scripted: Scripted) -> None:
    error = {"error": "no", "error_details": [], "code": "rate_limited", "request_id": "r"}
    called = {"status": 200, "call_id": "id-1", "replayed": True, "result": {"network_code": 404, "output": [1]}}
    refused = {"status": 429, "call_id": None, "replayed": False, "retry_after": 7, "error": error}
    scripted.answers((200, {"results": [called, refused]}))
    calls = [{"function_name": "f"}, {"function_name": "g"}]
    first, second = client.run(lambda: client.user().functions.batch_call(calls))
    assert (first.result.ok, first.result.output, first.result.call_id, first.error) == (False, [1], "id-1", None)
    assert (first.replayed, first.status) == (True, 200)
    assert (second.result, second.error, second.call_id, second.retry_after) == (None, error, None, 7)


@pytest.mark.usefixtures("_pages")
def test_a_list_is_read_page_by_page(client: Runner, scripted: Scripted) -> None:
    items = client.run(lambda: client.user().apps.list())
    assert names(items) == [f"app-{n}" for n in range(6)]
    assert len(scripted.received) == 3


@pytest.mark.usefixtures("_pages")
def test_a_list_requests_no_page_that_is_not_read(client: Runner, scripted: Scripted) -> None:
    assert names(client.run(lambda: client.user().apps.list().to_list(limit=2))) == ["app-0", "app-1"]
    assert client.run(lambda: client.user().apps.list().to_list(limit=0)) == []
    assert len(scripted.received) == 1


@pytest.mark.usefixtures("_pages")
def test_a_list_can_be_read_by_pages_and_continued_at_a_stored_cursor(client: Runner) -> None:
    first = client.run(lambda: client.user().apps.list().first_page())
    assert (names(first.items), first.cursor) == (["app-0", "app-1"], "2")
    last = client.run(lambda: client.user().apps.list(cursor="4").first_page())
    assert (names(last.items), last.cursor) == (["app-4", "app-5"], None)
    assert client.run(last.next_page) is None
    second = client.run(lambda: following(client.user().apps.list(), client.uses_asyncio))
    assert names(second.items) == ["app-2", "app-3"]


def following(items: Any, uses_asyncio: bool) -> Any:
    async def wait() -> Any:
        return await (await items.first_page()).next_page()

    return wait() if uses_asyncio else items.first_page().next_page()


def test_call_pages_passes_each_cursor_back_as_it_came(client: Runner, scripted: Scripted) -> None:
    cursors = [{"after": 1}, 7, "abc", None]

    def answer(_received: Received, response: Answering) -> None:
        n = len(scripted.received) - 1
        response.send(200, {"network_code": 200, "output": [n], "_cursor": cursors[n]})

    scripted.answer(answer)
    pages = client.run(lambda: client.user().functions.call_pages("f", {"a": 1}, idempotency_key="first"))
    assert [page.output for page in pages] == [[0], [1], [2], [3]]
    bodies = [one.json() for one in scripted.received]
    assert bodies == [{"a": 1}, *({"a": 1, "_cursor": cursor} for cursor in cursors[:3])]
    keys = [one.headers["idempotency-key"] for one in scripted.received]
    assert keys[0] == "first"
    assert len(set(keys)) == 4


HEADERS = {
    "X-Request-ID": "req-1",
    "RateLimit-Policy": '"application";q=60000;w=60, "user";q=1200;w=60',
    "RateLimit": '"application";r=59321;t=24, "user";r=1187;t=24',
}


def test_the_response_of_a_result_has_its_request_id_and_rate_limits(client: Runner, scripted: Scripted) -> None:
    scripted.answers((200, {"name": "slack"}, HEADERS))
    app = client.run(lambda: client.user().apps.get("slack"))
    answer = response_of(app)
    assert (answer.status, answer.request_id, answer.text, answer.attempts) == (200, "req-1", '{"name": "slack"}', 1)
    assert answer.rate_limits == [RateLimit("application", 60_000, 59_321, 24), RateLimit("user", 1_200, 1_187, 24)]
    assert (app, json.dumps(app), repr(app)) == ({"name": "slack"}, '{"name": "slack"}', "{'name': 'slack'}")


def test_results_of_calls_and_predictions_have_responses_too(client: Runner, scripted: Scripted) -> None:
    scripted.answers((200, {"network_code": 200, "output": 1, "functions": [{"name": "f"}], "meta": {"path": "offline"}}, HEADERS))
    assert response_of(client.run(lambda: client.user().functions.call("f"))).request_id == "req-1"
    predicted = client.run(lambda: client.user().functions.predict("p"))
    assert (predicted, response_of(predicted).request_id) == ([{"name": "f"}], "req-1")
    assert json.loads(response_of(predicted).text)["meta"] == {"path": "offline"}


def test_other_values_have_no_response(client: Runner, scripted: Scripted) -> None:
    app = client.run(lambda: client.user().apps.get("slack"))
    assert response_of(copy.copy(app)).status == 200
    for other in (dict(app), None, 1):
        with pytest.raises(TypeError, match="not the result of a method"):
            response_of(other)
