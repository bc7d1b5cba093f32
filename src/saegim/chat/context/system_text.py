"""The system text of an answer: it says who the assistant is and what it can do in a turn."""

import re
from dataclasses import dataclass

from saegim.domain.tenancy import Assistant
from saegim.llm.prompts import load

_EMPTY_LINES = re.compile(r"\n{3,}")
_ALSO = (
    "You also help with everyday requests, such as conversation, translation, proofreading, code, "
    "arithmetic and dates. Do these yourself, without searching and without markers. On the "
    "subject itself you may add general knowledge, if you say that it is not from the documents, "
    "but never prices, limits, dates or names."
)
_STRICT = (
    "Answer questions about the subject from the documents alone: what they do not say, you do "
    "not know. About the user you answer from memory. Greetings, arithmetic, dates and translation "
    "you do yourself."
)
_SEARCHING = (
    ", and what `search` and `read` bring. If that does not answer, search again, once for each "
    "open part of the question and once more in other words or in the language of the documents; "
    "do not search for what needs no documents."
)
_RECALLING = ", or what `recall` brings: use it before you say that you do not know."


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the answering model can do in a turn: search the library, recall, change what is
    remembered, use other tools."""

    searches: bool = False
    recalls: bool = False
    remembers: bool = False
    acts: tuple[str, ...] = ()
    strict: bool = False
    subject: str = ""
    """What the assistant is for."""
    user: str = ""
    """The name of the user."""


def system_text(assistant: Assistant, can: Abilities, card: str = "") -> str:
    """Return the text, with what is always known of the user at its end."""
    names = ", ".join(f"`{name}`" for name in can.acts)
    acting = f", except with {names}: call them for what they cover" if names else ""
    memory = load("saegim.chat", "answer_memory" if can.remembers else "answer_no_memory")
    text = load("saegim.chat", "answer").render(
        name=assistant.name,
        persona=assistant.persona,
        subject=f"What you are for: {can.subject}" if can.subject else "",
        policy=assistant.policy,
        general=_STRICT if can.strict else _ALSO,
        searching=_SEARCHING if can.searches else ".",
        recalling=_RECALLING if can.recalls else ".",
        memory=memory.render(acting=acting),
        card=card,
    )
    return _EMPTY_LINES.sub("\n\n", text).strip()
