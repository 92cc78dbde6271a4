from __future__ import annotations

from typing import Any, Iterator

import pytest
from scripted import Runner, Scripted, open_scripted

VARIABLES = ["ONWARD_BASE_URL", "ONWARD_APP_KEY", "ONWARD_APP_SECRET", "ONWARD_INSIGHTS_URL", "ONWARD_API_KEY"]


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    with open_scripted() as server:
        yield server


@pytest.fixture(params=["sync", "asyncio"])
def client(request: Any, scripted: Scripted) -> Runner:
    return Runner(scripted, request.param == "asyncio")
