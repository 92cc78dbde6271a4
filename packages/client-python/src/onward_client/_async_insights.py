from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Mapping, Optional, Sequence

from . import _insights_requests as requests
from ._async_list import AsyncList
from ._async_requester import AsyncRequester
from ._request import RequestOptions
from ._types import (
    CreatedSubscription,
    Delivery,
    DeliveryId,
    DeliveryStatus,
    RotatedSecret,
    Subscription,
    SubscriptionSettings,
    SubscriptionWithCounts,
    TaskHistory,
    TaskStatus,
    TaskStatusWithPercents,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncInsightsUsers:
    def __init__(self, requester: AsyncRequester, app_key: Callable[[], str]) -> None:
        self._requester = requester
        self._app_key = app_key

    def list(
        self,
        *,
        search: Optional[str] = None,
        min_percent: Optional[float] = None,
        max_percent: Optional[float] = None,
        limit_reached: Optional[bool] = None,
        page_size: int = 1_000,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncList[TaskStatusWithPercents]:
        """Lists the task counts of all users of the application, in the order of their ids.

        `search`: only users whose id contains this text. `min_percent`, `max_percent`: only users who have used at
        least, or at most, this many percent of their limit. `limit_reached`: True for only users who have reached
        their limit, False for only the others.
        """
        request = requests.list_users(self._app_key(), search, min_percent, max_percent, limit_reached, page_size)
        return self._requester.list(request, cursor, options)

    async def get(self, user_id: str, **options: Unpack[RequestOptions]) -> TaskStatus:
        """Returns the task counts of one user."""
        return await self._requester.send(requests.get_user(self._app_key(), user_id), options)

    async def history(
        self,
        user_id: str,
        *,
        since: Optional[str] = None,
        until: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> TaskHistory:
        """Returns a user's tasks per day.

        `since` and `until` are days such as `2026-11-01`; by default the last 30 days.
        """
        return await self._requester.send(requests.get_history(self._app_key(), user_id, since, until), options)


class AsyncInsightsLimits:
    def __init__(self, requester: AsyncRequester, app_key: Callable[[], str]) -> None:
        self._requester = requester
        self._app_key = app_key

    async def set(self, limits: Mapping[str, int], **options: Unpack[RequestOptions]) -> None:
        """Sets the limits of up to 10,000 users, in tasks per period. All of them are set, or none."""
        await self._requester.send(requests.set_limits(self._app_key(), limits), options)

    async def set_all(self, limit: int, **options: Unpack[RequestOptions]) -> None:
        """Sets the limit of every existing user of the workspace."""
        await self._requester.send(requests.set_all_limits(limit), options)

    async def set_default(self, limit: int, **options: Unpack[RequestOptions]) -> None:
        """Sets the limit of users whom Onward sees for the first time."""
        await self._requester.send(requests.set_default_limit(limit), options)


class AsyncInsightsSubscriptions:
    def __init__(self, requester: AsyncRequester) -> None:
        self._requester = requester

    async def create(
        self, *, events: Sequence[str], callback_url: str, **options: Unpack[RequestOptions]
    ) -> CreatedSubscription:
        """Subscribes a URL to events such as `user_tasks_limit_80` and `account_connected`.

        Store the `signing_secret`: it is shown only once.
        """
        return await self._requester.send(requests.create_subscription(events, callback_url), options)

    def list(
        self,
        *,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncList[Subscription]:
        """Lists the subscriptions, newest first."""
        return self._requester.list(requests.list_subscriptions(page_size), cursor, options)

    async def get(self, subscription_id: str, **options: Unpack[RequestOptions]) -> SubscriptionWithCounts:
        """Returns a subscription with the numbers of its deliveries."""
        return await self._requester.send(requests.get_subscription(subscription_id), options)

    async def update(
        self,
        subscription_id: str,
        *,
        events: Optional[Sequence[str]] = None,
        callback_url: Optional[str] = None,
        if_unchanged: Optional[SubscriptionSettings] = None,
        **options: Unpack[RequestOptions],
    ) -> Subscription:
        """Changes the callback URL or the events of a subscription.

        Pending deliveries go to the new URL. `if_unchanged` has the values that you have read: if another value is
        stored, the error is 409 `changed_since_read`, and nothing changes.
        """
        request = requests.update_subscription(subscription_id, events, callback_url, if_unchanged)
        return await self._requester.send(request, options)

    async def delete(self, subscription_id: str, **options: Unpack[RequestOptions]) -> None:
        await self._requester.send(requests.delete_subscription(subscription_id), options)

    async def disable(self, subscription_id: str, **options: Unpack[RequestOptions]) -> Subscription:
        """Disables a subscription: nothing more is sent to it."""
        return await self._requester.send(requests.disable_subscription(subscription_id), options)

    async def enable(self, subscription_id: str, **options: Unpack[RequestOptions]) -> Subscription:
        """Enables a disabled subscription again."""
        return await self._requester.send(requests.enable_subscription(subscription_id), options)

    async def rotate_secret(
        self, subscription_id: str, *, keep_previous_hours: Optional[int] = None, **options: Unpack[RequestOptions]
    ) -> RotatedSecret:
        """Makes a new signing secret.

        The previous one signs webhooks too, for up to `keep_previous_hours` (24 by default).
        """
        return await self._requester.send(requests.rotate_secret(subscription_id, keep_previous_hours), options)

    async def test(self, subscription_id: str, **options: Unpack[RequestOptions]) -> DeliveryId:
        """Sends a webhook with invented figures."""
        return await self._requester.send(requests.test_subscription(subscription_id), options)

    def deliveries(
        self,
        subscription_id: str,
        *,
        status: Optional[DeliveryStatus] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncList[Delivery]:
        """Lists the deliveries of a subscription with their attempts, newest first."""
        return self._requester.list(requests.list_deliveries(subscription_id, status, page_size), cursor, options)


class AsyncInsightsDeliveries:
    def __init__(self, requester: AsyncRequester) -> None:
        self._requester = requester

    async def replay(self, delivery_id: str, **options: Unpack[RequestOptions]) -> DeliveryId:
        """Sends a delivery again at once, with the same id and bytes."""
        return await self._requester.send(requests.replay_delivery(delivery_id), options)
