import time
import unicodedata

import pytest
from hypothesis import given, settings, strategies as st

from saegim.text.analysis import fold, language, normalise, sentences, terms

PROPERTY = settings(deadline=None)
HANGUL = st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1)


def test_normalise_composes_hangul_and_unifies_line_ends() -> None:
    assert normalise(unicodedata.normalize("NFD", "새김")) == "새김"
    assert normalise("한 줄\r\n둘째\r셋째\x0c넷째\t끝") == "한 줄\n둘째\n셋째\n넷째\t끝"


def test_normalise_removes_what_a_store_cannot_hold() -> None:
    assert normalise("\ufeff새\x00김\x1b[0m\x9f") == "새김[0m"
    assert normalise("끊긴 \ud83d 글자") == "끊긴  글자"
    assert normalise("\ud83d\ude00") == "😀"


@PROPERTY
@given(st.text(st.characters()))
def test_normalised_text_is_storable_and_stays_as_it_is(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert "\0" not in once.encode().decode()
    assert unicodedata.is_normalized("NFC", once)


@pytest.mark.parametrize(
    ("spelling", "plain"),
    [
        ("ＧＣＢ－１２３", "gcb-123"),
        ("ｶﾞｽ", "ガス"),
        ("Straße", "strasse"),
        ("모델 Ⅱ ① ㎏", "모델 ii 1 kg"),
        ("새\u200b김", "새김"),
        ("ㅋㅋ", "ㅋㅋ"),
    ],
)
def test_fold_makes_spellings_of_a_word_equal(spelling: str, plain: str) -> None:
    assert fold(spelling) == plain
    assert fold(unicodedata.normalize("NFD", spelling)) == plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("검색은 빠르다", ["검색", "색은", "빠르", "르다"]),
        ("물 한 잔", ["물", "한", "잔"]),
        ("EC2를 껐다", ["ec2", "를", "껐다"]),
        ("gcb-123, SOP_77", ["gcb", "123", "sop", "77"]),
        ("Привет Ελλάδα café", ["привет", "ελλάδα", "café"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("食べる", ["食べ", "べる"]),
        ("ไทย", ["ไท", "ทย"]),
        ("네ㅋㅋ", ["네", "ㅋㅋ"]),
        ("", []),
        ("?!… —", []),
    ],
)
def test_terms_are_words_or_bigrams_by_script(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.12.1", ["3.12.1", "3.12"]),
        ("v3.12.1", ["3.12.1", "3.12"]),
        ("약1.5억", ["약", "1.5", "억"]),
        ("1,500,000원", ["1500000", "원"]),
        ("1,2,3", ["1", "2", "3"]),
        ("2024-11-15", ["2024", "11", "15"]),
        ("3.5.", ["3.5"]),
    ],
)
def test_numbers_and_versions_are_found_as_people_write_them(
    text: str, expected: list[str]
) -> None:
    assert terms(text) == expected


def test_a_question_shares_terms_with_an_inflected_passage() -> None:
    assert set(terms("파이썬 3.12 설치")) <= set(terms("파이썬은 3.12.1부터 설치됩니다"))


@PROPERTY
@given(HANGUL)
def test_bigrams_cover_every_hangul_character(run: str) -> None:
    found = terms(run)
    assert found[0] + "".join(term[1] for term in found[1:]) == run


@PROPERTY
@given(st.text())
def test_terms_do_not_depend_on_normal_form_or_case(text: str) -> None:
    text = "".join(c for c in text if fold(c) == fold(c.upper()))
    assert terms(text) == terms(unicodedata.normalize("NFD", text)) == terms(fold(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("비가 왔다. 안 갔어요. 왜?", ["비가 왔다.", "안 갔어요.", "왜?"]),
        ("좋았어요.그래서 또 갔다.끝", ["좋았어요.", "그래서 또 갔다.", "끝"]),
        ("정말!그래? 응", ["정말!", "그래?", "응"]),
        ("3.5도였다. 버전은 3.12.1이다.", ["3.5도였다.", "버전은 3.12.1이다."]),
        ("첫 줄\n둘째 줄\n\n셋째", ["첫 줄", "둘째 줄", "셋째"]),
        ("Use it, e.g. here. Ask Mr. Kim.", ["Use it, e.g. here.", "Ask Mr. Kim."]),
        ("J. Kim left. Dr. Lee stayed!", ["J. Kim left.", "Dr. Lee stayed!"]),
        ("ok. so i went home", ["ok.", "so i went home"]),
        ("1. 켠다. 2. 끈다.", ["1. 켠다.", "2. 끈다."]),
        ("2024. 1. 5. 회의했다. 끝", ["2024. 1. 5. 회의했다.", "끝"]),
        ("음... 그게 뭐지? 아", ["음... 그게 뭐지?", "아"]),
        ('"갈까?"라고 했다. "응." 하고 답했다.', ['"갈까?"라고 했다.', '"응." 하고 답했다.']),
        ("見た。行く！はい", ["見た。", "行く！", "はい"]),
        ("naver.com 접속. 끝", ["naver.com 접속.", "끝"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_say(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@PROPERTY
@given(st.text(st.sampled_from("가다요 .!?…\n\"'’)3a A。e.g")))
def test_sentences_lose_nothing_but_space(text: str) -> None:
    found = sentences(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() != "" for sentence in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("오늘 일정 알려줘", "ko"),
        ("SUPRA XP 센서 이상", "ko"),
        ("Kubernetes deployment rollback 방법 알려줘", "ko"),
        ("ㅇㅇ", "ko"),
        (unicodedata.normalize("NFD", "안녕"), "ko"),
        ("How do I reset it?", "en"),
        ("What does 안녕하세요 mean?", "en"),
        ("1234 ?!", "en"),
        ("", "en"),
    ],
)
def test_language_follows_the_letters(text: str, expected: str) -> None:
    assert language(text) == expected


@pytest.mark.alone
def test_analysis_keeps_up_with_hundreds_of_passages_a_second() -> None:
    passage = "오늘 회의에서는 EC2 비용 1,500,000원을 줄이기로 했다. " * 14
    started = time.process_time()
    for _ in range(300):
        terms(passage)
    assert time.process_time() - started < 1.0


@pytest.mark.alone
@pytest.mark.parametrize(
    "unit", ["1.", "1,", "a. ", "1. ", '."', "v1", "...", "가.", "e.g. ", "\n"]
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    terms(text)
    sentences(text)
    language(text)
    assert time.process_time() - started < 1.0
