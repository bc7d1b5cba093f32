"""Child process that masks texts: reads requests from stdin, writes answers to stdout.

A request and an answer are JSON after their length in four bytes. It ends with its stdin, so it
never outlives the process that started it.
"""

import json
import signal
import struct
import sys
from typing import IO

from saegim.text.masking import MaskedText, MaskKind, mask

LENGTH = struct.Struct("!I")


def write(pipe: IO[bytes], value: object) -> None:
    """Writes one message."""
    content = json.dumps(value).encode()
    pipe.write(LENGTH.pack(len(content)) + content)
    pipe.flush()


def read(pipe: IO[bytes]) -> list[object]:
    """Reads one message. Raises EOFError at the end."""
    return json.loads(_exactly(pipe, LENGTH.unpack(_exactly(pipe, LENGTH.size))[0]))


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise EOFError
    return content


def masked_of(answer: object) -> MaskedText:
    """A masked text from its form in an answer."""
    text, kinds = answer  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType] - our own child's form
    return MaskedText(str(text), tuple(MaskKind(kind) for kind in kinds))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def main() -> None:
    # Ctrl-C reaches the whole process group; the parent closes the pipe when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            texts = read(sys.stdin.buffer)
        except EOFError:
            return
        found = [mask(str(text)) for text in texts]
        write(sys.stdout.buffer, [(each.text, each.kinds) for each in found])


if __name__ == "__main__":
    main()
