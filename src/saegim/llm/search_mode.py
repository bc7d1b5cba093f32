"""The first line of a reply by the answer's fallback, which only quotes."""

from saegim.locales import N_, translate

SEARCH_MODE = N_("(search mode) No language model was used. This is quoted from what was found.")


def is_search_mode(reply: str) -> bool:
    """Return whether a reply only quotes and adds nothing to the conversation."""
    return reply.startswith((SEARCH_MODE, translate(SEARCH_MODE, "ko")))
