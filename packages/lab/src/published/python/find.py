"""Apps and functions: lists, descriptions and predictions."""

from integry.exceptions import NotFound
from rows import CREATE, GET, LIST, OTHER, USER, all_of, error_of, row


@row("apps.list: one page")
async def _(client):
    page = await client.apps.list(USER)
    assert page.apps and isinstance(page.cursor, str)


@row("apps.list: all pages, with the user's accounts")
async def _(client):
    apps = {app.name: app for app in await all_of(client.apps.list(USER))}
    assert len(apps) > 40 and len(apps["addressbook"].connected_accounts) == 1


@row("apps.get")
async def _(client):
    app = await client.apps.get("addressbook", USER)
    assert app.title == "Address book" and app.login_url


@row("apps.get: an unknown app says so")
async def _(client):
    assert "no app" in str(await error_of(NotFound, client.apps.get("nothing", USER)))


@row("apps.is_connected")
async def _(client):
    assert await client.apps.is_connected("addressbook", USER) is True
    assert await client.apps.is_connected("addressbook", OTHER) is False


@row("functions.list: one page")
async def _(client):
    assert (await client.functions.list(USER)).functions


@row("functions.list: all pages")
async def _(client):
    assert len(await all_of(client.functions.list(USER))) > 500


@row("functions.list: from a cursor")
async def _(client):
    first = await client.functions.list(USER)
    second = await client.functions.list(USER, cursor=first.cursor)
    assert second.functions[0].name > first.functions[-1].name


@row("functions.list: app, in any case")
async def _(client):
    names = [{item.name for item in await all_of(client.functions.list(USER, app=app))} for app in ("addressbook", "Addressbook")]
    assert GET in names[0] and names[0] == names[1]


@row("functions.list: connected_only")
async def _(client):
    functions = await all_of(client.functions.list(USER, connected_only=True))
    assert functions and all(item.name.startswith("addressbook-") for item in functions)


@row("functions.list: type")
async def _(client):
    names = {item.name for item in await all_of(client.functions.list(USER, app="addressbook", type="ACTION"))}
    assert CREATE in names and LIST not in names


@row("functions.list: search")
async def _(client):
    functions = await all_of(client.functions.list(USER, search="lists the contacts of the address book"))
    assert [item.name for item in functions] == [LIST]


@row("functions.list: include meta")
async def _(client):
    functions = await all_of(client.functions.list(USER, app="addressbook", include=["meta"]))
    assert functions[0].get_json_schema()["meta"]


@row("functions.get")
async def _(client):
    function = await client.functions.get(CREATE, USER)
    assert function.parameters.required == ["name", "email"] and function.arguments == {}


@row("functions.get: an integer, a cursor and an object among the parameters")
async def _(client):
    paged = (await client.functions.get(LIST, USER)).parameters.properties
    assert paged["page_size"].type == "number" and paged["_cursor"].type == "string"
    assert (await client.functions.get(CREATE, USER)).parameters.properties["address"].type == "object"


@row("functions.get: a prompt")
async def _(client):
    function = await client.functions.get(CREATE, USER, prompt="add Ada with email ada@example.com to my contacts")
    assert function.arguments["email"] == "ada@example.com"


@row("functions.get: variables")
async def _(client):
    function = await client.functions.get(CREATE, USER, variables={"name": "Ada", "email": "ada@example.com"})
    assert set(function.arguments) >= {"name", "email"}


@row("functions.get: include meta")
async def _(client):
    assert (await client.functions.get(CREATE, USER, include=["meta"])).get_json_schema()["meta"]["app"]


@row("functions.get: an unknown function says so")
async def _(client):
    assert "no function" in str(await error_of(NotFound, client.functions.get("nothing", USER)))


@row("functions.predict")
async def _(client):
    (function,) = await client.functions.predict("list the contacts in my address book", USER)
    assert function.name == LIST


@row("functions.predict: arguments")
async def _(client):
    prompt = "add Ada with email ada@example.com to my contacts"
    (function,) = await client.functions.predict(prompt, USER, predict_arguments=True)
    assert function.name == CREATE and function.arguments["email"] == "ada@example.com"


@row("functions.predict: connected_only, variables and meta")
async def _(client):
    prompt = "add a contact"
    found = await client.functions.predict(prompt, USER, {"name": "Ada"}, True, connected_only=True, include=["meta"])
    assert found[0].name.startswith("addressbook-") and found[0].get_json_schema()["meta"]


@row("functions.predict: nothing fits")
async def _(client):
    assert await client.functions.predict("xyzzy", USER) == []
