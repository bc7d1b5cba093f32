"""The heap of a process that serves for long."""

import gc
from collections.abc import Generator
from contextlib import contextmanager

# Young objects are looked at when there are so many, instead of 700: a turn makes thousands, and
# nearly all are gone by the time it ends.
YOUNG = 20_000


@contextmanager
def paused() -> Generator[None]:
    """Collect nothing meanwhile: imports and tables make objects that stay, and looking at them
    again and again takes a fifth of a start."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def freeze_startup_objects() -> None:
    """Called once all is loaded. What is there then stays, so collections need not look at it:
    some 340,000 objects of models, routes and tables, 0.1 s and more each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
