"""Content words of a text, without particles."""

import re

from saegim.conversations.summary import english, korean
from saegim.text.analysis import fold

# Hangul after a Latin word or a number is a particle.
_WORD = re.compile(
    r"(?P<hangul>[가-힣]+)|(?:(?P<latin>[a-z](?:[a-z0-9+#&.'’-]*[a-z0-9+#])?)"
    r"|(?P<number>\d[\d.,]*(?:%|[조억만천]+원?|원|달러|개월|년|월|일|분기|시간|시|명|개|대|살|건)?))[가-힣]*"
)


def content_words(text: str) -> list[str]:
    """Return nouns, names and numbers; function words and endings are left out."""
    content: list[str] = []
    for match in _WORD.finditer(fold(text)):
        if match["hangul"]:
            word = korean.stem(match["hangul"])
        elif match["latin"]:
            word = "" if english.is_stop(match["latin"]) else match["latin"]
        else:
            word = match["number"].rstrip(".,")
        if word:
            content.append(word)
    return content
