from __future__ import annotations

import logging
import re
from datetime import datetime
from typing import Any, List

import pytest
from scripted import Runner, Scripted

from onward_client import Onward, OnwardInsights

ANSWER = {"network_code": 200, "output": None}


def test_options_come_from_the_environment(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BASE_URL", scripted.url), ("APP_KEY", "k"), ("APP_SECRET", "s")):
        monkeypatch.setenv(f"ONWARD_{name}", value)
    Onward().for_user("joe").apps.get("a")
    assert scripted.received[0].headers["app-key"] == "k"


def test_the_environment_sets_no_proxy(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert scripted.user(max_retries=0).apps.get("a") == {}


@pytest.mark.parametrize(
    ("name", "make", "variable"),
    [
        ("base_url", lambda: Onward(app_key="k", app_secret="s"), "ONWARD_BASE_URL"),
        ("app_key", lambda: Onward(base_url="http://x", app_secret="s"), "ONWARD_APP_KEY"),
        ("app_secret", lambda: Onward(base_url="http://x", app_key="k").for_user("joe"), "ONWARD_APP_SECRET"),
        ("api_key", lambda: OnwardInsights(base_url="http://x"), "ONWARD_API_KEY"),
        ("base_url", lambda: OnwardInsights(api_key="k"), "ONWARD_INSIGHTS_URL"),
    ],
)
def test_a_missing_option_is_named(name: str, make: Any, variable: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} is missing: .*{variable}"):
        make()


@pytest.mark.parametrize("user_id", ["", ".", "..", " joe", "joe\n", "joe "])
def test_a_user_id_that_no_header_can_carry_is_refused(scripted: Scripted, user_id: str) -> None:
    with pytest.raises(ValueError, match="the user id must not"):
        scripted.user(user_id)


@pytest.mark.parametrize("base_url", ["ftp://x", "x", "http://", "http://u:p@x/", "http://x/?a", "http://x:port"])
def test_a_wrong_address_is_refused(base_url: str) -> None:
    with pytest.raises(ValueError, match="base_url must"):
        Onward(base_url=base_url, app_key="k", app_secret="s")


def test_path_segments_that_url_libraries_remove_are_refused(client: Runner) -> None:
    with pytest.raises(ValueError, match=r"name must not be empty, \. or \.\."):
        client.run(lambda: client.user().apps.get(".."))


def test_an_argument_that_does_not_exist_is_refused(client: Runner) -> None:
    with pytest.raises(TypeError, match="there is no argument tiemout"):
        client.run(lambda: client.user().apps.get("a", tiemout=3))
    with pytest.raises(TypeError, match="there is no argument retries"):
        client.user(retries=3)


def test_a_time_without_a_time_zone_is_refused(scripted: Scripted) -> None:
    with pytest.raises(ValueError, match="since must have a time zone"):
        scripted.user().calls.list(since=datetime(2026, 11, 1))


def test_logs_contain_no_credentials_queries_or_bodies(
    client: Runner, scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="onward_client")
    scripted.answers((200, ANSWER))
    client.run(lambda: client.user().functions.call("f", {"text": "private"}, connected_account_id=77))
    lines = [record.getMessage() for record in caplog.records if record.name == "onward_client"]
    assert len(lines) == 1
    assert re.fullmatch(r"POST /functions/f/call answered 200 in \d+ ms, attempt 1", lines[0])


def test_hooks_are_called_for_each_attempt(client: Runner, scripted: Scripted) -> None:
    scripted.answers((200, ANSWER, {"X-Request-ID": "req-1"}))
    events: List[Any] = []
    user = client.user(on_request=events.append, on_response=events.append)
    client.run(lambda: user.functions.call("f", connected_account_id=77))
    asked, answered = (vars(event) for event in events)
    assert asked == {"method": "POST", "url": f"{scripted.url}/functions/f/call", "attempt": 1}
    assert answered.pop("duration") > 0
    assert answered == {**asked, "status": 200, "request_id": "req-1"}
