"""Ranking per tenant: its own shares and weights, tuned from its own questions."""

import json

import pytest

from saegim.cli.json_output import print_json
from saegim.cli.library.tune import fit, read_labels
from saegim.library.ranking import RankingWeights
from saegim.library.tuning import Label
from saegim.library.types import RankingSettings, ResultCounts
from tests.integration.library.conftest import bring_in, search
from tests.stack import Stack

TOPICS = (
    "결제 취소는 마이페이지의 주문 내역에서 신청합니다",
    "환불 금액은 카드사 영업일 기준 사흘 뒤에 들어옵니다",
    "배송 조회 번호는 출고된 날 저녁 문자로 보내 드립니다",
    "회원 탈퇴 뒤 남은 적립금은 모두 사라집니다",
    "쿠폰은 한 번에 한 장만 장바구니에서 적용됩니다",
)


def library() -> dict[str, str]:
    """Thirty documents in one file, because each file needs its own parser process."""
    entries = [
        {
            "id": f"guide-{number}.md",
            "question": f"{number}번 안내서",
            "answer": f"{topic}. 접수 창구는 {number}호입니다.",
        }
        for number, topic in enumerate(TOPICS * 6)
    ]
    return {"guides.json": json.dumps(entries, ensure_ascii=False)}


def labels() -> list[tuple[str, str]]:
    """Questions that only a number answers, which similarity of bigrams misses."""
    return [
        (f"{topic.split()[0]} {topic.split()[1]} 접수 창구 {number}호", f"guide-{number}.md")
        for number, topic in enumerate(TOPICS * 6)
    ]


@pytest.mark.requirement("LB3")
async def test_shares_are_the_tenants_own_and_admins_set_them(stack: Stack) -> None:
    faq = "\n".join(["질문,답변", *[f"비용 질문 {n},비용에 대한 답 {n}입니다." for n in range(9)]])
    await bring_in(stack, {"faq.csv": faq}, kind="faq")
    sections = "\n\n".join(f"## 비용 {n}\n\n비용 방법 {n}번." for n in range(9))
    await bring_in(stack, {"guide.md": sections})
    admin = stack.headers("editor")
    before = (await stack.http.get("/v1/ranking", headers=admin)).json()
    changed = await stack.http.put("/v1/ranking", json={"faq": 1, "other": 4}, headers=admin)
    assert changed.status_code == 200, changed.text

    types = [hit["document"]["type"] for hit in (await search(stack, "비용"))["found"]]
    narrowed = await search(stack, "비용", types=["guide"])
    asked = await search(stack, "비용", faq=2, other=2)
    assert (before["faq"], before["other"]) == (3, 7)
    assert (types.count("faq"), types.count("guide")) == (1, 4)
    assert len(narrowed["found"]) == 5
    assert len(asked["found"]) == 4, "what a request names goes before what the tenant set"


async def test_a_ranking_that_makes_no_sense_is_refused(stack: Stack) -> None:
    admin = stack.headers("editor")
    for body in ({"faq": 0, "other": 0}, {"weights": {"dense": 1.5}}, {"weights": {"deense": 0.5}}):
        response = await stack.http.put("/v1/ranking", json=body, headers=admin)
        assert response.status_code == 422, body


async def test_members_neither_see_nor_set_the_ranking(stack: Stack) -> None:
    key = await stack.services.auth.tenants.create_key(
        stack.tenant.tenant.id, stack.tenant.assistant.id, "bound", user="carol"
    )
    headers = {"Authorization": f"Bearer {key}"}
    seen = await stack.http.get("/v1/ranking", headers=headers)
    changed = await stack.http.put("/v1/ranking", json={}, headers=headers)
    assert (seen.status_code, changed.status_code) == (403, 403)


async def test_weights_decide_the_order_of_the_next_search(stack: Stack) -> None:
    await bring_in(stack, library())
    tenant = stack.tenant.tenant.id
    words = await search(stack, "적립금 탈퇴")
    store = stack.services.library.rankings
    caller = await stack.caller()
    await store.change(caller, RankingSettings(RankingWeights(dense=1.0, focus=0.0, feedback=0.0)))
    meaning = await search(stack, "적립금 탈퇴")
    similar = [hit["dense"] for hit in meaning["found"]]
    assert similar == sorted(similar, reverse=True)
    assert [hit["score"] for hit in words["found"]] != [hit["score"] for hit in meaning["found"]]
    await store.change(caller, RankingSettings())
    assert await search(stack, "적립금 탈퇴") == words
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        row = await (await connection.execute("select * from ranking")).fetchone()
    assert row is not None
    assert (row["weights"], row["faq"], row["other"]) == (None, None, None), "defaults are not kept"


@pytest.mark.requirement("LB5")
async def test_tuning_fits_weights_and_keeps_them_only_where_they_hold(stack: Stack) -> None:
    await bring_in(stack, library())
    tenant, tuning = stack.tenant.tenant.id, stack.services.library.tuning
    caller = await stack.caller()
    # Weights that no question likes: similarity of a hash embedder alone.
    bad = RankingSettings(RankingWeights(dense=1.0, focus=0.0, feedback=0.0), ResultCounts(2, 5))
    await stack.services.library.rankings.change(caller, bad)
    questions = await tuning.labelled(tenant, [Label(*label) for label in labels()])
    tuned = await tuning.tune(tenant, questions.asked)

    assert tuned.weights == bad.weights
    assert tuned.held_out.ndcg10 > tuned.before.ndcg10
    assert tuned.gain.low > 0
    assert await stack.services.library.rankings.read(caller) == bad, "tuning alone changes nothing"
    assert await tuning.keep(tenant, tuned)
    kept = await stack.services.library.rankings.read(caller)
    assert (kept.weights, kept.counts) == (tuned.fitted, bad.counts)
    assert not await tuning.keep(tenant, tuned), "fitted against weights that are gone"


async def test_questions_are_made_from_the_passages_and_find_them(stack: Stack) -> None:
    await bring_in(stack, library())
    tenant, tuning = stack.tenant.tenant.id, stack.services.library.tuning
    made = await tuning.make(tenant, 60, seed=1)
    assert made == await tuning.make(tenant, 60, seed=1)
    others = await tuning.make(tenant, 60, seed=2)
    assert made != others
    assert len(made.asked) >= 25
    # Both, so that no fold is empty by chance.
    tuned = await tuning.tune(tenant, [*made.asked, *others.asked])
    assert tuned.before.recall10 > 0.5


async def test_labels_name_documents_or_passages_and_unknown_ones_are_told(stack: Stack) -> None:
    await bring_in(stack, library())
    tenant = stack.tenant.tenant.id
    passage = (await search(stack, "쿠폰 장바구니"))["found"][0]["passage_id"]
    labels = [
        Label("쿠폰은 몇 장", passage),
        Label("탈퇴하면 적립금은", "GUIDE_3.md"),
        Label("탈퇴하면 적립금은", "guide-8.md"),
        Label("없는 것", "nothing.md"),
    ]
    found = await stack.services.library.tuning.labelled(tenant, labels)
    assert [len(one.passages) for one in found.asked] == [1, 0]
    assert [len(one.documents) for one in found.asked] == [0, 2]
    assert list(found.unknown) == ["nothing.md"]


async def test_the_command_shows_before_and_after_and_applies_when_asked(
    stack: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    await bring_in(stack, library())
    caller = await stack.caller()
    bad = RankingSettings(RankingWeights(dense=1.0, focus=0.0, feedback=0.0))
    await stack.services.library.rankings.change(caller, bad)
    tenant = stack.tenant.tenant.id
    found = await fit(stack.services, tenant, labels(), (60, 1), apply=False)
    capsys.readouterr()
    print_json(found)
    report = json.loads(capsys.readouterr().out)
    assert report["applied"] is False
    assert report["held_out"]["ndcg10"] > report["before"]["ndcg10"]
    assert await stack.services.library.rankings.read(caller) == bad

    await fit(stack.services, tenant, labels(), (60, 1), apply=True)
    assert "nDCG@10" in capsys.readouterr().out
    assert await stack.services.library.rankings.read(caller) != bad


def test_labels_are_read_from_a_csv(tmp_path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(
        "﻿query,document_id,passage_id\n쿠폰?,guide-4.md,\n,빈 줄,\n탈퇴?,,p1\n", "utf-8"
    )
    assert read_labels(path) == [("쿠폰?", "guide-4.md"), ("탈퇴?", "p1")]
