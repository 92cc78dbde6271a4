from __future__ import annotations

import json

from scripted import Answering, Received, Runner, Scripted

BIG = 1909699624467843944


def test_numbers_of_a_response_are_never_changed(client: Runner, scripted: Scripted) -> None:
    digits = f"[{BIG},-{BIG},1.50,0.1234567890123456789,1e400,12,-0.25,1E2,{'9' * 5000}]"

    def answer(_received: Received, response: Answering) -> None:
        response.send(200, f'{{"network_code":200,"output":{digits}}}')

    scripted.answer(answer)
    output = client.run(lambda: client.user().functions.call("f", {})).output
    assert output == [BIG, -BIG, 1.5, "0.1234567890123456789", "1e400", 12, -0.25, 100.0, "9" * 5000]


def test_an_integer_of_any_size_is_sent_as_a_number(client: Runner, scripted: Scripted) -> None:
    scripted.answer(lambda _received, response: response.send(200, {"network_code": 200, "output": None}))
    client.run(lambda: client.user().functions.call("f", {"id": BIG}))
    assert json.loads(scripted.received[-1].body) == {"id": BIG}
