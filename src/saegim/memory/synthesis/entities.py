"""Entity pages: the living records of each stored topic."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from saegim.memory.synthesis.statement_groups import StatementGroup
from saegim.memory.synthesis.types import DerivedKind, DerivedStatement
from saegim.memory.types import Record
from saegim.text import analysis
from saegim.text.tokens import cut

LEAST_RECORDS = 2
_MOST_PAGES, _MOST_SOURCES, _MOST_LINES, _LINE_TOKENS = 40, 40, 8, 60


def entities_of(groups: Sequence[StatementGroup]) -> list[DerivedStatement]:
    """Return a page for each topic that enough living records share, the largest first."""
    records = [record for group in groups for record in group.records]
    by_topic = defaultdict[str, list[Record]](list)
    for record in sorted(records, key=lambda record: (record.said_at, record.id)):
        by_topic[analysis.fold(record.topic).strip()].append(record)
    pages = [
        (topic, found) for topic, found in by_topic.items() if topic and len(found) >= LEAST_RECORDS
    ]
    pages.sort(key=lambda page: (-len(page[1]), page[0]))
    return [_page(topic, found) for topic, found in pages[:_MOST_PAGES]]


def _page(topic: str, found: Sequence[Record]) -> DerivedStatement:
    page = StatementGroup(tuple(found[-_MOST_SOURCES:]))
    lines = dict.fromkeys(cut(record.content, _LINE_TOKENS) for record in reversed(page.records))
    text = "\n".join(list(lines)[:_MOST_LINES])
    return replace(page.derived(DerivedKind.ENTITY), key=topic, text=text)
