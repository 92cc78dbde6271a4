"""The rows, and what they share."""

import json
import sys

import httpx
from integry import Integry

settings = json.load(sys.stdin)
USER, OTHER = settings["user_id"], settings["other_user_id"]
LIST, GET, CREATE = "addressbook-list-contacts", "addressbook-get-contact", "addressbook-create-contact"
ROWS = []


def row(name):
    def add(check):
        ROWS.append((name, check))

    return add


def client_of(chosen):
    client = Integry(chosen["app_key"], chosen["app_secret"])
    client.base_url = httpx.URL(chosen["url"])
    return client


async def all_of(paginator):
    return [item async for item in paginator]


async def error_of(kind, awaitable):
    try:
        await awaitable
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was not raised")
