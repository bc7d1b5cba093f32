"""The twins' rules, read from `rules/*.toml`: patterns, and what a clause that fits one says."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from saegim.domain.scope import Locale
from saegim.memory.rules.attributes import ATTRIBUTES, Attribute

_PART = re.compile(r"<([A-Z]+)>")


@dataclass(frozen=True, slots=True)
class ExtractionRule:
    """A pattern and the attribute it tells.

    A `general` rule speaks only where no other did; one that is `in_request` also in a question or
    a request. `of_others` looks for whom it is said of."""

    attribute: Attribute
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    of_others: bool = True
    general: bool = False
    in_request: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class StatementPatterns:
    """What makes a clause a statement that is worth keeping, where no rule has a name for it."""

    not_stated: re.Pattern[str]
    own: re.Pattern[str]
    exact: re.Pattern[str]
    when: re.Pattern[str]
    must: re.Pattern[str]
    to_do: re.Pattern[str]
    often: re.Pattern[str]
    for_all: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """A language's rules: what makes a clause no statement, and what statements there are."""

    kin: str
    question: re.Pattern[str]
    not_said: tuple[re.Pattern[str], ...]
    correction: re.Pattern[str]
    gone: re.Pattern[str]
    negated: Mapping[str, re.Pattern[str]]
    rules: tuple[ExtractionRule, ...]
    stated: StatementPatterns

    def fitting(self, clause: str, *, last: bool) -> Iterator[tuple[ExtractionRule, re.Match[str]]]:
        """The rules that a clause fits; questions, requests and suppositions fit hardly any."""
        if any(pattern.search(clause) for pattern in self.not_said):
            return
        asked = last and self.question.search(clause) is not None
        found = False
        for rule in self.rules:
            if (rule.general and found) or (asked and not rule.in_request):
                continue
            match = rule.pattern.search(clause)
            if match is None or (rule.unless is not None and rule.unless.search(clause)):
                continue
            found = True
            yield rule, match

    def says_no(self, rule: ExtractionRule, clause: str) -> bool:
        """Whether the clause says that it does not hold, or no longer."""
        pattern = self.negated.get(rule.attribute.slug, self.gone)
        return rule.negated or pattern.search(clause) is not None


@cache
def load(locale: Locale) -> LanguageRules:
    """The rules of a language."""
    source = (files("saegim.memory") / "rules" / f"{locale}.toml").read_text("utf-8")
    stored = tomllib.loads(source)
    parts: dict[str, str] = stored["parts"]
    clause = {name: _compiled(text, parts) for name, text in stored["clause"].items()}
    return LanguageRules(
        kin=parts["KIN"],
        question=clause["question"],
        not_said=(clause["supposed"], clause["guess"], clause["other_people"]),
        correction=clause["correction"],
        gone=clause["gone"],
        negated={slug: _compiled(text, parts) for slug, text in stored["negated"].items()},
        rules=tuple(_rule(each, parts) for each in stored["rule"]),
        stated=StatementPatterns(
            **{name: _compiled(text, parts) for name, text in stored["stated"].items()}
        ),
    )


def _rule(stored: dict[str, Any], parts: Mapping[str, str]) -> ExtractionRule:
    unless = stored.get("unless")
    return ExtractionRule(
        ATTRIBUTES[stored["attribute"]],
        _compiled(stored["pattern"], parts),
        None if unless is None else _compiled(unless, parts),
        of_others=stored.get("of_others", True),
        general=stored.get("general", False),
        in_request=stored.get("in_request", False),
        negated=stored.get("negated", False),
    )


def _compiled(text: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    while _PART.search(text):
        text = _PART.sub(lambda match: f"(?:{parts[match[1]]})", text)
    return re.compile(text, re.IGNORECASE)
