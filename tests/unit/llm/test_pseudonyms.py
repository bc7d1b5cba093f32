"""Names leave as placeholders and come back in texts, pieces of texts and structured output."""

import pytest
from pydantic import BaseModel

from saegim.llm.ports import EgressPolicy
from saegim.llm.pseudonyms import Pseudonyms, RestoringStream
from saegim.llm.types import Message, StepPrompt
from saegim.text.names import names_in

NAMES = ("서윤", "지수", "Anna Schmidt")


def prompt(text: str, system: str = "Answer.") -> StepPrompt:
    return StepPrompt(system, (Message("user", text),), "test")


def test_names_and_contacts_leave_as_placeholders() -> None:
    names = Pseudonyms(NAMES)
    hidden = names.hidden(
        prompt("서윤이는 anna@example.com, 010-1234-5678. Anna Schmidt knows 서윤.")
    )
    [message] = hidden.messages
    for secret in ("서윤", "anna@example.com", "1234", "Anna"):
        assert secret not in message.text
    # 지수 is not in the prompt, so it needs no placeholder.
    assert len(names) == 4
    assert names.restored(message.text) == (
        "서윤이는 anna@example.com, 010-1234-5678. Anna Schmidt knows 서윤."
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Person1은 땅콩을 못 먹어요", "지수는 땅콩을 못 먹어요"),
        ("Person1가 좋아해요", "지수가 좋아해요"),
        ("Person 1, Person_1, Person-1", "지수, 지수, 지수"),
        ("Person9 is unknown", "Person9 is unknown"),
        ("Person1에게", "지수에게"),
        ("Person1으로 할게요", "지수로 할게요"),
        ("Person1이에요", "지수예요"),
        ("Person1이랑, Person1이라고", "지수랑, 지수라고"),
        ("Person3로, Person3을, Person3랑", "하늘로, 하늘을, 하늘이랑"),
        ("Person2로, Person2예요", "지훈으로, 지훈이에요"),
    ],
)
def test_particles_fit_the_restored_name(written: str, read: str) -> None:
    names = Pseudonyms(["지수", "지훈", "하늘"])
    names.hidden(prompt("지수 지훈 하늘"))
    assert names.restored(written) == read


def test_names_are_restored_across_every_border_of_pieces() -> None:
    names = Pseudonyms(NAMES)
    names.hidden(prompt("서윤 지수 Anna Schmidt"))
    text = "Please ask Person2는 and Person1, not Person3. Phone or Email them, Per se."
    whole = names.restored(text)
    for size in range(1, 9):
        stream = RestoringStream(names)
        pieces = [stream.feed(text[at : at + size]) for at in range(0, len(text), size)]
        assert "".join(pieces) + stream.end() == whole


class Output(BaseModel):
    title: str
    facts: list[str]
    count: int = 1


def test_structured_output_is_restored() -> None:
    names = Pseudonyms(["지수"])
    names.hidden(prompt("지수"))
    restored = names.restored_output(Output(title="Person1", facts=["Person1는 딸", "x"]))
    assert restored == Output(title="지수", facts=["지수는 딸", "x"])


def test_a_placeholder_that_the_user_wrote_stays() -> None:
    names = Pseudonyms(["지수"])
    hidden = names.hidden(prompt("Person1 and 지수"))
    assert hidden.messages[0].text == "Person1 and Person2"
    assert names.restored("Person1") == "Person1"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("딸 이름은 서윤이에요", ["서윤"]),
        ("우리 아들 민준이가 다쳤어", ["민준"]),
        ("담당자는 박지훈 대리야", ["박지훈"]),
        ("My wife Anna is a nurse", ["Anna"]),
        ("Our dog is called Biscuit", ["Biscuit"]),
        ("Sam is my roommate", ["Sam"]),
        ("아들 생일은 5월이야", []),
        ("I live in Seoul", []),
        ("김민수 이사가 승인했어", ["김민수"]),
        ("판교로 이사했어요", []),
        ("강남에서 이사 왔어요", []),
        ("다음 주에 이사해요", []),
        ("고객님 문의는 팀장님께 전해 주세요", []),
        ("제품 대표 이미지를 바꿨어", []),
        ("옆집 아저씨가 왔어", []),
    ],
)
def test_names_are_found_where_they_are_introduced(text: str, names: list[str]) -> None:
    assert list(names_in(text)) == names


def test_policies_withhold_what_either_does() -> None:
    both = EgressPolicy(frozenset({"profile"})).stricter(EgressPolicy(withholds_pinned=True))
    assert not both.allows("profile", pinned=False)
    assert not both.allows("fact", pinned=True)
    assert both.allows("fact", pinned=False)
    assert EgressPolicy().allows("profile", pinned=True)


def test_a_prompt_that_has_a_placeholder_by_itself_lets_no_name_out() -> None:
    names = Pseudonyms(["지수"])
    [message] = names.hidden(prompt("Person1과 지수, Person2")).messages
    assert "지수" not in message.text
    assert names.restored(message.text) == "Person1과 지수, Person2"


@pytest.mark.parametrize(
    ("name", "text", "secrets"),
    [
        ("최서윤", "서윤이 생일이 다음 주야. 서윤이랑 서윤이는 서윤아 서윤 씨", ["서윤"]),
        ("최서윤", "Seo-yun Choi, Choi Seoyun and SEOYUN; Seo Yun called", ["eo", "Choi", "EO"]),
        ("박지훈", "박 지 훈 대리와 박 지훈, 지훈이", ["지훈", "지 훈", "박"]),
        ("박지훈", "Jihoon Park, Ji-hun, Park Jihun", ["Ji", "Park"]),
        ("이민정", "Minjung Lee, Min-jeong", ["Min", "Lee"]),
        ("남궁민수", "민수가 왔어. 남궁 민수 님", ["민수", "남궁"]),
        ("Anna Schmidt", "Anna is here; Schmidt, Anna's", ["Anna"]),
    ],
)
def test_other_forms_of_a_name_leave_as_placeholders(
    name: str, text: str, secrets: list[str]
) -> None:
    names = Pseudonyms([name])
    [message] = names.hidden(prompt(text)).messages
    assert not [secret for secret in secrets if secret in message.text], message.text
    assert names.restored(message.text) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("이하늘", "하늘색 옷을 사고 하늘공원에 갔다."),
        ("김지수", "지수함수와 주가지수를 공부했다."),
        ("한사랑", "사랑방 손님과 사랑니"),
        ("이소인", "So I came in; so in the end"),
        ("Will Smith", "I will go at will. Willow"),
        ("김솔", "솔직히 솔방울이 so"),
        ("최나라", "우리나라 나라별 통계"),
    ],
)
def test_other_words_than_a_name_stay(name: str, text: str) -> None:
    assert Pseudonyms([name]).hidden(prompt(text)).messages[0].text == text
