"""What `saegim session` says, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(ko="대화를 살펴봅니다.", en="Look at conversations.")
HELP_LIST = Text(ko="대화의 목록, 마지막에 쓴 것부터.", en="Conversations, the last used first.")
HELP_MOST = Text(ko="많아야 몇 개를 보일지.", en="How many at most.")
LINE = Text(
    ko="{used:%Y-%m-%d %H:%M} UTC  {session}  턴 {turns}개",
    en="{used:%Y-%m-%d %H:%M} UTC  {session}  turns {turns}",
)
NO_SESSIONS = Text(ko="대화가 없습니다.", en="There are no conversations.")
HELP_SHOW = Text(
    ko="지금 메시지가 오면 모델이 보게 될 것: 요약, 개체, 최근 턴, 그리고 각각의 토큰.",
    en="What the model would see if a message came now: summary, entities, recent turns, tokens.",
)
HELP_ID = Text(ko="대화의 ID.", en="Id of the session.")

HEAD = Text(
    ko="대화 {session}: 기록된 턴 {recorded}개, 접기 {folds}번 ({through}번 턴까지)",
    en="Session {session}: {recorded} turns recorded, {folds} folds (through turn {through})",
)
WHOLE = Text(ko="전체", en="whole")
DROPPED = Text(ko="{count}개 빠짐", en="{count} left out")
SUMMARY = Text(ko="요약", en="Summary")
ENTITIES = Text(ko="개체", en="Entities")
RECENT = Text(ko="최근 턴", en="Recent turns")
NOTHING = Text(ko="(아직 없음)", en="(nothing yet)")
TURN = Text(ko="턴 {number}", en="turn {number}")
USER = Text(ko="사용자", en="user")
ASSISTANT = Text(ko="답변", en="answer")

BLOCKS = {
    "system": Text(ko="시스템", en="system"),
    "summary": Text(ko="요약", en="summary"),
    "entities": Text(ko="개체", en="entities"),
    "recent": Text(ko="최근 턴", en="recent"),
    "message": Text(ko="메시지", en="message"),
}
