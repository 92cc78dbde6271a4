from __future__ import annotations

import random
from typing import Optional, Union

from ._errors import ApiConnectionError, ApiError

#: A longer `Retry-After` is not waited for: the caller gets the error, with `retry_after`, at once.
MAX_RETRY_AFTER_SECONDS = 10

_FIRST_PAUSE_SECONDS = 0.5
_MAX_PAUSE_SECONDS = 8.0


def may_retry(failure: Union[ApiError, ApiConnectionError], repeatable: bool) -> bool:
    """Returns whether to send a request again.

    `repeatable`: a second execution does no harm, because the request only reads, sets a value, or carries an
    idempotency key. A 504 of a call is never repeated: the app may have acted.
    """
    if isinstance(failure, ApiConnectionError):
        return repeatable
    wanted: Optional[str] = failure.headers.get("x-should-retry")
    if wanted is not None:
        return wanted == "true"
    if failure.status == 409:
        return failure.code == "idempotency_in_progress"
    if failure.status == 429:
        return failure.code != "task_limit_reached"
    if failure.status == 502:
        # Without a code, a proxy answered.
        if failure.code is None:
            return repeatable
        return failure.code in ("upstream_unreachable", "token_renewal_failed")
    return failure.status == 503 and repeatable


def pause_seconds(attempt: int, retry_after: Optional[float]) -> float:
    """Returns the pause after an attempt: what Onward asks for, or a random time that doubles each time."""
    if retry_after is not None:
        return retry_after
    # Half of the pause is random, so that clients that failed together do not come back together.
    return min(_MAX_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0 ** (attempt - 1)) * (0.5 + random.random() / 2)
