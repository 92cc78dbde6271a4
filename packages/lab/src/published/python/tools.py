"""Tools for the frameworks of language models. Their libraries are not needed: the client takes their functions as arguments."""

import json
from types import SimpleNamespace

from integry import handle_litellm_tool_calls, handle_mistralai_tool_calls
from rows import GET, LIST, USER, all_of, row


def collect(**given):
    return given


@row("get_langchain_tool: each function of the address book, and a call")
async def _(client):
    for function in await all_of(client.functions.list(USER, app="addressbook")):
        function.get_langchain_tool(collect, USER)
    tool = (await client.functions.get(GET, USER)).get_langchain_tool(collect, USER)
    arguments = tool["args_schema"](contact_id=1).model_dump(exclude_unset=True)
    assert (await tool["coroutine"](**arguments)).output["id"] == 1 and tool["func"](**arguments).output["id"] == 1


@row("get_langchain_tool: each function of the catalog")
async def _(client):
    for function in await all_of(client.functions.list(USER)):
        try:
            function.get_langchain_tool(collect, USER)
        except Exception as error:
            raise AssertionError(f"{function.name}: {error}") from error


@row("get_langchain_tool: the second page")
async def _(client):
    tool = (await client.functions.get(LIST, USER)).get_langchain_tool(collect, USER)
    first = await tool["coroutine"](page_size=2)
    second = await tool["coroutine"](**tool["args_schema"](page_size=2, cursor=first.cursor).model_dump(exclude_unset=True))
    assert second.output[0]["id"] != first.output[0]["id"]


@row("get_llamaindex_tool")
async def _(client):
    tool = (await client.functions.get(GET, USER)).get_llamaindex_tool(collect, SimpleNamespace, USER)
    assert (await tool["async_fn"](contact_id=1)).output["id"] == 1 and tool["tool_metadata"].fn_schema


@row("get_haystack_tool")
async def _(client):
    tool = (await client.functions.get(GET, USER)).get_haystack_tool(collect, USER)
    assert tool["function"](contact_id=1).output["id"] == 1 and tool["parameters"]["required"] == ["contact_id"]


@row("get_smolagent_tool")
async def _(client):
    tool = (await client.functions.get(GET, USER)).get_smolagent_tool(lambda function: function, USER)
    assert tool(contact_id=1).output["id"] == 1 and "contact_id" in tool.__doc__


@row("register_with_autogen_agents")
async def _(client):
    registered = []
    function = await client.functions.get(GET, USER)
    function.register_with_autogen_agents(lambda each, **_: registered.append(each), None, None, USER)
    schema = registered[0].__annotations__["input"].__origin__
    assert (await registered[0](schema(contact_id=1))).output["id"] == 1


def completion(name, arguments):
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    message = {"role": "assistant", "content": "", "tool_calls": [call]}
    return {"id": "1", "created": 1, "model": "m", "object": "o", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}


def attributes(value):
    return json.loads(json.dumps(value), object_hook=lambda each: SimpleNamespace(**each))


for handle, tool, answer_of in (
    (handle_litellm_tool_calls, "get_litellm_tool", dict),
    (handle_mistralai_tool_calls, "get_mistralai_tool", attributes),
):

    @row(f"{tool}, and the calls of its answer")
    async def _(client, handle=handle, tool=tool, answer_of=answer_of):
        function = await client.functions.get(GET, USER)
        assert getattr(function, tool)()["function"]["parameters"]["required"] == ["contact_id"]
        (result,) = await handle(answer_of(completion(GET, {"contact_id": 1})), USER, [function])
        assert result.output["id"] == 1
