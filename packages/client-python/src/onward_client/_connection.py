"""The input and output of both clients. Everything else about a request is decided by `Exchange`."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from functools import lru_cache
from typing import Dict, List, Optional, TypeVar

import httpx

from ._response import Received
from ._errors import OnwardError
from ._exchange import Exchange, Settings

T = TypeVar("T")


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Returns the TLS settings of all clients. Loading the certificates takes 40 ms of CPU."""
    return httpx.create_ssl_context(trust_env=False)


class Connection:
    """Sends requests with httpx. Threads can share it."""

    def __init__(self, settings: Settings, http_client: Optional[httpx.Client]) -> None:
        self._settings = settings
        self._given = http_client
        self._open()

    def _open(self) -> None:
        self._own = httpx.Client(verify=_tls(), trust_env=False) if self._given is None else None
        self._process = os.getpid()

    def _http(self) -> httpx.Client:
        if self._given is not None:
            return self._given
        # After a fork, both processes would read from the same sockets. Closing them here could end TLS connections of
        # the parent.
        if self._process != os.getpid():
            self._open()
        assert self._own is not None
        return self._own

    def send(self, exchange: Exchange[T]) -> Received:
        while True:
            try:
                response = self._http().send(exchange.begin(), stream=True, follow_redirects=False)
                try:
                    chunks: List[bytes] = []
                    for chunk in response.iter_bytes():
                        chunks.append(chunk)
                        exchange.check_time()
                finally:
                    response.close()
                return exchange.finish(response, b"".join(chunks))
            except (httpx.HTTPError, OnwardError) as err:
                pause = exchange.pause_after(err)
            time.sleep(pause)

    def close(self) -> None:
        if self._own is not None:
            self._own.close()


class AsyncConnection:
    """Sends requests with httpx and asyncio. Each event loop has its own connections."""

    def __init__(self, settings: Settings, http_client: Optional[httpx.AsyncClient]) -> None:
        self._settings = settings
        self._given = http_client
        self._forget()

    def _forget(self) -> None:
        self._by_loop: Dict[asyncio.AbstractEventLoop, httpx.AsyncClient] = {}
        self._process = os.getpid()

    def _http(self) -> httpx.AsyncClient:
        if self._given is not None:
            return self._given
        # After a fork, both processes would read from the same sockets. Closing them here could end TLS connections of
        # the parent.
        if self._process != os.getpid():
            self._forget()
        loop = asyncio.get_running_loop()
        client = self._by_loop.get(loop)
        if client is None:
            # The connections of a closed loop cannot be used or closed any more.
            for other in list(self._by_loop):
                if other.is_closed():
                    self._by_loop.pop(other, None)
            client = self._by_loop[loop] = httpx.AsyncClient(verify=_tls(), trust_env=False)
        return client

    async def send(self, exchange: Exchange[T]) -> Received:
        while True:
            try:
                response = await self._http().send(exchange.begin(), stream=True, follow_redirects=False)
                try:
                    chunks: List[bytes] = []
                    async for chunk in response.aiter_bytes():
                        chunks.append(chunk)
                        exchange.check_time()
                finally:
                    await response.aclose()
                return exchange.finish(response, b"".join(chunks))
            except (httpx.HTTPError, OnwardError) as err:
                pause = exchange.pause_after(err)
            except RuntimeError as err:
                # asyncio raises nothing more exact for a connection that another event loop opened.
                if self._given is None or self._given.is_closed or "loop" not in str(err):
                    raise
                raise OnwardError(
                    "the http_client was used in another event loop before: make one httpx.AsyncClient for each event"
                    " loop, or pass none, and Onward opens connections for each event loop"
                ) from err
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """Closes the connections of the running event loop."""
        client = self._by_loop.get(asyncio.get_running_loop())
        if client is not None:
            await client.aclose()
