"""Comparing secrets."""

import hmac


def same_text(one: str, other: str) -> bool:
    """Whether two texts are equal, in constant time; texts that are not ASCII are compared too."""
    encoded = (text.encode("utf-8", "surrogatepass") for text in (one, other))
    return hmac.compare_digest(*encoded)
