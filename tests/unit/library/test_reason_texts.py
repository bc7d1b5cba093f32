from saegim.library.parsing.limits import REASON_TEXTS, Reason
from saegim.locales import translate


def test_every_reason_is_said_in_words_in_both_languages() -> None:
    assert REASON_TEXTS.keys() == set(Reason)
    for text in REASON_TEXTS.values():
        assert translate(text, "ko") != text
