"""Measure a turn: `python -m benchmarks.turn [--only questions|speed|live]`."""
