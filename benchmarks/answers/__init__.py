"""`make bench-answers`: time to the first token, model calls and cost of answers."""
