"""Find which parts of a message are the person's own words, by structure alone.

Not own is what is quoted, code or pasted:

- between quotation marks; a mark that is never closed quotes the rest of the message;
- lines that begin with ">", fenced code and inline code, lines of code, tables;
- logs, transcripts and mails: repeated time stamps or labels ("Name: text") and what follows them;
- several lines or a long text behind a colon, except a quotation or code, which ends by itself;
- two sentences behind a colon, unless they or the words before it are in the first person, or these
  ask to remember;
- most of a long text of several lines: only its first line is own, else its last, if short;
- beside a line of the person, which asks, is in the first person or in spoken Korean, other lines
  that are none of these, unless that line asks to remember them.

A short quotation inside a sentence ("My dog is called “Bori”") may be remembered together with
words of that sentence, never by itself: at most 40 characters, no sentence, not behind a colon.
It is no part of a request to forget. In doubt, words are not own. Takes linear time.
"""

import re
from collections.abc import Iterator
from itertools import accumulate

from saegim.text.analysis import sentences
from saegim.text.questions import is_question

BREAK = "\ufffc"
"""Stands in own words for what was left out."""

_OWN, _NOT_OWN, _SHORT = 0, 1, 2
_RUN = re.compile(rb"\x00+|[^\x00]+")
_LONGEST_SHORT = 40
_CLOSING = {"“": "”", "„": "“”", "«": "»", "»": "«", "‹": "›"} | dict(
    zip("「『《〈", "」』》〉", strict=True)
)
_DOUBLE, _SINGLE = '"”＂', "'‘’"
_MARKS = frozenset("".join([*_CLOSING, *_CLOSING.values(), _DOUBLE, _SINGLE, "`"]))
_NEXT = re.compile(
    rf"^[ \t]*(?:>|```|~~~)|[{''.join(_CLOSING)}{_DOUBLE}{_SINGLE}]|`+", re.MULTILINE
)
_DOUBLE_MARK, _SINGLE_MARK = re.compile(f"[{_DOUBLE}]"), re.compile(f"[{_SINGLE}]")
_FENCE_END = {mark: re.compile(rf"^[ \t]*{mark}.*$", re.MULTILINE) for mark in ("```", "~~~")}
_LINE_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SENTENCE_END = re.compile(r"[.!?。！？…](?=\s|$)")
_ENDS = frozenset(".!?。！？…:：\n" + BREAK)
# Letters before Hangul and the ideographs: between these, a single quotation mark is an apostrophe.
_FIRST_EAST_ASIAN = 0x1100

_LABEL = re.compile(r"\s*(\w[\w .()'·-]{0,30}?)\s?[:：][ \t]+\S")
_ADDRESS = re.compile(r"[\w.+-]{1,64}@\w")
_STAMP = re.compile(
    r"\s*[\[(<]?(?:\d{2,4}[-./]\s?\d{1,2}[-./]\s?\d{1,4}|\d{4}년|\d{1,2}:\d\d)|\s*\[[^\]\n]{1,40}\]\s?\["
)
_COLON = re.compile(r"(?<=[^\W\d])[)\]]?[:：](?:[ \t]+(?=\S)|[ \t]*$)")
_LABELS, _LABELS_OF_MAIL, _STAMPS, _CELLS = 3, 2, 2, 2
_INTRODUCED_LINES, _INTRODUCED_TEXT = 2, 160
_LONG, _SHORT_LINE, _LONGEST_LINE = 500, 200, 2_000

_FIRST_PERSON = re.compile(
    r"(?i)(?:^|[\s,.(])(?:[나저내제난전]|우리|저희)(?:[는가를도의만랑]|한테|에게)?(?=[\s,.]|$)"
    r"|\b(?:i|im|my|me|mine|we|our|us)\b"
)
_ASKS = re.compile(r"(?:줘요?|줄래|주라|[주하]세요|주십시오|[바부]랍니다|부탁\S*)[\s.!~]*$")
# Spoken Korean leaves out "I": 새우 알레르기 있어요.
_SPOKEN = re.compile(r"[가-힣][요어아야지해네음임함슴][\s.!~ㅎㅋㅠ]*$")
_REMEMBER = re.compile(r"(?i)기억|잊지|적어|메모|\b(?:remember|note|keep in mind|memo)\b")
_INTRODUCED_SENTENCES = 2

_DEFINES = ("def", "class", "function", "fn", "func", "const", "let", "var", "public", "private")
_QUERIES = (r"select\s.+\sfrom", "insert into", r"update \w+ set", "delete from", "create table")
_CODE = re.compile(
    # Indented, a comment, markup, a decorator, a prompt of a shell, a table
    r"(?: {4,}|\t)\S.*|\s*(?:#|//|/\*|\*/|--|</?[a-z!][^>]*>|@\w+[.(]|\$ |>>> |\|).*"
    # An import, a definition, a query, a call, an assignment, a block, a log
    r"|\s*(?:from [\w.]+ import\b.*|import [\w.{*]+(?: (?:as|from) .*|;)?|return\b.*[;)\]}'\"])"
    rf"|\s*(?:async )?(?:{'|'.join(_DEFINES)}) \w+.*[({{=:;].*|\s*(?:{'|'.join(_QUERIES)})\s.*"
    r"|\s*[a-z_][\w.]*\(.*\)[;,]?|\s*[a-z_][\w.\[\]'\"]*\s*[-+*/|:]?=\s?\S.*|.*[{};]\s*"
    r"|\s*\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*|\s*[\w.]*(?:error|exception|warning):.*",
    re.IGNORECASE,
)
_SYMBOL = re.compile(r"[{}\[\];=<>_$\\|&*#@]")
_MANY_SYMBOLS, _DENSE = 3, 0.08


def own_words(message: str) -> str:
    """Return the message with what is quoted, code or pasted replaced by BREAK."""
    message = _plain(message)
    own: list[str] = []
    for run in _RUN.finditer(_mask(message)):
        text = message[run.start() : run.end()]
        kept = run.group().startswith(b"\x00")
        own.append(text if kept else f"\n{BREAK}\n" if "\n" in text else BREAK)
    return "".join(own)


def own_text(message: str) -> str:
    """Return what the person says, with short quotations, without what else is quoted or pasted."""
    message = _plain(message)
    kinds = zip(message, _mask(message), strict=True)
    return "".join(char for char, kind in kinds if kind != _NOT_OWN)


def is_own(message: str, quote: str) -> bool:
    """Return whether a quote is a verbatim part of the person's own words and contains a word.

    Spaces and quotation marks are not compared.
    """
    wanted = " ".join("".join(char for char in quote if char not in _MARKS).split())
    if BREAK in wanted or not any(char.isalnum() for char in wanted):
        return False
    text, own = _comparable(_plain(message))
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if any(own[place] and text[place].isalnum() for place in range(at, end)):
            return True
        at = text.find(wanted, end)
    return False


def _plain(message: str) -> str:
    return _LINE_BREAK.sub("\n", message).replace(BREAK, " ")


def _comparable(message: str) -> tuple[str, bytearray]:
    """Return own words and short quotations without marks, and which characters are own."""
    text: list[str] = []
    own = bytearray()
    for char, kind in zip(message, _mask(message), strict=True):
        kept = BREAK if kind == _NOT_OWN else " " if char.isspace() else char
        if kept in _MARKS or (kept in {" ", BREAK} and text and text[-1] == kept):
            continue
        text.append(kept)
        own.append(kind == _OWN)
    return "".join(text), own


def _mask(message: str) -> bytearray:
    """Return for each character whether it is own, not own, or of a short quotation."""
    mask = bytearray(len(message))
    for begin, end, kind in _quotations(message):
        mask[begin:end] = bytes([kind]) * (end - begin)
    _mark_pasted(message, mask)
    return mask


def _quotations(message: str) -> Iterator[tuple[int, int, int]]:
    """Yield where quotations and code begin and end, and what they are."""
    last_single = max(
        (mark.start() for mark in _SINGLE_MARK.finditer(message) if _closes(message, mark.start())),
        default=-1,
    )
    at = 0
    while (found := _NEXT.search(message, at)) is not None:
        begin, mark = found.start(), found.group().lstrip(" \t")
        if mark == ">":
            end = _line_end(message, begin)
        elif mark in _FENCE_END:
            end = _fence_end(message, found.end(), mark)
        elif mark[0] == "`":
            end = _code_end(message, begin, found.end())
        elif mark in _CLOSING:
            end = _pair_end(message, begin, mark)
        elif mark in _DOUBLE:
            end = _double_end(message, begin)
        else:
            end = _single_end(message, begin, last_single)
        if end > found.end():
            short = mark not in {">", *_FENCE_END} and _is_short(message, begin, end)
            yield begin, end, _SHORT if short else _NOT_OWN
        at = max(end, found.end())


def _line_end(message: str, begin: int) -> int:
    end = message.find("\n", begin)
    return len(message) if end < 0 else end


def _fence_end(message: str, begin: int, mark: str) -> int:
    line = _line_end(message, begin)
    same_line = message.find(mark, begin, line)
    if same_line >= 0:
        return same_line + len(mark)
    closed = _FENCE_END[mark].search(message, line)
    return len(message) if closed is None else closed.end()


def _code_end(message: str, begin: int, end: int) -> int:
    if end - begin == 1 and _in_word(message, begin):
        return begin
    for mark in re.compile("`+").finditer(message, end):
        if mark.end() - mark.start() == end - begin:
            return mark.end()
    return len(message)


def _pair_end(message: str, begin: int, opening: str) -> int:
    closing = _CLOSING[opening]
    depth = 1
    for mark in re.compile(f"[{opening}{closing}]").finditer(message, begin + 1):
        depth += -1 if mark.group() in closing else 1
        if not depth:
            return mark.end()
    return len(message)


def _double_end(message: str, begin: int) -> int:
    """Return the end of a quotation: its last closing mark in the line before one that opens.

    So the mark of inches within a quotation does not end it.
    """
    if _char(message, begin - 1).isdigit() and not _char(message, begin + 1).isalnum():
        return begin
    depth, end = 1, 0
    for mark in _DOUBLE_MARK.finditer(message, begin + 1):
        at = mark.start()
        if end and "\n" in message[end:at]:
            return end
        before, after = _char(message, at - 1), _char(message, at + 1)
        if (before.isspace() or before in "([{") and after and not after.isspace():
            if end:
                return end
            depth += 1
        else:
            depth = max(0, depth - 1)
            end = end if depth else mark.end()
    return end or len(message)


def _single_end(message: str, begin: int, last: int) -> int:
    """Return the end of a quotation, or its beginning if the mark is an apostrophe."""
    after = _char(message, begin + 1)
    if _is_letter(_char(message, begin - 1)) or not after or after.isspace():
        return begin
    if last <= begin:
        # "I moved 'cause of work", "in the '90s"
        before = message[max(0, begin - 3) : begin].rstrip(" ")
        return (
            begin
            if after.isdigit() or _is_letter(before[-1:]) or before[-1:] == ","
            else len(message)
        )
    end = 0
    for mark in _SINGLE_MARK.finditer(message, begin + 1):
        at = mark.start()
        if end and "\n" in message[end:at]:
            return end
        if _closes(message, at):
            end = mark.end()
        elif end and not _in_word(message, at):
            return end
    return end or len(message)


def _closes(message: str, at: int) -> bool:
    before = _char(message, at - 1)
    return bool(before) and not before.isspace() and not _in_word(message, at)


def _in_word(message: str, at: int) -> bool:
    return _is_letter(_char(message, at - 1)) and _is_letter(_char(message, at + 1))


def _is_letter(char: str) -> bool:
    return char.isalnum() and ord(char) < _FIRST_EAST_ASIAN


def _char(message: str, at: int) -> str:
    return message[at] if 0 <= at < len(message) else ""


def _is_short(message: str, begin: int, end: int) -> bool:
    """Return whether a quotation is short, no sentence, and inside a sentence."""
    text = message[begin + 1 : end - 1]
    if (
        len(text) > _LONGEST_SHORT
        or "\n" in text
        or message[end - 1] not in _MARKS
        or _SENTENCE_END.search(text.rstrip(".,"))
    ):
        return False
    before = message[max(0, begin - _LONGEST_SHORT) : begin]
    for char in reversed(before):
        if char in _ENDS:
            break
        if char.isalnum():
            return True
    after = message[end : end + _LONGEST_SHORT].lstrip(" ")
    return not before.rstrip().endswith((":", "：")) and after[:1].isalnum()


def _mark_pasted(message: str, mask: bytearray) -> None:
    lines = _lines(message, mask)
    labelled = _labelled(lines)
    for begin, end, text in lines:
        cells = text.count("|") >= _CELLS or text.count("\t") >= _CELLS
        if len(text) > _LONGEST_LINE or cells or is_code(text):
            _mark(mask, begin, end)
    lines = _lines(message, mask)
    begins = [at for at in (labelled, _stamped(lines), _introduced(lines)) if at is not None]
    if begins:
        _mark(mask, min(begins), len(message))
    lines = [line for line in _lines(message, mask) if any(char.isalnum() for char in line[2])]
    if len(lines) > 1:
        for begin, end, _ in _of_others(lines):
            _mark(mask, begin, end)


def is_code(line: str) -> bool:
    """Return whether a line is code, markup or a log."""
    symbols = len(_SYMBOL.findall(line))
    dense = symbols >= _MANY_SYMBOLS and symbols >= _DENSE * len(line)
    return dense or _CODE.fullmatch(line) is not None


def _of_others(lines: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the lines that are not the person's."""
    if sum(len(text) for *_, text in lines) > _LONG:
        kept = next((line for line in (lines[0], lines[-1]) if len(line[2]) <= _SHORT_LINE), None)
        return [line for line in lines if kept is not None and line is not kept]
    own = [line for line in lines if _speaks(line[2])]
    if not own or any(_REMEMBER.search(text) for *_, text in own):
        return []
    return [line for line in lines if line not in own]


def _speaks(text: str) -> bool:
    """Return whether the person speaks for themself in a line, or asks something."""
    return _FIRST_PERSON.search(text) is not None or any(
        is_question(each) or _ASKS.search(each) or _SPOKEN.search(each) for each in sentences(text)
    )


def _mark(mask: bytearray, begin: int, end: int) -> None:
    mask[begin:end] = bytes([_NOT_OWN]) * (end - begin)


def _lines(message: str, mask: bytearray) -> list[tuple[int, int, str]]:
    """Return where lines with text begin and end, and it: what is not own is BREAK in it."""
    found: list[tuple[int, int, str]] = []
    begin = 0
    for line in message.split("\n"):
        end = begin + len(line)
        if not line.strip():
            begin = end + 1
            continue
        if mask.find(_NOT_OWN, begin, end) >= 0:
            kinds = mask[begin:end]
            own = "".join(
                BREAK if kind == _NOT_OWN else char for char, kind in zip(line, kinds, strict=True)
            )
            found.append((begin, end, own))
        else:
            found.append((begin, end, line))
        begin = end + 1
    return found


def _stamped(lines: list[tuple[int, int, str]]) -> int | None:
    """Return where lines with time stamps begin: a log or a chat."""
    begins = [begin for begin, _, text in lines if _STAMP.match(text)]
    return begins[0] if len(begins) >= _STAMPS else None


def _labelled(lines: list[tuple[int, int, str]]) -> int | None:
    """Return where a transcript or the head of a mail begins."""
    labels = [(begin, text, found[1]) for begin, _, text in lines if (found := _LABEL.match(text))]
    mail = len(labels) >= _LABELS_OF_MAIL and any(_ADDRESS.search(text) for _, text, _ in labels)
    repeated = len({label for *_, label in labels}) < len(labels)
    return labels[0][0] if mail or repeated or len(labels) >= _LABELS else None


def _introduced(lines: list[tuple[int, int, str]]) -> int | None:
    """Return where several lines, or a long text, stand behind a colon."""
    filled = [bool(text.strip()) for *_, text in lines]
    # Filled lines from each line on, and the text of the next one.
    rest = list(accumulate(reversed(filled), initial=0))[::-1]
    following = ""
    found: int | None = None
    last = lines[-1][1] if lines else 0
    for place in range(len(lines) - 1, -1, -1):
        begin, _, text = lines[place]
        colon = _COLON.search(text)
        if colon is not None:
            at = begin + colon.end()
            behind = text[colon.end() :].strip() or following
            many = rest[place + 1] >= _INTRODUCED_LINES or last - at > _INTRODUCED_TEXT
            many = many or _is_introduced_text(text, colon)
            if many and behind.strip(BREAK + " "):
                found = at
        following = text.strip() or following
    return found


def _is_introduced_text(line: str, colon: re.Match[str]) -> bool:
    """Return whether sentences behind a colon are a text that somebody else wrote."""
    introduces = "".join(sentences(line[: colon.start()])[-1:])
    behind = line[colon.end() :]
    return (
        len(sentences(behind)) >= _INTRODUCED_SENTENCES
        and not _FIRST_PERSON.search(f"{introduces}\n{behind}")
        and not _REMEMBER.search(introduces)
    )
