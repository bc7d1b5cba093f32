from pathlib import Path

import pytest

from scripts.names import has_forbidden_word, is_bare_participle, problems


@pytest.mark.parametrize("name", ["told", "Held", "_Sealed", "Folding", "carrying", "Asked"])
def test_participles_are_found(name: str) -> None:
    assert is_bare_participle(name)


@pytest.mark.parametrize(
    "name", ["Ranking", "keyring", "CachedKeys", "summary", "sealed_file", "Feed"]
)
def test_nouns_and_names_of_two_words_are_no_participles(name: str) -> None:
    assert not is_bare_participle(name)


@pytest.mark.parametrize("name", ["HeldMemories", "_told", "told_on", "TWIN_MARGIN", "houses"])
def test_forbidden_words_are_found(name: str) -> None:
    assert has_forbidden_word(name)


@pytest.mark.parametrize("name", ["held_out", "threshold", "WITHHELD", "doorway", "household"])
def test_other_words_are_allowed(name: str) -> None:
    assert not has_forbidden_word(name)


def test_each_kind_of_problem_is_reported(tmp_path: Path) -> None:
    package = tmp_path / "src" / "saegim"
    for folder in ("memory", "library", "client"):
        (package / folder).mkdir(parents=True)
    (package / "memory" / "told.py").write_text("class Record: ...\n")
    (package / "library" / "types.py").write_text("class Record: ...\nclass Struck: ...\n")
    (package / "client" / "types.py").write_text("class Record: ...\n")
    (tmp_path / "tests").mkdir()
    name = f"test_{'x' * 76}"
    (tmp_path / "tests" / "test_long.py").write_text(f"def {name}(): ...\n")
    assert problems(tmp_path) == [
        "src/saegim/library/types.py:2: class Struck is a bare participle",
        "src/saegim/memory/told.py: a module named by a bare participle",
        (
            "class Record is defined 2 times: src/saegim/library/types.py:1, "
            "src/saegim/memory/told.py:1"
        ),
        "src/saegim/library/types.py:2: Struck has a forbidden word",
        "src/saegim/memory/told.py: a module named by a forbidden word",
        f"tests/test_long.py:1: {name} has 81 characters",
    ]
