from __future__ import annotations

import hashlib
import hmac
import re
from datetime import datetime, timezone
from typing import Any, List

import pytest
from scripted import Runner, Scripted

from onward_client import Onward, hash_user_id

B = "/partners/api/insights"
VARIABLES = {"variables": {"a": 1}, "time_zone": "Europe/Rome"}

# The name of a method, a call of it, and what it sends: the method, the path with its query, and the body.
OF_USER: List[Any] = [
    (
        "apps.list",
        lambda user: user.apps.list(search="x y", connected_only=True, page_size=5),
        ("POST", "/apps/list?search=x+y&connected_only=true&page_size=5", None),
    ),
    ("apps.get", lambda user: user.apps.get("slack"), ("POST", "/apps/slack/get", None)),
    (
        "functions.list",
        lambda user: user.functions.list(app="slack", type="QUERY", include="meta"),
        ("POST", "/functions/list?app=slack&type=QUERY&include=meta", None),
    ),
    (
        "functions.get",
        lambda user: user.functions.get("f", prompt="p", **VARIABLES),
        ("POST", "/functions/f/get", {"prompt": "p", "_variables": {"a": 1}, "time_zone": "Europe/Rome"}),
    ),
    (
        "functions.predict",
        lambda user: user.functions.predict("p", app="slack", connected_only=False, top_k=3, predict_arguments=True, explain=True),
        (
            "POST",
            "/functions/predict?app=slack&connected_only=false&explain=true",
            {"prompt": "p", "predict_arguments": True, "top_k": 3},
        ),
    ),
    (
        "functions.call",
        lambda user: user.functions.call("f", {"a": 1}, variables={"b": 2}, cursor="c", fields=["x.y"], connected_account_id=7),
        ("POST", "/functions/f/call?connected_account_id=7", {"a": 1, "_variables": {"b": 2}, "_cursor": "c", "_fields": ["x.y"]}),
    ),
    (
        "functions.batch_call",
        lambda user: user.functions.batch_call(
            [{"function_name": "f", "arguments": {"a": 1}, "_fields": ["x"]}, {"function_name": "g"}], in_order=True
        ),
        (
            "POST",
            "/functions/batch-call",
            {
                "calls": [{"function_name": "f", "arguments": {"a": 1}, "_fields": ["x"]}, {"function_name": "g"}],
                "mode": "in_order",
            },
        ),
    ),
    (
        "functions.dry_run",
        lambda user: user.functions.dry_run("f", {"a": 1}, fields=("x.y",), connected_account_id=7),
        ("POST", "/functions/f/call?connected_account_id=7&dry_run=true", {"a": 1, "_fields": ["x.y"]}),
    ),
    (
        "functions.call with None",
        lambda user: user.functions.call("f", {"a": None}),
        ("POST", "/functions/f/call", {"a": None}),
    ),
    (
        "accounts.list",
        lambda user: user.accounts.list(app="slack"),
        ("POST", "/connected-accounts/list", {"app": "slack"}),
    ),
    (
        "accounts.rename",
        lambda user: user.accounts.rename(7, "Work"),
        ("PATCH", "/connected-accounts/7", {"display_name": "Work"}),
    ),
    (
        "accounts.set_default",
        lambda user: user.accounts.set_default(7),
        ("POST", "/connected-accounts/7/set_as_default", None),
    ),
    (
        "connect.session",
        lambda user: user.connect.session(
            app="slack", redirect_uri="https://x.example/", manage=True, user_name="Joe"
        ),
        (
            "POST",
            "/connect/session",
            {"app": "slack", "redirect_uri": "https://x.example/", "manage": True, "user_name": "Joe"},
        ),
    ),
    (
        "accounts.confirm",
        lambda user: user.accounts.confirm(7, "abc"),
        ("POST", "/connected-accounts/7/confirm", {"confirmation": "abc"}),
    ),
    (
        "approvals.list",
        lambda user: user.approvals.list(state="pending"),
        ("POST", "/approvals/list", {"state": "pending"}),
    ),
    ("approvals.get", lambda user: user.approvals.get("id-1"), ("GET", "/approvals/id-1", None)),
    (
        "approvals.approve",
        lambda user: user.approvals.approve("id-1"),
        ("POST", "/approvals/id-1/decide", {"result": "approved"}),
    ),
    (
        "approvals.refuse",
        lambda user: user.approvals.refuse("id-1", reason="No."),
        ("POST", "/approvals/id-1/decide", {"result": "refused", "reason": "No."}),
    ),
    (
        "mcp.create_token",
        lambda user: user.mcp.create_token("direct", apps=("slack",), read_only=True, expires_in_days=7),
        ("POST", "/mcp/tokens", {"mode": "direct", "apps": ["slack"], "read_only": True, "expires_in_days": 7}),
    ),
    ("mcp.list_tokens", lambda user: user.mcp.list_tokens(page_size=5), ("POST", "/mcp/tokens/list", {"page_size": 5})),
    (
        "mcp.narrow_token",
        lambda user: user.mcp.narrow_token("id-1", apps=("slack",), read_only=True),
        ("PATCH", "/mcp/tokens/id-1", {"apps": ["slack"], "read_only": True}),
    ),
    (
        "mcp.create_sign_in_link",
        lambda user: user.mcp.create_sign_in_link(expires_in_minutes=60),
        ("POST", "/mcp/sign-in/link", {"expires_in_minutes": 60}),
    ),
    (
        "mcp.approve_sign_in",
        lambda user: user.mcp.approve_sign_in("sealed"),
        ("POST", "/mcp/sign-in/approve", {"request": "sealed"}),
    ),
    ("mcp.revoke_token", lambda user: user.mcp.revoke_token("a/b"), ("DELETE", "/mcp/tokens/a%2Fb", None)),
    (
        "accounts.disconnect",
        lambda user: user.accounts.disconnect(7, force=True),
        ("DELETE", "/connected-accounts/7?force=true", None),
    ),
    (
        "calls.list",
        lambda user: user.calls.list(function_name="f", since=datetime.fromtimestamp(0, timezone.utc), internal=True),
        ("POST", "/calls/list", {"function_name": "f", "since": "1970-01-01T00:00:00.000Z", "internal": True}),
    ),
    ("calls.get", lambda user: user.calls.get("id-1"), ("POST", "/calls/id-1/get", None)),
    ("request", lambda user: user.request("PUT", "/new", query={"a": "b"}, body=[1]), ("PUT", "/new?a=b", [1])),
]

OF_WORKSPACE: List[Any] = [
    (
        "users.list",
        lambda insights: insights.users.list(min_percent=80, limit_reached=False),
        ("GET", f"{B}/users/tasks/?app_key=key&min_percent=80&limit_reached=false&page_size=1000", None),
    ),
    (
        "users.get",
        lambda insights: insights.users.get("joe/x@ü"),
        ("GET", f"{B}/users/joe%2Fx%40%C3%BC/tasks/?app_key=key", None),
    ),
    (
        "users.history",
        lambda insights: insights.users.history("joe", since="2026-11-01"),
        ("GET", f"{B}/users/joe/tasks/history/?app_key=key&since=2026-11-01", None),
    ),
    (
        "limits.set",
        lambda insights: insights.limits.set({"joe": 5, "ann": 0}),
        (
            "POST",
            f"{B}/users/tasks/?app_key=key",
            [{"user_id": "joe", "allowed_tasks": 5}, {"user_id": "ann", "allowed_tasks": 0}],
        ),
    ),
    (
        "limits.set_all",
        lambda insights: insights.limits.set_all(9),
        ("POST", f"{B}/users/tasks-bulk/", {"tasks_limit": 9}),
    ),
    (
        "limits.set_default",
        lambda insights: insights.limits.set_default(9),
        ("PATCH", "/partners/api/accounts/me/", {"tasks_limit": 9}),
    ),
    (
        "subscriptions.create",
        lambda insights: insights.subscriptions.create(
            events=["user_tasks_limit_80"], callback_url="https://x.example/"
        ),
        ("POST", f"{B}/subscriptions/", {"events": ["user_tasks_limit_80"], "callback_url": "https://x.example/"}),
    ),
    ("subscriptions.list", lambda insights: insights.subscriptions.list(), ("GET", f"{B}/subscriptions/", None)),
    ("subscriptions.get", lambda insights: insights.subscriptions.get("s"), ("GET", f"{B}/subscriptions/s/", None)),
    (
        "subscriptions.update",
        lambda insights: insights.subscriptions.update("s", callback_url="https://y.example/"),
        ("PATCH", f"{B}/subscriptions/s/", {"callback_url": "https://y.example/"}),
    ),
    (
        "subscriptions.update if unchanged",
        lambda insights: insights.subscriptions.update(
            "s", callback_url="https://y.example/", if_unchanged={"callback_url": "https://x.example/"}
        ),
        (
            "PATCH",
            f"{B}/subscriptions/s/",
            {"callback_url": "https://y.example/", "if_unchanged": {"callback_url": "https://x.example/"}},
        ),
    ),
    (
        "subscriptions.delete",
        lambda insights: insights.subscriptions.delete("s"),
        ("DELETE", f"{B}/subscriptions/s/", None),
    ),
    (
        "subscriptions.disable",
        lambda insights: insights.subscriptions.disable("s"),
        ("POST", f"{B}/subscriptions/s/disable/", None),
    ),
    (
        "subscriptions.enable",
        lambda insights: insights.subscriptions.enable("s"),
        ("POST", f"{B}/subscriptions/s/enable/", None),
    ),
    (
        "subscriptions.rotate_secret",
        lambda insights: insights.subscriptions.rotate_secret("s", keep_previous_hours=0),
        ("POST", f"{B}/subscriptions/s/rotate-secret/", {"keep_previous_hours": 0}),
    ),
    (
        "subscriptions.test",
        lambda insights: insights.subscriptions.test("s"),
        ("POST", f"{B}/subscriptions/s/test/", None),
    ),
    (
        "subscriptions.deliveries",
        lambda insights: insights.subscriptions.deliveries("s", status="failed", page_size=9),
        ("GET", f"{B}/subscriptions/s/deliveries/?status=failed&page_size=9", None),
    ),
    (
        "deliveries.replay",
        lambda insights: insights.deliveries.replay("d"),
        ("POST", f"{B}/deliveries/d/replay/", None),
    ),
]

ANSWER = {"network_code": 200, "output": None, "functions": [], "results": [], "connected_accounts": []}


def sent(scripted: Scripted) -> List[Any]:
    return [(one.method, one.url, one.json()) for one in scripted.received]


@pytest.mark.parametrize(("_name", "step", "wanted"), OF_USER, ids=[name for name, *_ in OF_USER])
def test_a_method_of_a_user_sends_its_request(
    client: Runner, scripted: Scripted, _name: str, step: Any, wanted: Any
) -> None:
    scripted.answers((200, ANSWER))
    client.run(lambda: step(client.user()))
    assert sent(scripted) == [wanted]


@pytest.mark.parametrize(("_name", "step", "wanted"), OF_WORKSPACE, ids=[name for name, *_ in OF_WORKSPACE])
def test_a_method_of_a_workspace_sends_its_request(
    client: Runner, scripted: Scripted, _name: str, step: Any, wanted: Any
) -> None:
    client.run(lambda: step(client.insights()))
    assert sent(scripted) == [wanted]
    assert scripted.received[0].headers["api-key"] == "pk_1"


def test_every_method_is_in_the_tables(scripted: Scripted) -> None:
    skipped = {"functions.call_or_raise", "functions.call_pages", "connect.wait_for_account"}
    for instance, table in ((scripted.user(), OF_USER), (scripted.insights(), OF_WORKSPACE)):
        names = {name for name, *_ in table} | skipped
        for part, value in vars(instance).items():
            if not part.startswith("_") and hasattr(value, "__dict__"):
                methods = {f"{part}.{name}" for name in dir(value) if not name.startswith("_")}
                assert methods <= names


def test_a_user_sends_its_credentials_and_the_versions(client: Runner, scripted: Scripted) -> None:
    client.run(lambda: client.user("Ünï@例.jp", app_name="my shop").apps.get("a"))
    headers = scripted.received[0].headers
    assert headers["app-key"] == "key"
    assert headers["user-id"].encode("latin-1").decode() == "Ünï@例.jp"
    assert headers["hash"] == hmac.new(b"secret", "Ünï@例.jp".encode(), hashlib.sha256).hexdigest()
    assert re.fullmatch(r"onward-sdk/\d+\.\d+\.\d+ \(python/[\d.]+; \w+\) app/my-shop", headers["user-agent"])


def test_a_hash_that_was_computed_elsewhere_replaces_the_secret(scripted: Scripted) -> None:
    onward = Onward(base_url=scripted.url, app_key="key")
    onward.for_user("joe", hash=hash_user_id("secret", "joe")).apps.get("a")
    assert scripted.received[0].headers["hash"] == hmac.new(b"secret", b"joe", hashlib.sha256).hexdigest()


def test_headers_of_a_request_replace_those_of_the_client_but_not_the_credentials(
    client: Runner, scripted: Scripted
) -> None:
    user = client.user(headers={"X-A": "1", "X-B": "1"})
    client.run(lambda: user.apps.get("a", headers={"x-b": "2", "hash": "no"}))
    headers = scripted.received[0].headers
    assert (headers["x-a"], headers["x-b"], len(headers["hash"])) == ("1", "2", 64)


def test_cookies_are_not_sent_back(scripted: Scripted) -> None:
    scripted.answers((200, {}, {"Set-Cookie": "session=1"}))
    user = scripted.user()
    user.apps.get("a")
    user.apps.get("a")
    assert "cookie" not in scripted.received[1].headers
