"""Cut text before masking: between words, because half a number would not be masked."""

_LOOK_BACK = 300


def cut_at_space(text: str, most: int) -> str:
    """Return at most `most` characters, cut at whitespace if there is some near the end."""
    if len(text) <= most:
        return text
    end = max(text.rfind(space, most - _LOOK_BACK, most + 1) for space in " \n\t")
    return text[: end if end > 0 else most]
