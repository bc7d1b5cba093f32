"""Collections pass over what was there when a process began to serve."""

import gc
import subprocess
import sys

from saegim.app import gc_tuning

# A process of its own: what is frozen stays frozen.
PROOF = """
import gc
from saegim.app import gc_tuning

kept = [[number] for number in range(50_000)]
gc_tuning.freeze_startup_objects()
assert gc.get_freeze_count() > len(kept)
assert not any(each is kept[0] for each in gc.get_objects())
held = []
held.append(held)
del held
assert gc.collect() >= 1, "what comes later is still collected"
"""


def test_what_is_loaded_is_not_looked_at_again_and_later_garbage_goes() -> None:
    subprocess.run([sys.executable, "-c", PROOF], check=True)


def test_collections_are_paused_while_a_program_loads() -> None:
    with gc_tuning.paused():
        assert not gc.isenabled()
    assert gc.isenabled()
