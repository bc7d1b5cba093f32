"""How well and how fast a turn is: `python -m benchmarks.turn [--only questions|speed|live]`."""
