"""Values that rules answer from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from saegim.chat.context.assembly import Context
from saegim.chat.rules.about_user import UserStatement
from saegim.chat.rules.conclusions import Conclusion
from saegim.chat.rules.intents import Interpretation
from saegim.chat.types import AssistantConfig, Effect
from saegim.domain.scope import Locale
from saegim.locales import translate
from saegim.memory.proposals import Proposal
from saegim.memory.turn_changes import TurnChange
from saegim.research.types import Findings
from saegim.text.analysis import language

Outcome = Literal["answered", "nothing_ready", "nothing_found"]


@dataclass(frozen=True, slots=True)
class RuleInputs:
    """What rules need besides the context: the intent, the time, and what is known of the user.

    `interpretation` is None if a model answers, and no rule is asked. `known` is None if memory is
    off. `concluded` answers a question about oneself in sum. `changed` is what the message makes
    memory forget or restore, None if it is no such request, `effects` that as the reply shows it,
    and `changes` what does it; `proposal` is what it might be meant to forget. `similar` has the
    similarity of texts of the passages to the message.
    """

    interpretation: Interpretation | None
    now: datetime
    known: tuple[UserStatement, ...] | None = ()
    suggestions: tuple[str, ...] = ()
    concluded: tuple[Conclusion, ...] = ()
    changed: tuple[str, ...] | None = None
    effects: tuple[Effect, ...] = ()
    changes: tuple[TurnChange, ...] = ()
    proposal: Proposal | None = None
    first_message: str = ""
    name: str = ""
    similar: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def reading(self) -> Interpretation:
        assert self.interpretation is not None, "`rule_task` reads the message"
        return self.interpretation


@dataclass(frozen=True, slots=True)
class RuleReply:
    text: str
    outcome: Outcome = "answered"


@dataclass(frozen=True, slots=True)
class RuleTask:
    """A message with its context and inputs.

    `searched`: the documents were searched. `nothing_known`: the recalled memories probably do not
    answer the message. `unsure`: a memory near the message that may no longer hold.
    """

    inputs: RuleInputs
    context: Context
    findings: Findings
    config: AssistantConfig
    searched: bool
    nothing_known: bool = False
    unsure: str | None = None

    @property
    def locale(self) -> Locale:
        return language(self.context.message)

    @property
    def is_confident(self) -> bool:
        return self.findings.confidence >= self.config.thresholds.confidence

    def say(self, text: str, **values: object) -> str:
        return translate(text, self.locale, **values)
