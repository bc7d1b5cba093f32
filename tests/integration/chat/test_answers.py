"""Which model answers, from which evidence, and what is answered without evidence."""

import re
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pydantic_ai.exceptions import ModelHTTPError

from benchmarks.doubles.models import Pieces, RecordedRequest, call
from saegim.chat.answer import ABSTAINED
from saegim.chat.context.assembly import NOTHING_FOUND as SEARCH_FOUND_NOTHING
from saegim.chat.preview import PreviewRequest
from saegim.chat.service import GO_ON
from saegim.chat.turn_tools.offer import NO_CALL_LEFT
from saegim.chat.types import NOTHING_FOUND, NOTHING_READY
from saegim.domain.scope import Role
from saegim.locales import translate
from saegim.offline.texts import CLOSEST
from saegim.research.types import MOST_CALLS
from saegim.usage.trace import AI_INTERACTION
from tests.integration.auth.accounts_fixture import accept, browser, shown, token_in
from tests.integration.chat.library_stack import (
    CAREFUL,
    LIBRARY,
    ask,
    assessor,
    configure,
    drafted,
    library_stack,
    reviewed,
    scripted,
    stored_library_stack,
)
from tests.stack import Databases, Stack

EC2 = "EC2 비용 줄이는 방법?"
CLEAR = "EC2 예약 인스턴스는 약정으로 최대 몇 % 할인을 받나요?"
GOOD = "예약 인스턴스는 1년 또는 3년 약정으로 최대 72% 할인을 받습니다 [1]."
UNANSWERED = "/v1/assistant/unanswered"


def first_on_reserved(shown: Any) -> Any:
    """Ranks the passage on reserved instances first, whatever its number is."""
    blocks = shown.blocks("passage")
    number = next(n for n, block in enumerate(blocks) if "72%" in block)
    return reviewed(number, 99, -1, number, confidence=0.95)


async def steps_of(stack: Stack, message: str) -> tuple[dict[str, Any], list[str]]:
    reply = await ask(stack, message)
    return reply, [f"{call['step']}:{call['role']}" for call in reply["trace"]["calls"]]


@pytest.mark.requirement("TN3", "TN6", "TN9")
async def test_a_clear_question_is_answered_by_the_first_model_call(databases: Databases) -> None:
    models = scripted(assessor=assessor(), lite=lambda _: GOOD, strong=lambda _: "강한 모델")
    async with stored_library_stack(databases, models) as stack:
        reply, steps = await steps_of(stack, CLEAR)

    assert steps == ["answer:lite"]
    assert reply["answer"] == GOOD
    assert reply["trace"]["routing"]["doubts"] == []
    assert reply["trace"]["answer"]["reasons"] == ["one_stage"]


@pytest.mark.requirement("TN3", "TN6", "TN7", "TN9")
async def test_a_search_in_doubt_is_reviewed_by_one_model_call(databases: Databases) -> None:
    models = scripted(
        assessor=assessor(review=first_on_reserved),
        lite=lambda _: f"{GOOD} 또한 [7] 확인하세요.",
        strong=lambda _: "강한 모델",
    )
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply, steps = await steps_of(stack, EC2)

    assert steps == ["review:assessor", "answer:lite"]
    assert reply["trace"]["routing"]["doubts"] == ["unsure"]
    assert reply["answer"] == f"{GOOD} 또한  확인하세요."
    assert [one["marker"] for one in reply["citations"]] == ["1"]
    [citation] = reply["citations"]
    assert (citation["title"], citation["section"]) == ("EC2 비용 줄이기", "예약 인스턴스")
    assert "최대 72% 할인" in citation["text"]
    # Not stored, so that deleting a document or memory deletes its text.
    assert "text" not in reply["trace"]["citations"][0]
    assert reply["trace"]["answer"]["markers_removed"] == 1
    assert reply["trace"]["answer"]["reasons"] == ["sure"]
    injected = [item for item in reply["trace"]["items"] if item["fate"] == "injected"]
    assert [item["id"] for item in injected] == [reply["citations"][0]["id"]]
    assert any(item["fate"] == "not_ranked" for item in reply["trace"]["items"])
    assert reply["trace"]["findings"]["confidence"] == 0.95


@pytest.mark.requirement("TN6")
@pytest.mark.parametrize(
    ("draft", "shown", "choice"),
    [
        (drafted(GOOD), GOOD, "draft"),
        (drafted(GOOD, overall=0.5), "강한 답 [1]", "strong"),
        (drafted(GOOD, risk=0.9), "강한 답 [1]", "strong"),
        (drafted("예약 인스턴스는 99% 할인을 받습니다 [1]."), "강한 답 [1]", "strong"),
    ],
)
async def test_the_undecided_band_drafts_and_checks_before_anything_is_shown(
    databases: Databases, draft: Any, shown: str, choice: str
) -> None:
    def unsure(asked: Any) -> Any:
        return first_on_reserved(asked).model_copy(update={"confidence": 0.6})

    models = scripted(
        assessor=assessor(review=unsure),
        lite=lambda _: draft,
        strong=lambda _: "강한 답 [1]",
    )
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply, steps = await steps_of(stack, EC2)

        report = await stack.http.get("/v1/usage/escalation", headers=stack.headers("admin"))

    assert reply["answer"] == shown
    assert reply["trace"]["answer"]["choice"] == choice
    assert (report.json()["turns"], report.json()["escalated"]) == (1, int(choice == "strong"))
    assert steps[1] == "draft:lite"
    assert len(steps) <= 3


async def test_an_answer_that_cites_no_document_is_not_grounded(databases: Databases) -> None:
    models = scripted(assessor=assessor(review=first_on_reserved), lite=["음, 글쎄요.", GOOD])
    async with stored_library_stack(databases, models, careful=True) as stack:
        marked = await ask(stack, EC2)
        cited = await ask(stack, EC2)
        stored = await stack.http.get(
            f"/v1/turns/{marked['turn_id']}/trace", headers=stack.headers()
        )

    assert (marked["answer"], marked["grounded"]) == ("음, 글쎄요.", False)
    assert stored.json()["trace"]["answer"]["grounded"] is False
    assert (cited["answer"], cited["grounded"]) == (GOOD, True)


async def test_an_answer_without_documents_is_not_marked(databases: Databases) -> None:
    models = scripted(assessor=assessor(), lite=lambda _: "반갑습니다.")
    async with stored_library_stack(databases, models) as stack:
        reply = await ask(stack, "안녕하세요")
    assert (reply["answer"], reply["grounded"]) == ("반갑습니다.", None)


async def test_tags_of_the_prompt_never_reach_the_user(databases: Databases) -> None:
    leaked = "<pinned> </pinned> <summary> </summary> <entities>\n</entities>"
    models = scripted(assessor=assessor(), lite=[leaked, f"{leaked} 반갑습니다."])
    async with stored_library_stack(databases, models) as stack:
        empty = await ask(stack, "안녕하세요")
        rest = await ask(stack, "안녕하세요")

    assert empty["outcome"] == "search_mode"
    assert empty["answer"].strip()
    assert rest["answer"].strip() == "반갑습니다."
    assert not [tag for tag in ("<", "pinned", "entities") if tag in empty["answer"]]


@pytest.mark.requirement("TN6")
async def test_a_high_risk_topic_goes_to_the_strong_model_at_once(databases: Databases) -> None:
    models = scripted(assessor=assessor(review=first_on_reserved), strong=lambda _: GOOD, lite=[])
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply, steps = await steps_of(stack, "예약 인스턴스 투자 계약의 법적 위험은?")
    assert steps[-1] == "answer:strong"
    assert reply["trace"]["answer"]["reasons"] == ["high_risk"]


@pytest.mark.requirement("TN3", "TN4")
async def test_the_library_is_asked_three_times_at_most_by_whomever(databases: Databases) -> None:
    # Each search finds passages that those before it did not.
    spots = {
        f"s{n}.md": f"# 스팟 {n}호\n\n스팟 {n}호 요청.\n\n1. 연다.\n2. 낸다.\n" for n in range(30)
    }

    def never(_: Any) -> Any:
        return reviewed(
            0,
            confidence=0.7,
            is_sufficient=False,
            missing=["steps"],
            next_action="search_again",
            refined_query="스팟 21호 22호 23호 요청",
        )

    wanted = [call("search", query=f"스팟 {n}호 요청") for n in (7, 8)]
    models = scripted(assessor=assessor(review=never), lite=[*wanted, "여기까지입니다 [1]."])
    async with library_stack(databases, models, files={**LIBRARY, **spots}) as stack:
        await configure(stack, **CAREFUL)
        reply, steps = await steps_of(stack, "EC2 비용을 표로 비교해 줘")

    searches = reply["trace"]["searches"]
    assert len(searches) == MOST_CALLS
    assert [one["queries"] for one in searches[1:]] == [
        ["스팟 21호 22호 23호 요청"],
        ["스팟 7호 요청"],
    ], "the review asks for one, and the model for another"
    assert models.requests[-1].messages[-1].text == NO_CALL_LEFT
    assert steps == ["review:assessor", *["answer:lite"] * 3]


@pytest.mark.requirement("TN3")
async def test_a_section_is_opened_where_its_part_is_not_enough(databases: Databases) -> None:
    part = reviewed(0, is_sufficient=False, confidence=0.7, next_action="get_section")
    models = scripted(assessor=assessor(part), lite=lambda _: "답 [1]")
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply, _ = await steps_of(stack, EC2)
    assert [s["tool"] for s in reply["trace"]["searches"]] == ["search_all", "get_section"]


@pytest.mark.requirement("TN4")
async def test_fixed_texts_of_a_strict_assistant_only_where_nothing_answers(
    databases: Databases,
) -> None:
    menu = [{"label": "도움말", "url": "https://app.example.com/help"}]
    judged = [reviewed(), reviewed(0, confidence=0.3), reviewed()]
    models = scripted(assessor=assessor(review=lambda _: judged.pop(0)), lite=lambda _: "네.")
    async with stored_library_stack(databases, models) as stack:
        await configure(stack, menu_links=menu, **CAREFUL, strict=True)
        ready = await ask(stack, "화성 이주 신청 방법?")
        found = await ask(stack, "목성 이주 비용표?", "bob")
        english = await ask(stack, "How do I move to Saturn?", "carol")
        report = await stack.http.get(UNANSWERED, headers=stack.headers("admin"))

    assert ready["answer"] == translate(NOTHING_READY, "ko")
    assert found["answer"].startswith(translate(NOTHING_FOUND, "ko"))
    assert "[도움말](https://app.example.com/help)" in found["answer"]
    assert english["answer"] == NOTHING_READY
    outcomes = [reply["outcome"] for reply in (ready, found, english)]
    assert outcomes == ["nothing_ready", "nothing_found", "nothing_ready"]
    assert (report.json()["questions"], report.json()["total"]) == ([], 3), "nobody shared them"


WITHOUT_DOCUMENTS = {
    "안녕하세요! 만나서 반가워요.": "반갑습니다!",
    "Hi! Nice to meet you.": "Nice to meet you, too!",
    "나는 누구야?": "아직 알려 주신 것이 없어요.",
    "What do you know about me?": "You have not told me anything yet.",
    "나에 대해 뭘 알고 있어?": "아직 들은 것이 없어요.",
    "다음 문장을 영어로 번역해 줘: 회의는 세 시에 시작합니다.": "The meeting starts at three.",
    "Translate into Korean: The invoice is overdue.": "청구서 기한이 지났습니다.",
    "파이썬으로 리스트를 뒤집는 코드 짜 줘": "`items[::-1]`이면 됩니다.",
    "Write Python that sums a dict by key.": "Use `collections.Counter`.",
    "347 더하기 589는?": "936입니다.",
    "What is 18% of 4,250,000?": "It is 765,000.",
    "점심으로 뭐 먹을까?": "따뜻한 국밥은 어떠세요?",
    "How should I prepare for a job interview?": "Practise three short stories.",
    "방금 한 말 취소할게": "알겠습니다.",
    "Never mind, take that back.": "All right.",
    "오늘 무슨 요일이야?": "목요일입니다.",
    "What is the capital of Australia?": "Canberra.",
    "고마워, 덕분에 잘 끝냈어!": "다행이에요.",
    "Tell me a joke about databases.": "A query walks into a bar.",
    "요즘 잠을 잘 못 자는데 어떻게 하면 좋을까?": "자기 전에는 화면을 멀리하세요.",
}


@pytest.mark.requirement("TN4")
async def test_messages_without_documents_are_answered_by_the_model(databases: Databases) -> None:
    def written(shown: RecordedRequest) -> str:
        return WITHOUT_DOCUMENTS[shown.messages[-1].text.split("\n\n")[-1]]

    models = scripted(
        assessor=assessor(reviewed(confidence=0.05)),
        lite=written,
        strong=lambda _: drafted("?"),
    )
    async with stored_library_stack(databases, models) as stack:
        replies = {
            message: await ask(stack, message, f"user-{number}")
            for number, message in enumerate(WITHOUT_DOCUMENTS)
        }
        report = await stack.http.get(UNANSWERED, headers=stack.headers("admin"))

    wrong = {
        message: reply["answer"]
        for message, reply in replies.items()
        if (reply["answer"], reply["outcome"]) != (WITHOUT_DOCUMENTS[message], "answered")
    }
    assert wrong == {}
    assert report.json()["total"] > 0, "gaps in the documents are still counted"


@pytest.mark.requirement("TN5")
async def test_the_prompt_has_the_time_the_names_and_what_was_not_found(
    databases: Databases,
) -> None:
    models = scripted(assessor=assessor(reviewed(confidence=0.05)), lite=lambda _: "네.")
    async with stored_library_stack(databases, models, careful=True) as stack:
        await ask(stack, "화성 이주 신청 방법?")

    prompt = models.requests[-1]
    [now] = prompt.blocks("now")
    assert re.fullmatch(r"\w+day, \d+ \w+ 20\d\d, \d\d:\d\d \(Asia/Seoul\)", now)
    assert "<now" not in prompt.system
    assert SEARCH_FOUND_NOTHING in prompt.messages[-1].text


@pytest.mark.requirement("TN5")
async def test_prompt_and_preview_have_the_names_of_user_and_assistant(
    databases: Databases,
) -> None:
    models = scripted(assessor=assessor(), lite=lambda _: GOOD)
    async with stored_library_stack(databases, models) as stack, browser(stack) as http:
        invitation = {"email": "saegim@example.com", "role": "member"}
        key = await stack.services.auth.tenants.create_key(
            stack.tenant.tenant.id, stack.tenant.assistant.id, "owner", role=Role.OWNER
        )
        headers = {"Authorization": f"Bearer {key}", "Saegim-User": "owner"}
        made = await stack.http.post("/v1/invitations", json=invitation, headers=headers)
        await accept(http, token_in(made.json()["link"]))
        me = (await http.get("/v1/me")).json()["user_id"]
        asked = {"message": CLEAR}
        response = await http.post("/v1/chat", json=asked, headers=await shown(stack, http))
        assert response.status_code == 200, response.text
        caller = await stack.caller()
        caller = replace(caller, scope=replace(caller.scope, user=UUID(me)))
        preview, _ = await stack.services.chat.preview.draft(caller, PreviewRequest(CLEAR))

    for prompt in (models.requests[-1], preview.prompt):
        assert f"You are {stack.tenant.assistant.name}." in prompt.system
        assert "The user's name is 김새김." in prompt.system


@pytest.mark.requirement("TN4")
async def test_a_strict_assistant_abstains_where_nothing_bears_the_answer_out(
    databases: Databases,
) -> None:
    said = ["예약 인스턴스는 95% 할인을 받습니다 [1].", GOOD]
    models = scripted(assessor=assessor(review=first_on_reserved), lite=lambda _: said.pop(0))
    async with stored_library_stack(databases, models) as stack:
        await configure(stack, strict=True, **CAREFUL)
        wrong = await ask(stack, EC2)
        right = await ask(stack, EC2)

    assert (wrong["answer"], wrong["outcome"]) == (translate(ABSTAINED, "ko"), "abstained")
    assert (right["answer"], right["outcome"]) == (GOOD, "answered")


@pytest.mark.requirement("TN4", "TN6")
async def test_a_strict_assistant_checks_a_draft_that_its_model_is_content_with(
    databases: Databases,
) -> None:
    """No marker and only words of the question: enough for a draft, not for a strict assistant."""
    empty = "EC2 비용을 줄이는 방법을 알려 드립니다."
    models = scripted(
        assessor=assessor(review=lambda _: reviewed(0, 1, confidence=0.6)),
        lite=lambda _: drafted(empty),
        strong=lambda _: "쓰이지 않습니다.",
    )
    async with stored_library_stack(databases, models, careful=True) as stack:
        loose, steps = await steps_of(stack, EC2)
        await configure(stack, strict=True, **CAREFUL)
        strict = await ask(stack, EC2)

    assert steps[-1] == "draft:lite"
    assert (loose["answer"], loose["outcome"]) == (empty, "answered")
    assert (strict["answer"], strict["outcome"]) == (translate(ABSTAINED, "ko"), "abstained")
    assert strict["trace"]["answer"]["choice"] == "draft"
    assert strict["citations"] == []


@pytest.mark.requirement("TN4")
async def test_a_draft_that_was_refused_is_no_stand_in_in_strict_mode(
    databases: Databases,
) -> None:
    models = scripted(
        assessor=assessor(review=lambda _: reviewed(0, 1, confidence=0.6)),
        lite=lambda _: drafted("예약 인스턴스는 95% 할인됩니다 [1]."),
        strong=lambda _: ModelHTTPError(502, "scripted"),
    )
    async with stored_library_stack(databases, models) as stack:
        await configure(stack, strict=True, **CAREFUL)
        reply = await ask(stack, EC2)

    assert reply["outcome"] == "search_mode"
    assert "95%" not in reply["answer"]


@pytest.mark.requirement("TN6")
async def test_a_provider_that_dies_leaves_a_turn_that_can_be_continued(
    databases: Databases,
) -> None:
    death = ModelHTTPError(502, "scripted")
    replies = [Pieces(("절반은 ", "이렇습니다 "), death=death), "나머지입니다 [1]."]
    models = scripted(assessor=assessor(), lite=lambda _: replies.pop(0))
    async with stored_library_stack(databases, models) as stack:
        broken = await ask(stack, EC2)
        done = await stack.http.post(
            f"/v1/turns/{broken['turn_id']}/continue", headers=stack.headers()
        )
        again = await stack.http.post(
            f"/v1/turns/{done.json()['turn_id']}/continue", headers=stack.headers()
        )

    assert (broken["state"], broken["answer"]) == ("incomplete", "절반은 이렇습니다 ")
    assert (done.json()["state"], done.json()["answer"]) == ("done", "나머지입니다 [1].")
    said = [message.text for message in models.requests[-1].messages]
    assert any("절반은 이렇습니다" in text for text in said)
    assert again.status_code == 409


async def test_rules_do_not_end_an_answer_that_a_model_began(databases: Databases) -> None:
    death = ModelHTTPError(502, "scripted")
    replies = [Pieces(("절반은 ", "이렇습니다 "), death=death), death, "나머지입니다."]
    models = scripted(assessor=assessor(), lite=lambda _: replies.pop(0))
    async with stored_library_stack(databases, models) as stack:
        turns = [await ask(stack, EC2)]
        for _ in range(2):
            path = f"/v1/turns/{turns[-1]['turn_id']}/continue"
            turns.append((await stack.http.post(path, headers=stack.headers())).json())

    assert [(each["state"], each["answer"]) for each in turns] == [
        ("incomplete", "절반은 이렇습니다 "),
        ("incomplete", ""),
        ("done", "나머지입니다."),
    ]


async def test_a_continuation_is_no_message_of_the_user(databases: Databases) -> None:
    death = ModelHTTPError(502, "scripted")
    replies = [Pieces(("절반은 ", "이렇습니다 "), death=death), "나머지입니다.", death]
    models = scripted(assessor=assessor(), lite=lambda _: replies.pop(0))
    async with stored_library_stack(databases, models) as stack:
        broken = await ask(stack, EC2)
        path = f"/v1/turns/{broken['turn_id']}/continue"
        assert (await stack.http.post(path, headers=stack.headers())).status_code == 200
        reply = await ask(stack, "방금 내가 뭐라고 했지?")

    texts = [each.text for each in models.requests[-1].messages]
    assert "나머지입니다." in texts
    assert all(texts), "providers refuse empty messages"
    assert not any(GO_ON["ko"] in text for text in (*texts, reply["answer"]))
    assert reply["degraded"] == ["model"]


@pytest.mark.requirement("OP9", "OP1")
async def test_thumbs_corrections_and_usage(databases: Databases) -> None:
    async with stored_library_stack(databases) as stack:
        reply = await ask(stack, EC2)
        path = f"/v1/turns/{reply['turn_id']}/feedback"
        body = {
            "thumb": "down",
            "correction": "카드 4111 1111 1111 1111로 결제 안내가 빠졌어요",
            "for_evaluation": True,
        }
        given = await stack.http.put(path, json=body, headers=stack.headers())
        foreign = await stack.http.put(path, json=body, headers=stack.headers("mallory"))
        report = await stack.http.get(UNANSWERED, headers=stack.headers("admin"))
        async with stack.services.db.cells.home.transaction(stack.tenant.tenant.id) as connection:
            rows = await (await connection.execute(b"select * from usage_event")).fetchall()

    assert given.status_code == 200
    assert "4111" not in given.json()["correction"]
    assert foreign.status_code == 404
    [bad] = report.json()["questions"]
    assert (bad["thumb"], bad["question"]) == ("down", EC2)
    [event] = rows
    assert event["kind"] == AI_INTERACTION
    assert event["event"]["rag_hits"] > 0
    assert set(event["event"]) >= {
        "model_used", "rag_hits", "latency_ms", "tools_used", "self_score", "input_tokens",
        "cost_usd", "library_calls",
    }  # fmt: skip
    assert EC2 not in str(event)


async def test_members_do_not_read_what_others_asked(databases: Databases) -> None:
    async with library_stack(databases, files={}) as stack:
        tenant = stack.tenant
        key = await stack.services.auth.tenants.create_key(
            tenant.tenant.id, tenant.assistant.id, name="m", user="bob"
        )
        headers = {"Authorization": f"Bearer {key}"}
        report = await stack.http.get(UNANSWERED, headers=headers)
        config = await stack.http.put("/v1/assistant/config", json={}, headers=headers)
    assert (report.status_code, config.status_code) == (403, 403)


@pytest.mark.requirement("TN4")
async def test_close_but_unsure_documents_are_named_where_no_model_is_connected(
    databases: Databases,
) -> None:
    async with stored_library_stack(databases) as stack:
        await configure(stack, thresholds={"confidence": 1.0})
        reply = await ask(stack, "SUPRA XP 센서 이상이 나타나면?")
        unrelated = await ask(stack, "점심 메뉴 추천해 줄래?", "bob")

    head, _, documents = reply["answer"].partition("\n\n")
    assert head == translate(CLOSEST, "ko")
    assert "센서 케이블을 먼저 확인합니다. (SUPRA XP 센서 이상 조치) [1]" in documents
    assert reply["citations"][0]["marker"] == "1"
    assert reply["outcome"] == "nothing_found"
    assert unrelated["outcome"] in ("nothing_found", "nothing_ready")
    assert unrelated["answer"].startswith(
        tuple(translate(each, "ko") for each in (NOTHING_FOUND, NOTHING_READY, CLOSEST))
    )
