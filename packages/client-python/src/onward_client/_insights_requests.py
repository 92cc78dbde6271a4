"""The requests of area B, for the clients with and without asyncio."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

from ._response import Received
from ._request import ListRequest, WireRequest, present, segment
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

_BASE = "/partners/api"
_INSIGHTS = f"{_BASE}/insights"
_SUBSCRIPTIONS = f"{_INSIGHTS}/subscriptions/"


def list_users(
    app_key: str,
    search: Optional[str],
    min_percent: Optional[float],
    max_percent: Optional[float],
    limit_reached: Optional[bool],
    page_size: int,
) -> ListRequest[TaskStatusWithPercents]:
    query = present(
        app_key=app_key,
        search=search,
        min_percent=min_percent,
        max_percent=max_percent,
        limit_reached=limit_reached,
        page_size=page_size,
    )
    path = f"{_INSIGHTS}/users/tasks/"
    return ListRequest("users", lambda cursor: WireRequest("GET", path, True, query={**query, "_cursor": cursor}))


def get_user(app_key: str, user_id: str) -> WireRequest[TaskStatus]:
    path = f"{_INSIGHTS}/users/{segment('user_id', user_id)}/tasks/"
    return WireRequest("GET", path, True, query={"app_key": app_key})


def get_history(app_key: str, user_id: str, since: Optional[str], until: Optional[str]) -> WireRequest[TaskHistory]:
    path = f"{_INSIGHTS}/users/{segment('user_id', user_id)}/tasks/history/"
    return WireRequest("GET", path, True, query={"app_key": app_key, "since": since, "until": until})


def _nothing(_body: Any, _received: Received) -> None:
    return None


def set_limits(app_key: str, limits: Mapping[str, int]) -> WireRequest[None]:
    body = [{"user_id": user_id, "allowed_tasks": allowed} for user_id, allowed in limits.items()]
    path = f"{_INSIGHTS}/users/tasks/"
    return WireRequest("POST", path, True, query={"app_key": app_key}, body=body, read=_nothing)


def set_all_limits(limit: int) -> WireRequest[None]:
    return WireRequest("POST", f"{_INSIGHTS}/users/tasks-bulk/", True, body={"tasks_limit": limit}, read=_nothing)


def set_default_limit(limit: int) -> WireRequest[None]:
    return WireRequest("PATCH", f"{_BASE}/accounts/me/", True, body={"tasks_limit": limit}, read=_nothing)


def create_subscription(events: Sequence[str], callback_url: str) -> WireRequest[CreatedSubscription]:
    return WireRequest("POST", _SUBSCRIPTIONS, False, body={"events": list(events), "callback_url": callback_url})


def list_subscriptions(page_size: Optional[int]) -> ListRequest[Subscription]:
    return ListRequest(
        "subscriptions",
        lambda cursor: WireRequest("GET", _SUBSCRIPTIONS, True, query={"page_size": page_size, "_cursor": cursor}),
    )


def get_subscription(subscription_id: str) -> WireRequest[SubscriptionWithCounts]:
    return WireRequest("GET", _subscription(subscription_id), True)


def update_subscription(
    subscription_id: str,
    events: Optional[Sequence[str]],
    callback_url: Optional[str],
    if_unchanged: Optional[SubscriptionSettings],
) -> WireRequest[Subscription]:
    body = present(events=None if events is None else list(events), callback_url=callback_url, if_unchanged=if_unchanged)
    # A repeated change with `if_unchanged` would meet its own new values and be refused.
    return WireRequest("PATCH", _subscription(subscription_id), if_unchanged is None, body=body)


def delete_subscription(subscription_id: str) -> WireRequest[None]:
    return WireRequest("DELETE", _subscription(subscription_id), False, read=_nothing)


def disable_subscription(subscription_id: str) -> WireRequest[Subscription]:
    return WireRequest("POST", _subscription(subscription_id, "disable/"), True)


def enable_subscription(subscription_id: str) -> WireRequest[Subscription]:
    return WireRequest("POST", _subscription(subscription_id, "enable/"), True)


def rotate_secret(subscription_id: str, keep_previous_hours: Optional[int]) -> WireRequest[RotatedSecret]:
    body = present(keep_previous_hours=keep_previous_hours)
    return WireRequest("POST", _subscription(subscription_id, "rotate-secret/"), False, body=body)


def test_subscription(subscription_id: str) -> WireRequest[DeliveryId]:
    return WireRequest("POST", _subscription(subscription_id, "test/"), False)


def list_deliveries(
    subscription_id: str, status: Optional[DeliveryStatus], page_size: Optional[int]
) -> ListRequest[Delivery]:
    path = _subscription(subscription_id, "deliveries/")
    query = present(status=status, page_size=page_size)
    return ListRequest("deliveries", lambda cursor: WireRequest("GET", path, True, query={**query, "_cursor": cursor}))


def replay_delivery(delivery_id: str) -> WireRequest[DeliveryId]:
    return WireRequest("POST", f"{_INSIGHTS}/deliveries/{segment('delivery_id', delivery_id)}/replay/", False)


def _subscription(subscription_id: str, action: str = "") -> str:
    return f"{_SUBSCRIPTIONS}{segment('subscription_id', subscription_id)}/{action}"
