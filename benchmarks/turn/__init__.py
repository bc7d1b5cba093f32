"""Measure quality and speed of a turn: `python -m benchmarks.turn [--only PART]`."""
