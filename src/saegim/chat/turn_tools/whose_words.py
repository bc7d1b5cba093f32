"""Whose words a statement is in: the person's, or those of texts that the model has read."""

import re
from collections.abc import Iterable

from saegim.text.analysis import word_keys
from saegim.text.own_words import own_words

# At least this share of a statement's words are the person's own, or their own words are stored.
OWN_SHARE = 0.5
# What models call the person, and a date behind a relative day.
_PERSON = word_keys("the user 사용자")
_DATE = re.compile(r"\(\d{4}-\d\d-\d\d\)")
_WORD = re.compile(r"\w+")


def own_keys(messages: Iterable[str]) -> frozenset[str]:
    """Return keys of the words that the person wrote themselves."""
    return word_keys(" ".join(map(own_words, messages)))


def is_own_wording(statement: str, own: frozenset[str]) -> bool:
    keys = word_keys(statement)
    return len(keys & own) >= OWN_SHARE * len(keys)


def words_of_others(statement: str, own: frozenset[str], others: Iterable[str]) -> list[str]:
    """Return the words of a statement that others have written and the person has not.

    Words that nobody has written, such as other forms, are the model's.
    """
    read = word_keys(" ".join(others)) - own - _PERSON
    words = dict.fromkeys(_WORD.findall(_DATE.sub("", statement)))
    return [word for word in words if word_keys(word) & read]
