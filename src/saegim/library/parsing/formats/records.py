"""Turn rows of CSV or JSON into one document each."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import Reason
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.outline import Outline, heading_text
from saegim.library.types import BlockKind, ParsedDocument

_SEPARATORS = re.compile(r"[\s_\-./]+")
# Column names by priority.
_NAMES = {
    "question": "질문 질문내용 문의 문의내용 question questions q query prompt",
    "title": "제목 title subject name 이름",
    "answer": "답변 답변내용 답 응답 answer answers a response reply completion",
    "content": "내용 본문 content contents body text description 설명",
    "id": "id docid documentid 번호 문서번호 no key faqid 아이디 코드 code",
    "type": "type doctype 종류 유형 문서유형",
}
_MARKUP = re.compile(r"<(?:p|br|ul|ol|li|div|table|span|a|b|strong|h[1-6])\b[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Columns:
    heading: str | None
    body: str
    id: str | None
    type: str | None


def documents_of(
    rows: Sequence[Mapping[str, str]], kind: str, most: int
) -> list[ParsedDocument] | None:
    """Return a document per row, or None without columns of texts."""
    columns = _columns(dict.fromkeys(name for row in rows[:100] for name in row))
    if columns is None:
        return None
    if len(rows) > most:
        raise Unreadable(Reason.TOO_LARGE)
    seen: Counter[str] = Counter()
    parsed = (_document(row, columns, kind, seen) for row in rows)
    if not (documents := [each for each in parsed if each is not None]):
        raise Unreadable(Reason.EMPTY)
    return documents


def _columns(names: Iterable[str]) -> _Columns | None:
    plain = {_SEPARATORS.sub("", heading_text(name)).lower(): name for name in names}

    def first(*kinds: str) -> str | None:
        names = (name for kind in kinds for name in _NAMES[kind].split())
        return next((plain[name] for name in names if name in plain), None)

    heading, body, own_id = first("question", "title"), first("answer", "content"), first("id")
    if body is None or (heading is None and own_id is None):
        return None
    return _Columns(heading, body, own_id, first("type"))


def _document(
    row: Mapping[str, str], columns: _Columns, kind: str, seen: Counter[str]
) -> ParsedDocument | None:
    """Return the document of a row; its text repeats the question, so that passages have it."""
    question, body = row.get(columns.heading or "", ""), row.get(columns.body, "")
    title = heading_text(question)
    outline = Outline()
    outline.add(BlockKind.PARAGRAPH, question)
    question_blocks = outline.blocks
    _add_body(outline, body)
    if outline.blocks == question_blocks and not outline.sections:
        return None
    used = {columns.heading, columns.body, columns.id, columns.type}
    return outline.document(
        title,
        outside_id=_unique(row.get(columns.id or "", ""), title or body, seen),
        type=row.get(columns.type or "") or ("faq" if is_question(columns.heading or "") else None),
        metadata={name: text for name, text in row.items() if name not in used} | {"format": kind},
    )


def is_question(name: str) -> bool:
    """Whether a column of this name holds questions."""
    return _SEPARATORS.sub("", heading_text(name)).lower() in _NAMES["question"].split()


def _unique(own_id: str, text: str, seen: Counter[str]) -> str:
    """Return the row's own id, or a stable hash of its words."""
    name = heading_text(own_id) or hashlib.sha256(heading_text(text).encode()).hexdigest()[:12]
    seen[name] += 1
    return name if seen[name] == 1 else f"{name}-{seen[name]}"


def _add_body(outline: Outline, text: str) -> None:
    if _MARKUP.search(text):
        # Imported here: most lists hold plain text.
        from saegim.library.parsing.formats.html import add_html  # noqa: PLC0415

        add_html(outline, text)
    else:
        add_lines(outline, text)
