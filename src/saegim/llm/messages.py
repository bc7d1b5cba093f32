from collections.abc import Iterable

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.settings import ModelSettings

from saegim.llm.types import Message, StepPrompt


def chat_messages(prompt: StepPrompt) -> list[ModelMessage]:
    """The prompt as real chat messages: user and assistant in turn, the system text apart."""
    return [
        ModelRequest(parts=[UserPromptPart(message.text)], instructions=prompt.system)
        if message.role == "user"
        else ModelResponse(parts=[TextPart(message.text)])
        for message in _in_turn(prompt.messages)
    ]


def request_settings(max_output_tokens: int | None) -> ModelSettings:
    return (
        ModelSettings()
        if max_output_tokens is None
        else ModelSettings(max_tokens=max_output_tokens)
    )


def _in_turn(messages: Iterable[Message]) -> list[Message]:
    # Some chat templates refuse two messages of one side in a row, which an unanswered turn leaves.
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            joined[-1] = Message(message.role, f"{joined[-1].text}\n\n{message.text}")
        else:
            joined.append(message)
    return joined
