from __future__ import annotations

import hashlib
import hmac
import re


def hash_user_id(app_secret: str, user_id: str) -> str:
    """Returns the `Hash` of a user: 64 hexadecimal digits. Compute it only on your server."""
    return hmac.new(app_secret.encode(), user_id.encode(), hashlib.sha256).hexdigest()


def check_user_id(user_id: str) -> str:
    """Returns a user id that a header can carry. Raises a ValueError for an id that Onward refuses."""
    # Servers remove these characters or reject them, and the hash of a shortened id would be wrong.
    if user_id in ("", ".", "..") or re.search(r"[\x00-\x1f\x7f]|^ | \Z", user_id):
        raise ValueError(
            "the user id must not be empty, . or .., contain control characters, or begin or end with a space"
        )
    return user_id
