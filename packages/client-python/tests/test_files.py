from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from scripted import Runner, Scripted

from onward_client import Onward


def sent(client: Runner, scripted: Scripted, file: Any) -> Any:
    scripted.answer(lambda _received, response: response.send(200, {"network_code": 200, "output": None}))
    client.run(lambda: client.user().functions.call("f", {"files": [file]}))
    return scripted.received[-1].json()["files"][0]


@pytest.mark.parametrize("file", [b"hi", bytearray(b"hi"), memoryview(b"hi")])
def test_bytes_are_sent_as_a_file(client: Runner, scripted: Scripted, file: Any) -> None:
    assert sent(client, scripted, file) == {"base64": "aGk="}


def test_the_file_of_a_path_is_sent_with_its_name_and_type(client: Runner, scripted: Scripted, tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    (tmp_path / "data").write_bytes(b"hi")
    content = base64.b64encode(b"\x89PNG").decode()
    assert sent(client, scripted, tmp_path / "photo.png") == {"base64": content, "name": "photo.png", "content_type": "image/png"}
    assert sent(client, scripted, tmp_path / "data") == {"base64": "aGk=", "name": "data"}


def test_a_value_that_json_cannot_contain_is_refused() -> None:
    with pytest.raises(TypeError, match="set is not JSON serializable"):
        Onward(base_url="http://127.0.0.1:1", app_key="k", app_secret="s").for_user("joe").functions.call("f", {"a": {1}})
