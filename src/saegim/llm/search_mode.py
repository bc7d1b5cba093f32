"""How a reply of the answer's twin begins, so that what only quotes is not taken for said."""

from saegim.locales import N_, translate

SEARCH_MODE = N_("(search mode) No language model was used. This is quoted from what was found.")


def is_search_mode(reply: str) -> bool:
    """Whether a reply quotes the conversation instead of adding to it."""
    return reply.startswith((SEARCH_MODE, translate(SEARCH_MODE, "ko")))
