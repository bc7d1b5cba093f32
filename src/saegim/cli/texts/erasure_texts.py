"""Texts of `saegim erasure`, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="내 데이터 삭제를 요청하고, 확인하고, 취소합니다.",
    en="Request, list and cancel the erasure of your data.",
)
HELP_REQUEST = Text(
    ko="나에 관한 모든 데이터의 삭제를 요청합니다. 유예 기간에는 취소할 수 있습니다.",
    en="Request the erasure of all your data. You can cancel during the grace period.",
)
HELP_LIST = Text(
    ko="삭제 요청을 최근 것부터 보여 줍니다. 다른 사람을 삭제할 수 있는 키는 테넌트 전체를 봅니다.",
    en="List erasure requests, newest first. A key that may erase others lists the whole tenant's.",
)
HELP_CANCEL = Text(ko="예정된 삭제를 취소합니다.", en="Cancel a planned erasure.")
HELP_ID = Text(ko="삭제 요청의 id.", en="Id of the request.")
HELP_YES = Text(ko="확인 없이 요청합니다.", en="Do not ask for confirmation.")
SURE = Text(
    ko="대화, 기억, 올린 파일이 모두 삭제되고, 유예 기간이 지나면 되돌릴 수 없습니다. 요청할까요?",
    en="All your conversations, memories and files will be erased. After the grace period this "
    "cannot be undone. Continue?",
)
PLANNED = Text(
    ko="{at:%Y-%m-%d %H:%M %Z}에 삭제됩니다. 취소: saegim erasure cancel {erasure}",
    en="Scheduled for {at:%Y-%m-%d %H:%M %Z}. To cancel: saegim erasure cancel {erasure}",
)
BEGUN = Text(ko="삭제를 시작했습니다.", en="The erasure has begun.")
CANCELLED = Text(ko="삭제를 취소했습니다.", en="The erasure was cancelled.")
NONE = Text(ko="삭제 요청이 없습니다.", en="No erasure requests.")
STATES = {
    "planned": Text(ko="예정", en="planned"),
    "asked": Text(ko="시작됨", en="begun"),
    "key_destroyed": Text(ko="키 폐기됨", en="key destroyed"),
    "done": Text(ko="완료", en="done"),
    "cancelled": Text(ko="취소됨", en="cancelled"),
}
