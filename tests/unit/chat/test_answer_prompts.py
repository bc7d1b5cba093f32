"""Compares the requests of answers in ten situations with their reviewed snapshots.

`SAEGIM_WRITE_SNAPSHOTS=1` rewrites the snapshots.
"""

import json
import os
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from saegim.chat.context.assembly import Abilities, Budgets, Thread, assemble, now_block
from saegim.chat.context.evidence import Refs, RetrievedContext
from saegim.chat.turn_tools.offer import OfferedTools, TurnToolbox
from saegim.chat.types import AssistantConfig
from saegim.conversations.types import Entity, Exchange
from saegim.domain.tenancy import Assistant
from saegim.library.types import Document, FoundPassage, Passage, PassageSignals, Tags
from saegim.llm.types import FunctionTool, Message
from saegim.memory.recall.types import CandidateKind, RecallCandidate, RecallSignals, Recollection
from saegim.research.types import Findings
from saegim.tools.types import ToolResult, ToolSpec

SNAPSHOTS = Path(__file__).parent / "snapshots"
ZONE = "Asia/Seoul"
NOW = datetime(2026, 11, 19, 3, 27, tzinfo=UTC)
NIL = UUID(int=0)
ASSISTANT = Assistant(
    NIL,
    NIL,
    "CostLens 도우미",
    "Be friendly and precise.",
    "Never promise refunds.",
    "ko",
)
SUBJECT = "CostLens, a cloud cost product: its guides, set-up, prices and troubleshooting"
PRICES = """\
| 요금제 | 월 요금 | 인원 |
| --- | --- | --- |
| 팀 | 120,000원 | 10명까지 |
| 비즈니스 | 1,200,000원 | 제한 없음 |"""
DISCOUNT = "1년치를 한 번에 결제하면 15% 할인됩니다."
OUTAGE = "SLA 크레딧은 비즈니스 요금제에서 월 가동률이 99.9%보다 낮으면 신청할 수 있습니다."
GET_ORDER = FunctionTool(
    "get_order",
    "An order of the shop, by its number.",
    {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
)
INVOICES = ToolSpec("billing.invoices", "The invoices of the user.", {"properties": {}})
EVERYTHING = OfferedTools(searches=True, recalls=True, remembers=True)


@dataclass(frozen=True)
class Situation:
    """What a message is answered with."""

    message: str
    thread: Thread = Thread()  # noqa: RUF009 - frozen
    gathered: RetrievedContext = RetrievedContext()  # noqa: RUF009 - frozen
    offered: OfferedTools | None = EVERYTHING
    config: AssistantConfig = AssistantConfig()  # noqa: RUF009 - read only
    refs: Refs | None = None


def passage(number: int, text: str, title: str, *path: str) -> FoundPassage:
    own = UUID(int=number)
    document = Document(own, NIL, NIL, f"guide-{number:03}", "guide", title, "1", {}, NOW)
    tags = Tags("|" in text, False, False, "ko", ())
    return FoundPassage(
        Passage(own, own, own, 0, text, 40, tags), document, path, PassageSignals(0.9, 0.5, 0.8)
    )


def documents(*passages: FoundPassage) -> RetrievedContext:
    found = Findings(
        ranked=passages,
        considered=passages,
        consulted=True,
        confidence=0.9 if passages else 0.0,
        is_sufficient=bool(passages),
    )
    return RetrievedContext(Recollection(time_zone=ZONE), found)


def memory(
    number: int, text: str, days: int, kind: CandidateKind = CandidateKind.RECORD, **values: Any
) -> RecallCandidate:
    said = NOW - timedelta(days=days)
    return RecallCandidate(kind, UUID(int=number), text, said, RecallSignals(0.8), 12, **values)


PRICE_LIST = passage(1, PRICES, "요금제와 한도", "요금제와 한도", "요금")
YEARLY = passage(2, DISCOUNT, "요금제와 한도", "요금제와 한도", "할인")
CREDITS = passage(3, OUTAGE, "장애와 SLA", "장애와 SLA", "크레딧")


def document_question() -> Situation:
    return Situation("팀 요금제는 한 달에 얼마야?", gathered=documents(PRICE_LIST, YEARLY))


def follow_up() -> Situation:
    first = Exchange(
        1,
        "팀 요금제는 한 달에 얼마야? 우리는 12명이야.",
        "팀 요금제는 월 120,000원이지만 10명까지라서 [1], 12명이면 비즈니스 요금제가 필요합니다.",
        NOW,
        effects=({"kind": "remembered", "ref": "M1", "id": str(UUID(int=21))},),
    )
    stored = {f"p:{PRICE_LIST.passage.id}": 1, f"m:{UUID(int=21)}": 1}
    return Situation(
        "그럼 1년치로 결제하면?",
        Thread(recent=(first,)),
        documents(YEARLY, PRICE_LIST),
        refs=Refs(stored),
    )


def memories() -> Situation:
    records = (
        memory(13, "치과 예약은 11월 20일(금) 오후 3시야.", 1),
        memory(14, "출퇴근은 40분 걸려.", 40, unsure_since=NOW - timedelta(days=3)),
    )
    episode = memory(
        15,
        "강아지 이름은 보리야.\n보리라고 기억해 둘게요.",
        12,
        CandidateKind.EPISODE,
        sources=(UUID(int=31),),
        message="강아지 이름은 보리야.",
    )
    recollection = Recollection(
        pinned=(memory(11, "견과류 알레르기가 있어.", 30, CandidateKind.PINNED),),
        profile=(memory(12, "FinOps 분석가로 일한다.", 20),),
        records=records,
        episodes=(episode,),
        known=0.9,
        time_zone=ZONE,
    )
    return Situation("내일 치과에 몇 시까지 가야 해?", gathered=RetrievedContext(recollection))


def nothing_found() -> Situation:
    return Situation("What does error E17 mean on the billing import?", gathered=documents())


def strict() -> Situation:
    config = AssistantConfig.model_validate(
        {"strict": True, "menu_links": [{"label": "Help desk", "url": "https://help.example"}]}
    )
    return Situation(
        "가동률이 낮으면 돈을 돌려받을 수 있나요?", gathered=documents(CREDITS), config=config
    )


def temporary_chat() -> Situation:
    return Situation(
        "Please remember that I moved to Daejeon. Which plan has no limit of people?",
        gathered=replace(documents(PRICE_LIST), memory=Recollection(off=True, time_zone=ZONE)),
        offered=OfferedTools(searches=True, recalls=False, remembers=False),
    )


def tools_of_the_client() -> Situation:
    failed = ToolResult("weather", "failed", reason="timeout")
    return Situation(
        "주문 42번은 어디쯤 왔어?",
        gathered=replace(documents(), tools=(failed,)),
        offered=replace(EVERYTHING, own=(INVOICES,), client=(GET_ORDER,)),
    )


def model_without_tools() -> Situation:
    recollection = Recollection(
        records=(memory(16, "비즈니스 요금제를 쓴다.", 5),), known=0.8, time_zone=ZONE
    )
    return Situation(
        "우리도 SLA 크레딧을 신청할 수 있어?",
        gathered=replace(documents(CREDITS), memory=recollection),
        offered=None,
    )


def long_conversation() -> Situation:
    recent = (
        Exchange(14, "비용 알림은 어디서 켜?", "예산 메뉴에서 켭니다 [4].", NOW),
        Exchange(15, "고마워", "언제든 물어보세요.", NOW),
    )
    thread = Thread(
        "팀은 14명이고 한국에서 결제한다. 비즈니스 요금제를 1년치로 결제하려고 한다.",
        (Entity("예산", "월 1,500,000원", 6), Entity("시작일", "2026-12-01", 9)),
        recent,
        tags="3fa9c1",
    )
    stored = {f"p:{UUID(int=40 + n)}": n for n in range(1, 5)}
    return Situation("지금까지 정한 것을 표로 정리해 줘.", thread, documents(), refs=Refs(stored))


def attachment() -> Situation:
    report = passage(
        5, "11월 EC2 비용은 3,210달러로 10월보다 12% 줄었습니다.", "11월 비용 보고서.pdf"
    )
    return Situation("Summarise the attached report in one sentence.", gathered=documents(report))


SITUATIONS = (
    document_question,
    follow_up,
    memories,
    nothing_found,
    strict,
    temporary_chat,
    tools_of_the_client,
    model_without_tools,
    long_conversation,
    attachment,
)


def offers(situation: Situation) -> list[FunctionTool]:
    """Return the tools of a request, ours before the client's. They are not called."""
    if situation.offered is None:
        return []
    unused: Any = None
    work: Any = SimpleNamespace(turn=SimpleNamespace(scope=None), time_zone=ZONE)
    toolbox = TurnToolbox(unused, unused, unused)
    tools = toolbox.tools(situation.offered, situation.config, work)
    return [*(each.offer for each in tools.values()), *situation.offered.client]


def shown(situation: Situation) -> str:
    offered = situation.offered
    context = assemble(
        ASSISTANT,
        situation.thread,
        situation.message,
        Budgets(),
        situation.gathered,
        now_block(NOW.astimezone(ZoneInfo(ZONE)), ZONE),
        refs=situation.refs,
        abilities=Abilities(
            searches=offered is not None,
            recalls=offered is not None and offered.recalls,
            remembers=offered is not None and offered.remembers,
            acts=offered.acting if offered else (),
            strict=situation.config.strict,
            subject=SUBJECT,
            user="박민지",
        ),
    )
    prompt = context.prompt.with_tags("3fa9c1")
    names = ", ".join(each.name for each in offers(situation)) or "none"
    parts = [f"{prompt.version}\n\n[tools]\n{names}", f"[system]\n{prompt.system}"]
    return "\n\n".join([*parts, *map(_message, prompt.messages)]) + "\n"


def _message(message: Message) -> str:
    return f"[{message.role}]\n{message.text}"


def compare(name: str, text: str) -> None:
    file = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("SAEGIM_WRITE_SNAPSHOTS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


@pytest.mark.requirement("TN5")
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda each: each.__name__)
def test_request_of_an_answer_is_as_reviewed(situation: Any) -> None:
    compare(situation.__name__, shown(situation()))


def test_tools_of_an_answer_are_as_reviewed() -> None:
    tools = [
        f"{each.name}: {each.about}\n{json.dumps(each.parameters, ensure_ascii=False)}"
        for each in offers(strict())
    ]
    compare("answer_tools", "\n\n".join(tools) + "\n")


def test_system_text_is_the_same_in_every_turn_of_a_conversation() -> None:
    """Providers cache the beginning of a request."""

    def system(situation: Situation) -> str:
        return shown(situation).partition("\n\n[user]\n")[0]

    assert system(document_question()) == system(follow_up()) == system(nothing_found())
