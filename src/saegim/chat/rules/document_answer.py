"""Answer a question from passages: the line that answers, a short quote, and its source."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from saegim.chat.context.evidence import unmarked
from saegim.chat.rules.document_question import (
    PERSON,
    PLACE,
    AnswerLine,
    Candidate,
    Question,
    SourcePassage,
    terms_of,
)
from saegim.chat.rules.patterns import pattern
from saegim.chat.rules.table_candidates import (
    HEADING_SHARE,
    KIND_BONUS,
    MOST_ITEMS,
    SURE_COVERED,
    split_tables,
    table_candidates,
)
from saegim.text.analysis import fold, sentences
from saegim.text.tokens import count

READ = 8
# A line answers from this similarity on; without vectors, from this share of the words on.
LEAST_COVERED = 0.5
LEAST_MEANING = 0.65
_LEAST_NAMED_MEANING = 0.5
# How much better than a line with another value the best one must be.
_LEAST_LEAD = 0.15
# A line without the kind of value that is asked for must fit much better.
_OTHER_KIND = 0.5
_MEANING_WEIGHT = 1.5
QUOTE_TOKENS = 140
_SENTENCES_QUOTED = 3
_BEGINNING_UNITS = 6
_RANK_WEIGHT = 0.35
_NAMED = re.compile(
    r"\b(?!The |A |An |In |On |At |If |For )[A-Z][a-z]+ [A-Z][a-z]+\b|[가-힣]{2,4} (?:님|씨)"
)
_QUANTITY = pattern("document_answer", "quantity")


def candidates(question: Question, passages: Sequence[SourcePassage]) -> list[Candidate]:
    """Return the candidates of all passages, the best first by words and form."""
    found = [each for passage in passages[:READ] for each in _candidates(question, passage)]
    return sorted(found, key=lambda each: -each.line.score)


def ranked(found: Sequence[Candidate], similar: Mapping[str, float]) -> list[Candidate]:
    """Return candidates with their scores by words, form and meaning, the best first."""

    def with_meaning(each: Candidate) -> Candidate:
        score = each.line.score + _MEANING_WEIGHT * max(0.0, each.similarity(similar))
        return replace(each, line=replace(each.line, score=score))

    return sorted(map(with_meaning, found), key=lambda each: -each.line.score)


def best_line(
    found: Sequence[Candidate], similar: Mapping[str, float], caution: float = 0.0
) -> AnswerLine | None:
    """Return the best candidate if it answers; `caution` raises the similarity it must reach."""
    by_score = ranked(found, similar)
    if not by_score:
        return None
    best = by_score[0]
    rival = _rival(by_score) if similar else None
    if rival is not None and rival.quote != best.line.quote:
        return None
    least = LEAST_MEANING + caution if similar else LEAST_COVERED
    measure = best.similarity(similar) if similar else best.covered
    if not best.fits_kind:
        least += _OTHER_KIND
    is_named = best.is_named and (not similar or measure >= _LEAST_NAMED_MEANING)
    sure = is_named or (best.covered >= SURE_COVERED and best.fits_kind)
    if not (measure >= least or sure):
        return None
    return best.line if rival is None else _with_rival(by_score, rival)


def _rival(by_score: Sequence[Candidate]) -> AnswerLine | None:
    """Return a line with another value that is about as good as the best one."""
    best = by_score[0].line
    value = _value(best)
    rival = next((each.line for each in by_score[1:] if value not in each.line.text), None)
    return None if rival is None or best.score - rival.score >= _LEAST_LEAD else rival


def _with_rival(by_score: Sequence[Candidate], rival: AnswerLine) -> AnswerLine | None:
    """Return the row of a table in which both the best line and its rival stand."""
    values = _value(by_score[0].line), _value(rival)
    rows = (each.line for each in by_score if each.line.quote == rival.quote)
    return next((row for row in rows if all(value in row.text for value in values)), None)


def _value(line: AnswerLine) -> str:
    bold = _BOLD.search(line.text)
    return bold.group(1) if bold else line.text


def _candidates(question: Question, passage: SourcePassage) -> Iterator[Candidate]:
    prose, tables = split_tables(passage.text)
    context = terms_of(f"{passage.title} {passage.headings}")
    base = _RANK_WEIGHT * passage.rank
    for table in tables:
        yield from table_candidates(question, passage, table, context, base)
    yield from _of_prose(question, passage, prose, context, base)


def _of_prose(
    question: Question,
    passage: SourcePassage,
    prose: str,
    context: frozenset[str],
    base: float,
) -> Iterator[Candidate]:
    items = _list_items(prose)
    where = passage.headings or passage.title
    if len(items) > 1 and (question.lists or question.counts):
        around = terms_of(f"{passage.headings} {prose}") | context
        covered = question.share(around)
        text = "\n".join(f"- {item}" for item in items[:MOST_ITEMS])
        lead = f"**{len(items)}**\n\n" if question.counts else ""
        line = AnswerLine(f"{lead}{text}", passage, base + covered + KIND_BONUS, "")
        yield Candidate(line, where, covered)
    titles = {fold(passage.title), *map(fold, passage.headings.split(" › "))}
    units = [unit for unit in _units(prose) if fold(unit[1]) not in titles]
    for at, (asked, unit) in enumerate(units):
        terms = terms_of(f"{asked} {unit}")
        own = question.share(terms)
        covered = own + HEADING_SHARE * question.share(context - terms)
        kind = any(kind.form.search(fold(unit)) for kind in question.kinds)
        score = base + covered + (KIND_BONUS if kind else 0.0)
        fits = kind or not question.needs_kind or _has_value(question, unit)
        line = AnswerLine(unit, passage, score, _around([each for _, each in units], at))
        faq = asked if asked.endswith(("?", "？")) else passage.headings.rpartition(" › ")[2]
        faq = faq if faq.endswith(("?", "？")) else ""
        yield Candidate(line, f"{asked or where}: {unit}", covered, fits, asked=faq)


def _has_value(question: Question, unit: str) -> bool:
    """Return whether a sentence has a name, or a number where no name or place is asked for."""
    if _NAMED.search(unit):
        return True
    named = any(kind in (PERSON, PLACE) for kind in question.kinds)
    return not named and _QUANTITY.search(fold(unit)) is not None


_QUOTED_NAME = re.compile(r"[“‘]([^“”‘’]+)[”’]")
_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)])\s+")
_SHORT_UNIT = 12
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS = re.compile(r"\*\*|__|`")


def _list_items(prose: str) -> list[str]:
    return [_BULLET.sub("", line).strip() for line in prose.splitlines() if _BULLET.match(line)]


def _units(prose: str) -> list[tuple[str, str]]:
    """Return the sentences and list items of a text, each with the question before it."""
    units: list[tuple[str, str]] = []
    asked = ""
    for line in prose.splitlines():
        bare = _EMPHASIS.sub("", _BULLET.sub("", line)).strip()
        if not bare:
            continue
        if bare.startswith("#"):
            asked = bare.lstrip("# ")
            continue
        for unit in [bare] if _BULLET.match(line) else sentences(bare):
            if unit.endswith(("?", "？")):
                asked = unit
            elif units and units[-1][0] == asked and len(units[-1][1]) <= _SHORT_UNIT:
                # "Yes." alone answers nothing.
                units[-1] = (asked, f"{units[-1][1]} {unit}")
            elif len(unit) > 1:
                units.append((asked, re.sub(r"^(?:A|답변?)\s?[.:]\s*", "", unit)))
    return units


def named_passage(message: str, passages: Sequence[SourcePassage]) -> SourcePassage | None:
    """Return the passage whose question the message repeats, or whose title and heading it quotes,
    as suggested questions do."""
    names = set(map(fold, _QUOTED_NAME.findall(message))) or {fold(message.strip())}
    for passage in passages:
        if names <= {fold(passage.title), *map(fold, passage.headings.split(" › "))}:
            return passage
    return None


def beginning(passage: SourcePassage) -> AnswerLine:
    """Return the first sentence of a passage, with the next ones as its quote."""
    prose, tables = split_tables(passage.text)
    titles = {fold(passage.title), *map(fold, passage.headings.split(" › "))}
    units = [unit for _, unit in _units(prose) if fold(unit) not in titles]
    table = tables[0].shown(range(min(len(tables[0].rows), MOST_ITEMS))) if tables else ""
    quote = "\n".join(units[:_BEGINNING_UNITS]) or table
    return AnswerLine(units[0] if units else passage.title, passage, 0.0, quote)


def _around(units: Sequence[str], at: int) -> str:
    """Return a unit with its neighbours, up to a few sentences."""
    start = max(0, at - 1)
    shown: list[str] = []
    for unit in units[start : start + _SENTENCES_QUOTED]:
        if shown and count(" ".join([*shown, unit])) > QUOTE_TOKENS:
            break
        shown.append(unit)
    return "\n".join(shown)


# --- the answer ---


def compose(lines: Sequence[AnswerLine]) -> str:
    """Write the answer: each line with its source, then a quote of what it was taken from."""
    head = "\n\n".join(f"{unmarked(line.text)} [{line.passage.marker}]" for line in lines)
    quotes = [quoted(line) for line in lines if line.quote and line.quote != line.text]
    return "\n\n".join([head, *dict.fromkeys(quotes)])


def quoted(line: AnswerLine) -> str:
    """Quote what a line was taken from, under the title of its document."""
    body = "\n".join(f"> {each}" for each in unmarked(line.quote).strip().splitlines())
    where = line.passage.title
    if line.passage.headings:
        where = f"{where} › {line.passage.headings}"
    return f"**{unmarked(where)}** [{line.passage.marker}]\n{body}"
