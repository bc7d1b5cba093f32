"""Count how much of the source understands or writes language by hand.

Counted are the modules and data files whose job this is: the folders and modules below. An
alternative is a `|` in a string that looks like a pattern, in any module; a listed word is an entry
of a tuple, set or list of short strings, or of a list in TOML. Examples for training and prompts do
not count.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FIGURES = ("rules.lines", "rules.data_lines", "regex_alternatives", "listed_words")
FOLDERS = {"offline", "grounding", "rules", "dates", "memory_questions", "synthesis"}
_MODULES = """
understanding routing escalation confidence intents questions stemming particles function_words
quotations opt_out names turn_features trivial_turns order abstention redaction requests
product_names title_rule proper_names exact_values exactness values korean english content_words
word_lists fallback outdated_statements candidate
"""
MODULES = frozenset(_MODULES.split())
_LEFT_OUT = {"prompts", "migrations"}
_MANY, _SHORT = 5, 20
_LOOKS_LIKE_PATTERN = re.compile(r"[|].*[|]|\(\?|\\[bsdw]")


def rule_size(root: Path) -> dict[str, float]:
    """Return lines, lines of data, alternatives and listed words below a folder of source."""
    found: dict[str, float] = dict.fromkeys(FIGURES, 0.0)
    for path in sorted(root.rglob("*")):
        within = path.relative_to(root)
        if not path.is_file() or _LEFT_OUT & set(within.parts) or "examples" in path.stem:
            continue
        counts = path.stem in MODULES or bool(FOLDERS & set(within.parts[:-1]))
        if path.suffix == ".py":
            text = path.read_text("utf-8")
            tree = ast.parse(text)
            found["regex_alternatives"] += sum(map(_alternatives, _literals(tree)))
            if counts:
                found["rules.lines"] += text.count("\n")
                found["listed_words"] += sum(_words(tree))
        elif path.suffix == ".toml" and counts:
            text = path.read_text("utf-8")
            found["rules.data_lines"] += text.count("\n")
            found["regex_alternatives"] += text.count("|")
            found["listed_words"] += _items(tomllib.loads(text))
    return found


def _literals(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _alternatives(text: str) -> int:
    return text.count("|") if _LOOKS_LIKE_PATTERN.search(text) else 0


def _words(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) >= _MANY:
            yield sum(map(_is_word, node.elts))


def _is_word(node: ast.expr) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, str) and len(value) <= _SHORT


def _items(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_items, value.values()))
    if isinstance(value, list):
        return sum(_items(each) if isinstance(each, dict | list) else 1 for each in value)
    return 0
