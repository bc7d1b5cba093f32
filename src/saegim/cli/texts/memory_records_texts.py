"""Texts of the memory commands, in Korean and English."""

from saegim.cli.language import Text

HELP_LIST = Text(
    ko="기억을 최근 것부터 보여 줍니다. 말, 연도, 종류로 좁힐 수 있습니다.",
    en="Show what is remembered, newest first; by words, years and type.",
)
HELP_WORDS = Text(ko="모두 들어 있어야 하는 말.", en="Words that must all be there.")
HELP_FROM = Text(ko="이 해부터.", en="From this year on.")
HELP_TO = Text(ko="이 해까지.", en="Up to this year.")
HELP_TYPE = Text(
    ko="종류: fact, preference, constraint, decision, todo, timeline, profile, note. "
    "여러 번 쓸 수 있습니다.",
    en="fact, preference, constraint, decision, todo, timeline, profile or note; may be repeated.",
)
HELP_FORGOTTEN = Text(ko="지운 기억을 보여 줍니다.", en="Show what was forgotten.")
HELP_TIMELINE = Text(ko="달마다 기억이 몇 개인지 보여 줍니다.", en="Records by year and month.")
HELP_RECALL = Text(
    ko="이 말에 대해 무엇이 떠오르는지, 왜 그런지 보여 줍니다.",
    en="Show what memory has to a message, and why.",
)
HELP_MESSAGE = Text(ko="물을 말.", en="The message.")
HELP_ADD = Text(ko="기억할 것을 적습니다.", en="Write something down to be remembered.")
HELP_CONTENT = Text(ko="기억할 내용.", en="What to remember.")
HELP_TOPIC = Text(ko="무엇에 대한 것인지.", en="What it is about.")
HELP_CORRECT = Text(ko="기억을 고칩니다. 이전 내용은 버전으로 남습니다.", en="Correct a record.")
HELP_REASON = Text(ko="고치는 까닭.", en="Why.")
HELP_PIN = Text(ko="기억을 늘 맥락에 넣습니다.", en="Put a record into every context.")
HELP_UNPIN = Text(ko="고정을 풉니다.", en="No longer put it into every context.")
HELP_RETAIN = Text(
    ko="기억의 보존 라벨을 정합니다. 라벨을 생략하면 없앱니다.",
    en="Set a record's retention label; omit it to take it away.",
)
HELP_LABEL = Text(
    ko="SAEGIM_KEEP_LABELS_DAYS에 있는 라벨.", en="A label of SAEGIM_KEEP_LABELS_DAYS."
)
HELP_CONSOLIDATE = Text(
    ko="오래된 기억을 주제별 요약으로 지금 정리합니다.",
    en="Make digests of old records by topic now.",
)
HELP_SOURCES = Text(
    ko="요약 기억이 담고 있는 원본 기억을 보여 줍니다.",
    en="Show the records that a digest tells.",
)
CONSOLIDATED = Text(ko="요약 {count}개를 만들었습니다.", en="Made {count} digests.")
HELP_FORGET = Text(ko="기억을 지웁니다. undo로 되돌립니다.", en="Forget; undo brings it back.")
HELP_UNDO = Text(ko="지운 기억을 되돌립니다.", en="Bring a forgotten record back.")
HELP_VERSIONS = Text(
    ko="기억의 버전과 누가 언제 왜 바꿨는지 보여 줍니다.",
    en="Show a record's versions, and who changed it when and why.",
)
HELP_ROLLBACK = Text(ko="이전 버전으로 되돌립니다.", en="Go back to an earlier version.")
HELP_VERSION = Text(ko="되돌릴 버전.", en="The version to go back to.")
HELP_EXPORT = Text(ko="모든 기억을 JSON으로 내보냅니다.", en="Write all memories to a JSON file.")
HELP_IMPORT = Text(
    ko="내보낸 파일의 기억을 넣습니다. 두 번 넣어도 한 번입니다.",
    en="Take in an exported file; twice is once.",
)
HELP_FILE = Text(ko="JSON 파일.", en="The JSON file.")
HELP_MEMORY = Text(ko="기억의 id.", en="The record's id.")
HELP_PROFILE = Text(ko="프로필의 이름.", en="The profile's name.")
NOTHING = Text(ko="기억하는 것이 없습니다.", en="Nothing is remembered.")
PINNED = Text(ko="고정", en="pinned")
FORGOTTEN = Text(
    ko="지웠습니다. 되돌리려면: saegim memory undo {memory}",
    en="Forgotten. To bring it back: saegim memory undo {memory}",
)
MONTH = Text(ko="{year}년 {month:>2}월  {records:>6}개", en="{year}-{month:02}  {records:>6}")
EXPORTED = Text(ko="기억 {count}개를 {file}에 썼습니다.", en="Wrote {count} memories to {file}.")
IMPORTED = Text(ko="기억 {count}개를 넣었습니다.", en="Took in {count} memories.")
NOT_AN_EXPORT = Text(ko="내보낸 파일이 아닙니다: {file}", en="Not an exported file: {file}")
EXISTS = Text(ko="이미 있는 파일입니다: {file}", en="The file is there already: {file}")
KINDS = {
    "pinned": Text(ko="고정", en="pinned"),
    "record": Text(ko="기억", en="record"),
    "episode": Text(ko="대화", en="said"),
}
