"""Questions to go on with, from the documents around an answer."""

import re
from collections.abc import Iterable, Sequence
from uuid import UUID

from saegim.chat.shares import passages_of
from saegim.conversations.repository import PostgresTurns
from saegim.domain.scope import Caller, Locale
from saegim.library.cited_passages import CitedPassages, NearbyHeading
from saegim.library.service import FAQ, asks, is_file_name
from saegim.library.types import Document
from saegim.locales import N_, translate
from saegim.text.analysis import language, query_terms
from saegim.text.questions import is_question

MOST = 3
MOST_CONSIDERED = 12
TURNS_READ = 30
LONGEST = 80

IN_DOCUMENT = N_("What does “{title}” say about “{heading}”?")
ABOUT = N_("Tell me about “{title}”")
_NUMBER = re.compile(r"^제?[\d.]+[^\W\d_]?[.):]*\s+")


class Suggestions:
    def __init__(self, turns: PostgresTurns, passages: CitedPassages) -> None:
        self._turns = turns
        self._passages = passages

    async def after(self, caller: Caller, turn: UUID) -> list[str]:
        """Return up to three questions to ask after a turn of the caller; none if its answer cites
        no document. Raises NotFound."""
        found = await self._turns.find(caller.scope, turn)
        if not found.state.settled:
            return []
        trace = await self._turns.trace(caller.scope, turn)
        cited = passages_of(trace.get("citations", ()))
        if not cited:
            return []
        considered = passages_of(trace.get("items", ()))[:MOST_CONSIDERED]
        headings = await self._passages.headings_near(caller, cited, considered)
        before = await self._turns.turns_before(
            caller.scope, found.session, found.number + 1, TURNS_READ
        )
        asked = [each.message for each in before]
        ordered = in_order(headings, cited, considered)
        return chosen(ordered, asked, language(found.message))


def in_order(
    headings: Sequence[NearbyHeading], cited: Sequence[UUID], considered: Sequence[UUID]
) -> list[NearbyHeading]:
    """Return FAQ entries that the search found beside the cited ones, best first, and the sections
    around cited passages, those after them first. An answer from an FAQ entry leads to entries."""
    rank = {passage: place for place, passage in enumerate([*considered, *cited])}
    cites_entry = any(each.type == FAQ for each in headings if each.passage in cited)
    used = {_place(each) for each in headings if each.passage in cited and each.distance == 0}
    others = [
        each
        for each in headings
        if (each.type == FAQ or each.distance) and _place(each) not in used
    ]

    def order(each: NearbyHeading) -> tuple[bool, bool, int, int]:
        entry = each.type == FAQ
        return entry != cites_entry, each.distance < 0, abs(each.distance), rank[each.passage]

    return sorted(others, key=order)


def _place(heading: NearbyHeading) -> tuple[UUID, tuple[str, ...]]:
    """Return the entry, or the section of a document."""
    return heading.document, () if heading.type == FAQ else heading.path


def chosen(headings: Iterable[NearbyHeading], asked: Iterable[str], locale: Locale) -> list[str]:
    """Return the first questions that were not asked, in words; those in the language first."""
    known = [set(query_terms(message)) for message in asked]
    found: list[str] = []
    for heading in sorted(headings, key=lambda each: language(topic_of(each)) != locale):
        topic = topic_of(heading)
        terms = set(query_terms(topic))
        if not terms or any(terms <= each for each in known):
            continue
        known.append(terms)
        found.append(question_of(heading, topic, locale))
        if len(found) == MOST:
            break
    return found


def starter_of(document: Document, locale: Locale) -> str:
    """Return the question of an FAQ entry or a title, or one about the title."""
    title = " ".join((document.title or "").split())
    return title if asks(document) else translate(ABOUT, locale, title=title)


def topic_of(heading: NearbyHeading) -> str:
    """Return the question of an FAQ entry, or the heading of a section; "" if it is too long."""
    text = heading.title if heading.type == FAQ else (heading.path or ("",))[-1]
    topic = _NUMBER.sub("", " ".join((text or "").split()))
    return topic if len(topic) <= LONGEST else ""


def question_of(heading: NearbyHeading, topic: str, locale: Locale) -> str:
    """Return a question as it is, and one about an entry or a section otherwise."""
    if topic.endswith(("?", "？")) or (heading.type == FAQ and is_question(topic)):
        return topic
    title = " ".join((heading.title or "").split())
    if not title or title == topic or len(title) > LONGEST or is_file_name(title):
        return translate(ABOUT, locale).format(title=topic)
    return translate(IN_DOCUMENT, locale).format(title=title, heading=topic)
