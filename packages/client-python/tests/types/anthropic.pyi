from typing import Dict, Iterable, List, Literal, TypedDict, Union

class _Required(TypedDict):
    name: str
    input_schema: Dict[str, object]

class ToolParam(_Required, total=False):
    description: str

class ToolResultParam(TypedDict, total=False):
    content: str

class MessageParam(TypedDict):
    role: Literal["user"]
    content: Union[str, Iterable[ToolResultParam]]

class TextBlock:
    type: Literal["text"]

class ToolUseBlock:
    type: Literal["tool_use"]

class Message:
    content: List[Union[TextBlock, ToolUseBlock]]

class Messages:
    def create(
        self, *, model: str, max_tokens: int, tools: Iterable[ToolParam], messages: Iterable[MessageParam]
    ) -> Message: ...

class Anthropic:
    messages: Messages
