"""Tokens with which MCP clients, such as Claude Code, act for a user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from ._connection import AsyncRequester, Requester
from ._list import AsyncList, List
from ._request import ListRequest, RequestOptions, WireRequest, present, segment
from ._types import CreatedMcpToken, McpMode, McpToken, Success

if TYPE_CHECKING:
    from typing_extensions import Unpack


class UserMcp:
    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    def create_token(
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

        `mode`: `direct` for a tool for each function that the user can call, at most 128; `search` for five tools that
        find and call functions.
        `apps`, `functions`: only these; by default all. `read_only`: only functions that read.
        `expires_in_days`: 1 to 365; 30 by default.
        `output_chars`: the most characters of JSON in an output; a tool cuts a longer one. 40,000 by default.
        """
        request = _create(mode, name, apps, functions, read_only, expires_in_days, output_chars)
        return self._requester.send(request, options)

    def list_tokens(
        self, *, page_size: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> List[McpToken]:
        """Lists the tokens that have not expired, newest first."""
        return self._requester.list(_list(page_size), cursor, options)

    def revoke_token(self, token_id: str, **options: Unpack[RequestOptions]) -> Success:
        """Revokes a token. Every later request with it is refused."""
        return self._requester.send(_revoke(token_id), options)


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

        `mode`: `direct` for a tool for each function that the user can call, at most 128; `search` for five tools that
        find and call functions.
        `apps`, `functions`: only these; by default all. `read_only`: only functions that read.
        `expires_in_days`: 1 to 365; 30 by default.
        `output_chars`: the most characters of JSON in an output; a tool cuts a longer one. 40,000 by default.
        """
        request = _create(mode, name, apps, functions, read_only, expires_in_days, output_chars)
        return await self._requester.send(request, options)

    def list_tokens(
        self, *, page_size: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> AsyncList[McpToken]:
        """Lists the tokens that have not expired, newest first."""
        return self._requester.list(_list(page_size), cursor, options)

    async def revoke_token(self, token_id: str, **options: Unpack[RequestOptions]) -> Success:
        """Revokes a token. Every later request with it is refused."""
        return await self._requester.send(_revoke(token_id), options)


def _create(
    mode: McpMode,
    name: Optional[str],
    apps: Optional[Sequence[str]],
    functions: Optional[Sequence[str]],
    read_only: Optional[bool],
    expires_in_days: Optional[int],
    output_chars: Optional[int],
) -> WireRequest[CreatedMcpToken]:
    body = present(
        mode=mode,
        name=name,
        apps=None if apps is None else list(apps),
        functions=None if functions is None else list(functions),
        read_only=read_only,
        expires_in_days=expires_in_days,
        output_chars=output_chars,
    )
    return WireRequest("POST", "/mcp/tokens", False, body=body)


def _list(page_size: Optional[int]) -> ListRequest[McpToken]:
    return ListRequest(
        "tokens",
        lambda cursor: WireRequest(
            "POST", "/mcp/tokens/list", True, body=present(page_size=page_size, _cursor=cursor)
        ),
    )


def _revoke(token_id: str) -> WireRequest[Success]:
    return WireRequest("DELETE", f"/mcp/tokens/{segment('token_id', token_id)}", False)
