"""Korean particles that have one form after a final consonant and another after a vowel."""

PAIRS = (
    ("은", "는"),
    ("이", "가"),
    ("을", "를"),
    ("과", "와"),
    ("으로", "로"),
    ("이랑", "랑"),
    ("이나", "나"),
    ("이면", "면"),
    ("이야", "야"),
    ("이에요", "예요"),
    ("이라서", "라서"),
    ("이라고", "라고"),
)
ANY = "|".join(sorted((form for pair in PAIRS for form in pair), key=len, reverse=True))
# The final consonant ㄹ among the 28 of a syllable.
_RIEUL = 8


def fitting(word: str, particle: str) -> str:
    """Return the form of a particle that fits the end of a word: 지수는, 서연은, 하늘로."""
    if not particle or not "가" <= word[-1] <= "힣":
        return particle
    after_consonant, after_vowel = next(pair for pair in PAIRS if particle in pair)
    final = (ord(word[-1]) - ord("가")) % 28
    if not final or (final == _RIEUL and after_vowel == "로"):
        return after_vowel
    return after_consonant
