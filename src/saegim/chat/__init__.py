"""One turn: open, route, gather, assemble, answer, record."""
