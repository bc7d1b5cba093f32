"""Parse e-mail messages (EML) with the standard library, attachments included."""

from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from typing import BinaryIO, cast

from saegim.domain.errors import Unreadable
from saegim.library.parsing.decode import decode
from saegim.library.parsing.formats.messages import MessageText, message_documents
from saegim.library.parsing.inner_files import InnerFiles
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.types import ParsedDocument

_SHOWN = ("From", "To", "Cc", "Date")
# What the standard library raises for damaged headers and bodies.
_FAULTS = (
    MessageError, AssertionError, AttributeError, IndexError, KeyError, LookupError,
    RecursionError, TypeError, ValueError,
)  # fmt: skip


def read(file: BinaryIO, limits: ParseLimits, inner: InnerFiles) -> list[ParsedDocument]:
    data = file.read(limits.text_bytes + 1)
    if len(data) > limits.text_bytes:
        raise Unreadable(Reason.TOO_LARGE)
    try:
        message = BytesParser(policy=policy.default).parsebytes(data)
        text = MessageText(
            subject=_header(message, "Subject"),
            headers={name: _header(message, name) for name in _SHOWN},
            plain=_body(message, "plain"),
            html=_body(message, "html"),
        )
        attached = list(_attachments(message))
    except _FAULTS as error:
        raise Unreadable(Reason.CORRUPT) from error
    for name, content in attached:
        inner.add(name, content)
    return message_documents(text, inner, "eml")


def _header(message: EmailMessage, name: str) -> str:
    try:
        return str(message.get(name, ""))
    except _FAULTS:
        return ""


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    if part is None or part.is_attachment():
        return ""
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    charset = part.get_content_charset()
    try:
        return payload.decode(charset or "utf-8")
    except (LookupError, UnicodeDecodeError):
        return decode(payload, declared=kind == "html") if payload else ""


def _attachments(message: EmailMessage) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for number, part in enumerate(message.iter_attachments(), 1):
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload(0)
            found.append((f"message-{number}.eml", bytes(cast("EmailMessage", inner))))
            continue
        payload = part.get_payload(decode=True)
        name = part.get_filename() or f"attachment-{number}"
        if isinstance(payload, bytes) and part.get_content_maintype() != "image":
            found.append((name.replace("/", "_"), payload))
    return found
