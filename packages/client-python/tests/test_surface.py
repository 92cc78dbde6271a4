"""The clients with and without asyncio have the same methods, arguments and documentation."""

from __future__ import annotations

import inspect
import re
from typing import Any, List, Tuple

import pytest

import onward_client
import onward_client.tools
from onward_client import (
    _async_insights,
    _async_mcp,
    _async_user,
    _async_user_functions,
    _insights,
    _mcp,
    _onward,
    _user,
    _user_functions,
)

MODULES = [
    (_user, _async_user),
    (_user_functions, _async_user_functions),
    (_insights, _async_insights),
    (_onward, _onward),
    (_mcp, _async_mcp),
    (onward_client.tools, onward_client.tools),
]


def pairs() -> List[Tuple[Any, Any]]:
    found = []
    for module, async_module in MODULES:
        for name, one in vars(module).items():
            other = getattr(async_module, f"Async{name}", None)
            if inspect.isclass(one) and other is not None and one.__module__ == module.__name__:
                found.append((one, other))
    return found


def described(method: Any) -> Tuple[List[str], str]:
    """Returns the arguments and the result of a method, as the client without asyncio would write them."""
    signature = inspect.signature(method)
    arguments = [re.sub(r"\bAsync(?=[A-Z])", "", str(one)) for one in signature.parameters.values()]
    return arguments, re.sub(r"\bAsync(?=[A-Z])", "", str(signature.return_annotation))


def test_there_are_pairs() -> None:
    assert len(pairs()) == 15


@pytest.mark.parametrize(("one", "other"), pairs(), ids=lambda one: one.__name__)
def test_a_class_for_asyncio_is_like_the_other(one: Any, other: Any) -> None:
    own = {name: value for name, value in vars(one).items() if inspect.isfunction(value)}
    others = {name: value for name, value in vars(other).items() if inspect.isfunction(value)}
    assert own.keys() == others.keys()
    for name, method in own.items():
        if name != "__init__":
            assert (name, *described(others[name])) == (name, *described(method))
            assert others[name].__doc__ == method.__doc__
            if not name.startswith("_"):
                assert method.__doc__ or name == "delete"


def test_every_public_method_for_asyncio_is_awaited_or_iterated() -> None:
    for _, other in pairs():
        for name, method in vars(other).items():
            if inspect.isfunction(method) and not name.startswith("_") and name != "for_user":
                lists = str(inspect.signature(method).return_annotation).startswith("AsyncList")
                assert lists or inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method), name


def test_the_exported_names_exist() -> None:
    for module in (onward_client, onward_client.tools):
        assert not [name for name in module.__all__ if not hasattr(module, name)]
