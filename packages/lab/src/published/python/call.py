"""Calls, pages and credentials."""

from integry.exceptions import FunctionCallError, NotFound
from rows import GET, LIST, OTHER, USER, client_of, error_of, row, settings


@row("functions.call")
async def _(client):
    result = await client.functions.call(GET, {"contact_id": 1}, USER)
    assert result.network_code == 200 and result.output["id"] == 1


@row("functions.call: variables")
async def _(client):
    result = await client.functions.call(GET, {"contact_id": "{id}"}, USER, {"id": 2})
    assert result.output["id"] == 2


@row("functions.call: a connected account")
async def _(client):
    (account,) = (await client.apps.get("addressbook", USER)).connected_accounts
    assert (await client.functions.call(GET, {"contact_id": 1}, USER, connected_account_id=account.id)).network_code == 200


@row("functions.call: an unknown connected account is named as the reason")
async def _(client):
    error = await error_of(FunctionCallError, client.functions.call(GET, {"contact_id": 1}, USER, connected_account_id=1_000_000))
    assert any("connected_account_id" in each for each in error.errors), error.errors


@row("functions.call: a missing account is named as the reason")
async def _(client):
    error = await error_of(FunctionCallError, client.functions.call(GET, {"contact_id": 1}, OTHER))
    assert any("no connected account" in each for each in error.errors), error.errors


@row("functions.call: wrong arguments are named")
async def _(client):
    error = await error_of(FunctionCallError, client.functions.call(GET, {"contact_id": "first", "other": 1}, USER))
    assert {each.split(":")[0] for each in error.errors} == {"contact_id", "other"}, error.errors


@row("functions.call: an unknown function says so")
async def _(client):
    assert "no function" in str(await error_of(NotFound, client.functions.call("nothing", {}, USER)))


@row("functions.call: the app's own error is a result")
async def _(client):
    assert (await client.functions.call("addressbook-fail", {"status": 418}, USER)).network_code == 418


async def walk(client, name, key):
    """Follows the pages of a function, and returns the number of items."""
    arguments, items = {}, 0
    for _ in range(20):
        result = await client.functions.call(name, dict(arguments), USER)
        items += len(result.output)
        cursor = getattr(result, "cursor", None)
        if cursor is None:
            return items
        assert isinstance(cursor, str)
        arguments = {key: cursor}
    raise AssertionError("the pages have no end")


for kind, name, least in (("text", LIST, 100), ("a number", "addressbook-list-groups", 7), ("an object", "addressbook-export-contacts", 100)):

    @row(f"functions.call: all pages, where the cursor is {kind}")
    async def _(client, name=name, least=least):
        assert await walk(client, name, "_cursor") >= least


@row("functions.call: all pages, with the argument cursor of tools")
async def _(client):
    assert await walk(client, LIST, "cursor") >= 100


@row("functions.call_sync")
async def _(client):
    assert client.functions.call_sync(GET, {"contact_id": 1}, USER).output["id"] == 1


@row("functions.call_sync: a page")
async def _(client):
    assert isinstance(client.functions.call_sync("addressbook-list-groups", {}, USER).cursor, str)


@row("a function called as such")
async def _(client):
    function = await client.functions.get(GET, USER)
    assert (await function(USER, {"contact_id": 1})).output["id"] == 1


@row("wrong credentials are refused")
async def _(client):
    wrong = client_of({**settings, "app_secret": "wrong"})
    assert "unauthenticated" in str(await error_of(Exception, wrong.apps.get("addressbook", USER)))


@row("a user id beyond ASCII")
async def _(client):
    assert (await client.apps.get("addressbook", "zoë")).name == "addressbook"
