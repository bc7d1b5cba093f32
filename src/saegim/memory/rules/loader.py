"""Load the extraction rules from `rules/*.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from saegim.domain.scope import Locale
from saegim.memory.rules.attributes import ATTRIBUTES, Attribute, Claim
from saegim.text.questions import is_question

_PART = re.compile(r"<([A-Z]+)>")


@dataclass(frozen=True, slots=True)
class ExtractionRule:
    """A pattern and its attribute.

    `general`: used only if no other rule matched. `in_request`: also matches questions and
    requests. `of_others`: the subject may be another person.
    """

    attribute: Attribute
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    of_others: bool = True
    general: bool = False
    in_request: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class StatementPatterns:
    """Patterns of statements that no rule matches."""

    not_stated: re.Pattern[str]
    own: re.Pattern[str]
    exact: re.Pattern[str]
    when: re.Pattern[str]
    must: re.Pattern[str]
    to_do: re.Pattern[str]
    often: re.Pattern[str]
    for_all: re.Pattern[str]
    identity: re.Pattern[str]
    others: re.Pattern[str]
    malfunction: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """Rules of a language."""

    kin: str
    question: re.Pattern[str]
    not_said: tuple[re.Pattern[str], ...]
    correction: re.Pattern[str]
    gone: re.Pattern[str]
    negated: Mapping[str, re.Pattern[str]]
    rules: tuple[ExtractionRule, ...]
    stated: StatementPatterns

    def fitting(self, clause: str, *, last: bool) -> Iterator[tuple[ExtractionRule, re.Match[str]]]:
        """Yield the rules that match a clause; few match questions, requests and suppositions."""
        if any(pattern.search(clause) for pattern in self.not_said):
            return
        asks = self.question.search(clause) is not None or is_question(clause)
        matched = False
        for rule in self.rules:
            if (rule.general and matched) or (last and asks and not rule.in_request):
                continue
            match = rule.pattern.search(clause)
            if match is None or (rule.unless is not None and rule.unless.search(clause)):
                continue
            matched = True
            yield rule, match

    def claim(self, rule: ExtractionRule, clause: str, subject: str, value: str) -> Claim:
        """Build the statement of a rule that matched."""
        negation = self.negated.get(rule.attribute.slug, self.gone)
        return Claim(
            rule.attribute,
            subject,
            value,
            general=rule.general,
            negated=rule.negated or negation.search(clause) is not None,
            corrects=self.correction.search(clause) is not None,
        )


@cache
def load(locale: Locale) -> LanguageRules:
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
