"""Split a message into clauses, each of which can be a statement."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from saegim.text import analysis

# Endings that close a statement within a Korean sentence, without auxiliaries of the same form
# (하고 있다, 먹고 싶다), nouns (광고, 재고) and reported speech (뭐라고 했죠).
_PAST = "".join(chr(code) for code in range(0xAC00 + 20, 0xD7A4, 28) if chr(code) not in "있겠")
_KOREAN_CUT = re.compile(
    r"(?<=[가-힣])(?:(?:이?고|며|면서|는데|은데|인데|ㄴ데|데|지만|어서|아서|해서|여서|라서|니까|거든요?|어|아|해|요|다)"
    r"[,]\s+|(?:(?<!아니)(?<!말)(?<![광창재신최중경공원장금예출입충권해회놓])(?<![간무과]보)(?<!데리)(?<!가지)고|는데|은데|한데|인데|던데|운데|(?<!까)지만|니까|거든요?|라서"
    r"|이라|으며|이며)\s+"
    r"(?!있|싶|나서|나면|보니|말고|없|(?<=[라다냐자]고\s)(?:했|하|해|말|부르|불|그랬|들었|들은))"
    r"|(?:어요|아요|해요|에요|예요|세요|네요|구요|고요|니다|슴다|이야|셔서|[가-힣]{2}(?:함|됨|임)|는\s?중(?:임|이야)?)"
    r"[ㅋㅎㅠㅜ~;]*\s+(?=\S{2})"
    rf"|(?<=[{_PAST}])(?:어|음|다|지|네)[ㅋㅎㅠㅜ~;]*\s+(?=\S{{2}}))"
)
# "언니가 4일에 결혼해서 강릉 내려가야 돼": a reason with a subject of its own.
_REASON = re.compile(r"(?:이|가|께서)\s.{3,}(?:[해아어여셔려워와]서)\s+(?=\S{2})")
# Words that complete the clause before them: 어제부로, 4분기부터, 삼성 말고.
_AFTERTHOUGHT = re.compile(
    r"(?:지난|이번|다음|저번)?\s?[\w/~.][\w/~.\s]{0,9}(?:부터|까지|부로|부|날)|[가-힣\w\s]{1,12}\s말고"
    r"|(?:그냥|진짜|너무|ㅋ+|ㅎ+|ㅠ+|ㅜ+|ㄷ+|\s)+"
    # Without a verb: 한겨울에도, 투싼에서 ev3로, 당 관리 때문에요, (여성용).
    r"|[\w\s]{2,12}(?:에|에서|에도|으?로|때문에요?)|\([^)]{1,20}\)|[가-힣]{1,3}"
)
# "슬랙 안 쓰고 팀즈 써요": what is not, and what is instead, are one statement.
_INSTEAD = re.compile(r"(?:(?:^|\s)안\s?[가-힣]{1,4}|지\s?않|(?<=[가-힣\s])끊)고$")
_FINAL = re.compile(
    rf"(?:요|니다|슴다|이야|함|됨|임|는\s?중|[{_PAST}](?:어|음|다|지|네))[ㅋㅎㅠㅜ~;.!\s]*$"
)
_ENGLISH_CUT = re.compile(
    r"(?i)(?:[,;]\s+(?:and|but|so|while|though|although|because|plus)\s+"
    r"|\s+(?:and|but|so|because)\s+(?=(?:now\s)?(?:i|we|my|our|he|she|it|they|his|her|their)\b)"
    r"|\s+and\s+(?=(?:the\s)?(?:[\w'’-]+\s){1,3}(?:is|was|has|are|starts?|ends?|closes?|needs?)\b)"
    r"|(?:,\s+|\s+and\s+)(?=(?:work|live|study|teach)\s(?:as|at|in|for|near|on)\b)"
    r"|\s+and\s+(?=(?:nobody|everyone|no ?one)\b)|\s+although\s+"
    r"|\s+but\s+(?=[\w'’-]+\s(?:is|are|was|has|can['’]?t|doesn['’]?t|won['’]?t|never)\b)"
    r"|[;]\s+|\s[-–—]\s"
    r"|,\s+(?=(?:i|im|we|my|our|what|how|which|where|when|can|could|should|would|do|does|did"
    r"|is there|any|please|they|he|she|it|nobody|everyone|never|don['’]?t|remind|after that"
    r"|then)\b)"
    r"|,\s+(?=(?:[\w-]+\s){0,2}(?!it|that|what|let|here|there)[\w-]+['’]s\s(?:on|in|at|the|an?|not"
    r"|due|been|got|this|next|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|\d)\b)"
    r"|,\s+(?=(?:[\w'’-]+\s){0,3}(?:is|are|was|were|has|had|will|takes?|belongs?|pays?|gotta"
    r"|have to|need to|been|no|only|back|mostly|mainly|also)\b)|\sso\s+(?=(?:no|only)\b))"
)
# What is taken back: "not Thursdays", "I no longer work there".
_REJECTION = re.compile(
    r"(?i)(?:(?:wait|no|sorry|actually|oh|hm+|oops)\W+)*(?:not\s(?!an?\s)[\w\s'’-]{2,40}"
    r"|(?:i|we)(?:['’](?:m|re))?\sno longer\s[\w\s'’-]{2,40})"
)
# What the next clause corrects, and says nothing without it.
_CORRECTED = re.compile(
    r"(?i)(?:(?:wait|no|sorry|actually|oh|hm+|oops)\W+)*(?:i\s(?:said|wrote|typed|told you)\s"
    r"(?!i\b|we\b|my\b|our\b)[\w\s'’-]{2,40}|that['’]?s (?:wrong|not right)|scratch that)"
)
_QUOTATION = re.compile(r"^\s*(?:>|```|[\"“”']{1,3}.{60,})")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause; only a `last` one, which ends its sentence, can be a question or a request."""

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
    korean = cut is _KOREAN_CUT
    ends = [(match.start(), match.end()) for match in cut.finditer(sentence)]
    if korean and (reason := _REASON.search(sentence)) is not None:
        ends = sorted([*ends, (reason.end(), reason.end())])
    for start_of_cut, end_of_cut in ends:
        end = end_of_cut if korean else start_of_cut
        if korean and _AFTERTHOUGHT.fullmatch(sentence[end_of_cut:].strip(" .!~")):
            break
        piece = sentence[begin:end].strip(" ,")
        if _REJECTION.fullmatch(piece) or (korean and _INSTEAD.search(piece)):
            # "Not Thursdays, I run on Sundays": one statement.
            continue
        if _CORRECTED.fullmatch(piece):
            begin = end_of_cut
            continue
        if piece:
            start = offset + sentence.find(piece, begin)
            closed = korean and _FINAL.search(piece) is not None
            yield Clause(piece, start, last=closed, sentence=sentence)
        begin = end_of_cut
    piece = sentence[begin:].strip()
    if piece:
        yield Clause(piece, offset + sentence.find(piece, begin), last=True, sentence=sentence)
