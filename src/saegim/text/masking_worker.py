"""Child process that masks texts: JSON messages with a 4-byte length on stdin and stdout.

It exits when stdin closes, so it does not outlive its parent.
"""

import json
import signal
import struct
import sys
from typing import IO

from saegim.text.masking import MaskedText, MaskKind, mask

LENGTH = struct.Struct("!I")


def write(pipe: IO[bytes], value: object) -> None:
    content = json.dumps(value).encode()
    pipe.write(LENGTH.pack(len(content)) + content)
    pipe.flush()


def read(pipe: IO[bytes]) -> list[object]:
    """Read one message. Raises EOFError at the end."""
    return json.loads(_exactly(pipe, LENGTH.unpack(_exactly(pipe, LENGTH.size))[0]))


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise EOFError
    return content


def masked_of(answer: object) -> MaskedText:
    """Parse one masked text of an answer."""
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
        masked = [mask(str(text)) for text in texts]
        write(sys.stdout.buffer, [(each.text, each.kinds) for each in masked])


if __name__ == "__main__":
    main()
