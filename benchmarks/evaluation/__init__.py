"""Everything that is evaluated offline, in one run and one report: `make eval`."""
