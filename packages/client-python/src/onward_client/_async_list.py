from __future__ import annotations

from dataclasses import dataclass, field
from typing import AsyncIterator, Awaitable, Callable, Generic, Optional, Sequence, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class AsyncPage(Generic[T]):
    """One page of a list."""

    items: Sequence[T]
    #: Where the next page begins; None on the last page. Store it to continue later with the argument `cursor`.
    cursor: Optional[str]
    _fetch: Callable[[Optional[str]], Awaitable[AsyncPage[T]]] = field(repr=False)

    async def next_page(self) -> Optional[AsyncPage[T]]:
        """Returns the next page; None after the last one."""
        return None if self.cursor is None else await self._fetch(self.cursor)


class AsyncList(Generic[T]):
    """A list of Onward.

    An `async for` loop reads all its pages, one request at a time:

        async for fn in user.functions.list(app="slack"):
            print(fn["name"])
    """

    def __init__(self, fetch: Callable[[Optional[str]], Awaitable[AsyncPage[T]]], cursor: Optional[str]) -> None:
        self._fetch = fetch
        self._cursor = cursor

    async def first_page(self) -> AsyncPage[T]:
        return await self._fetch(self._cursor)

    async def to_list(self, *, limit: Optional[int] = None) -> Sequence[T]:
        """Returns all items, or at most `limit`."""
        items: list[T] = []
        if limit is not None and limit <= 0:
            return items
        async for item in self:
            items.append(item)
            if len(items) == limit:
                break
        return items

    async def __aiter__(self) -> AsyncIterator[T]:
        page: Optional[AsyncPage[T]] = await self.first_page()
        while page is not None:
            for item in page.items:
                yield item
            page = await page.next_page()
