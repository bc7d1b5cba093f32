"""One turn: route, retrieve, build the prompt, answer, record."""
