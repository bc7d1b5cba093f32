"""Comparison of secrets."""

import hmac


def same_text(one: str, other: str) -> bool:
    """Compares two texts in constant time; they may be non-ASCII."""
    encoded = (text.encode("utf-8", "surrogatepass") for text in (one, other))
    return hmac.compare_digest(*encoded)
