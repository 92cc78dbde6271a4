from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Literal, Mapping, Optional, Sequence

from . import _user_requests as requests
from ._async_list import AsyncList
from ._async_requester import AsyncRequester
from ._request import RequestOptions
from ._types import (
    BatchCall,
    BatchResult,
    CallOptions,
    CallResult,
    DryRun,
    DryRunOptions,
    FunctionItem,
    FunctionType,
    PredictedFunction,
    Variables,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncUserFunctions:
    def __init__(self, requester: AsyncRequester) -> None:
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
    ) -> AsyncList[FunctionItem]:
        """Lists functions in the order of their names.

        `app`: only functions of this app. `connected_only`: only functions of apps that the user has connected.
        """
        request = requests.list_functions(app, connected_only, search, type, include, page_size)
        return self._requester.list(request, cursor, options)

    async def get(
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
        return await self._requester.send(requests.get_function(name, prompt, variables, time_zone, include), options)

    async def predict(
        self,
        prompt: str,
        *,
        app: Optional[str] = None,
        connected_only: Optional[bool] = None,
        predict_arguments: Optional[bool] = None,
        top_k: Optional[int] = None,
        explain: Optional[bool] = None,
        variables: Optional[Variables] = None,
        time_zone: Optional[str] = None,
        include: Optional[Literal["meta"]] = None,
        **options: Unpack[RequestOptions],
    ) -> Sequence[PredictedFunction]:
        """Returns the functions that a prompt asks for, best first: one, or up to `top_k`.

        The list is empty if no function fits. With `predict_arguments`, each has `arguments` from the prompt.
        With `explain`, `json.loads(response_of(result).text)["meta"]` says which path predicted, and its cost.
        """
        request = requests.predict_function(
            prompt, app, connected_only, predict_arguments, top_k, explain, variables, time_zone, include
        )
        return await self._requester.send(request, options)

    async def call(
        self,
        name: str,
        arguments: Optional[Mapping[str, Any]] = None,
        **options: Unpack[CallOptions],
    ) -> CallResult:
        """Calls a function.

        An error of the app is a result too: check `ok` or `network_code`, or use `call_or_raise`. Raises an
        AccountNotConnectedError if the user has to connect an account first.

        `connected_account_id`: which of the user's accounts of the app to use; by default the user's default account.
        `cursor`: the `cursor` of an earlier result, for the next page; pass the same arguments.
        `fields`: the parts of the output to return, such as `items.id`; a path goes through every item of a list.
        `idempotency_key`: the call is executed at most once per key; by default each call gets a new key.
        """
        request = requests.call_function(name, arguments, options, self._requester.max_retries)
        return await self._requester.send(request, requests.without_call(options))

    async def batch_call(
        self,
        calls: Sequence[BatchCall],
        *,
        in_order: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> Sequence[BatchResult]:
        """Makes up to 20 calls in one request: all at the same time, or each after the one before with `in_order`.

        Returns a result or an error for each, in the same order. All calls are made, also if one fails.
        """
        retries = options.get("max_retries", self._requester.max_retries)
        request = requests.batch_call(calls, in_order, idempotency_key, retries)
        return await self._requester.send(request, options)

    async def dry_run(
        self,
        name: str,
        arguments: Optional[Mapping[str, Any]] = None,
        **options: Unpack[DryRunOptions],
    ) -> DryRun:
        """Checks a call as `call` does, and returns the request that it would send. Nothing is sent, logged or counted."""
        return await self._requester.send(requests.dry_run(name, arguments, options), requests.without_dry_run(options))

    async def call_or_raise(
        self,
        name: str,
        arguments: Optional[Mapping[str, Any]] = None,
        **options: Unpack[CallOptions],
    ) -> CallResult:
        """Like `call`, but raises a FunctionFailedError if the app did not do what was asked."""
        return requests.raise_unless_ok(name, await self.call(name, arguments, **options))

    async def call_pages(
        self,
        name: str,
        arguments: Optional[Mapping[str, Any]] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[CallResult]:
        """Calls a function for each page of its results.

        Raises a FunctionFailedError if a page fails, and a PagesEndedError after the last page that can be requested if the
        app has more pages.
        """
        while True:
            page = await self.call_or_raise(name, arguments, **options)
            yield page
            if page.cursor is None:
                requests.raise_if_cut_off(name, page)
                return
            # The key of the caller belongs to the first page.
            options.pop("idempotency_key", None)
            options["cursor"] = page.cursor
