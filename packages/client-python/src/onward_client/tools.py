"""Functions as tools of a language model."""

from __future__ import annotations

import asyncio
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    Coroutine,
    Dict,
    List,
    Literal,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    overload,
)

from ._async_user import AsyncOnwardUser
from ._errors import OnwardError
from ._request import RequestOptions, refuse_unknown
from ._tool_choice import Tool, ToolOptions, chosen, get_in_format, join, list_filters, list_in_format
from ._tool_native import read_call
from ._tool_outcome import (
    ToolError,
    ToolOutcome,
    outcome_of_error,
    outcome_of_result,
    read_arguments,
    text_for_model,
    unknown_tool,
)
from ._user import OnwardUser

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "AsyncToolset",
    "ToolDefinition",
    "ToolError",
    "ToolFormat",
    "ToolOptions",
    "ToolOutcome",
    "ToolResult",
    "Toolset",
    "load_langchain_tools",
    "load_tools",
]

ToolFormat = Literal["openai", "openai-chat", "anthropic", "gemini"]

#: The definition of a tool, and the result of one: dicts in the form that the model's API expects. `Any`, because the
#: vendors' libraries accept only dicts of their own types.
ToolDefinition = Any
ToolResult = Any

_MAX_CHARACTERS = 30_000

T = TypeVar("T")


class Toolset:
    """Functions as tools of a language model."""

    def __init__(
        self, user: OnwardUser, tools: Sequence[Tool], definitions: List[ToolDefinition], options: ToolOptions
    ) -> None:
        #: Pass them to the model's API. They are sorted by name, so that prompt caches work. For Gemini, they are
        #: `function_declarations`.
        self.definitions = definitions
        self._user = user
        self._apps = {tool.name: tool.app for tool in tools}
        self._options = options

    def execute(self, call: object, *, timeout: Optional[float] = None) -> ToolResult:
        """Executes a tool call of a model, of any vendor, and returns the result in the form that its API expects.

        `call` is a mapping or an object of the vendor's library. Raises an error only if the credentials are wrong:
        everything else is a result that the model can act on.
        """
        read = read_call(call)
        outcome = self.run(read.name, read.arguments, timeout=timeout)
        return read.result(outcome, self._options.get("max_characters", _MAX_CHARACTERS))

    def run(self, name: str, arguments: object, *, timeout: Optional[float] = None) -> ToolOutcome:
        """Executes a tool by its name."""
        read = read_arguments(arguments)
        if isinstance(read, ToolOutcome):
            return read
        if name not in self._apps:
            return unknown_tool(name, self._apps)
        try:
            result = self._user.functions.call(
                name,
                read,
                connected_account_id=self._options.get("accounts", {}).get(self._apps[name]),
                variables=self._options.get("variables"),
                **_limit(timeout),
            )
        except OnwardError as err:
            return outcome_of_error(err)
        return outcome_of_result(result)


class AsyncToolset:
    """Functions as tools of a language model."""

    def __init__(
        self, user: AsyncOnwardUser, tools: Sequence[Tool], definitions: List[ToolDefinition], options: ToolOptions
    ) -> None:
        #: Pass them to the model's API. They are sorted by name, so that prompt caches work. For Gemini, they are
        #: `function_declarations`.
        self.definitions = definitions
        self._user = user
        self._apps = {tool.name: tool.app for tool in tools}
        self._options = options

    async def execute(self, call: object, *, timeout: Optional[float] = None) -> ToolResult:
        """Executes a tool call of a model, of any vendor, and returns the result in the form that its API expects.

        `call` is a mapping or an object of the vendor's library. Raises an error only if the credentials are wrong:
        everything else is a result that the model can act on.
        """
        read = read_call(call)
        outcome = await self.run(read.name, read.arguments, timeout=timeout)
        return read.result(outcome, self._options.get("max_characters", _MAX_CHARACTERS))

    async def run(self, name: str, arguments: object, *, timeout: Optional[float] = None) -> ToolOutcome:
        """Executes a tool by its name."""
        read = read_arguments(arguments)
        if isinstance(read, ToolOutcome):
            return read
        if name not in self._apps:
            return unknown_tool(name, self._apps)
        try:
            result = await self._user.functions.call(
                name,
                read,
                connected_account_id=self._options.get("accounts", {}).get(self._apps[name]),
                variables=self._options.get("variables"),
                **_limit(timeout),
            )
        except OnwardError as err:
            return outcome_of_error(err)
        return outcome_of_result(result)


def _limit(timeout: Optional[float]) -> RequestOptions:
    return {} if timeout is None else {"timeout": timeout}


@overload
def load_tools(user: OnwardUser, format: ToolFormat, **options: Unpack[ToolOptions]) -> Toolset: ...


@overload
def load_tools(
    user: AsyncOnwardUser, format: ToolFormat, **options: Unpack[ToolOptions]
) -> Coroutine[Any, Any, AsyncToolset]: ...


def load_tools(
    user: Union[OnwardUser, AsyncOnwardUser], format: ToolFormat, **options: Unpack[ToolOptions]
) -> Union[Toolset, Coroutine[Any, Any, AsyncToolset]]:
    """Loads functions as tools in the format of a model's API.

    With a user of `AsyncOnward`, await it.

        tools = load_tools(user, "anthropic", apps=["slack"])
        message = anthropic.messages.create(tools=tools.definitions, …)
        results = [tools.execute(block) for block in message.content if block.type == "tool_use"]
    """
    refuse_unknown(options, ToolOptions)
    if isinstance(user, AsyncOnwardUser):
        return _load_async(user, format, options)
    tools = _fetch(user, _wire_format(format), options)
    return Toolset(user, tools, _definitions(tools, format), options)


async def _load_async(user: AsyncOnwardUser, format: ToolFormat, options: ToolOptions) -> AsyncToolset:
    tools = await _fetch_async(user, _wire_format(format), options)
    return AsyncToolset(user, tools, _definitions(tools, format), options)


#: The class `StructuredTool` of `langchain_core.tools`.
_StructuredTool = Callable[..., T]


@overload
def load_langchain_tools(
    user: OnwardUser, structured_tool: _StructuredTool[T], **options: Unpack[ToolOptions]
) -> Sequence[T]: ...


@overload
def load_langchain_tools(
    user: AsyncOnwardUser, structured_tool: _StructuredTool[T], **options: Unpack[ToolOptions]
) -> Coroutine[Any, Any, Sequence[T]]: ...


def load_langchain_tools(
    user: Union[OnwardUser, AsyncOnwardUser], structured_tool: _StructuredTool[T], **options: Unpack[ToolOptions]
) -> Union[Sequence[T], Coroutine[Any, Any, Sequence[T]]]:
    """Loads functions as tools of LangChain.

    With a user of `AsyncOnward`, await it; its tools can only be awaited too. Pass LangChain's own class, so that any
    version of it works:

        from langchain_core.tools import StructuredTool
        tools = load_langchain_tools(user, StructuredTool, apps=["slack"])
    """
    refuse_unknown(options, ToolOptions)
    if isinstance(user, AsyncOnwardUser):
        return _load_langchain_async(user, structured_tool, options)
    tools = _fetch(user, "mcp", options)
    toolset = Toolset(user, tools, [], options)

    def executor(name: str) -> Callable[..., Tuple[str, ToolOutcome]]:
        def run(**arguments: Any) -> Tuple[str, ToolOutcome]:
            return _content_and_artifact(toolset.run(name, arguments), options)

        return run

    return [structured_tool(**_langchain_fields(tool), func=executor(tool.name)) for tool in tools]


async def _load_langchain_async(
    user: AsyncOnwardUser, structured_tool: _StructuredTool[T], options: ToolOptions
) -> Sequence[T]:
    tools = await _fetch_async(user, "mcp", options)
    toolset = AsyncToolset(user, tools, [], options)

    def executor(name: str) -> Callable[..., Awaitable[Tuple[str, ToolOutcome]]]:
        async def run(**arguments: Any) -> Tuple[str, ToolOutcome]:
            return _content_and_artifact(await toolset.run(name, arguments), options)

        return run

    return [structured_tool(**_langchain_fields(tool), coroutine=executor(tool.name)) for tool in tools]


def _langchain_fields(tool: Tool) -> Dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.definition["description"],
        "args_schema": tool.definition["inputSchema"],
        "response_format": "content_and_artifact",
    }


def _content_and_artifact(outcome: ToolOutcome, options: ToolOptions) -> Tuple[str, ToolOutcome]:
    return text_for_model(outcome, options.get("max_characters", _MAX_CHARACTERS)), outcome


def _wire_format(format: ToolFormat) -> str:
    return "openai" if format == "openai-chat" else format


def _definitions(tools: Sequence[Tool], format: ToolFormat) -> List[ToolDefinition]:
    definitions = [tool.definition for tool in tools]
    if format != "openai-chat":
        return definitions
    nested = [{name: value for name, value in one.items() if name != "type"} for one in definitions]
    return [{"type": "function", "function": function} for function in nested]


def _fetch(user: OnwardUser, format: str, options: ToolOptions) -> Sequence[Tool]:
    """Returns the chosen functions in a format of Onward."""
    requester = user._requester
    tools: List[Tool] = []
    for filters in list_filters(options):
        items, definitions = (requester.list(list_in_format(filters, one), None, {}) for one in (None, format))
        tools += join(items, definitions)
    for name in options.get("names", ()):
        item, definition = (requester.send(get_in_format(name, one), {}) for one in (None, format))
        tools += join([item], [definition])
    return chosen(tools)


async def _fetch_async(user: AsyncOnwardUser, format: str, options: ToolOptions) -> Sequence[Tool]:
    """Returns the chosen functions in a format of Onward."""
    requester = user._requester

    async def of_list(filters: Dict[str, Any]) -> Sequence[Tool]:
        both = (requester.list(list_in_format(filters, one), None, {}).to_list() for one in (None, format))
        return join(*await asyncio.gather(*both))

    async def of_name(name: str) -> Sequence[Tool]:
        both = (requester.send(get_in_format(name, one), {}) for one in (None, format))
        item, definition = await asyncio.gather(*both)
        return join([item], [definition])

    lists = [of_list(filters) for filters in list_filters(options)]
    groups = await asyncio.gather(*lists, *(of_name(name) for name in options.get("names", ())))
    return chosen(tool for group in groups for tool in group)
