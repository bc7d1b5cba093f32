"""What `saegim memory` says, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="장기 기억: 방금 기억한 것, 되돌리기, 끄기, 다시 추출하기.",
    en="Long-term memory: what was just remembered, taking it back, switching off, reading again.",
)
HELP_REMEMBERED = Text(
    ko="한 턴에서 무엇을 기억했는지 봅니다.", en="What a turn was remembered by."
)
HELP_TAKE_BACK = Text(
    ko="한 턴에서 기억한 것을 되돌립니다.", en="Take back what a turn was remembered by."
)
HELP_CONSENT = Text(
    ko="장기 기억을 켜거나 끕니다. 값이 없으면 지금 상태를 봅니다.",
    en="Turn long-term memory on or off; without a value, show how it is.",
)
HELP_SWITCH = Text(ko="on 또는 off.", en="on or off.")
HELP_FORGET_SESSION = Text(
    ko="대화를 지웁니다. --derived면 그 대화에서만 나온 기억도 지웁니다.",
    en="Delete a conversation; with --derived also what was derived from it alone.",
)
HELP_DERIVED = Text(
    ko="그 대화에서만 나온 기억도 지웁니다.", en="Also what was derived from it alone."
)
HELP_EXTRACT_AGAIN = Text(
    ko="모델 없이 규칙으로 읽은 턴을 모델이 다시 읽게 합니다.",
    en="Let the model read the turns again that only rules have read.",
)
HELP_FAILURES = Text(
    ko="모델의 답을 읽을 수 없었던 턴을 봅니다.",
    en="Turns for which the model's answers could not be read.",
)
HELP_REPLAY = Text(ko="그런 턴을 다시 줄 세웁니다.", en="Put such turns back in line.")
HELP_TENANT = Text(ko="테넌트의 ID.", en="Id of the tenant.")

READING = {
    "waiting": Text(ko="아직 읽지 않았습니다.", en="It was not read yet."),
    "read": Text(ko="읽었습니다.", en="It was read."),
    "left_out": Text(ko="기억하지 않기로 했습니다.", en="It is left out on request."),
    "failed": Text(
        ko="모델의 답을 읽을 수 없었습니다.", en="The model's answers could not be read."
    ),
    "off": Text(ko="기억이 꺼져 있습니다.", en="Memory is off here."),
}
FORGOTTEN = Text(ko="{count}개를 잊었습니다.", en="{count} forgotten.")
DELETED = Text(ko="턴 {count}개를 지웠습니다.", en="{count} turns deleted.")
ON = Text(ko="장기 기억이 켜져 있습니다.", en="Long-term memory is on.")
OFF = Text(ko="장기 기억이 꺼져 있습니다.", en="Long-term memory is off.")
QUEUED = Text(ko="턴 {count}개를 줄 세웠습니다.", en="{count} turns are in line.")
FAILURE = Text(
    ko="턴 {turn}: {error}, {attempts}번 시도, {at}",
    en="turn {turn}: {error}, {attempts} attempts, {at}",
)
NO_FAILURES = Text(ko="그런 턴이 없습니다.", en="There are no such turns.")
