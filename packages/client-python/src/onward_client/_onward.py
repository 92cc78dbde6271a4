from __future__ import annotations

import os
from types import TracebackType
from typing import TYPE_CHECKING, Callable, Mapping, Optional, Type

import httpx

from ._async_insights import (
    AsyncInsightsDeliveries,
    AsyncInsightsLimits,
    AsyncInsightsSubscriptions,
    AsyncInsightsUsers,
)
from ._async_requester import AsyncRequester
from ._async_user import AsyncOnwardUser
from ._connection import AsyncConnection, Connection
from ._exchange import read_settings
from ._insights import InsightsDeliveries, InsightsLimits, InsightsSubscriptions, InsightsUsers
from ._request import ConnectionOptions, required
from ._requester import Requester
from ._signature import check_user_id, hash_user_id
from ._user import OnwardUser

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class _Closed:
    """Closes the connections at the end of a `with` block."""

    _connection: Connection

    def close(self) -> None:
        """Closes the connections. A client that you passed as `http_client` stays open."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        err: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


class _AsyncClosed:
    """Closes the connections at the end of an `async with` block."""

    _connection: AsyncConnection

    async def close(self) -> None:
        """Closes the connections. A client that you passed as `http_client` stays open."""
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        err: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()


class Onward(_Closed):
    """Area A: lists, predicts and calls functions on behalf of your users.

        onward = Onward(base_url=…, app_key=…, app_secret=…)
        user = onward.for_user("joe@example.com")
        result = user.functions.call("slack-post-message", {"channel": "#general", "text": "Hello"})

    `base_url` is the address of the functions service. The defaults are the environment variables `ONWARD_BASE_URL`,
    `ONWARD_APP_KEY` and `ONWARD_APP_SECRET`. `http_client` replaces the client of httpx, for example to use a proxy.
    Further arguments: `ConnectionOptions`.
    """

    def __init__(
        self,
        *,
        base_url: Optional[str] = None,
        app_key: Optional[str] = None,
        app_secret: Optional[str] = None,
        http_client: Optional[httpx.Client] = None,
        **options: Unpack[ConnectionOptions],
    ) -> None:
        self._settings = read_settings(required(base_url, "base_url", "ONWARD_BASE_URL"), options)
        self._credentials = _user_credentials(app_key, app_secret)
        self._connection = Connection(self._settings, http_client)

    def for_user(self, user_id: str, *, hash: Optional[str] = None) -> OnwardUser:
        """Returns the API for one user.

        `user_id` is your own id of the user. `hash` replaces the application secret: it is the result of
        `hash_user_id`, computed on your server.
        """
        requester = Requester(self._settings, self._connection, self._credentials(user_id, hash))
        return OnwardUser(user_id, requester)


class AsyncOnward(_AsyncClosed):
    """Area A with asyncio: lists, predicts and calls functions on behalf of your users.

        async with AsyncOnward() as onward:
            user = onward.for_user("joe@example.com")
            result = await user.functions.call("slack-post-message", {"channel": "#general", "text": "Hello"})

    The arguments are the same as of `Onward`. A client works in several event loops, with connections for each.
    """

    def __init__(
        self,
        *,
        base_url: Optional[str] = None,
        app_key: Optional[str] = None,
        app_secret: Optional[str] = None,
        http_client: Optional[httpx.AsyncClient] = None,
        **options: Unpack[ConnectionOptions],
    ) -> None:
        self._settings = read_settings(required(base_url, "base_url", "ONWARD_BASE_URL"), options)
        self._credentials = _user_credentials(app_key, app_secret)
        self._connection = AsyncConnection(self._settings, http_client)

    def for_user(self, user_id: str, *, hash: Optional[str] = None) -> AsyncOnwardUser:
        """Returns the API for one user.

        `user_id` is your own id of the user. `hash` replaces the application secret: it is the result of
        `hash_user_id`, computed on your server.
        """
        requester = AsyncRequester(self._settings, self._connection, self._credentials(user_id, hash))
        return AsyncOnwardUser(user_id, requester)


class OnwardInsights(_Closed):
    """Area B: task counts, limits and webhooks of a workspace.

    `base_url` is the address of the insights service, `api_key` the API key of your workspace, and `app_key` the
    application whose users are meant. The defaults are the environment variables `ONWARD_INSIGHTS_URL`,
    `ONWARD_API_KEY` and `ONWARD_APP_KEY`. `http_client` replaces the client of httpx, for example to use a proxy.
    Further arguments: `ConnectionOptions`.
    """

    def __init__(
        self,
        *,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        app_key: Optional[str] = None,
        http_client: Optional[httpx.Client] = None,
        **options: Unpack[ConnectionOptions],
    ) -> None:
        credentials = {"api-key": required(api_key, "api_key", "ONWARD_API_KEY")}
        settings = read_settings(required(base_url, "base_url", "ONWARD_INSIGHTS_URL"), options)
        application = _application(app_key)
        self._connection = Connection(settings, http_client)
        requester = Requester(settings, self._connection, credentials)
        self.users = InsightsUsers(requester, application)
        self.limits = InsightsLimits(requester, application)
        self.subscriptions = InsightsSubscriptions(requester)
        self.deliveries = InsightsDeliveries(requester)


class AsyncOnwardInsights(_AsyncClosed):
    """Area B with asyncio: task counts, limits and webhooks of a workspace.

    The arguments are the same as of `OnwardInsights`. A client works in several event loops, with connections for each.
    """

    def __init__(
        self,
        *,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        app_key: Optional[str] = None,
        http_client: Optional[httpx.AsyncClient] = None,
        **options: Unpack[ConnectionOptions],
    ) -> None:
        credentials = {"api-key": required(api_key, "api_key", "ONWARD_API_KEY")}
        settings = read_settings(required(base_url, "base_url", "ONWARD_INSIGHTS_URL"), options)
        application = _application(app_key)
        self._connection = AsyncConnection(settings, http_client)
        requester = AsyncRequester(settings, self._connection, credentials)
        self.users = AsyncInsightsUsers(requester, application)
        self.limits = AsyncInsightsLimits(requester, application)
        self.subscriptions = AsyncInsightsSubscriptions(requester)
        self.deliveries = AsyncInsightsDeliveries(requester)


def _user_credentials(
    app_key: Optional[str], app_secret: Optional[str]
) -> Callable[[str, Optional[str]], Mapping[str, str]]:
    """Returns a function that makes the headers for a user from the user's id and an optional hash."""
    key = required(app_key, "app_key", "ONWARD_APP_KEY")
    secret = app_secret or os.environ.get("ONWARD_APP_SECRET")

    def credentials(user_id: str, given_hash: Optional[str]) -> Mapping[str, str]:
        check_user_id(user_id)
        if given_hash is None and not secret:
            raise ValueError(
                "app_secret is missing: pass it as an argument, set ONWARD_APP_SECRET, or pass a hash to for_user"
            )
        return {"App-Key": key, "User-ID": user_id, "Hash": given_hash or hash_user_id(secret or "", user_id)}

    return credentials


def _application(app_key: Optional[str]) -> Callable[[], str]:
    # Methods that concern the whole workspace need no application.
    return lambda: required(app_key, "app_key", "ONWARD_APP_KEY")
