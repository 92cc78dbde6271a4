"""Programs that mypy checks, against types in the manner of a vendor's library. They are not run."""

from __future__ import annotations

from typing import List

from anthropic import Anthropic, ToolResultParam

from onward_client import Onward
from onward_client.tools import load_tools
from onward_client.webhooks import Webhook, WebhookEvent, unwrap


def pass_tools_and_their_results(model: Anthropic) -> None:
    tools = load_tools(Onward().for_user("joe"), "anthropic")
    message = model.messages.create(model="m", max_tokens=9, tools=tools.definitions, messages=[])
    results: List[ToolResultParam] = [tools.execute(block) for block in message.content if block.type == "tool_use"]
    model.messages.create(model="m", max_tokens=9, tools=[], messages=[{"role": "user", "content": results}])


def read_the_body_of_a_type(event: Webhook) -> WebhookEvent:
    if event.type == "user_tasks_limit_80":
        print(event.data["tasks_consumed"])
    elif event.type == "account_connected":
        print(event.data["connected_account_id"])
    elif event.type == "approval_requested":
        print(event.data["expires_at"])
        print(event.data["decided_by"])  # type: ignore[typeddict-item]
    elif event.type == "approval_decided":
        print(event.data["decided_by"])
    elif event.type == "limit_changed":
        print(event.data["previous_limit"])
    elif event.type == "acount_connected":  # type: ignore[comparison-overlap]
        pass
    return event


read_the_body_of_a_type(unwrap(b"", {}, "whsec_MDEy"))
