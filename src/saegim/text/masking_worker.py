"""Child process that masks texts: one JSON message per line on stdin and stdout.

It exits when stdin closes, so it does not outlive its parent.
"""

import json
import signal
import sys
from typing import IO

from saegim.text.masking import MaskedText, MaskKind, mask


def write(pipe: IO[bytes], value: object) -> None:
    pipe.write(json.dumps(value).encode() + b"\n")
    pipe.flush()


def read(pipe: IO[bytes]) -> list[object]:
    """Read one message. Raises EOFError at the end."""
    line = pipe.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    return json.loads(line)


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
