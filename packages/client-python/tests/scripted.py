"""A server that gives scripted answers, and clients for it."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple

import pytest

from onward_client import AsyncList, AsyncOnward, AsyncOnwardInsights, Onward, OnwardError, OnwardInsights


class Received(NamedTuple):
    method: str
    url: str
    #: By name in lower case.
    headers: Dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body) if self.body else None


class Answering(BaseHTTPRequestHandler):
    """Answers a request by the function `answer` of its server."""

    protocol_version = "HTTP/1.1"
    server: Any

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.command, self.path, headers, body)
        self.server.received.append(received)
        self.server.answer(received, self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def send(self, status: int, body: Any, headers: Mapping[str, str] = {}) -> None:
        """Sends text as it is, and anything else as JSON."""
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


Answer = Callable[[Received, Answering], None]


class Scripted:
    """The server of a test. `received` are the requests so far."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        #: Set at the end of the test, for answers that wait.
        self.ended = threading.Event()

    @property
    def received(self) -> List[Received]:
        return self._server.received

    def answer(self, answer: Answer) -> None:
        self._server.answer = answer

    def answers(self, *answers: Any) -> None:
        """Answers the next requests with these (status, body, headers), and all further ones like the last."""

        def answer(_received: Received, response: Answering) -> None:
            response.send(*answers[min(len(self.received), len(answers)) - 1])

        self.answer(answer)

    def user(self, user_id: str = "joe@example.com", **options: Any) -> Any:
        arguments = {"base_url": self.url, "app_key": "key", "app_secret": "secret", **options}
        return Onward(**arguments).for_user(user_id)

    def insights(self) -> Any:
        return OnwardInsights(base_url=self.url, api_key="pk_1", app_key="key")

    def async_user(self, user_id: str = "joe@example.com", **options: Any) -> Any:
        arguments = {"base_url": self.url, "app_key": "key", "app_secret": "secret", **options}
        return AsyncOnward(**arguments).for_user(user_id)

    def async_insights(self) -> Any:
        return AsyncOnwardInsights(base_url=self.url, api_key="pk_1", app_key="key")


@contextmanager
def open_scripted() -> Iterator[Scripted]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    server.daemon_threads = True
    server.received = []
    server.answer = lambda _received, response: response.send(200, {})
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    scripted = Scripted(server)
    try:
        yield scripted
    finally:
        scripted.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


class Runner:
    """Runs the same steps with the client without asyncio, or with the one for asyncio."""

    def __init__(self, scripted: Scripted, uses_asyncio: bool) -> None:
        self._scripted = scripted
        self.uses_asyncio = uses_asyncio

    def user(self, user_id: str = "joe@example.com", **options: Any) -> Any:
        make = self._scripted.async_user if self.uses_asyncio else self._scripted.user
        return make(user_id, **options)

    def insights(self) -> Any:
        return self._scripted.async_insights() if self.uses_asyncio else self._scripted.insights()

    def run(self, step: Callable[[], Any]) -> Any:
        """Returns what a step returns; a list or an iterator as a list of its items."""
        if not self.uses_asyncio:
            result = step()
            return list(result) if hasattr(result, "__iter__") and not isinstance(result, (dict, list)) else result

        async def steps() -> Any:
            result = step()
            if hasattr(result, "__aiter__"):
                return [item async for item in result]
            return await result

        return asyncio.run(steps())

    def failure(self, step: Callable[[], Any]) -> Any:
        with pytest.raises(OnwardError) as raised:
            self.run(step)
        return raised.value


def error(code: str, message: str = "it did not work", details: Any = ()) -> Dict[str, Any]:
    return {"error": message, "error_details": list(details), "code": code}


__all__ = ["AsyncList", "Answering", "Received", "Runner", "Scripted", "error", "open_scripted"]
