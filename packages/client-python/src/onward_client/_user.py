from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, Any, Iterator, Literal, Mapping, Optional, Sequence

from . import _user_requests as requests
from ._connection import Requester
from ._list import List
from ._mcp import UserMcp
from ._request import NOT_GIVEN, RequestOptions
from ._types import (
    App,
    AppWithAccounts,
    CallCursor,
    CallOutcome,
    CallResult,
    ConnectedAccount,
    ConnectSession,
    FunctionItem,
    FunctionType,
    LoggedCall,
    OwnAccount,
    PredictedFunction,
    Success,
    Variables,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class UserApps:
    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    def list(
        self,
        *,
        search: Optional[str] = None,
        connected_only: Optional[bool] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> List[App]:
        """Lists apps in the order of their names.

        `search`: only apps whose name, title or description contains this text. `connected_only`: only apps that the
        user has connected. `page_size`: how many items one request fetches. `cursor`: begin at this page.
        """
        return self._requester.list(requests.list_apps(search, connected_only, page_size), cursor, options)

    def get(self, name: str, **options: Unpack[RequestOptions]) -> AppWithAccounts:
        """Returns an app with the user's accounts and a fresh `login_url`, on which the user connects an account."""
        return self._requester.send(requests.get_app(name), options)


class UserFunctions:
    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    def list(
        self,
        *,
        app: Optional[str] = None,
        connected_only: Optional[bool] = None,
        search: Optional[str] = None,
        type: Optional[FunctionType] = None,
        include: Optional[Literal["meta"]] = None,
        page_size: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> List[FunctionItem]:
        """Lists functions in the order of their names.

        `app`: only functions of this app. `connected_only`: only those of apps that the user has connected.
        """
        request = requests.list_functions(app, connected_only, search, type, include, page_size)
        return self._requester.list(request, cursor, options)

    def get(
        self,
        name: str,
        *,
        prompt: Optional[str] = None,
        variables: Optional[Variables] = None,
        time_zone: Optional[str] = None,
        include: Optional[Literal["meta"]] = None,
        **options: Unpack[RequestOptions],
    ) -> FunctionItem:
        """Returns a function. With a `prompt` or `variables`, it has `arguments`.

        `time_zone` is the IANA name of the user's time zone, such as `Europe/Rome`, for dates in the prompt. The
        default is UTC. `include="meta"` adds what a form builder needs, and where each argument comes from.
        """
        return self._requester.send(requests.get_function(name, prompt, variables, time_zone, include), options)

    def predict(
        self,
        prompt: str,
        *,
        app: Optional[str] = None,
        connected_only: Optional[bool] = None,
        predict_arguments: Optional[bool] = None,
        top_k: Optional[int] = None,
        variables: Optional[Variables] = None,
        time_zone: Optional[str] = None,
        include: Optional[Literal["meta"]] = None,
        **options: Unpack[RequestOptions],
    ) -> Sequence[PredictedFunction]:
        """Returns the functions that a prompt asks for, best first: one, or up to `top_k`.

        The list is empty if no function fits. With `predict_arguments`, each has `arguments` from the prompt.
        """
        request = requests.predict_function(
            prompt, app, connected_only, predict_arguments, top_k, variables, time_zone, include
        )
        return self._requester.send(request, options)

    def call(
        self,
        name: str,
        arguments: Optional[Mapping[str, Any]] = None,
        *,
        connected_account_id: Optional[int] = None,
        variables: Optional[Variables] = None,
        cursor: Optional[CallCursor] = None,
        idempotency_key: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> CallResult:
        """Calls a function.

        An error of the app is a result too: check `ok` or `network_code`, or use `call_or_raise`. Raises an
        AccountNotConnectedError if the user has to connect an account first.

        `connected_account_id`: which of the user's accounts of the app to use; by default the newest active one.
        `cursor`: the `cursor` of an earlier result, for the next page; pass the same arguments.
        `idempotency_key`: the call is executed at most once per key; by default each call has a key of its own.
        """
        retries = options.get("max_retries", self._requester.max_retries)
        request = requests.call_function(
            name, arguments, connected_account_id, variables, cursor, idempotency_key, retries
        )
        return self._requester.send(request, options)

    def call_or_raise(
        self,
        name: str,
        arguments: Optional[Mapping[str, Any]] = None,
        *,
        connected_account_id: Optional[int] = None,
        variables: Optional[Variables] = None,
        cursor: Optional[CallCursor] = None,
        idempotency_key: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> CallResult:
        """Like `call`, but raises a FunctionFailedError if the app did not do what was asked."""
        result = self.call(
            name,
            arguments,
            connected_account_id=connected_account_id,
            variables=variables,
            cursor=cursor,
            idempotency_key=idempotency_key,
            **options,
        )
        return requests.raise_unless_ok(name, result)

    def call_pages(
        self,
        name: str,
        arguments: Optional[Mapping[str, Any]] = None,
        *,
        connected_account_id: Optional[int] = None,
        variables: Optional[Variables] = None,
        cursor: Optional[CallCursor] = None,
        idempotency_key: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> Iterator[CallResult]:
        """Calls a function for each page of its results. Raises a FunctionFailedError if a page fails."""
        at, key = cursor, idempotency_key
        while True:
            page = self.call_or_raise(
                name,
                arguments,
                connected_account_id=connected_account_id,
                variables=variables,
                cursor=at,
                idempotency_key=key,
                **options,
            )
            yield page
            if page.cursor is None:
                return
            # The key of the caller belongs to the first page.
            at, key = page.cursor, None


class UserAccounts:
    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    def list(self, *, app: Optional[str] = None, **options: Unpack[RequestOptions]) -> Sequence[OwnAccount]:
        """Lists the user's accounts, newest first. `app`: only those of this app."""
        return self._requester.send(requests.list_accounts(app), options)

    def rename(self, account_id: int, display_name: str, **options: Unpack[RequestOptions]) -> ConnectedAccount:
        """Gives an account another name, which it keeps when the user connects it again."""
        return self._requester.send(requests.rename_account(account_id, display_name), options)

    def set_default(self, account_id: int, **options: Unpack[RequestOptions]) -> ConnectedAccount:
        """Makes an account the one that calls of its app use by default, while it is active."""
        return self._requester.send(requests.set_default_account(account_id), options)

    def confirm(self, account_id: int, confirmation: str, **options: Unpack[RequestOptions]) -> ConnectedAccount:
        """Confirms an account that the user has connected, for applications that require it."""
        return self._requester.send(requests.confirm_account(account_id, confirmation), options)

    def disconnect(
        self, account_id: int, *, force: Optional[bool] = None, **options: Unpack[RequestOptions]
    ) -> Success:
        """Revokes the access at the app and deletes the credentials.

        With `force`, deletes them also if the app does not revoke the access.
        """
        return self._requester.send(requests.disconnect_account(account_id, force), options)


class UserConnect:
    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    def session(
        self,
        *,
        app: Optional[str] = None,
        redirect_uri: Optional[str] = None,
        manage: Optional[bool] = None,
        **options: Unpack[RequestOptions],
    ) -> ConnectSession:
        """Makes a link that works in the first browser that opens it.

        It opens the page to connect an account of `app`; with `manage`, the page on which the user sees, renames,
        reconnects and disconnects accounts, of `app` or of all apps. `redirect_uri` is one of the allowed redirects of
        the application; the user goes there afterwards.
        """
        return self._requester.send(requests.open_session(app, redirect_uri, manage), options)

    def wait_for_account(
        self,
        app: str,
        *,
        interval: float = 2,
        total_timeout: Optional[float] = 1800,
        **options: Unpack[RequestOptions],
    ) -> ConnectedAccount:
        """Waits until the user has connected an account of the app, or has connected one again, after this call.

        Returns the account. Asks Onward every `interval` seconds. Raises an `ApiTimeoutError` after `total_timeout`
        seconds.
        """
        new = requests.NewAccount(app, total_timeout)
        while True:
            accounts = self._requester.send(requests.list_accounts(app), options)
            found = new.find(accounts, interval)
            if found is not None:
                return found
            time.sleep(interval)


class UserCalls:
    def __init__(self, requester: Requester) -> None:
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
    ) -> List[LoggedCall]:
        """Lists the user's executed calls, newest first.

        `internal`: also calls that Onward made itself to find an id; these are not tasks.
        """
        request = requests.list_calls(function_name, app, outcome, since, until, internal, page_size)
        return self._requester.list(request, cursor, options)

    def get(self, call_id: str, **options: Unpack[RequestOptions]) -> LoggedCall:
        """Returns a call, with its arguments and output if the deployment stores them."""
        return self._requester.send(requests.get_call(call_id), options)


class OnwardUser:
    """Everything that can be done on behalf of one user."""

    def __init__(self, user_id: str, requester: Requester) -> None:
        self.user_id = user_id
        self.apps = UserApps(requester)
        self.functions = UserFunctions(requester)
        self.accounts = UserAccounts(requester)
        self.connect = UserConnect(requester)
        self.calls = UserCalls(requester)
        self.mcp = UserMcp(requester)
        self._requester = requester

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = NOT_GIVEN,
        repeatable: Optional[bool] = None,
        **options: Unpack[RequestOptions],
    ) -> Any:
        """Sends a request that this class has no method for, and returns the parsed body of the answer.

        `path` begins with a slash. The request is repeated only if `repeatable` is true, or if it is a GET.
        """
        return self._requester.send(requests.any_request(method, path, query, body, repeatable), options)
