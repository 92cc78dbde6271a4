from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

from . import _user_requests as requests
from ._async_list import AsyncList
from ._async_mcp import AsyncUserMcp
from ._async_requester import AsyncRequester
from ._async_user_functions import AsyncUserFunctions
from ._request import NOT_GIVEN, RequestOptions
from ._types import (
    App,
    Approval,
    ApprovalWithBackground,
    AppWithAccounts,
    CallOutcome,
    ConnectedAccount,
    ConnectSession,
    LoggedCall,
    OwnAccount,
    Success,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncUserApps:
    def __init__(self, requester: AsyncRequester) -> None:
        self._requester = requester

    def list(
        self,
        *,
        search: Optional[str] = None,
        connected_only: Optional[bool] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncList[App]:
        """Lists apps in the order of their names.

        `search`: only apps whose name, title or description contains this text. `connected_only`: only apps that the
        user has connected. `page_size`: how many items one request fetches. `cursor`: begin at this page.
        """
        return self._requester.list(requests.list_apps(search, connected_only, page_size), cursor, options)

    async def get(self, name: str, **options: Unpack[RequestOptions]) -> AppWithAccounts:
        """Returns an app with the user's accounts and a fresh `login_url`, on which the user connects an account."""
        return await self._requester.send(requests.get_app(name), options)


class AsyncUserAccounts:
    def __init__(self, requester: AsyncRequester) -> None:
        self._requester = requester

    async def list(self, *, app: Optional[str] = None, **options: Unpack[RequestOptions]) -> Sequence[OwnAccount]:
        """Lists the user's accounts, newest first. `app`: only accounts of this app."""
        return await self._requester.send(requests.list_accounts(app), options)

    async def rename(self, account_id: int, display_name: str, **options: Unpack[RequestOptions]) -> ConnectedAccount:
        """Gives an account another name, which it keeps when the user connects it again."""
        return await self._requester.send(requests.rename_account(account_id, display_name), options)

    async def set_default(self, account_id: int, **options: Unpack[RequestOptions]) -> ConnectedAccount:
        """Makes an account the default for calls of its app, while the account is active."""
        return await self._requester.send(requests.set_default_account(account_id), options)

    async def confirm(self, account_id: int, confirmation: str, **options: Unpack[RequestOptions]) -> ConnectedAccount:
        """Confirms an account that the user has connected, for applications that require it."""
        return await self._requester.send(requests.confirm_account(account_id, confirmation), options)

    async def disconnect(
        self, account_id: int, *, force: Optional[bool] = None, **options: Unpack[RequestOptions]
    ) -> Success:
        """Revokes the access at the app and deletes the credentials.

        With `force`, deletes them also if the app does not revoke the access.
        """
        return await self._requester.send(requests.disconnect_account(account_id, force), options)


class AsyncUserConnect:
    def __init__(self, requester: AsyncRequester) -> None:
        self._requester = requester

    async def session(
        self,
        *,
        app: Optional[str] = None,
        redirect_uri: Optional[str] = None,
        manage: Optional[bool] = None,
        pick: Optional[bool] = None,
        locale: Optional[str] = None,
        user_name: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> ConnectSession:
        """Makes a link that works in the first browser that opens it.

        It opens the page to connect an account of `app`; with `manage`, the page on which the user sees, renames,
        reconnects and disconnects accounts, of `app` or of all apps; with `pick`, the page with all apps that the user
        can connect. `redirect_uri` is one of the allowed redirects of the application; the user goes there afterwards.
        `locale` is the language of the pages; by default the browser's. `user_name` is what the
        pages call the user instead of the User-ID.
        """
        request = requests.open_session(app, redirect_uri, manage, pick, locale, user_name)
        return await self._requester.send(request, options)

    async def wait_for_account(
        self,
        app: str,
        *,
        interval: float = 2,
        **options: Unpack[RequestOptions],
    ) -> ConnectedAccount:
        """Waits until the user has connected an account of the app, or has connected one again, after this call.

        If the application confirms accounts, something else must confirm it meanwhile: a web page, for example.
        Returns the account. Asks Onward every `interval` seconds. Raises an `ApiTimeoutError` after `total_timeout`
        seconds, 1,800 by default.
        """
        new = requests.NewAccount(app, options.pop("total_timeout", 1800))
        while True:
            accounts = await self._requester.send(requests.list_accounts(app), options)
            found = new.find(accounts, interval)
            if found is not None:
                return found
            await asyncio.sleep(interval)


class AsyncUserCalls:
    def __init__(self, requester: AsyncRequester) -> None:
        self._requester = requester

    def list(
        self,
        *,
        function_name: Optional[str] = None,
        app: Optional[str] = None,
        outcome: Optional[CallOutcome] = None,
        since: Optional[datetime] = None,
        until: Optional[datetime] = None,
        internal: Optional[bool] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncList[LoggedCall]:
        """Lists the user's executed calls, newest first.

        `internal`: also calls that Onward made itself to find an id; these are not tasks.
        """
        request = requests.list_calls(function_name, app, outcome, since, until, internal, page_size)
        return self._requester.list(request, cursor, options)

    async def get(self, call_id: str, **options: Unpack[RequestOptions]) -> LoggedCall:
        """Returns a call, with its arguments and output if the deployment stores them."""
        return await self._requester.send(requests.get_call(call_id), options)


class AsyncUserApprovals:
    """Calls of the user that a rule asks about."""

    def __init__(self, requester: AsyncRequester) -> None:
        self._requester = requester

    def list(
        self,
        *,
        state: Optional[str] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncList[Approval]:
        """Lists the approvals of the last day, newest first. `state`: `pending`, `approved`, `refused` or `used`."""
        return self._requester.list(requests.list_approvals(state, page_size), cursor, options)

    async def get(self, approval_id: str, **options: Unpack[RequestOptions]) -> ApprovalWithBackground:
        """Returns an approval, and what helps to decide. This is read from the user's app, for up to five seconds."""
        return await self._requester.send(requests.get_approval(approval_id), options)

    async def approve(self, approval_id: str, **options: Unpack[RequestOptions]) -> Approval:
        """Lets the same call run once, until the approval expires."""
        return await self._requester.send(requests.decide_approval(approval_id, "approved", None), options)

    async def refuse(
        self, approval_id: str, *, reason: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> Approval:
        """Refuses the call. Whoever repeats it gets `reason` in the error."""
        return await self._requester.send(requests.decide_approval(approval_id, "refused", reason), options)


class AsyncOnwardUser:
    """Everything that can be done on behalf of one user."""

    def __init__(self, user_id: str, requester: AsyncRequester) -> None:
        self.user_id = user_id
        self.apps = AsyncUserApps(requester)
        self.functions = AsyncUserFunctions(requester)
        self.accounts = AsyncUserAccounts(requester)
        self.connect = AsyncUserConnect(requester)
        self.calls = AsyncUserCalls(requester)
        self.approvals = AsyncUserApprovals(requester)
        self.mcp = AsyncUserMcp(requester)
        self._requester = requester

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = NOT_GIVEN,
        repeatable: Optional[bool] = None,
        **options: Unpack[RequestOptions],
    ) -> Any:
        """Sends a request that this class has no method for, and returns the parsed body of the response.

        `path` begins with a slash. The request is repeated only if `repeatable` is true, or if it is a GET.
        """
        return await self._requester.send(requests.any_request(method, path, query, body, repeatable), options)
