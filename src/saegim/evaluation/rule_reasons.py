"""Reasons of the rule judge: the description of the band that a score falls into."""

from saegim.domain.scope import Locale
from saegim.evaluation.types import Criterion
from saegim.locales import N_, translate

# The lowest score of each band, highest first.
_BANDS = {
    Criterion.RELEVANCE: (
        (9, N_("has information directly about the query")),
        (7, N_("has information indirectly related to the query")),
        (4, N_("partly related to the query")),
        (1, N_("hardly related to the query")),
        (0, N_("unrelated to the query")),
    ),
    Criterion.COMPLETENESS: (
        (9, N_("has all the context an answer needs")),
        (7, N_("has most of the context an answer needs")),
        (4, N_("has only basic context")),
        (1, N_("has hardly any context")),
        (0, N_("has no context")),
    ),
    Criterion.ACCURACY: (
        (9, N_("accurate and reliable")),
        (7, N_("mostly accurate, with minor errors")),
        (4, N_("partly inaccurate")),
        (1, N_("mostly inaccurate")),
        (0, N_("entirely inaccurate")),
    ),
    Criterion.NOISE: (
        (9, N_("noise prevents an answer to the query")),
        (7, N_("so noisy that the key information is hard to find")),
        (4, N_("noisy, but the key information can be identified")),
        (2, N_("a little unrelated information")),
        (0, N_("hardly any noise")),
    ),
}


def reason(criterion: Criterion, score: int, locale: Locale) -> str:
    """Return the description of a score in the language."""
    return translate(next(text for low, text in _BANDS[criterion] if score >= low), locale)
