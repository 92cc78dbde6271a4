from __future__ import annotations

from typing import Any

import pytest
from scripted import Runner, Scripted

from onward_client import ApiTimeoutError


def account(id: int, modified_at: str, status: str = "active") -> Any:
    return {"id": id, "display_name": "Ada", "modified_at": modified_at, "status": status, "last_error": None}


def listed(*accounts: Any) -> Any:
    return (200, {"connected_accounts": list(accounts)})


@pytest.mark.parametrize(
    ("accounts", "id"),
    [([account(2, "b"), account(1, "a")], 2), ([account(1, "c")], 1)],
    ids=["a new account", "an account that was connected again"],
)
def test_wait_for_account_returns(client: Runner, scripted: Scripted, accounts: Any, id: int) -> None:
    old = account(1, "a")
    scripted.answers(listed(old), listed(old), listed(account(3, "x", "expired"), old), listed(*accounts))
    found = client.run(lambda: client.user().connect.wait_for_account("slack", interval=0.001))
    assert found["id"] == id
    assert [(one.url, one.json()) for one in scripted.received] == [("/connected-accounts/list", {"app": "slack"})] * 4


def test_wait_for_account_ends_after_the_total_timeout(client: Runner, scripted: Scripted) -> None:
    scripted.answers(listed(account(1, "a")))
    with pytest.raises(ApiTimeoutError, match="no account of slack was connected within 0.2 s"):
        client.run(lambda: client.user().connect.wait_for_account("slack", interval=0.001, total_timeout=0.2))
    assert len(scripted.received) > 1
