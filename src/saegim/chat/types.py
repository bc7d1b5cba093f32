"""Values of a turn, and the configuration it runs with."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from saegim.conversations.branches import BranchPoint
from saegim.conversations.types import (
    ChannelMessage,
    ClientTools,
    Controls,
    HistoryEntry,
    Turn,
    TurnState,
)
from saegim.domain.errors import Invalid
from saegim.library.types import Locator
from saegim.llm.ports import ChosenModel, TimeLimits
from saegim.llm.types import DEFAULT_SAMPLING, FIRST_TOKEN_SECONDS, FunctionCall, SamplingParameters
from saegim.locales import N_
from saegim.usage.trace import OtherPlace

LONGEST_MESSAGE_TOKENS = 8_000
LONGEST_INSTRUCTIONS_TOKENS = 1_000
DEFAULT_CONTROLS = Controls()
ANSWER_SHARE = 8 / 30
"""The part of a turn that is reserved for the answer."""
MARGIN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """Time limits in seconds: the whole turn, the part reserved for the answer, its first
    token, one step before it, and how long a request waits for the reply before it fails with
    `turn_pending`. If `asks_once`, the answer is the only model call, with a short prompt."""

    whole: float = 30.0
    answer: float = 8.0
    first_token: float = FIRST_TOKEN_SECONDS
    step: float = 6.0
    wait: float = 120.0
    asks_once: bool = False

    @classmethod
    def of(cls, limits: TimeLimits) -> Self:
        """Return the times of a turn whose models have these limits."""
        answer, wait = limits.turn * ANSWER_SHARE, max(cls().wait, limits.turn + MARGIN_SECONDS)
        # Searches have time also if the model has none.
        step = limits.step if limits.has_steps else cls().step
        once = not limits.has_steps
        return cls(limits.turn, answer, limits.first_token, step, wait, asks_once=once)

    def at_least(self, limits: TimeLimits | None) -> "TurnTimes":
        """Return these times, or the longer ones of slower models."""
        if limits is None:
            return self
        times = self if limits.turn <= self.whole else TurnTimes.of(limits)
        return replace(times, asks_once=not limits.has_steps)


NO_CLIENT_TOOLS = ClientTools()


class EffectKind(StrEnum):
    """What a turn did to memory."""

    REMEMBERED = "remembered"
    FORGOTTEN = "forgotten"
    LEFT_OUT = "left_out"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Effect:
    """A change of memory that a turn made: of a record, or of a turn that is left out or whose
    changes are undone. `text` is for the reply alone and is not stored; `undone`: it was taken
    back since."""

    kind: EffectKind
    id: UUID
    ref: str | None
    text: str
    undone: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what is stored with the turn."""
        return {"kind": self.kind.value, "ref": self.ref, "id": str(self.id)}


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A message as received. A `temporary` one keeps its session out of long-term memory; a `draft`
    one is temporary and answered by the assistant's draft."""

    message: str
    session: str | None = None
    idempotency_key: str | None = None
    history: tuple[HistoryEntry, ...] | None = None
    selected_doc_ids: tuple[str, ...] = ()
    attached_doc_ids: tuple[str, ...] = ()
    temporary: bool = False
    draft: bool = False
    point: BranchPoint | None = None
    instructions: str = ""
    controls: Controls = DEFAULT_CONTROLS
    channel_messages: tuple[ChannelMessage, ...] = ()
    store_messages: bool = False
    client_tools: ClientTools = NO_CLIENT_TOOLS
    sampling: SamplingParameters = DEFAULT_SAMPLING


@dataclass(frozen=True, slots=True)
class Reply:
    turn: UUID
    session: UUID
    state: TurnState
    answer: str
    summary: str
    refs: Sequence[str] = ()
    ref_doc_ids: Sequence[str] = ()
    related_doc_ids: Sequence[str] = ()
    degraded: Sequence[str] = ()
    error: str | None = None
    route: str = "general"
    outcome: str = "answered"
    citations: Sequence[Mapping[str, Any]] = ()
    entities: Mapping[str, str] = field(default_factory=dict[str, str])
    grounded: bool | None = None
    memory_off: bool = False
    proposal: Literal["forget", "leave_out"] | None = None
    effects: Sequence[Effect] = ()
    calls: Sequence[FunctionCall] = ()
    """Tools that the client is to run first; then nothing is stored yet."""
    usage: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The trace with the model's calls, while it is not stored."""


SUMMARY_CHARACTERS = 150


def summarise(answer: str) -> str:
    """Cut the answer at 150 characters, at a space if there is one, and append '...'."""
    text = " ".join(answer.split())
    if len(text) <= SUMMARY_CHARACTERS:
        return text
    cut = text[:SUMMARY_CHARACTERS]
    if text[SUMMARY_CHARACTERS] != " " and " " in cut:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip() + "..."


def reply_of(
    turn: Turn,
    trace: Mapping[str, Any],
    excerpts: Mapping[str, str] | None = None,
    effects: Sequence[Effect] | None = None,
) -> Reply:
    """Build the reply of a turn from the turn and its trace.

    `excerpts` has the texts of the citations by marker, and `effects` those of changes of memory,
    which are not stored."""
    answer = turn.reply or ""
    routing: Mapping[str, Any] = trace.get("routing") or {}
    used: Mapping[str, Any] = trace.get("answer") or {}
    proposed: Mapping[str, Any] = trace.get("proposal") or {}
    return Reply(
        turn=turn.id,
        session=turn.session,
        state=turn.state,
        answer=answer,
        summary=summarise(answer),
        refs=tuple(trace.get("refs", ())),
        ref_doc_ids=tuple(trace.get("ref_doc_ids", ())),
        related_doc_ids=tuple(trace.get("related", ())),
        degraded=tuple(trace.get("degraded", ())),
        error=turn.error,
        route=trace.get("route", "general"),
        outcome=used.get("outcome", "answered"),
        citations=tuple(
            {**each, "text": (excerpts or {}).get(each["marker"])}
            for each in trace.get("citations", ())
        ),
        entities=dict(routing.get("hints", {})),
        grounded=used.get("grounded"),
        memory_off=trace.get("memory_off", False),
        proposal=proposed.get("request"),
        effects=tuple(map(stored_effect, turn.effects)) if effects is None else tuple(effects),
    )


def stored_effect(stored: Mapping[str, Any]) -> Effect:
    """Return a change of memory as it is stored, without its words."""
    kind, undone = EffectKind(stored["kind"]), stored.get("undone", False)
    return Effect(kind, UUID(stored["id"]), stored.get("ref"), "", undone)


def _without_nul(text: str) -> str:
    """Raise ValueError for text that Postgres cannot store."""
    if "\0" in text:
        raise ValueError("a NUL character")
    return text


Stored = Annotated[str, AfterValidator(_without_nul)]
Word = Annotated[Stored, Field(min_length=1, max_length=100)]
Words = Annotated[list[Word], Field(max_length=200)]
Text = Annotated[Stored, Field(max_length=2_000)]


class Config(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class RouteConfig(Config):
    """A kind of question: how it is recognised, and how it is searched."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    about: Text
    words: Words = []
    """Words in a message that select this route if no model is asked."""
    query_prompt: Text = ""
    """Tells the model how to write this route's search queries."""
    query_forms: Annotated[list[Text], Field(max_length=3)] = []
    """Search queries if no model is asked; `{message}` is replaced by the message."""
    prefers: Words = []
    """Preferred document types."""


class MenuLink(Config):
    """Where a person finds help when the documents have none."""

    label: Text
    url: Annotated[Stored, Field(pattern=r"^https?://", max_length=500)]


class Thresholds(Config):
    """When a search is reviewed, a draft rejected, and no result good enough to answer from."""

    overall: float = 0.75
    risk: float = 0.6
    answer_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 1_200
    evidence: float = 0.3
    """From this confidence of the search on passages stand in a model's prompt."""
    confidence: float = 0.5
    sure: float = 0.8
    """From this confidence of a review on the lite model answers without a draft."""
    review: float = 0.7
    """From this confidence of the search on the answer starts without a review."""


class AnswerModel(Config):
    """A model of a connection of the tenant."""

    connection_id: UUID
    model: Annotated[Stored, Field(min_length=1, max_length=200)]

    def chosen(self) -> ChosenModel:
        return ChosenModel(self.connection_id, self.model)


Starter = Annotated[str, Field(min_length=1, max_length=200)]


class AssistantConfig(Config):
    """How an assistant routes, searches, answers and gives up."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"strict": False}]})

    routes: Annotated[list[RouteConfig], Field(max_length=20)] = Field(
        default_factory=lambda: list(DEFAULT_ROUTES)
    )
    document_ids: Words = ["myservice", "gcb", "sop"]
    """Prefixes of document ids: `gcb-123`, `sop_77`."""
    document_types: dict[Word, Words] = Field(default_factory=lambda: dict(DOCUMENT_TYPES))
    """Aliases of document types."""
    menu_links: Annotated[list[MenuLink], Field(max_length=20)] = []
    link_hosts: Words = []
    """Hosts that answers may link to; other links become plain text."""
    high_risk: Words = Field(default_factory=lambda: list(HIGH_RISK))
    thresholds: Thresholds = Thresholds()
    strict: bool = False
    """Whether answers without supporting evidence are withheld."""
    review: bool = False
    """Whether a model reviews an unsure search before the answer, and chooses the route."""
    context: Literal["compact", "roomy"] = "compact"
    """How much a model reads: the last turns and a summary, or the whole conversation up to 12,000
    tokens and more evidence."""
    two_stage: bool = False
    """Whether the lite model drafts answers, and the strong one writes those that it should."""
    tools: Words | None = None
    """The tools it may use; unset means all that have keys."""
    model: AnswerModel | None = None
    """The model that drafts and writes its answers; unset means those of the tenant. If the
    connection is gone, the tenant's are used, too."""
    description: Annotated[str, Field(max_length=1_000)] = ""
    """What it is for, shown above an empty conversation."""
    starters: Annotated[list[Starter], Field(max_length=6)] = []
    """Questions to begin with; without them, some are drawn from the documents."""
    offered_to: Words | None = None
    """Groups whose members may switch to it; an empty list means everyone in the tenant, unset
    means no one."""

    def route(self, name: str) -> RouteConfig | None:
        return next((route for route in self.routes if route.name == name), None)


def words(listed: str) -> list[str]:
    """Split a comma-separated list."""
    return listed.split(", ")


DEFAULT_ROUTES = (
    RouteConfig(
        name="setup",
        about="Installing, connecting, configuring, setting something up step by step.",
        words=words(
            "설치, 셋업, 세팅, 설정, 연동, 연결하, 등록하, 구성하, 초기화, install, setup, set up, "
            "configure, connect, register"
        ),
        query_prompt="Name the thing to be set up and the step: preparation, procedure, settings.",
        query_forms=["{message} 설정 방법 절차"],
        prefers=["setup", "guide", "manual", "sop"],
    ),
    RouteConfig(
        name="ts",
        about="Something does not work: symptom, error, alarm, cause, remedy.",
        words=words(
            "이상, 오류, 에러, 고장, 알람, 경고, 안 돼, 안돼, 안 되, 안되, 실패, 원인, 느려, 멈춤, "
            "error, fail, alarm, broken, not work, trouble, cannot, can't, slow"
        ),
        query_prompt="Name the equipment or part and its symptom, then likely cause, then remedy.",
        query_forms=["{message} 원인 조치"],
        prefers=["ts", "gcb", "faq"],
    ),
    RouteConfig(
        name="general",
        about="Everything else that documents may answer.",
        query_prompt="Use the words that a document on the subject would use.",
    ),
)

DOCUMENT_TYPES: dict[str, list[str]] = {
    "ts": ["트러블슈팅", "문제 해결", "troubleshooting", "trouble shooting"],
    "setup": ["셋업", "설치 문서", "설치 가이드"],
    "sop": ["작업 표준", "표준 작업"],
    "faq": ["자주 묻는"],
    "guide": ["가이드", "안내서"],
    "manual": ["매뉴얼", "설명서"],
}

# Words of finance, medicine and law, where a wrong answer does harm.
HIGH_RISK = words(
    "투자, 매수, 매도, 주식 추천, 대출, 세금 신고, 절세, 환율 전망, 진단, 처방, 복용, "
    "약을, 부작용, 치료, 증상, 수술, 소송, 고소, 계약 해지, 법적, 위법, invest, stock tip, loan, "
    "tax return, diagnos, prescri, dosage, medication, side effect, lawsuit, legal, liabilit"
)

FALLBACK_ROUTE = "general"

NOTHING_READY = N_("There is no content on this yet.")
NOTHING_FOUND = N_("I couldn't find any documents on this.")


def configured(stored: Mapping[str, Any], degraded: Callable[[str], None]) -> AssistantConfig:
    """Parse the stored configuration; fall back to the defaults if it is invalid."""
    if not stored:
        return DEFAULTS
    try:
        return AssistantConfig.model_validate(dict(stored))
    except ValidationError:
        degraded("assistant_config")
        return DEFAULTS


def checked(config: Mapping[str, Any]) -> dict[str, Any]:
    """Validate a configuration and drop unset values. Raises Invalid."""
    try:
        valid = AssistantConfig.model_validate(dict(config))
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
        )
        raise Invalid(problems) from None
    return valid.model_dump(mode="json", exclude_unset=True)


DEFAULTS = AssistantConfig()


class EvidenceKind(StrEnum):
    PASSAGE = "passage"
    MEMORY = "memory"
    TURN = "turn"
    TOOL = "tool"


PREFIX: dict[EvidenceKind, str] = {
    EvidenceKind.PASSAGE: "",
    EvidenceKind.MEMORY: "M",
    EvidenceKind.TURN: "T",
    EvidenceKind.TOOL: "F",
}
"""Marker prefixes: [1] a passage, [M1] a memory, [T3] turn 3, [F1] a fact from a tool."""

MARKER = re.compile(r"\[([MTF]?\d{1,4})\]")


@dataclass(frozen=True, slots=True)
class Evidence:
    """An item of the context that an answer may cite by `marker`.

    `id` is the id of the passage or memory, the turn's number, or the tool's name; `document` is
    the outside id of a passage's document; `url` is the source of a tool's fact; `turn` is the id
    of the turn that an episode repeats; `section` is the heading path of a passage, and `locator`
    the place where it begins in its file; `also_in` are other documents with the same text;
    `stale_since` is when a stale document was last changed; `team`: the memory is a shared one;
    `message` is what the user said in an earlier turn, whose `text` has the reply too.
    """

    kind: EvidenceKind
    id: str
    marker: str
    title: str
    text: str
    document: str | None = None
    url: str | None = None
    turn: str | None = None
    section: str | None = None
    locator: Locator | None = None
    also_in: tuple[OtherPlace, ...] = ()
    stale_since: datetime | None = None
    team: bool = False
    message: str | None = None

    @property
    def said(self) -> str:
        """What it says by itself: of an earlier turn the message, without the reply."""
        return self.text if self.message is None else self.message


EXCERPT_CHARACTERS = 1_000


def excerpt(text: str) -> str:
    """Cut the text of a citation at 1,000 characters, at a space if there is one."""
    if len(text) <= EXCERPT_CHARACTERS:
        return text
    return text[:EXCERPT_CHARACTERS].rsplit(maxsplit=1)[0] + " […]"


def marker(kind: EvidenceKind, number: int) -> str:
    """Return the citation marker without brackets."""
    return f"{PREFIX[kind]}{number}"
