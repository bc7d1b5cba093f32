from datetime import UTC, datetime
from uuid import UUID

from saegim.cli.library.documents import trust_lines
from saegim.client.library_types import DocumentCopy, ListedDocument

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def lines(copy_title: str) -> list[str]:
    copy = DocumentCopy(
        id=UUID(int=2),
        document_id="copy.docx",
        title=copy_title,
        collection="default",
        is_exact=True,
    )
    document = ListedDocument.model_construct(
        title="Travel",
        source=None,
        uploaded_by="mina",
        origin="upload",
        last_seen_at=NOW,
        updated_at=NOW,
        is_stale=False,
        changed_at=None,
        copies=(copy,),
        message=None,
    )
    return trust_lines(document)


def test_a_copy_with_the_same_title_is_named_by_its_file():
    assert any("copy.docx" in line for line in lines("Travel"))


def test_a_copy_with_another_title_is_named_by_it():
    assert any("Travel 2024" in line for line in lines("Travel 2024"))
    assert not any("copy.docx" in line for line in lines("Travel 2024"))
