"""A client for asyncio in several event loops."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Dict, List

import httpx
import pytest
from scripted import Scripted

from onward_client import AsyncOnward, AsyncOnwardInsights, OnwardError


def arguments(scripted: Scripted) -> Dict[str, Any]:
    return {"base_url": scripted.url, "app_key": "key"}


async def twice(onward: Any) -> List[Any]:
    user = onward.for_user("joe@example.com")
    return [await user.apps.get("a"), await user.apps.get("a")]


def test_a_client_works_in_one_event_loop_after_the_other(scripted: Scripted) -> None:
    onward = AsyncOnward(**arguments(scripted), app_secret="s", max_retries=0)
    assert [asyncio.run(twice(onward)) for _ in range(3)] == [[{}, {}]] * 3


def test_a_client_of_area_b_works_in_one_event_loop_after_the_other(scripted: Scripted) -> None:
    scripted.answers((200, {"users": [], "_cursor": None}))
    insights = AsyncOnwardInsights(**arguments(scripted), api_key="pk_1", max_retries=0)
    assert [asyncio.run(insights.users.list().to_list()) for _ in range(3)] == [[], [], []]


def test_a_client_works_in_event_loops_of_several_threads_at_once(scripted: Scripted) -> None:
    onward = AsyncOnward(**arguments(scripted), app_secret="s", max_retries=0)
    results: List[Any] = []
    threads = [threading.Thread(target=lambda: results.append(asyncio.run(twice(onward)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[{}, {}]] * 4


def test_a_client_can_be_closed_in_each_event_loop(scripted: Scripted) -> None:
    onward = AsyncOnward(**arguments(scripted), app_secret="s", max_retries=0)

    async def close_after_use() -> List[Any]:
        async with onward:
            return await twice(onward)

    assert [asyncio.run(close_after_use()) for _ in range(2)] == [[{}, {}]] * 2


def test_an_http_client_of_the_program_in_another_event_loop_is_an_error_that_says_what_to_do(scripted: Scripted) -> None:
    given = httpx.AsyncClient(trust_env=False)
    onward = AsyncOnward(**arguments(scripted), app_secret="s", max_retries=0, http_client=given)
    assert asyncio.run(twice(onward)) == [{}, {}]
    with pytest.raises(OnwardError, match="make one httpx.AsyncClient for each event loop"):
        asyncio.run(twice(onward))
