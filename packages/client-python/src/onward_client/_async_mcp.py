"""The access of MCP clients, such as Claude Code, that act for a user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from . import _user_requests as requests
from ._async_list import AsyncList
from ._async_requester import AsyncRequester
from ._request import RequestOptions
from ._types import ApprovedMcpSignIn, CreatedMcpToken, McpMode, McpSignInLink, McpToken, PolicyRule, Success

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncUserMcp:
    """Tokens of `create_token`, and grants, which are tokens that the user gave to a program on the sign-in pages."""

    def __init__(self, requester: AsyncRequester) -> None:
        self._requester = requester

    async def create_token(
        self,
        mode: McpMode,
        *,
        name: Optional[str] = None,
        apps: Optional[Sequence[str]] = None,
        functions: Optional[Sequence[str]] = None,
        read_only: Optional[bool] = None,
        rules: Optional[Sequence[PolicyRule]] = None,
        expires_in_days: Optional[int] = None,
        output_chars: Optional[int] = None,
        **options: Unpack[RequestOptions],
    ) -> CreatedMcpToken:
        """Creates a token. Only this response contains it. `settings` are a command and two files for three MCP clients.

        `mode`: `direct` for a tool for each function that the user can call, at most 128; `search` for six tools that
        find and call functions.
        `apps`, `functions`: only these; by default all. `read_only`: only functions that read.
        `rules`: rules for calls, beside those of the application; the strictest that matches a call decides.
        `expires_in_days`: 1 to 365; 30 by default.
        `output_chars`: the most characters of JSON in an output; a tool cuts a longer one. 30,000 by default.
        """
        request = requests.create_mcp_token(mode, name, apps, functions, read_only, rules, expires_in_days, output_chars)
        return await self._requester.send(request, options)

    def list_tokens(
        self, *, page_size: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> AsyncList[McpToken]:
        """Lists the tokens and grants that have not ended, newest first."""
        return self._requester.list(requests.list_mcp_tokens(page_size), cursor, options)

    async def narrow_token(
        self,
        token_id: str,
        *,
        apps: Optional[Sequence[str]] = None,
        functions: Optional[Sequence[str]] = None,
        read_only: Optional[bool] = None,
        rules: Optional[Sequence[PolicyRule]] = None,
        **options: Unpack[RequestOptions],
    ) -> McpToken:
        """Allows less with a token or grant from the next request on. Returns the token as it is now.

        `apps` and `functions` replace those that it allows, and must be among them. `rules` are added. What is omitted
        stays.
        """
        return await self._requester.send(requests.narrow_mcp_token(token_id, apps, functions, read_only, rules), options)

    async def revoke_token(self, token_id: str, **options: Unpack[RequestOptions]) -> Success:
        """Revokes a token or grant. Every later request with it is refused."""
        return await self._requester.send(requests.revoke_mcp_token(token_id), options)

    async def create_sign_in_link(
        self, *, expires_in_minutes: Optional[int] = None, **options: Unpack[RequestOptions]
    ) -> McpSignInLink:
        """Creates a link with which the user signs in to one browser, to let MCP clients act for the user.

        It is a credential: show it only to the user. `expires_in_minutes`: 1 to 1,440; 10 by default.
        """
        return await self._requester.send(requests.create_mcp_sign_in_link(expires_in_minutes), options)

    async def approve_sign_in(self, request: str, **options: Unpack[RequestOptions]) -> ApprovedMcpSignIn:
        """Approves the sign-in with which a browser came to the hand-off page of your application.

        `request` is the parameter `request` of that page. Redirect the browser to `url`, on which the user decides what
        the program may do.
        """
        return await self._requester.send(requests.approve_mcp_sign_in(request), options)
