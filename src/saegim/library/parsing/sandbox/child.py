"""The parser process: reads a file from standard input, writes documents to standard output.

It imports only what the kind of file needs, and nothing of the rest of the product.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import PurePath
from types import ModuleType, TracebackType
from typing import Any, BinaryIO, cast

from saegim.domain.errors import Unreadable
from saegim.library.parsing.decode import decode
from saegim.library.parsing.file_dates import modified_of
from saegim.library.parsing.formats.kakao_lines import is_export
from saegim.library.parsing.inner_files import ByteBudget, InnerFiles
from saegim.library.parsing.kinds import CONTAINERS, FileKind, of_bytes, of_text
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.sandbox import wire
from saegim.library.parsing.sandbox.confinement import Fence, bound, seal
from saegim.library.types import ParsedDocument
from saegim.text.analysis import normalise

_Reader = Callable[[BinaryIO | str, ParseLimits], list[ParsedDocument]]
_ContainerReader = Callable[[BinaryIO, ParseLimits, InnerFiles], list[ParsedDocument]]


def main(order: Mapping[str, Any]) -> int:
    """Parse the file on standard input as ordered, and return the exit code."""
    limits = ParseLimits(**order["limits"])
    bound(limits, cast("Fence", order["fence"]))
    try:
        with os.fdopen(0, "rb", closefd=False) as file:
            for line in wire.encode(parse(file, order["name"], limits, seal)):
                _write(line)
    except Unreadable as refusal:
        _write(wire.refused(refusal.detail))
        return wire.DONE
    except MemoryError:
        return wire.OUT_OF_MEMORY
    return wire.DONE


def parse(
    file: BinaryIO, name: str, limits: ParseLimits, ready: Callable[[], object]
) -> list[ParsedDocument]:
    """Parse an open file; `ready` is called when its parser is loaded. Raises Unreadable."""

    def read_inner(part: BinaryIO, path: str, inner: InnerFiles) -> list[ParsedDocument]:
        return _read(part, path, limits, lambda: None, inner)

    name = normalise(name)
    budget = ByteBudget(limits.unpacked_bytes)
    documents = _read(file, name, limits, ready, InnerFiles(name, limits, read_inner, budget))
    file_name = {"file": PurePath(name).name}
    return [replace(each, metadata=file_name | dict(each.metadata)) for each in documents]


def _read(
    file: BinaryIO,
    name: str,
    limits: ParseLimits,
    ready: Callable[[], object],
    inner: InnerFiles,
) -> list[ParsedDocument]:
    kind = of_bytes(file, name)
    file.seek(0)
    if kind is not None and kind in CONTAINERS:
        open_container = cast("_ContainerReader", _module(kind).read)
        ready()
        return open_container(file, limits, inner)
    if kind is not None:
        read = _reader(kind)
        ready()
        documents = read(file, limits)
        if (modified := modified_of(file, kind, limits)) is None:
            return documents
        return [replace(each, modified_at=modified) for each in documents]
    data = file.read(limits.text_bytes + 1)
    if len(data) > limits.text_bytes:
        raise Unreadable(Reason.TOO_LARGE)
    marked_up = PurePath(name).suffix.lower() in (".html", ".htm", ".xhtml") or b"<" in data[:64]
    text = normalise(decode(data, declared=marked_up))
    del data
    if not text.strip():
        raise Unreadable(Reason.EMPTY)
    read = _reader(of_text(text, name, is_export(text)))
    ready()
    return read(text, limits)


def _module(kind: FileKind) -> ModuleType:
    return import_module(f"saegim.library.parsing.formats.{kind}")


def _reader(kind: FileKind) -> _Reader:
    return cast("_Reader", _module(kind).read)


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)


def report_crash(
    kind: type[BaseException], _error: BaseException, trace: TracebackType | None
) -> None:
    """Report the crash location for the log; the message could quote the file."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    location = ""
    if trace is not None:
        code = trace.tb_frame.f_code
        location = f" at {'/'.join(PurePath(code.co_filename).parts[-2:])}:{trace.tb_lineno}"
    _write(wire.crashed(f"{kind.__name__}{location}"[:300]))


if __name__ == "__main__":
    sys.excepthook = report_crash
    sys.exit(main(json.loads(os.environ.pop(wire.ORDER))))
