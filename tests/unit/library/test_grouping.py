from uuid import uuid4

from saegim.library.import_plan import BATCH, NewText, grouped
from saegim.library.ports import FileFingerprint, NewDocument
from saegim.library.types import ParsedDocument, PassageDraft, Tags

DRAFT = PassageDraft(
    section=0,
    text="text",
    tokens=1,
    tags=Tags(has_steps=False, has_conditions=False, has_table=False, language="ko"),
)


def text(name: str, passages: int) -> NewText:
    new = NewDocument(uuid4(), name, "faq", None, "1", {}, b"", FileFingerprint(b"", 1))
    return NewText(new, ParsedDocument(None, ()), [DRAFT] * passages)


def names(*texts: NewText) -> list[list[str]]:
    return [[each.new.outside_id for each in group] for group in grouped(texts)]


def test_short_documents_share_a_batch_and_a_long_one_has_its_own() -> None:
    half = BATCH // 2
    assert names(text("a", half), text("b", half), text("c", 1)) == [["a", "b"], ["c"]]
    assert names(text("a", 1), text("b", BATCH * 3), text("c", 1)) == [["a"], ["b"], ["c"]]
    assert [len(group) for group in names(*(text(str(n), 0) for n in range(40)))] == [BATCH, 8]


def test_documents_with_one_id_are_stored_one_after_the_other() -> None:
    assert names(text("a", 1), text("b", 1), text("a", 1)) == [["a", "b"], ["a"]]
