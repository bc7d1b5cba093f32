"""Split a message into clauses, each of which can be a statement."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from saegim.text import analysis

# Endings that close a statement within a Korean sentence, without auxiliaries of the same form
# (하고 있다, 먹고 싶다) and reported speech (뭐라고 했죠).
_KOREAN_CUT = re.compile(
    r"(?<=[가-힣])(?:(?:이?고|며|면서|는데|은데|인데|ㄴ데|데|지만|어서|아서|해서|여서|라서|니까|거든요?|어|아|해|요|다)"
    r"[,]\s+|(?:(?<!아니)(?<!말)고|는데|은데|한데|인데|던데|운데|지만|니까|거든요?|라서|이라|으며|이며)\s+"
    r"(?!있|싶|나서|나면|보니|말고|없|(?<=[라다냐자]고\s)(?:했|하|해|말|부르|불|그랬|들었|들은))|(?:어요|아요|해요|에요|예요|니다|했어|했음|셔서)\s+(?=\S{2}))"
)
_ENGLISH_CUT = re.compile(
    r"(?i)(?:[,;]\s+(?:and|but|so|while|though|although|because|plus)\s+"
    r"|\s+(?:and|but|so|because)\s+(?=(?:i|we|my|our|he|she|it|they|his|her|their)\b)"
    r"|[;]\s+|\s[-–—]\s"
    r"|,\s+(?=(?:i|we|my|our|what|how|which|where|when|can|could|should|would|do|is there|any"
    r"|please)\b)"
    r"|,\s+(?=(?:[\w'’-]+\s){0,2}(?:is|are|was|were|has|had|will|takes?|belongs?|pays?|gotta"
    r"|have to|been|no|only|back)\b)|\sso\s+(?=(?:no|only)\b))"
)
_REJECTION = re.compile(r"(?i)(?:(?:wait|no|sorry|actually|oh|hm+)\W+)*not\s[\w\s'’-]{2,40}")
_QUOTATION = re.compile(r"^\s*(?:>|```|[\"“”']{1,3}.{60,})")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause; only the `last` one of a sentence can be a question or a request."""

    text: str
    start: int
    last: bool
    sentence: str


def clauses(message: str) -> Iterator[Clause]:
    """Yield the clauses of a message in order, without quotations."""
    position = 0
    for sentence in analysis.sentences(message):
        start = message.find(sentence, position)
        if start < 0:
            continue
        position = start + len(sentence)
        if _QUOTATION.match(sentence):
            continue
        cut = _KOREAN_CUT if analysis.language(sentence) == "ko" else _ENGLISH_CUT
        yield from _cut(sentence, start, cut)


def _cut(sentence: str, offset: int, cut: re.Pattern[str]) -> Iterator[Clause]:
    begin = 0
    for match in cut.finditer(sentence):
        end = match.end() if cut is _KOREAN_CUT else match.start()
        piece = sentence[begin:end].strip(" ,")
        if _REJECTION.fullmatch(piece):
            # "Not Thursdays, I run on Sundays": one statement.
            continue
        if piece:
            start = offset + sentence.find(piece, begin)
            yield Clause(piece, start, last=False, sentence=sentence)
        begin = match.end()
    piece = sentence[begin:].strip()
    if piece:
        yield Clause(piece, offset + sentence.find(piece, begin), last=True, sentence=sentence)
