"""Thirty facts told over ten turns are in memory afterwards, once each, whatever the verdicts."""

import pytest

from benchmarks.doubles.embedders import HashEmbedder
from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import ModelRole
from saegim.memory.extraction.changes import Relation
from saegim.memory.extraction.extractor import Extraction, StatementForm
from saegim.memory.types import MemoryType, Origin
from tests.integration.memory.turns import Talk
from tests.stack import Databases, new_stack

TURNS = [
    ("I'm Minji Park", "I live in Busan", "I work as an analyst at Hanbit Logistics"),
    ("I prefer short answers", "our team has 12 people", "we pay in Korean won"),
    ("I'm allergic to walnuts", "my dog is called Bori", "I play the cello"),
    ("my son Haneul is seven", "my sister Jia lives in Toronto", "my husband teaches maths"),
    ("I run every morning", "I drive an Ioniq", "I use a MacBook"),
    ("나는 땅콩을 못 먹어", "우리 고양이 이름은 나비야", "나는 판교로 출근해"),
    ("내 생일은 5월 3일이야", "우리 팀은 격주로 배포해", "나는 커피를 안 마셔"),
    ("아버지는 대구에 사셔", "나는 혈압약을 먹고 있어", "나는 수영을 배우고 있어"),
    ("나는 재즈를 좋아해", "우리 사무실은 4층에 있어", "나는 일본어를 할 줄 알아"),
    ("나는 물리학을 전공했어", "우리 집 계약은 8월에 끝나", "나는 안경을 써"),
]
FACTS = {fact for turn in TURNS for fact in turn}


class Reader:
    """A model that extracts each fact, and may call all of it duplicates."""

    def __init__(self, *, duplicates: bool) -> None:
        self.duplicates = duplicates

    def __call__(self, shown: RecordedRequest) -> Reply:
        [turns] = shown.blocks("turns")
        relation = Relation.DUPLICATE if self.duplicates else Relation.NEW
        return Extraction(
            statements=[
                StatementForm(
                    type=MemoryType.FACT, content=f"User: {fact}", quote=fact,
                    relation=relation, known=1,
                )
                for fact in FACTS
                if fact in turns
            ]
        )  # fmt: skip


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize("duplicates", [False, True], ids=["new", "every verdict duplicate"])
@pytest.mark.parametrize("notes_first", [False, True], ids=["at once", "after notes"])
async def test_every_fact_is_kept_once(
    databases: Databases, duplicates: bool, notes_first: bool
) -> None:
    embedder = BundledEmbedder() if notes_first else HashEmbedder()
    models = ScriptedModels({ModelRole.EXTRACTOR: Reader(duplicates=duplicates)})
    async with new_stack(databases, Fakes(embedder=embedder)) as stack:
        talk = Talk(stack, times=int(notes_first))
        turns = [await talk.say(". ".join(facts)) for facts in TURNS]
        notes = await talk.known()
        async with new_stack(databases, Fakes(embedder=embedder, models=models)) as connected:
            connected.tenant = stack.tenant
            reader = Talk(connected)
            await connected.services.memory.turn_memories.extract_again(stack.tenant.tenant.id)
            for turn in turns:
                await reader.extract(turn)
        known = await talk.known()
    assert len(notes) >= len(TURNS) * notes_first
    assert {record.origin for record in notes} <= {Origin.FALLBACK}
    assert sorted(record.content for record in known) == sorted(f"User: {fact}" for fact in FACTS)
    assert {record.origin for record in known} == {Origin.MODEL}
