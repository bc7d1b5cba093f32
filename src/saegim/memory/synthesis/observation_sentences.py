"""Word observations with a model; code decides what they say and checks every word of it."""

from collections.abc import Sequence

from pydantic import BaseModel

from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.memory.synthesis.types import ExplainedMemory
from saegim.text import analysis, function_words
from saegim.text.tokens import cut, delimited

_TOKENS = 60


class WordingForm(BaseModel):
    """A sentence for the observation of a number."""

    number: int
    sentence: str


class WordingsForm(BaseModel):
    observations: list[WordingForm]


WORD = StructuredStep(
    "observe", ModelRole.SUMMARIZER, StepPath.BACKGROUND, WordingsForm, max_output_tokens=1_500
)


def wording_prompt(observations: Sequence[ExplainedMemory]) -> StepPrompt:
    """Build the prompt with numbered observations and the records of each."""
    blocks: list[str] = []
    for number, each in enumerate(observations):
        lines = "\n".join(
            f"- {record.said_at.date().isoformat()}: {record.content}" for record in each.evidence
        )
        blocks.append(f"observation {number}:\n{lines}")
    data = delimited("observations", "\n\n".join(blocks))
    return load("saegim.memory", "observe").step((Message("user", data),))


def checked(sentence: str, observation: ExplainedMemory) -> str | None:
    """Return a sentence that has only words of the records behind it; else None."""
    texts = [text for record in observation.evidence for text in (record.content, record.quote)]
    allowed = analysis.word_keys(" ".join(texts)) | function_words.KOREAN | function_words.ENGLISH
    text = cut(" ".join(sentence.split()), _TOKENS)
    return text if text and analysis.word_keys(text) <= allowed else None
