"""What `saegim chat` says, in Korean and English."""

from saegim.cli.language import Text

TALK = Text(
    ko="메시지를 입력하고 Enter를 누르세요. /help는 명령, 빈 줄은 끝, Ctrl-C는 답변 중단.",
    en="Type a message and press Enter. /help lists commands, an empty line ends, Ctrl-C stops "
    "an answer.",
)
COMMANDS = Text(
    ko="/why            마지막 답변이 왜 그렇게 나왔는지\n"
    "/memory [단어]  기억하고 있는 것\n"
    "/forget [번호]  /memory의 그 번호를 잊기; 번호가 없으면 마지막 말에서 기억한 것을 잊기\n"
    "/eval [질문]    기억이 질문에 얼마나 도움이 되는지\n"
    "/profile [이름] 프로필 보기, 바꾸기\n"
    "/quit           끝내기",
    en="/why             why the last answer came out as it did\n"
    "/memory [words]  what is remembered\n"
    "/forget [number] forgets that number of /memory; without one, what the last turn told\n"
    "/eval [query]    how well memory helps with a query\n"
    "/profile [name]  shows your profiles, or changes to one\n"
    "/quit            ends the conversation",
)
NO_COMMAND = Text(
    ko="/{name} 명령은 없습니다. /help를 보세요.", en="There is no /{name}. Try /help."
)
NOTHING_SAID = Text(ko="아직 나눈 말이 없습니다.", en="Nothing was said yet.")
NOTHING_REMEMBERED = Text(ko="기억하는 것이 없습니다.", en="Nothing is remembered.")
TAKEN_BACK = Text(ko="기억 {count}개를 잊었습니다.", en="Forgot {count} memories.")
FORGOTTEN = Text(ko="잊었습니다: {content}", en="Forgotten: {content}")
NO_NUMBER = Text(
    ko="먼저 /memory로 목록을 보고 그 번호를 쓰세요.",
    en="Look at /memory first, and use a number of its list.",
)
