"""Tags passages by rules: steps, conditions, tables, language, names.

Names favour precision over recall: a missed name costs a hint, a wrong one misleads the search.
"""

import re
from collections.abc import Collection, Iterator
from itertools import islice, pairwise

from saegim.library.product_names import names_in
from saegim.library.types import BlockKind, Tags
from saegim.text.analysis import language

NAMES = 12

_NUMBERED_LINE = re.compile(r"^[ \t]*(?:(\d{1,3})[.)]\s|\((\d{1,3})\)\s)", re.MULTILINE)
_STAGE = re.compile(
    r"(?:(?<!\d)(\d{1,2})\s?단계(?!\s?(?:인증|로그인|검증|암호))|\bstep\s+(\d{1,2})\b)",
    re.IGNORECASE,
)
_STAGE_LINE = re.compile(
    r"^[ \t\W]*(?:\d{1,2}\s?단계|step\s+\d{1,2})\s*[:.)\-–]", re.IGNORECASE | re.MULTILINE
)
_CIRCLED = re.compile(r"①[^②]{1,1000}②")
_SEQUENCE = re.compile(
    r"(?:먼저|우선|첫째|처음에)[\s,].{1,600}?(?:그\s?다음|그런\s?다음|그\s?후|다음으로|이어서|둘째|마지막으로)"
    r"|\bfirst(?:ly)?\b[^.]{0,200}[.,;].{1,600}?\b(?:then|next|second(?:ly)?|after that|finally)\b",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(
    r"경우|(?<!무)조건|려면(?=[\s,])|(?:않|없|있|으|하|되|켜|끄|누르|나타나|나오|벗어나|넘|보이|(?<=[가-힣])라|다)면(?=[\s,])|때에만|때에는"
    r"|(?:^|[\s.(])(?:단|다만|만약|만일),?\s|에 한하여|에 한해|이상이면|미만이면"
    r"|\b(?:if|when|unless|whenever|provided that|in case|as long as|depending on|otherwise)\b",
    re.IGNORECASE | re.MULTILINE,
)
_TABLE = re.compile(r"^\|.+\|\n\|(?:\s*:?-{3,}:?\s*\|)+", re.MULTILINE)
_LETTERS = re.compile(r"[^\W\d_]")
_ENOUGH_LETTERS = 20


def tag(text: str, kinds: Collection[BlockKind], title: str | None, path: tuple[str, ...]) -> Tags:
    """Tag a passage by its text, the kinds of its blocks, and its headings."""
    above = " \n".join((title or "", *path))
    return Tags(
        has_steps=BlockKind.STEPS in kinds or _has_steps(text),
        has_conditions=_CONDITION.search(text) is not None,
        has_table=BlockKind.TABLE in kinds or _TABLE.search(text) is not None,
        language=language(text if _has_letters(text) else f"{text} {above}"),
        names=tuple(_names(text, title, path)),
    )


def _has_steps(text: str) -> bool:
    if _STAGE_LINE.search(text) or _CIRCLED.search(text) or _SEQUENCE.search(text):
        return True
    stages = {int(match[1] or match[2]) for match in _STAGE.finditer(text)}
    numbers = [int(match[1] or match[2]) for match in _NUMBERED_LINE.finditer(text)]
    counted = any(after == before + 1 for before, after in pairwise(numbers))
    return len(stages) > 1 or counted


def _has_letters(text: str) -> bool:
    return len(list(islice(_LETTERS.finditer(text), _ENOUGH_LETTERS))) == _ENOUGH_LETTERS


def _names(text: str, title: str | None, path: tuple[str, ...]) -> Iterator[str]:
    """Yield distinct names, those of the headings first: the subject is often named only there."""
    seen: set[str] = set()
    for name in names_in(title or "", *path, text=text):
        folded = name.casefold()
        if folded not in seen and len(seen) < NAMES:
            seen.add(folded)
            yield name
