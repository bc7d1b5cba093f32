"""Rule-based stemming of Korean and English without a dictionary.

Korean particles and endings are attached to words (은행에서는, 운용되었나요). The rules need not be
correct grammar: a word must only get the same stem in a question and in a passage.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

# Nine of ten words of a passage occur in the last few dozen passages.
_CACHE_SIZE = 50_000
# Prefix that distinguishes a stem from a bigram.
MARK = "_"
_SHORT = 2


@dataclass(frozen=True, slots=True)
class KoreanStem:
    """A word without particles and endings: as written, and as a search term."""

    written: str
    term: str


@lru_cache(maxsize=_CACHE_SIZE)
def korean(word: str) -> KoreanStem:
    """Return the stem of a word of Hangul syllables; a verb in 하다 or 되다 yields its noun.

    A noun of one syllable keeps its particle in `written`: the bigram is more specific.
    """
    noun = _bare(_verb_noun(word) or word)
    noun = _verb_noun(noun) or noun
    if len(noun) == 1:
        return KoreanStem(word, noun)
    return KoreanStem(noun, MARK + (_verb(noun) or noun))


# --- nouns ---

type _After = Literal["closed", "open", "any"]


def _particles(closed: str, open_: str, either: str) -> dict[str, _After]:
    """Map particles to what they follow: a final consonant, a vowel, or either."""
    listed: dict[str, _After] = dict.fromkeys(closed.split(), "closed")
    listed.update(dict.fromkeys(open_.split(), "open"))
    listed.update(dict.fromkeys(either.split(), "any"))
    return listed


# Order: noun, case particle, final particle (은행 + 에서 + 는).
_LAST = _particles(
    "은 이 을 이나 이든 이든지 이야 이라도 이라고 이라는 이란 이자 이며 이고 이다 이지만 이라서"
    " 이면 이므로 이었다 이었던 이었고 이었으며 이었나요 이었습니다 이었을까 이었을까요 이에요",
    "는 가 를 나 든 든지 야 라도 라고 라는 란 라서 였다 였던 였고 였으며 였나요 였습니다 였을까"
    " 였을까요 예요",
    "의 도 만 조차 마저 뿐 뿐만 커녕 인 인데 인지 인가 인가요 입니다 입니까 일까 일까요 같은 같이",
)
_CASE = _particles(
    "과 으로 으로서 으로써 이랑",
    "와 로 로서 로써 랑",
    "에 에서 에게 에게서 께 께서 한테 한테서 까지 부터 보다 처럼 만큼 대로 마다 밖에 하고 만",
)
_LONGEST_PARTICLE = 5
# End many nouns of two syllables (결과, 제도, 회의): cut from longer words only.
_UNSURE = frozenset("의가도만인과와로나야든란랑께뿐")
_PLURAL = "들"
_RIEUL = 8


def _bare(word: str) -> str:
    """Strip particles until none is left: a noun alone and with particles must come out equal."""
    while True:
        noun = _without(_without(word, _LAST), _CASE)
        if len(noun) > _SHORT:
            noun = noun.removesuffix(_PLURAL)
        if noun == word:
            return noun
        word = noun


def _without(word: str, particles: dict[str, _After]) -> str:
    """Strip the longest particle that can follow the rest of the word."""
    for length in range(min(_LONGEST_PARTICLE, len(word) - 1), 0, -1):
        noun, particle = word[:-length], word[-length:]
        after = particles.get(particle)
        sure = len(noun) >= _SHORT or particle not in _UNSURE
        if after and sure and _agrees(noun, particle, after):
            return noun
    return word


def _agrees(noun: str, particle: str, after: _After) -> bool:
    """Return whether the particle can follow: 책이 but 의자가; 로 follows a vowel or ㄹ."""
    final = (ord(noun[-1]) - ord("가")) % 28
    if after == "any":
        return True
    if particle[0] == "로" and final == _RIEUL:
        return True
    return (final == 0) is (after == "open")


# --- verbs and adjectives: by jamo, as an ending may begin with a final consonant ---


def _letters(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _syllables(letters: str) -> str:
    return unicodedata.normalize("NFC", letters)


_VERBAL = frozenset(
    _letters(
        "ᆸ니다 습니다 ᆸ니까 습니까 ᆫ다면 는다면 다면 ᆫ다고 는다고 다고 ᆫ다 는다 다 나요 ᆫ가요 은가요"
        " 는가요 ᆯ까요 을까요 ᆫ가 은가 는가 ᆯ까 을까 ᆫ지 은지 는지 ᆯ지 을지 던가 세요 어요 아요"
        " 여요 죠 지요 네요 면서 으면서 며 으며 면 으면 려면 으려면 려고 으려고 려는 으려는 고자 고"
        " 거나 지만 지 도록 게 기 니 으니 니까 으니까 므로 으므로 던 는데 ᆫ데 은데 아서 어서 여서"
        " 아도 어도 여도 아야 어야 여야 아 어 여"
    ).split()
)
_ENDING = _VERBAL | frozenset(_letters("서 야 도 ᆷ 음 는 은 을 ᆫ ᆯ").split())
# Between stem and ending.
_TENSES = {
    **dict.fromkeys(map(_letters, ("하였", "했")), _letters("하")),
    **dict.fromkeys(map(_letters, ("되었", "됐")), _letters("되")),
    **dict.fromkeys(map(_letters, ("았", "었", "였", "겠")), ""),
    **dict(zip(("ᅧᆻ", "ᅪᆻ", "ᅯᆻ", "ᅡᆻ", "ᅢᆻ", "ᅥᆻ", "ᅦᆻ"), "ᅵᅩᅮᅡᅢᅥᅦ", strict=True)),
}
# Stems contracted with 어: 배워 is 배우.
_MERGED = {
    _letters("해"): _letters("하"),
    _letters("돼"): _letters("되"),
    **dict(zip("ᅧᅪᅯ", "ᅵᅩᅮ", strict=True)),
}
_MAKES_VERBS = dict.fromkeys(
    map(_letters, ("하", "되", "시키", "당하", "스럽", "스러", "드리")), ""
)
_LONGEST_ENDING = max(map(len, _ENDING))
_FINAL_CONSONANTS = frozenset(map(chr, range(0x11A8, 0x11C3)))


def _verb_noun(word: str) -> str | None:
    """Return the noun of a verb in 하다, 되다 and similar: 운용 for 운용되었나요."""
    stem = _before(word, _ENDING)
    noun = _replaced(stem, _MAKES_VERBS)
    return _syllables(noun) if noun != stem and len(_syllables(noun)) >= _SHORT else None


def _verb(word: str) -> str | None:
    """Return the stem of a verb whose ending is no particle: 이끄 for 이끌었다 and 이끈다."""
    stem = _before(word, _VERBAL)
    open_stem = stem[:-1] if stem and stem[-1] in _FINAL_CONSONANTS else stem
    verb = _syllables(open_stem)
    return verb if len(verb) >= _SHORT else None


def _before(word: str, endings: frozenset[str]) -> str:
    """Return the letters before the longest ending and its tense; "" without an ending."""
    letters = _letters(word)
    for length in range(min(_LONGEST_ENDING, len(letters)), 0, -1):
        if letters[-length:] in endings:
            stem = _replaced(_replaced(letters[:-length], _TENSES), _TENSES)
            return _replaced(stem, _MERGED)
    return ""


def _replaced(stem: str, endings: dict[str, str]) -> str:
    """Replace the longest of the endings."""
    for length in range(min(_LONGEST_ENDING, len(stem)), 0, -1):
        plain = endings.get(stem[-length:])
        if plain is not None:
            return stem[:-length] + plain
    return stem


# --- English ---

_VOWELS = "aeiouy"
_ENGLISH_ENDINGS = ("ingly", "edly", "ing", "ed")


@lru_cache(maxsize=_CACHE_SIZE)
def english(word: str) -> str:
    """Return the stem of a lower-case word; short and non-ASCII words are unchanged."""
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    word = _singular(word)
    for ending in _ENGLISH_ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2 and any(letter in _VOWELS for letter in stem):
            doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            word = stem[:-1] if doubled else stem
            break
    if len(word) > 5:
        word = word.removesuffix("ly")
    if len(word) > 3:
        word = word.removesuffix("e")
    if len(word) > 3 and word[-1] == "y" and word[-2] not in _VOWELS:
        word = f"{word[:-1]}i"
    return word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
