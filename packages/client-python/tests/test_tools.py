from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any, Dict, List
from urllib.parse import parse_qs, urlsplit

import pytest
from scripted import Answering, Received, Runner, Scripted, error

from onward_client import AuthenticationError
from onward_client.tools import load_langchain_tools, load_tools

PLAIN = [{"name": "send", "app": "chat", "type": "ACTION"}, {"name": "list", "app": "chat", "type": "QUERY"}]


class Called:
    """The answer to calls."""

    def __init__(self) -> None:
        self.status = 200
        self.body: Any = {"network_code": 200, "output": {"id": 1}}


@pytest.fixture
def called(scripted: Scripted) -> Called:
    """Serves two functions of the app chat, in every format."""
    answer_to_calls = Called()

    def answer(received: Received, response: Answering) -> None:
        path = urlsplit(received.url).path
        query = parse_qs(urlsplit(received.url).query)
        shown = [shown_in(one, query) for one in PLAIN if query.get("type", [one["type"]]) == [one["type"]]]
        if path == "/functions/list":
            response.send(200, {"functions": shown, "_cursor": None})
        elif path.endswith("/get"):
            response.send(200, next(one for one in shown if path == f"/functions/{one['name']}/get"))
        else:
            response.send(answer_to_calls.status, answer_to_calls.body, {"X-Call-ID": "call-1"})

    scripted.answer(answer)
    return answer_to_calls


def shown_in(plain: Dict[str, Any], query: Dict[str, List[str]]) -> Dict[str, Any]:
    if "format" not in query:
        return plain
    (form,) = query["format"]
    if form == "mcp":
        return {"name": plain["name"], "description": "Sends.", "inputSchema": {"type": "object"}}
    return {"type": "function", "name": plain["name"], "description": form, "strict": True, "parameters": {}}


def load(client: Runner, form: str = "anthropic", **options: Any) -> Any:
    chosen = options or {"apps": ["chat"]}
    return client.run(lambda: load_tools(client.user(max_retries=0), form, **chosen))  # type: ignore[call-overload]


def execute(client: Runner, call: Any, **options: Any) -> Any:
    """Loads tools and executes a call within one event loop."""
    return steps(client, "execute", (call,), options)


def run(client: Runner, name: str, arguments: Any, **options: Any) -> Any:
    return steps(client, "run", (name, arguments), options)


def steps(client: Runner, method: str, arguments: Any, options: Any) -> Any:
    chosen = {"apps": ["chat"], **options}
    user = client.user(max_retries=0)
    if not client.uses_asyncio:
        return getattr(load_tools(user, "anthropic", **chosen), method)(*arguments)

    async def both() -> Any:
        tools = await load_tools(user, "anthropic", **chosen)
        return await getattr(tools, method)(*arguments)

    return asyncio.run(both())


def calls(scripted: Scripted) -> List[Received]:
    return [one for one in scripted.received if urlsplit(one.url).path.endswith("/call")]


@pytest.mark.usefixtures("called")
@pytest.mark.parametrize("form", ["openai", "anthropic", "gemini"])
def test_load_tools_returns_the_definitions_sorted_by_name(client: Runner, form: str) -> None:
    definition = {"type": "function", "description": form, "strict": True, "parameters": {}}
    assert load(client, form).definitions == [{**definition, "name": name} for name in ("list", "send")]


@pytest.mark.usefixtures("called")
def test_load_tools_returns_the_definitions_of_chat_completions(client: Runner) -> None:
    function = {"name": "list", "description": "openai", "strict": True, "parameters": {}}
    assert load(client, "openai-chat").definitions[0] == {"type": "function", "function": function}


@pytest.mark.usefixtures("called")
def test_load_tools_chooses_functions(client: Runner, scripted: Scripted) -> None:
    def names(**options: Any) -> List[str]:
        return [definition["name"] for definition in load(client, **options).definitions]

    assert names(read_only=True) == ["list"]
    assert all("connected_only=true" in one.url for one in scripted.received)
    assert names(names=["send"]) == ["send"]
    assert names(apps=["chat", "chat"], names=["send"]) == ["list", "send"]
    with pytest.raises(TypeError, match="there is no argument app;"):
        load(client, app="chat")


def test_load_tools_refuses_more_tools_than_models_accept(client: Runner, scripted: Scripted) -> None:
    functions = [{"name": f"f{n}", "app": "chat"} for n in range(129)]
    scripted.answers((200, {"functions": functions, "_cursor": None}))
    with pytest.raises(ValueError, match="129 functions are more than the 128 tools"):
        load(client)


ARGUMENTS = '{"text":"hi"}'
OUTPUT = '{"network_code":200,"output":{"id":1}}'
#: A call of each API, and the result that it expects.
NATIVE: Dict[str, Any] = {
    "OpenAI Responses": (
        {"type": "function_call", "call_id": "c", "name": "send", "arguments": ARGUMENTS},
        {"type": "function_call_output", "call_id": "c", "output": OUTPUT},
    ),
    "OpenAI Chat Completions": (
        {"id": "c", "type": "function", "function": {"name": "send", "arguments": ARGUMENTS}},
        {"role": "tool", "tool_call_id": "c", "content": OUTPUT},
    ),
    "Anthropic": (
        {"type": "tool_use", "id": "c", "name": "send", "input": {"text": "hi"}},
        {"type": "tool_result", "tool_use_id": "c", "content": OUTPUT},
    ),
    "Gemini over REST": (
        {"functionCall": {"id": "c", "name": "send", "args": {"text": "hi"}}},
        {"functionResponse": {"id": "c", "name": "send", "response": {"output": json.loads(OUTPUT)}}},
    ),
    "Gemini in Python": (
        {"function_call": {"id": None, "name": "send", "args": {"text": "hi"}}},
        {"function_response": {"name": "send", "response": {"output": json.loads(OUTPUT)}}},
    ),
    "Gemini Interactions": (
        {"type": "function_call", "id": "c", "name": "send", "arguments": {"text": "hi"}},
        {"type": "function_result", "call_id": "c", "name": "send", "result": OUTPUT, "is_error": False},
    ),
}


def as_object(value: Any) -> Any:
    """Returns a call as the libraries of the vendors give it: as an object with attributes."""
    if not isinstance(value, dict):
        return value
    plain = ("input", "args", "arguments")
    return SimpleNamespace(**{name: one if name in plain else as_object(one) for name, one in value.items()})


@pytest.mark.usefixtures("called")
@pytest.mark.parametrize(("call", "result"), NATIVE.values(), ids=NATIVE)
def test_execute_takes_a_call_of_a_model_and_returns_its_result(
    client: Runner, scripted: Scripted, call: Any, result: Any
) -> None:
    assert execute(client, call) == result
    assert execute(client, as_object(call)) == result
    assert [one.json() for one in calls(scripted)] == [{"text": "hi"}] * 2


@pytest.mark.parametrize("call", [call for call, _ in NATIVE.values()], ids=NATIVE)
def test_execute_returns_a_failure_as_a_result(client: Runner, called: Called, call: Any) -> None:
    called.status = 400
    called.body = {**error("account_not_connected", "no account", ["chat: connect it"]), "login_url": "https://login"}
    text = json.dumps(execute(client, call)).replace('\\"', '"').replace('": "', '":"')
    assert '"code":"account_not_connected"' in text
    assert "https://login" in text
    called.status = 403
    called.body = {**error("approval_required", "ask first", []), "approval_url": "https://approve"}
    assert "https://approve" in json.dumps(execute(client, call))


def anthropic(name: str = "send") -> Dict[str, Any]:
    return {"type": "tool_use", "id": "c", "name": name, "input": {}}


def test_execute_marks_failures_where_the_api_has_a_field_for_them(client: Runner, called: Called) -> None:
    called.body = {"network_code": 404, "output": {"message": "gone"}}
    result = execute(client, anthropic())
    content = '{"failed":true,"network_code":404,"output":{"message":"gone"}}'
    assert (result["is_error"], result["content"]) == (True, content)


@pytest.mark.usefixtures("called")
def test_execute_executes_only_tools_that_were_offered(client: Runner, scripted: Scripted) -> None:
    result = execute(client, anthropic("delete"))
    assert result["is_error"] is True
    assert "there is no tool delete; the tools are list, send" in result["content"]
    assert calls(scripted) == []


@pytest.mark.usefixtures("called")
@pytest.mark.parametrize("text", ['{"text":', "[1]", "null"])
def test_execute_reports_arguments_that_are_no_object(client: Runner, text: str) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "send", "arguments": text}
    assert "the arguments must be a JSON object" in execute(client, call)["output"]


@pytest.mark.usefixtures("called")
def test_execute_refuses_a_call_of_an_unknown_form(client: Runner) -> None:
    with pytest.raises(TypeError, match="none of the forms"):
        execute(client, {"type": "text"})


def test_run_gives_cursors_to_the_model_as_text(client: Runner, called: Called) -> None:
    called.body = {"network_code": 200, "output": [], "_cursor": {"after": 1}}
    assert run(client, "list", {}).cursor == '{"after":1}'


def test_the_model_gets_the_hints_of_the_app(client: Runner, called: Called) -> None:
    refused = {"status": "expired", "login_url": "https://x.example"}
    more = {"next_page_problem": "/next is not a URL", "retry_after": 7, "location": "/x"}
    meta = {**more, "refused_account": refused, "needed_scopes": [["a"], ["b", "c"]]}
    called.body = {"network_code": 200, "output": [], "_cursor": None, "meta": meta}
    outcome = run(client, "list", {})
    assert (outcome.next_page_problem, outcome.retry_after, outcome.location) == ("/next is not a URL", 7, "/x")
    content = execute(client, anthropic("list"))["content"]
    assert json.loads(content) == {"network_code": 200, "output": [], **meta}


def test_execute_cuts_a_long_result_and_says_so(client: Runner, called: Called) -> None:
    called.body = {"network_code": 200, "output": "x" * 500, "_cursor": "next"}
    content = execute(client, anthropic("list"), max_characters=100)["content"]
    assert content.startswith('{"network_code":200,"output":"xxx')
    assert content.endswith('… [cut after 100 of 549 characters. Ask for less. The next page has the _cursor "next".]')


@pytest.mark.usefixtures("called")
def test_run_uses_the_account_and_the_variables_of_the_options(client: Runner, scripted: Scripted) -> None:
    run(client, "send", {"text": "{a}"}, accounts={"chat": 7}, variables={"a": 1})
    (call,) = calls(scripted)
    assert call.url == "/functions/send/call?connected_account_id=7"
    assert call.json() == {"text": "{a}", "_variables": {"a": 1}}


def test_run_raises_for_wrong_credentials_which_no_model_can_correct(client: Runner, called: Called) -> None:
    called.status, called.body = 401, error("unauthenticated")
    with pytest.raises(AuthenticationError):
        run(client, "send", {})


@pytest.mark.usefixtures("called")
def test_langchain_gets_tools_through_its_own_class(client: Runner, scripted: Scripted) -> None:
    def steps() -> Any:
        return load_langchain_tools(client.user(), dict, names=["send"])

    async def load_and_run() -> Any:
        (tool,) = await steps()
        return tool, await tool.pop("coroutine")(text="hi")

    if client.uses_asyncio:
        tool, result = asyncio.run(load_and_run())
    else:
        (tool,) = steps()
        result = tool.pop("func")(text="hi")
    assert tool == {
        "name": "send",
        "description": "Sends.",
        "args_schema": {"type": "object"},
        "response_format": "content_and_artifact",
    }
    assert (result[0], result[1].ok) == (OUTPUT, True)
    assert calls(scripted)[0].json() == {"text": "hi"}
