"""Run every offline evaluation and write one report: `make eval`."""
