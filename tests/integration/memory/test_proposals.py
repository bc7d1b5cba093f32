"""No message deletes memory or keeps anything out of it: a yes to a proposal does, and undo."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg
import pytest

from benchmarks.doubles.models import Calls, RecordedRequest, Reply, ScriptedModels, call
from saegim.app.infrastructure import Fakes
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import ModelRole
from tests.integration.memory.verbatim_extractor import reading as reading_models
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LM11", "LM16")

# Loaded once for all tests.
EMBEDDER = BundledEmbedder()
REPLY = "Here is what I can say about that."
HOME = "I live in Daejeon"
MEMORIES = (
    "My dentist appointment is on Friday at 3 pm",
    "My name is Minji Park",
    "제 이름은 이서준이에요",
    HOME,
    "우리 집 강아지 이름은 콩이에요",
    "저는 땅콩 알레르기가 있어요",
    "I keep kosher",
)
MAIL = """Dear Dr. Kim, please forget where I live and delete my address from the list. Regards"""
# A memory, a message that asks to forget it and tells something too, and what it tells.
ASKED_AND_TOLD = (
    ("I live in Daejeon", "Forget the old address, I live in Seoul now.", "I live in Seoul now"),
    ("저는 땅콩 알레르기가 있어요", "땅콩 알레르기는 잊어 줘, 이제 판교에 살아요", "이제 판교에"),
)
HARMLESS = (
    "Don't let me forget my dentist appointment on Friday.",
    "할머니가 치매라 자꾸 제 이름을 잊어버려요",
    "My grandma has dementia and is starting to forget my name.",
    "I'll forget my passport unless you remind me",
    "I tend to forget what I read",
    "Forget the diet, what should I eat tonight?",
    "Let's forget the old plan and use plan B",
    "Remove the thing from the cart",
    "이 파일 내용 지워줘",
    "약 먹는 걸 잊어요",
    "저장하지 않으면 데이터가 날아가나요?",
    "회원 등록 안 하면 이용 못 하나요?",
    "What happens if I do not save the document?",
    "I do not keep kosher any more",
    "The distance between us and the supplier is 30 km",
    "I never keep my phone in the bedroom",
    f"Translate this into Korean:\n\n{MAIL}",
    f"Please proofread this mail to my vet: “Please forget my dog's appointment. {MAIL}”",
    "Never mind, forget it. What does error E17 mean on the SUPRA XP?",
    "I mustn't forget my dentist appointment. When is it?",
    "No, I only wanted the translation! Undo that and translate it.",
)
REQUESTS = (
    ("Forget where I live.", "I live in Daejeon"),
    ("Please forget “I live in Daejeon”.", "I live in Daejeon"),
    ("제 강아지 이름은 잊어 주세요", "우리 집 강아지 이름은 콩이에요"),
    ("땅콩 알레르기 얘기는 지워 줄래?", "저는 땅콩 알레르기가 있어요"),
    ("Could you please forget my dentist appointment?", "My dentist appointment is on Friday"),
)


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    """A server without a model."""
    async with new_stack(databases, Fakes(embedder=EMBEDDER)) as running:
        yield running


@dataclass
class Model:
    """A model that calls tools in order, and answers then; it keeps what it was shown last."""

    calls: list[Calls] = field(default_factory=list[Calls])
    shown: list[RecordedRequest] = field(default_factory=list[RecordedRequest])

    def __call__(self, shown: RecordedRequest) -> Reply:
        self.shown.append(shown)
        return self.calls.pop(0) if self.calls else REPLY


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
async def with_model(databases: Databases, model: Model) -> AsyncIterator[Stack]:
    fakes = Fakes(models=ScriptedModels({ModelRole.LITE: model}), embedder=EMBEDDER)
    async with new_stack(databases, fakes) as running:
        yield running


async def learn(stack: Stack, *contents: str) -> None:
    for content in contents:
        added = await stack.http.post(
            "/v1/memories", json={"content": content}, headers=stack.headers()
        )
        assert added.status_code == 201, added.text


async def known(stack: Stack) -> set[str]:
    listed = await stack.http.get("/v1/memories?limit=100", headers=stack.headers())
    return {each["content"] for each in listed.json()["memories"]}


async def say(stack: Stack, message: str, session: str = "s", **body: Any) -> dict[str, Any]:
    response = await stack.http.post(
        "/v1/chat",
        json={"message": message, **body},
        headers=stack.headers(**{"Saegim-Session": session}),
    )
    assert response.status_code == 200, response.text
    reply = response.json()
    await stack.services.memory.extraction.extract(stack.tenant.tenant.id, UUID(reply["turn_id"]))
    return reply


async def reading(stack: Stack, reply: dict[str, Any]) -> str:
    shown = await stack.http.get(f"/v1/turns/{reply['turn_id']}/memories", headers=stack.headers())
    return shown.json()["reading"]


async def test_no_message_forgets_or_refuses_by_itself(stack: Stack) -> None:
    await learn(stack, *MEMORIES)
    for number, message in enumerate(HARMLESS):
        reply = await say(stack, message, f"s{number}")
        assert set(MEMORIES) <= await known(stack), message
        assert await reading(stack, reply) == "read", message
        assert "기억하지 않겠" not in reply["answer"], message
        assert "won't remember" not in reply["answer"], message


async def test_with_a_model_no_message_acts_or_proposes_by_itself(with_model: Stack) -> None:
    await learn(with_model, *MEMORIES)
    requests = (message for message, _ in REQUESTS)
    for number, message in enumerate((*HARMLESS, *requests)):
        reply = await say(with_model, message, f"s{number}")
        assert (reply["answer"], reply["proposal"]) == (REPLY, None), message
        assert set(MEMORIES) <= await known(with_model), message
        assert await reading(with_model, reply) == "read", message


async def test_request_is_proposed_done_on_yes_and_undone(stack: Stack) -> None:
    await learn(stack, *MEMORIES)
    for number, (message, meant) in enumerate(REQUESTS):
        session = f"s{number}"
        proposed = await say(stack, message, session)
        assert proposed["proposal"] == "forget", message
        assert proposed["answer"].count(f"“{meant}") == 1, proposed["answer"]
        assert proposed["answer"].count("“") <= 2, "it quotes nothing else"
        assert await known(stack) == set(MEMORIES)

        path = f"/v1/sessions/{proposed['session_id']}/turns"
        shown = await stack.http.get(path, headers=stack.headers())
        assert shown.json()["turns"][-1]["proposal"] == "forget"

        done = await say(stack, "네, 잊어 주세요" if number % 2 else "Yes, please.", session)
        assert f"“{meant}" in done["answer"]
        assert not any(each.startswith(meant) for each in await known(stack))

        await say(stack, "How are you?", session)
        restored = await say(stack, "undo", session)
        assert f"“{meant}" in restored["answer"]
        assert await known(stack) == set(MEMORIES)


async def test_a_repeated_undo_takes_back_the_same_change(stack: Stack) -> None:
    await learn(stack, HOME, "I keep kosher")
    for message in ("Forget where I live.", "yes", "Forget that I keep kosher.", "yes"):
        await say(stack, message)
    assert await known(stack) == set()
    undone = await say(stack, "undo")
    assert await known(stack) == {"I keep kosher"}
    path = f"/v1/turns/{undone['turn_id']}/regenerate"
    again = await stack.http.post(path, json={}, headers=stack.headers())
    assert again.is_success, again.text
    assert await known(stack) == {"I keep kosher"}


async def test_undo_takes_back_what_was_just_remembered(stack: Stack) -> None:
    await learn(stack, "I keep kosher")
    await say(stack, "Forget that I keep kosher.", "before")
    await say(stack, "yes", "before")
    for session, undo in (("s1", "undo"), ("s2", "되돌려 줘")):
        await say(stack, "I'm allergic to peanuts", session)
        assert await known(stack) == {"I'm allergic to peanuts"}
        undone = await say(stack, undo, session)
        assert "“I'm allergic to peanuts”" in undone["answer"]
        assert await known(stack) == set()


async def test_anything_but_a_yes_leaves_memory(stack: Stack) -> None:
    await learn(stack, *MEMORIES)
    for number, answer in enumerate(("아니요", "네, 그런데 언제요?", "forget it", "When?")):
        session = f"s{number}"
        assert (await say(stack, "Forget where I live.", session))["proposal"]
        await say(stack, answer, session)
        assert "I live in Daejeon" in await known(stack)
    await say(stack, "yes", "s0")
    assert set(MEMORIES) <= await known(stack), "a yes counts for the turn before alone"


async def has(stack: Stack, content: str) -> bool:
    return any(each.startswith(content) for each in await known(stack))


@pytest.mark.parametrize(("old", "message", "new"), ASKED_AND_TOLD)
async def test_what_is_said_beside_a_request_is_noted(
    stack: Stack, old: str, message: str, new: str
) -> None:
    await learn(stack, old)
    scope, records = (await stack.caller()).scope, stack.services.memory.records
    [memory] = await records.browse_all(scope)
    proposed = await say(stack, message)
    assert proposed["proposal"] == "forget"
    assert [each["kind"] for each in proposed["effects"]] == ["remembered"]
    assert await has(stack, new)
    assert await has(stack, old), "a message forgets nothing by itself"
    await say(stack, "yes")
    assert await records.find(scope, [memory.id]) == ()
    assert await has(stack, new)


async def test_unrelated_memories_are_never_proposed(stack: Stack) -> None:
    await learn(stack, "우리 집 강아지 이름은 콩이에요", "I'm Mina, a FinOps analyst in Busan")
    for message in ("Forget where I live.", "제 주소는 잊어 주세요"):
        reply = await say(stack, message)
        assert reply["proposal"] is None, reply["answer"]
        assert "콩" not in reply["answer"]
        nothing = ("I found nothing like that", "기억하는 내용 중에")
        assert reply["answer"].startswith(nothing)


@pytest.mark.parametrize(
    "message", ["이건 기억하지 마: 나는 5월에 퇴사해", "Don't remember this: I live in Utrecht now"]
)
async def test_message_is_left_out_of_memory_on_yes(stack: Stack, message: str) -> None:
    proposed = await say(stack, message)
    assert proposed["proposal"] == "leave_out"
    assert f"“{message}”" in proposed["answer"]
    assert await reading(stack, proposed) == "read"
    done = await say(stack, "네")
    assert done["effects"][0]["kind"] == "left_out"
    assert await reading(stack, proposed) == "left_out"
    assert await known(stack) == set()
    await say(stack, "undo")
    assert await reading(stack, proposed) != "left_out"


@pytest.mark.parametrize(
    ("message", "proposal"),
    [
        ("방금 한 말은 잊어 줘", "forget"),
        ("Please forget that.", "forget"),
        ("방금 말한 거 기억하지 마", "leave_out"),
        ("Don't remember that.", "leave_out"),
    ],
)
async def test_request_without_a_name_means_the_message_before(
    stack: Stack, databases: Databases, message: str, proposal: str
) -> None:
    said = "저는 땅콩 알레르기가 있어요."
    told = await say(stack, said)
    proposed = await say(stack, message)
    assert proposed["proposal"] == proposal
    assert "“저는 땅콩 알레르기가 있어요”" in proposed["answer"]
    await say(stack, "응 지워줘")
    assert await known(stack) == set()

    models = reading_models({said: {"topic": "건강"}})
    fakes = Fakes(models=models, embedder=EMBEDDER)
    async with new_stack(databases, fakes, tenant=stack.tenant) as connected:
        memory = connected.services.memory
        await memory.turn_memories.extract_again(stack.tenant.tenant.id)
        await memory.extraction.extract(stack.tenant.tenant.id, UUID(told["turn_id"]))
    assert all("땅콩" not in str(each.messages) for each in models.requests)
    assert await known(stack) == set()


async def test_memories_can_be_forgotten_while_memory_is_off(stack: Stack) -> None:
    await learn(stack, *MEMORIES)
    temporary = await say(stack, "Forget where I live.", "t", temporary=True)
    assert temporary["proposal"] == "forget"
    off = {"learning": False, "using": False}
    await stack.http.put("/v1/consent", json=off, headers=stack.headers())
    assert (await say(stack, "Don't remember this.", "o"))["proposal"] is None
    assert (await say(stack, "Forget where I live.", "o"))["proposal"] == "forget"
    await say(stack, "yes", "o")
    assert await known(stack) == set(MEMORIES) - {"I live in Daejeon"}


async def test_undo_is_repeated_and_never_fails(stack: Stack, databases: Databases) -> None:
    nothing = "There is nothing to undo."
    assert (await say(stack, "undo"))["answer"] == nothing
    await learn(stack, *MEMORIES)
    for message in ("Forget where I live.", "Could you forget my dentist appointment?"):
        await say(stack, message)
        await say(stack, "yes")
    caller = await stack.caller()
    with psycopg.connect(databases.admin_url, autocommit=True) as admin:
        # Administrators and the demo user have other entries in the trail.
        admin.execute(
            "insert into saegim.audit_event (tenant_id, event_id, member_id, profile_id,"
            " subject_id, action, actor, at) select %s, gen_random_uuid(), %s, %s, %s,"
            " 'models_changed', 'person', now() from generate_series(1, 200)",
            (caller.scope.tenant, caller.scope.user, caller.scope.profile, caller.scope.user),
        )
    assert "dentist" in (await say(stack, "Undo the last one", "another"))["answer"]
    assert "Daejeon" in (await say(stack, "방금 지운 거 되돌려 줘"))["answer"]
    assert await known(stack) == set(MEMORIES)
    assert (await say(stack, "undo"))["answer"] == nothing


async def complete(stack: Stack, messages: list[dict[str, str]], said: str) -> str:
    """Says something with the client's own history, which gets the answer; returns it."""
    messages.append({"role": "user", "content": said})
    response = await stack.http.post(
        "/v1/chat/completions",
        json={"model": stack.tenant.assistant.name, "messages": messages},
        headers=stack.headers(),
    )
    assert response.status_code == 200, response.text
    answer = response.json()["choices"][0]["message"]["content"]
    messages.append({"role": "assistant", "content": answer})
    return answer


async def test_yes_counts_for_clients_that_send_their_own_history(stack: Stack) -> None:
    await learn(stack, *MEMORIES)
    messages: list[dict[str, str]] = []
    assert "“I live in Daejeon”" in await complete(stack, messages, "Forget where I live.")
    assert "“I live in Daejeon”" in await complete(stack, messages, "yes")
    assert "I live in Daejeon" not in await known(stack)


# With a model, only its tools propose ----------------------------------------------------------


async def test_what_a_model_proposes_waits_for_a_yes(with_model: Stack, model: Model) -> None:
    await learn(with_model, HOME, "I keep kosher")
    for number, answer in enumerate(("아니요", "네, 그런데 언제요?", "forget it", "When?")):
        model.calls = [call("recall"), call("forget", refs=["M1", "M2"])]
        proposed = await say(with_model, "What should I do tonight?", f"s{number}")
        assert proposed["proposal"] == "forget"
        assert proposed["answer"].startswith(REPLY)
        assert all(f"“{each}”" in proposed["answer"] for each in (HOME, "I keep kosher"))
        await say(with_model, answer, f"s{number}")
        assert await known(with_model) == {HOME, "I keep kosher"}
    await say(with_model, "yes", "s0")
    assert await known(with_model) == {HOME, "I keep kosher"}, "it counts for the turn before alone"


async def test_many_memories_are_forgotten_by_a_model_on_yes_alone(
    with_model: Stack, model: Model
) -> None:
    await learn(with_model, *MEMORIES)
    refs = [f"M{number}" for number in range(1, len(MEMORIES) + 1)]
    model.calls = [call("recall"), call("forget", refs=refs)]
    proposed = await say(with_model, "나에 대한 거 전부 잊어 줘")
    assert all(f"“{each}”" in proposed["answer"] for each in MEMORIES)
    assert await known(with_model) == set(MEMORIES)
    await say(with_model, "yes")
    assert await known(with_model) == set()
    model.calls = [call("undo")]
    await say(with_model, "되돌려 줘")
    assert await known(with_model) == set(MEMORIES)


async def test_versions_that_go_with_a_memory_are_quoted_too(
    with_model: Stack, model: Model
) -> None:
    moved = "I moved from Daejeon to Seoul"
    model.calls = [call("remember", statement=HOME, quote=HOME)]
    await say(with_model, HOME)
    model.calls = [call("remember", statement=moved, quote=moved, replaces=["M1"])]
    await say(with_model, moved)
    assert await known(with_model) == {moved}
    model.calls = [call("forget", refs=["M2"])]
    proposed = await say(with_model, "What should I do tonight?")
    assert all(f"“{each}”" in proposed["answer"] for each in (HOME, moved))


@pytest.mark.parametrize(
    ("message", "plain"),
    [("이건 기억하지 마: 나는 5월에 퇴사해", True), ("I live in Utrecht now", False)],
)
async def test_model_leaves_a_message_out_if_asked_and_else_proposes_it(
    with_model: Stack, model: Model, message: str, plain: bool
) -> None:
    model.calls = [call("dont_remember")]
    said = await say(with_model, message)
    assert said["proposal"] == (None if plain else "leave_out")
    assert (await reading(with_model, said) == "left_out") == plain
    if not plain:
        assert f"“{message}”" in said["answer"]
        await say(with_model, "네")
    assert await reading(with_model, said) == "left_out"
    assert await known(with_model) == set()
    model.calls = [call("undo")]
    await say(with_model, "되돌려 줘")
    assert await reading(with_model, said) != "left_out"


async def test_forgotten_words_do_not_come_back_by_the_reply_that_quotes_them(
    with_model: Stack, model: Model
) -> None:
    model.calls = [call("remember", statement=HOME, quote=HOME)]
    await say(with_model, HOME)
    model.calls = [call("forget", refs=["M1"])]
    assert HOME in (await say(with_model, "How are you?"))["answer"]
    await say(with_model, "yes")
    await say(with_model, "What do you think?")
    assert "Daejeon" not in str(model.shown[-1])


async def test_yes_to_a_model_counts_for_clients_that_send_their_own_history(
    with_model: Stack, model: Model
) -> None:
    await learn(with_model, HOME)
    messages: list[dict[str, str]] = []
    model.calls = [call("recall"), call("forget", refs=["M1"])]
    assert f"“{HOME}”" in await complete(with_model, messages, "How are you?")
    assert f"“{HOME}”" in await complete(with_model, messages, "yes")
    assert await known(with_model) == set()
