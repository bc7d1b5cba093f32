"""Replace ids, card and account numbers, secrets and contacts by typed placeholders.

Rules run on a view of the text with plain characters instead of look-alikes (full width, other
digits and dashes, decomposed Hangul, invisible characters) and map their matches back to the text.
A match becomes a barrier that later rules do not match across; so do existing placeholders, so
masking is idempotent. Every pattern is linear: bounded, possessive, or anchored at the start of a
run. Number rules run only on texts with enough digits, assignments only near words for a secret.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from saegim.text.masking_numbers import ADDRESSES, EMAIL, NUMBERS, PHONE, PHONES
from saegim.text.masking_rules import BARRIER, MaskKind, Rules
from saegim.text.masking_secrets import SECRETS


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text with placeholders, and the kind of each inserted placeholder."""

    text: str
    kinds: tuple[MaskKind, ...]


type _Claim = tuple[int, int, MaskKind]

_ROUNDS = 4
_PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(kind.name for kind in MaskKind)})\]")
_PLAIN = {
    **dict.fromkeys("\u00a0\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), " "),
    **dict.fromkeys("‐‑‒–—―−ーㅡ﹘﹣ｰ", "-"),
    **{chr(point): chr(point - 0xFEE0) for point in range(0xFF01, 0xFF5F)},
    **{
        digit: str(unicodedata.decimal(digit))
        for digit in map(chr, (*range(0x0660, 0xFF00), *range(0x1D7CE, 0x1D800)))
        if digit.isdecimal()
    },
}
# Two classes: one that stays below U+10000 is searched several times faster.
_FANCY = re.compile(f"[{''.join(c for c in _PLAIN if c < '\U00010000')}]|[\U0001d7ce-\U0001d7ff]")
_INVISIBLE = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff"
)
_HIDDEN = re.compile(f"[{_INVISIBLE}]")
# Every masked number has at least 7 digits, with at most 5 characters between two of them.
_ENOUGH_DIGITS = re.compile(r"\d(?:\D{0,5}+\d){6}", re.ASCII)
_CLUSTER = re.compile(
    f"[{_INVISIBLE}]|.[\u0300-\u036f\u1160-\u11ff\u20d0-\u20ff\u3099\u309a]*+", re.DOTALL
)


def _view(text: str) -> tuple[str, Sequence[int]]:
    """Return the text as rules see it, and the offset in the text of each character and the end."""
    offsets: Sequence[int] = range(len(text) + 1)
    if _HIDDEN.search(text) or not unicodedata.is_normalized("NFC", text):
        characters: list[str] = []
        offsets = []
        for cluster in _CLUSTER.finditer(text):
            if not _HIDDEN.match(text, cluster.start()):
                composed = unicodedata.normalize("NFC", cluster.group())
                characters.append(composed)
                # Some characters decompose in NFC, so do not go past the cluster.
                start, end = cluster.span()
                offsets += (min(start + i, end) for i in range(len(composed)))
        offsets.append(len(text))
        text = "".join(characters)
    return _FANCY.sub(lambda match: _PLAIN[match.group()], text), offsets


def _masked(text: str, rules: Rules, number_rules: Rules) -> MaskedText:
    """Apply the rules until nothing matches: one match can expose its neighbour."""
    kinds: list[MaskKind] = []
    for _ in range(_ROUNDS):
        view, offsets = _view(text)
        if _ENOUGH_DIGITS.search(view):
            rules = [*rules, *number_rules]
            number_rules = []
        claims = _claims(_PLACEHOLDER.sub(lambda match: BARRIER * len(match.group()), view), rules)
        if not claims:
            break
        pieces: list[str] = []
        done = 0
        for start, end, kind in claims:
            pieces += text[done : offsets[start]], kind.placeholder
            done = offsets[end]
            kinds.append(kind)
        text = "".join(pieces) + text[done:]
    return MaskedText(text, tuple(kinds))


def _claims(view: str, rules: Rules) -> list[_Claim]:
    """Return the matches in text order; rules without a kind only hide their matches."""
    claims: list[_Claim] = []
    for kind, rule in rules:
        pieces: list[str] = []
        done = 0
        for start, end in rule(view):
            if done <= start < end:
                pieces += view[done:start], BARRIER * (end - start)
                done = end
                if kind:
                    claims.append((start, end, kind))
        view = "".join(pieces) + view[done:] if pieces else view
    return sorted(claims)


def mask(text: str) -> MaskedText:
    """Mask national ids, card, account and business numbers, passports, licences and secrets."""
    return _masked(text, SECRETS, NUMBERS)


def contacts_in(text: str) -> tuple[list[str], list[str]]:
    """Return the e-mail addresses and the phone numbers of a text."""
    phones = re.findall(rf"(?<!\d){PHONE}(?!\d)", text)
    return re.findall(EMAIL, text), phones


def mask_contacts(text: str) -> MaskedText:
    """Mask phone numbers and e-mail addresses."""
    return _masked(text, ADDRESSES, PHONES)
