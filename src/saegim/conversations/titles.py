"""Titles that a model writes in the background."""

from uuid import UUID

from pydantic import BaseModel

from saegim.conversations.sessions import END, LONGEST_TITLE, Sessions, title_by_rule
from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import CallSource
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.text.tokens import cut, delimited

MOST_WORDS = 6
TEXT_TOKENS = 400


class TitleForm(BaseModel):
    title: str


TITLE = StructuredStep(
    "title", ModelRole.SUMMARIZER, StepPath.BACKGROUND, TitleForm, max_output_tokens=200
)


class TitleJob:
    def __init__(self, store: Sessions, steps: Steps) -> None:
        self._store = store
        self._steps = steps

    async def write(self, tenant: UUID, session: UUID) -> bool:
        """Let a model write the title of a session that has none; return whether it did."""
        steps = (await self._steps.for_tenant(tenant)).charged_to(tenant)
        first = await self._store.untitled(tenant, session)
        if first is None or not steps.has(TITLE.role):
            return False

        def by_rule() -> TitleForm:
            return TitleForm(title=title_by_rule(first.message))

        try:
            prompt = title_prompt(first.message, first.reply)
            result = await steps.structured(TITLE, prompt, by_rule, None)
        except ModelUnavailable:
            # The title by rule stays.
            return False
        title = tidied(result.value.title)
        if result.call.source is not CallSource.MODEL or not title:
            return False
        if await self._store.save_auto_title(tenant, session, first, title):
            return True
        # The session changed meanwhile: the title may be of words that are redacted now.
        return await self.write(tenant, session)


def title_prompt(message: str, reply: str) -> StepPrompt:
    parts = [delimited("message", cut(message, TEXT_TOKENS))]
    parts += [delimited("answer", cut(reply, TEXT_TOKENS))] if reply else []
    data = Message("user", "\n\n".join(parts))
    return load("saegim.conversations", "title").step((data,), words=str(MOST_WORDS))


def tidied(title: str) -> str:
    """Return the model's title on one line, without quotes, with at most six words."""
    words = title.strip().strip("\"'“”‘’`*#").split()
    return " ".join(words[:MOST_WORDS])[:LONGEST_TITLE].rstrip(END)
