"""Which functions become tools, and their definitions, without input and output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, TypedDict

from ._request import ListRequest, WireRequest, segment
from ._types import Variables

#: Vendors refuse more tools than this, or choose badly among them.
MAX_TOOLS = 128


class ToolOptions(TypedDict, total=False):
    """Which functions become tools. Without `apps` and `names`: the functions of the user's connected apps."""

    apps: Sequence[str]
    names: Sequence[str]
    #: Only functions that read.
    read_only: bool
    #: Longer results are cut: 30,000 characters by default.
    max_characters: int
    #: Values for the `{tags}` in arguments.
    variables: Variables
    #: The account to use, by the name of the app. By default the user's default account.
    accounts: Mapping[str, int]


@dataclass(frozen=True)
class Tool:
    name: str
    app: str
    #: In a format of Onward.
    definition: Dict[str, Any]


def list_filters(options: ToolOptions) -> List[Dict[str, Any]]:
    """Returns the filters of the lists of functions to read."""
    apps = options.get("apps")
    if apps is None:
        filters: List[Dict[str, Any]] = [] if "names" in options else [{"connected_only": True}]
    else:
        filters = [{"app": app} for app in apps]
    return [{**one, "type": "QUERY"} for one in filters] if options.get("read_only") else filters


def list_in_format(filters: Mapping[str, Any], format: Optional[str]) -> ListRequest[Dict[str, Any]]:
    query = {**filters, "format": format, "page_size": 200}
    return ListRequest(
        "functions", lambda cursor: WireRequest("POST", "/functions/list", True, query={**query, "_cursor": cursor})
    )


def get_in_format(name: str, format: Optional[str]) -> WireRequest[Dict[str, Any]]:
    return WireRequest("POST", f"/functions/{segment('name', name)}/get", True, query={"format": format})


def join(items: Iterable[Mapping[str, Any]], definitions: Iterable[Dict[str, Any]]) -> List[Tool]:
    """Joins functions with their definitions by name."""
    by_name = {definition["name"]: definition for definition in definitions}
    return [Tool(item["name"], item["app"], by_name[item["name"]]) for item in items if item["name"] in by_name]


def chosen(tools: Iterable[Tool]) -> List[Tool]:
    """Returns the tools sorted by name, each once. Raises a ValueError if they are too many."""
    by_name = {tool.name: tool for tool in tools}
    if len(by_name) > MAX_TOOLS:
        raise ValueError(
            f"{len(by_name)} functions are more than the {MAX_TOOLS} tools that models accept: choose apps or names"
        )
    return [by_name[name] for name in sorted(by_name)]
