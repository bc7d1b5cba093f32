"""Cutting text that is to be masked: between words, so that no number loses its end unseen."""

_LOOK_BACK = 300


def cut_at_space(text: str, most: int) -> str:
    """At most `most` characters, ending between two words where one ends near."""
    if len(text) <= most:
        return text
    end = max(text.rfind(space, most - _LOOK_BACK, most + 1) for space in " \n\t")
    return text[: end if end > 0 else most]
