import pytest
from hypothesis import given, settings, strategies as st

from saegim.text.stemming import english, korean

PROPERTY = settings(deadline=None)

NOUNS = [
    *(
        "서울",
        "은행",
        "고양이",
        "외국인",
        "민주주의",
        "제주도",
        "바나나",
        "독일어",
        "데이터",
        "슈퍼히어로",
    ),
    *(
        "이미지",
        "보고서",
        "전문가",
        "대한민국",
        "클라우드",
        "인공지능",
        "회의록",
        "국가",
        "결과",
        "확인",
    ),
]
SYLLABLES = st.text(
    st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=9
)


def _particles(noun: str) -> list[str]:
    closed = (ord(noun[-1]) - ord("가")) % 28 != 0
    agreeing = ["은", "이", "을", "과", "으로"] if closed else ["는", "가", "를", "와", "로"]
    return [*agreeing, "의", "에", "도", "에서", "에서는", "에게", "까지", "부터", "보다", "처럼"]


@pytest.mark.parametrize("noun", NOUNS)
def test_a_noun_has_one_stem_with_whatever_particle(noun: str) -> None:
    stems = {korean(noun + particle).term for particle in ["", *_particles(noun)]}
    assert len(stems) == 1


def test_the_plural_is_the_noun() -> None:
    assert korean("사람들에게").term == korean("사람").term


@pytest.mark.parametrize(
    "forms",
    [
        ["이끌었다", "이끈다", "이끄는", "이끌고", "이끌어"],
        ["배웠습니다", "배운다", "배우고", "배웠던", "배우며"],
        ["가르쳤다", "가르치고", "가르친다", "가르쳤나요"],
        ["만들었다", "만들고", "만들면", "만듭니다"],
    ],
)
def test_a_verb_has_one_stem_in_its_forms(forms: list[str]) -> None:
    assert len({korean(form).term for form in forms}) == 1


@pytest.mark.parametrize(
    "form",
    [
        "운용된",
        "운용되었나요",
        "운용하는",
        "운용했다",
        "운용합니다",
        "운용됐습니다",
        "운용하기를",
        "운용을",
    ],
)
def test_a_noun_that_became_a_verb_is_the_noun(form: str) -> None:
    assert korean(form).term == korean("운용").term


def test_a_particle_falls_only_where_it_agrees_with_the_syllable_before() -> None:
    assert korean("전문가").written == "전문가"
    assert korean("투수가").written == "투수"
    assert korean("길거리로").written == "길거리"
    assert korean("지하철로").written == "지하철"


def test_one_syllable_noun_is_compared_alone_and_keeps_its_bigram() -> None:
    assert (korean("물을").term, korean("물을").written) == ("물", "물을")
    assert korean("집에서").term == "집"


def test_nouns_of_two_syllables_that_end_like_a_particle_stay() -> None:
    for noun in ("결과", "제도", "회의", "도로", "개인", "국가", "대만"):
        assert korean(noun).written == noun


@PROPERTY
@given(SYLLABLES)
def test_a_stem_is_never_empty_and_begins_as_the_word_does(word: str) -> None:
    stem = korean(word)
    assert stem.term.strip("_")
    assert word.startswith(stem.written[:-1])
    assert " " not in stem.term


@pytest.mark.parametrize(
    "forms",
    [
        ["study", "studies"],
        ["city", "cities"],
        ["box", "boxes"],
        ["class", "classes"],
        ["run", "running", "runs"],
        ["walk", "walked", "walking", "walks"],
        ["configure", "configured", "configures", "configuring"],
        ["happy", "happily"],
        ["house", "houses"],
    ],
)
def test_english_forms_share_a_stem(forms: list[str]) -> None:
    assert len({english(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["ec2", "aws", "ios", "29392", "naïve", "s3", "bus", "this"])
def test_codes_short_words_and_other_letters_stay(word: str) -> None:
    assert english(word) == word


@PROPERTY
@given(st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1, max_size=20))
def test_an_english_stem_keeps_how_the_word_begins(word: str) -> None:
    stem = english(word)
    assert len(stem) >= min(len(word), 2)
    assert stem[:2] == word[:2]
