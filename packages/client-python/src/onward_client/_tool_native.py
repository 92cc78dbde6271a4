"""The tool calls of models, and the results that their APIs expect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, cast

from ._tool_outcome import ToolOutcome, for_model, text_for_model


@dataclass(frozen=True)
class ReadCall:
    """A call in our own form, and how to turn its outcome into the vendor's form."""

    name: str
    arguments: Any
    result: Callable[[ToolOutcome, int], Dict[str, Any]]


def read_call(call: object) -> ReadCall:
    """Reads a call of any vendor, as a mapping or as an object of the vendor's library.

    Raises a TypeError for anything else.
    """
    # Gemini's REST API writes functionCall, and its Python library function_call.
    for key, result_key in (("functionCall", "functionResponse"), ("function_call", "function_response")):
        inner = _field(call, key)
        if inner is not None:
            return _gemini(inner, result_key)
    kind = _field(call, "type")
    if kind == "function_call":
        return _openai(call) if _field(call, "call_id") is not None else _gemini_step(call)
    if kind == "function":
        return _openai_chat(call)
    if kind == "tool_use":
        return _anthropic(call)
    raise TypeError("the call has none of the forms of OpenAI, Anthropic or Gemini")


def _field(call: object, name: str) -> Any:
    if isinstance(call, Mapping):
        return cast(Mapping[str, Any], call).get(name)
    return getattr(call, name, None)


def _openai(call: object) -> ReadCall:
    """An output item of OpenAI's Responses API."""
    call_id = _field(call, "call_id")
    return ReadCall(
        _field(call, "name"),
        _field(call, "arguments"),
        lambda outcome, most: {
            "type": "function_call_output",
            "call_id": call_id,
            "output": text_for_model(outcome, most),
        },
    )


def _openai_chat(call: object) -> ReadCall:
    """An item of `tool_calls` in OpenAI's Chat Completions API."""
    call_id, function = _field(call, "id"), _field(call, "function")
    return ReadCall(
        _field(function, "name"),
        _field(function, "arguments"),
        lambda outcome, most: {"role": "tool", "tool_call_id": call_id, "content": text_for_model(outcome, most)},
    )


def _anthropic(call: object) -> ReadCall:
    """A content block of Anthropic's Messages API."""
    call_id = _field(call, "id")
    return ReadCall(
        _field(call, "name"),
        _field(call, "input"),
        lambda outcome, most: {
            "type": "tool_result",
            "tool_use_id": call_id,
            "content": text_for_model(outcome, most),
            **({} if outcome.ok else {"is_error": True}),
        },
    )


def _gemini(call: object, result_key: str) -> ReadCall:
    """A part of Gemini's answer. Gemini needs an object, in which it reads `output` or `error`."""
    call_id: Optional[str] = _field(call, "id")
    name: str = _field(call, "name") or ""

    def result(outcome: ToolOutcome, most: int) -> Dict[str, Any]:
        text = text_for_model(outcome, most)
        # A text that was cut is no JSON any more.
        shown = for_model(outcome) if len(text) <= most else text
        identified = {} if call_id is None else {"id": call_id}
        return {result_key: {**identified, "name": name, "response": {"output" if outcome.ok else "error": shown}}}

    return ReadCall(name, _field(call, "args") or {}, result)


def _gemini_step(call: object) -> ReadCall:
    """A step of Gemini's Interactions API."""
    call_id, name = _field(call, "id"), _field(call, "name")
    return ReadCall(
        name,
        _field(call, "arguments"),
        lambda outcome, most: {
            "type": "function_result",
            "call_id": call_id,
            "name": name,
            "result": text_for_model(outcome, most),
            "is_error": not outcome.ok,
        },
    )
