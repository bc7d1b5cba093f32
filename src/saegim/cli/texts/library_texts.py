"""Texts of the library commands, in Korean and English."""

from saegim.cli.language import Text

HELP_INGEST = Text(
    ko="파일이나 폴더를 컬렉션에 넣습니다. 다시 실행하면 바뀐 부분만 처리합니다.",
    en="Bring files or folders into a collection. Run again, only what changed is done.",
)
HELP_PATHS = Text(ko="파일이나 폴더.", en="Files or folders.")
HELP_COLLECTION = Text(ko="컬렉션의 이름.", en="The collection's name.")
HELP_TYPE = Text(
    ko="문서의 종류: guide, faq, manual, sop, ts, setup …",
    en="What the documents are: guide, faq, manual, sop, ts, setup …",
)
HELP_LIBRARY = Text(
    ko="문서를 찾고 색인을 관리합니다.", en="Search documents, look after the index."
)
HELP_SEARCH = Text(ko="문서에서 찾습니다.", en="Search the documents.")
HELP_QUERY = Text(ko="찾을 말.", en="What to look for.")
HELP_LIST = Text(ko="읽을 수 있는 문서의 목록, 새것부터.", en="Documents, the newest first.")
HELP_WORDS = Text(ko="제목에 있는 말.", en="Words of the title.")
LISTED = Text(
    ko="{document_id}  {type}  {collection}  단락 {passages}개  {updated_at:%Y-%m-%d}",
    en="{document_id}  {type}  {collection}  passages {passages}  {updated_at:%Y-%m-%d}",
)
HELP_REMOVE = Text(ko="문서를 지웁니다.", en="Remove a document.")
HELP_DOCUMENT = Text(ko="문서의 아이디.", en="The document's id.")
HELP_YES = Text(ko="묻지 않습니다.", en="Do not ask.")
SURE = Text(ko="문서 {document}을(를) 지울까요?", en="Remove the document {document}?")
REMOVED = Text(ko="문서를 지웠습니다: {document}", en="Removed the document {document}.")
HELP_REINDEX = Text(
    ko="테넌트의 검색 색인을 저장된 문서로 다시 만듭니다. 임베딩은 다시 하지 않습니다.",
    en="Make a tenant's search index again from the record. Nothing is embedded again.",
)
NO_FILES = Text(ko="넣을 파일이 없습니다: {paths}", en="There are no files: {paths}")
SENDING = Text(ko="보내는 중", en="sending")
STATE = {
    "receiving": Text(ko="받는 중", en="receiving"),
    "waiting": Text(ko="대기 중", en="waiting"),
    "reading": Text(ko="읽는 중", en="reading"),
    "storing": Text(ko="저장 중", en="storing"),
    "done": Text(ko="완료", en="done"),
    "failed": Text(ko="실패", en="failed"),
    "cancelled": Text(ko="취소됨", en="cancelled"),
}
INGESTED = Text(
    ko="{files}개 파일, {passages}개 단락. 새로 임베딩 {embedded}, 삭제 {removed}, 실패 {failed}.",
    en="{files} files, {passages} passages. Embedded {embedded}, removed {removed}, "
    "failed {failed}.",
)
NOTHING_FOUND = Text(ko="찾지 못했습니다.", en="Nothing was found.")
DEGRADED = Text(
    ko="일부만 찾았습니다. 쓸 수 없는 부분: {parts}", en="Found in part; missing: {parts}"
)
QUEUED = Text(
    ko="색인을 다시 만드는 작업을 넣었습니다. 작업 {job}.",
    en="The index will be made again by job {job}.",
)
