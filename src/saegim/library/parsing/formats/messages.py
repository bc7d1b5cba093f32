"""Turn an e-mail message into a document."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from saegim.library.parsing.file_dates import mail_date
from saegim.library.parsing.formats.html import add_html
from saegim.library.parsing.inner_files import InnerFiles
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.outline import Outline
from saegim.library.types import BlockKind, ParsedDocument
from saegim.text.analysis import normalise

_TABLE = re.compile(r"<table\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MessageText:
    """Headers and body of a message. `headers` are shown in this order."""

    subject: str
    headers: Mapping[str, str]
    plain: str
    html: str


def message_documents(message: MessageText, inner: InnerFiles, kind: str) -> list[ParsedDocument]:
    """Return the message, then the documents of its attachments."""
    outline = Outline()
    shown = [f"{name}: {value}" for name, value in message.headers.items() if value.strip()]
    outline.add(BlockKind.PARAGRAPH, "\n".join([*shown, f"Subject: {message.subject}"]))
    # The plain text of a message has no tables.
    if message.html.strip() and (not message.plain.strip() or _TABLE.search(message.html)):
        add_html(outline, normalise(message.html))
    else:
        add_lines(outline, normalise(message.plain))
    metadata = {name.lower(): value for name, value in message.headers.items()}
    document = outline.document(
        message.subject,
        metadata={"format": kind} | metadata | inner.note_unread(),
        modified_at=mail_date(message.headers.get("Date", "")),
    )
    if inner.documents:
        document = replace(document, outside_id=inner.name)
    return [document, *inner.documents]
