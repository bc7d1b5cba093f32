"""Placeholders for names, e-mail addresses and phone numbers on the way to a provider and back."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import count
from typing import Any, cast

from pydantic import BaseModel

from saegim.llm.types import FunctionCall, StepPrompt
from saegim.text.masking import contacts_in

PAIRS = (
    ("은", "는"),
    ("이", "가"),
    ("을", "를"),
    ("과", "와"),
    ("으로", "로"),
    ("이랑", "랑"),
    ("이나", "나"),
    ("이면", "면"),
    ("이야", "야"),
    ("이에요", "예요"),
    ("이라서", "라서"),
    ("이라고", "라고"),
)
PARTICLES = "|".join(sorted((form for pair in PAIRS for form in pair), key=len, reverse=True))
# The final consonant ㄹ among the 28 of a syllable.
_RIEUL = 8


def fitting(word: str, particle: str) -> str:
    """Return the form of a particle that fits the end of a word: 지수는, 서연은, 하늘로."""
    if not particle or not "가" <= word[-1] <= "힣":
        return particle
    after_consonant, after_vowel = next(pair for pair in PAIRS if particle in pair)
    final = (ord(word[-1]) - ord("가")) % 28
    if not final or (final == _RIEUL and after_vowel == "로"):
        return after_vowel
    return after_consonant


_LABELS = ("Person", "Email", "Phone")
_PLACEHOLDER = re.compile(
    rf"(?<![A-Za-z])({'|'.join(_LABELS)})[ _-]?(\d{{1,4}})(?:({PARTICLES})(?![가-힣]))?"
)
_BEGINNINGS = "|".join(label[:length] for label in _LABELS for length in range(len(label), 0, -1))
# The end of a text that may be the beginning of a placeholder.
_UNFINISHED = re.compile(
    rf"(?<![A-Za-z])(?:(?:{'|'.join(_LABELS)})[ _-]?\d{{0,4}}[가-힣]{{0,3}}|(?:{_BEGINNINGS}))$"
)
_SHORTEST_NAME = 2
_SURNAMES = (
    "김이박최정강조윤장임한오서신권황안송류유홍전고문손양배백허남심노하곽성차주우구민나지진엄채원천방공현"
    "함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용"
)
_LONG_SURNAMES = ("남궁", "황보", "제갈", "사공", "선우", "독고", "동방", "서문")
# Behind a given name that may be a word of its own.
_AFTER_NAME = (
    rf"(?=(?:이|씨|님|양|군)?(?:{PARTICLES}|[의도만께네야아]|한테|에게|께서|까지|부터|보다|처럼)?"
    r"(?![가-힣A-Za-z]))"
)
# Spellings in Latin letters of the initials, vowels and finals of Unicode's syllables, with
# slashes between those of one letter; a slash alone is a silent one.
_INITIALS = "[gk] kk/gg n [dt] tt/dd [rl] m [bp] pp/bb sh? ss / j/ch/z jj ch? k t ph? h"
_VOWELS = (
    "ah? ae/ai/e yah? yae eo/u/uh/o e/ae/ay yeo/you/yu/yo/yuh ye oh? wa wae oe/oi/we yoh? "
    "u/oo/woo/wu wo we wi/ui/wee yu/yoo/you eu/u ui/eui/ee/i i/ee/yi"
)
_FINALS = "/ [kgc] k k n n n [td] [lr] l l l l l l l m [pb] p [ts] t ng [tj] [tc] k t p h?"
_ROMANISED_SURNAMES = {
    "이": "lee/yi/rhee/rhie/ri/i",
    "박": "park/pak/bak",
    "임": "lim/im/yim/rim",
    "노": "roh/noh/no/ro",
    "유": "yu/yoo/you/ryu",
    "류": "ryu/ryoo/lyu/yu/yoo",
}


@dataclass(slots=True)
class Pseudonyms:
    """Placeholders for the names, e-mail addresses and phone numbers of one call.

    With a `key`, which the provider does not learn, a name has the same placeholder in every call
    that has the key.
    """

    names: Iterable[str] = ()
    key: bytes = b""
    _spellings: list[re.Pattern[str]] = field(default_factory=list[re.Pattern[str]])
    _others: set[str] = field(default_factory=set[str])
    _placeholders: dict[str, str] = field(default_factory=dict[str, str])
    _originals: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        known = {name.strip() for name in self.names}
        for name in sorted((each for each in known if len(each) >= _SHORTEST_NAME), key=_longest):
            self._placeholder("Person", name)
            self._spellings += spellings(name)

    def __len__(self) -> int:
        """Return how many placeholders stand for something."""
        return len(self._originals)

    def hidden(self, prompt: StepPrompt) -> StepPrompt:
        """Return a prompt with placeholders. What it has of that form by itself stays as it is."""
        texts = prompt.texts
        for email, phone in map(contacts_in, texts):
            for address in email:
                self._placeholder("Email", address)
            for number in phone:
                self._placeholder("Phone", number)
        # Each spelling has a placeholder of its own, so that it comes back as it was written.
        for text in map(self._hide, texts):
            for spelling in self._spellings:
                for match in spelling.finditer(text):
                    if match[0] not in self._placeholders:
                        self._others.add(match[0])
                        self._placeholder("Person", match[0])
        self._drop_unused("\n".join(texts))
        messages = tuple(
            replace(
                each,
                text=self._hide(each.text),
                calls=tuple(replace(c, arguments=self._hide(c.arguments)) for c in each.calls),
            )
            for each in prompt.messages
        )
        return replace(prompt, system=self._hide(prompt.system), messages=messages)

    def restored_call(self, call: FunctionCall) -> FunctionCall:
        """Return a call with the names in its arguments again."""
        try:
            value = self._restored_value(json.loads(call.arguments))
        except ValueError:
            return replace(call, arguments=self.restored(call.arguments))
        return replace(call, arguments=json.dumps(value, ensure_ascii=False))

    def restored(self, text: str) -> str:
        """Return a text with the names again; Korean particles fit the name."""
        return _PLACEHOLDER.sub(self._original, text)

    def restored_output[T: BaseModel](self, value: T) -> T:
        """Return a structured output with the names again."""
        if not self._originals:
            return value
        return type(value).model_validate(self._restored_value(value.model_dump()))

    def _restored_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.restored(value)
        if isinstance(value, Mapping):
            entries = cast("Mapping[str, Any]", value).items()
            return {key: self._restored_value(each) for key, each in entries}
        if isinstance(value, list | tuple):
            return [self._restored_value(each) for each in cast("list[Any]", value)]
        return value

    def _placeholder(self, label: str, original: str) -> None:
        if original in self._placeholders:
            return
        self._name(original, label, "")

    def _name(self, original: str, label: str, text: str) -> None:
        """Give the next placeholder that stands for nothing else and is not in the text."""
        names = (f"{label}{number}" for number in self._numbers(original))
        free = next(each for each in names if each not in self._originals and each not in text)
        self._placeholders[original], self._originals[free] = free, original

    def _numbers(self, original: str) -> Iterator[int]:
        if not self.key:
            yield from count(1)
        for attempt in count():
            name = f"{attempt}:{original}".encode()
            yield int.from_bytes(blake2b(name, key=self.key, digest_size=4).digest()) % 9_999 + 1

    def _drop_unused(self, text: str) -> None:
        """Forget what the prompt does not say, and rename placeholders that it has by itself."""
        for original, placeholder in list(self._placeholders.items()):
            is_said = self._pattern(original).search(text) is not None
            if is_said and placeholder not in text:
                continue
            del self._placeholders[original], self._originals[placeholder]
            if is_said:
                self._name(original, placeholder.rstrip("0123456789"), text)

    def _hide(self, text: str) -> str:
        for original in sorted(self._placeholders, key=_longest):
            text = self._pattern(original).sub(self._placeholders[original], text)
        return text

    def _pattern(self, original: str) -> re.Pattern[str]:
        return _word(re.escape(original)) if original in self._others else _pattern(original)

    def _original(self, match: re.Match[str]) -> str:
        original = self._originals.get(f"{match[1]}{match[2]}")
        if original is None:
            return match[0]
        return original + fitting(original, match[3] or "")


class RestoringStream:
    """Restores names in a text that arrives in pieces, also across their borders."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms
        self._kept = ""

    def feed(self, piece: str) -> str:
        """Return what can be shown so far."""
        if not len(self._pseudonyms):
            return piece
        text = self._kept + piece
        unfinished = _UNFINISHED.search(text)
        end = len(text) if unfinished is None else unfinished.start()
        self._kept = text[end:]
        return self._pseudonyms.restored(text[:end])

    def end(self) -> str:
        """Return the rest of the text."""
        rest, self._kept = self._pseudonyms.restored(self._kept), ""
        return rest


def spellings(name: str) -> list[re.Pattern[str]]:
    """Return patterns of the other forms of a name: the given name alone, with spaces between the
    syllables, and in Latin letters."""
    if not re.fullmatch("[가-힣]{2,4}", name):
        given = name.partition(" ")[0] if " " in name else ""
        return [_word(re.escape(given))] if len(given) >= _SHORTEST_NAME else []
    size = 2 if len(name) > 2 and name.startswith(_LONG_SURNAMES) else 1
    surname, given = name[:size], name[size:]
    if len(name) <= 2 or (size == 1 and surname not in _SURNAMES):
        surname, given = "", name
    latin = [_latin(syllable) for syllable in given]
    # With a space both parts are capitalised: "so in" is no name.
    forms = [f"(?i:{'-?'.join(latin)})", "[ ]".join(f"(?=[A-Z])(?i:{each})" for each in latin)]
    if len(given) < _SHORTEST_NAME:
        forms = []
    if surname:
        known = _ROMANISED_SURNAMES.get(surname)
        first = _any_of(known) if known else "-?".join(map(_latin, surname))
        whole = "[ -]?".join(latin)
        forms[:0] = [f"(?i:{whole},?[ ]{first})", f"(?i:{first},?[ ]{whole})"]
    found = [_word(form) for form in forms]
    found.append(_word("[ ]{0,2}".join(name)))
    if len(given) >= _SHORTEST_NAME:
        found.append(_word(given))
    return found


def _latin(syllable: str) -> str:
    initial, rest = divmod(ord(syllable) - ord("가"), 21 * 28)
    vowel, final = divmod(rest, 28)
    letters = _INITIALS.split()[initial], _VOWELS.split()[vowel], _FINALS.split()[final]
    return "".join(map(_any_of, letters))


def _any_of(spellings: str) -> str:
    return f"(?:{spellings.replace('/', '|')})"


def _word(form: str) -> re.Pattern[str]:
    """Match a form as a whole word, with particles behind one in Hangul."""
    return re.compile(
        rf"(?<![가-힣A-Za-z0-9])(?:{form})(?:(?<=[가-힣]){_AFTER_NAME}|(?<=[A-Za-z])(?![A-Za-z0-9]))"
    )


def _longest(name: str) -> tuple[int, str]:
    return -len(name), name


def _pattern(original: str) -> re.Pattern[str]:
    """Match a name as a word; particles may follow one in Hangul."""
    if "가" <= original[-1] <= "힣":
        return re.compile(rf"(?<![가-힣A-Za-z]){re.escape(original)}")
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(original)}(?![A-Za-z0-9])", re.IGNORECASE)
