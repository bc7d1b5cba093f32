"""Asking a model for an object: the request, reading the answer, and sending a wrong one back.

pydantic-ai's agent does this too, with a graph of nodes that takes as long as the rest of a call.
"""

from functools import cache
from typing import Literal

from pydantic import BaseModel, ValidationError
from pydantic_ai.exceptions import ContentFilterError, UnexpectedModelBehavior
from pydantic_ai.messages import (
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

TOOL = "final_result"
_AGAIN = "The answer is invalid. Answer again with the whole object.\n{problem}"


@cache
def parameters(output: type[BaseModel], mode: Literal["native", "tool"]) -> ModelRequestParameters:
    """Return the request for an object: as the answer's format, or as the only tool to call.

    Cached: generating the JSON schema takes longer than the rest around a call.
    """
    schema = output.model_json_schema()
    description = schema.pop("description", "The final response.")
    if mode == "native":
        wanted = OutputObjectDefinition(schema, output.__name__, description)
        return ModelRequestParameters(
            output_mode="native", output_object=wanted, allow_text_output=True
        )
    tool = ToolDefinition(
        name=TOOL, description=description, parameters_json_schema=schema, kind="output"
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def read[T: BaseModel](output: type[T], response: ModelResponse) -> T:
    """Return the object of an answer; raises ValidationError if it is not one."""
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if calls:
        return output.model_validate_json(calls[-1].args_as_json_str())
    text = response.text or ""
    if not text.strip():
        _refuse_empty(response)
    start, end = text.find("{"), text.rfind("}")
    # Small models put words or a fence around it.
    return output.model_validate_json(text[start : end + 1] if 0 <= start < end else text)


def _refuse_empty(response: ModelResponse) -> None:
    """Raise for an empty answer that would be as empty the next time."""
    if response.finish_reason == "content_filter":
        raise ContentFilterError("the provider's filter withheld the answer")
    if response.finish_reason == "length":
        raise UnexpectedModelBehavior("the token limit was reached before the answer began")


def correction(response: ModelResponse, problem: ValidationError, system: str) -> ModelRequest:
    """Return the message that sends a wrong answer back."""
    errors = problem.errors(include_url=False, include_context=False, include_input=False)
    text = _AGAIN.format(
        problem="\n".join(f"{_place(each['loc'])}{each['msg']}" for each in errors)
    )
    parts: list[ModelRequestPart] = [
        ToolReturnPart(part.tool_name, text, part.tool_call_id)
        for part in response.parts
        if isinstance(part, ToolCallPart)
    ]
    return ModelRequest(parts=parts or [UserPromptPart(text)], instructions=system)


def _place(location: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, location))}: " if location else ""
