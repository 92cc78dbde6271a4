from __future__ import annotations

from typing import Mapping, Optional, TypeVar

from ._response import read_response
from ._async_list import AsyncList, AsyncPage
from ._connection import AsyncConnection
from ._exchange import Exchange, Settings
from ._request import ListRequest, RequestOptions, WireRequest

T = TypeVar("T")


class AsyncRequester:
    """What the classes of the API use to send requests with asyncio."""

    def __init__(self, settings: Settings, connection: AsyncConnection, credentials: Mapping[str, str]) -> None:
        self._settings = settings
        self._connection = connection
        self._credentials = credentials
        self.max_retries = settings.max_retries

    async def send(self, request: WireRequest[T], options: RequestOptions) -> T:
        exchange = Exchange(self._settings, request, options, self._credentials)
        return read_response(request, await self._connection.send(exchange))

    def list(self, request: ListRequest[T], cursor: Optional[str], options: RequestOptions) -> AsyncList[T]:
        async def fetch(at: Optional[str]) -> AsyncPage[T]:
            body = await self.send(request.at(at), options)
            return AsyncPage(body.get(request.field, []), body.get("_cursor"), fetch)

        return AsyncList(fetch, cursor)
