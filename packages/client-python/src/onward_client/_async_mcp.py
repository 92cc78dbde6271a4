"""Tokens with which MCP clients, such as Claude Code, act for a user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from . import _user_requests as requests
from ._async_list import AsyncList
from ._async_requester import AsyncRequester
from ._request import RequestOptions
from ._types import CreatedMcpToken, McpMode, McpToken, Success

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncUserMcp:
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
        expires_in_days: Optional[int] = None,
        output_chars: Optional[int] = None,
        **options: Unpack[RequestOptions],
    ) -> CreatedMcpToken:
        """Creates a token. Only this answer contains it. `settings` are a command and two files for three MCP clients.

        `mode`: `direct` for a tool for each function that the user can call, at most 128; `search` for six tools that
        find and call functions.
        `apps`, `functions`: only these; by default all. `read_only`: only functions that read.
        `expires_in_days`: 1 to 365; 30 by default.
        `output_chars`: the most characters of JSON in an output; a tool cuts a longer one. 30,000 by default.
        """
        request = requests.create_mcp_token(mode, name, apps, functions, read_only, expires_in_days, output_chars)
        return await self._requester.send(request, options)

    def list_tokens(
        self, *, page_size: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> AsyncList[McpToken]:
        """Lists the tokens that have not expired, newest first."""
        return self._requester.list(requests.list_mcp_tokens(page_size), cursor, options)

    async def revoke_token(self, token_id: str, **options: Unpack[RequestOptions]) -> Success:
        """Revokes a token. Every later request with it is refused."""
        return await self._requester.send(requests.revoke_mcp_token(token_id), options)
