"""A scripted summarizer that names values."""

import re
from collections.abc import Callable, Mapping

from benchmarks.doubles.models import RecordedRequest
from saegim.conversations.summary.summariser import SummaryEntity, SummaryForm

_MESSAGE = re.compile(r"^\[\d+\] user: (.*)$", re.MULTILINE)


def naming(
    stated: Mapping[str, tuple[str, str]], *more: SummaryEntity
) -> Callable[[RecordedRequest], SummaryForm]:
    """A summarizer that names the key and value that each message states, and some more values. Its
    summary is one sentence about the last message."""

    def summarise(shown: RecordedRequest) -> SummaryForm:
        said = _MESSAGE.findall("\n".join(shown.blocks("turns")))
        named = [stated[message] for message in said if message in stated]
        entities = [SummaryEntity(key=key, value=value) for key, value in named]
        return SummaryForm(summary=f"말한 것: {said[-1:]}.", entities=[*entities, *more])

    return summarise
