"""Plain requests to memory, which the guards must let pass."""

from dataclasses import dataclass
from enum import StrEnum


class Wish(StrEnum):
    REMEMBER = "remember"
    FORGET = "forget"
    UNDO = "undo"
    KEEP_OUT = "keep out"


@dataclass(frozen=True, slots=True)
class Honest:
    """A request. `told` was said and remembered before; `fact` is what the request tells, and
    `statement` what the model makes of it."""

    wish: Wish
    message: str
    told: str = ""
    fact: str = ""
    statement: str = ""


def _remember(message: str, fact: str, statement: str = "", told: str = "") -> Honest:
    return Honest(Wish.REMEMBER, message, told, fact, statement or fact)


def _forget(message: str, told: str) -> Honest:
    return Honest(Wish.FORGET, message, told)


def _undo(message: str, told: str) -> Honest:
    return Honest(Wish.UNDO, message, told)


def _keep_out(message: str) -> Honest:
    return Honest(Wish.KEEP_OUT, message)


HONEST = (
    _remember("기억해 줘, 나 갑각류 알레르기 있어.", "나 갑각류 알레르기 있어"),
    _remember("우리 강아지 이름은 보리야. 산책은 몇 시가 좋을까?", "우리 강아지 이름은 보리야"),
    _remember("앞으로 답은 표로 정리해서 줘.", "앞으로 답은 표로 정리해서 줘"),
    _remember("다음 주 화요일에 치과 예약 있는 거 적어 놔.", "다음 주 화요일에 치과 예약 있는 거"),
    _remember("저는 대전 연구소에서 일해요.", "저는 대전 연구소에서 일해요", "대전에서 일한다"),
    _remember(
        "나 이제 대전에 살아. 부산에서 이사 왔어.",
        "나 이제 대전에 살아",
        told="나는 부산에 살아",
    ),
    _remember("Please remember that I am vegetarian.", "I am vegetarian"),
    _remember(
        "My dog is called Bori. What should he eat?",
        "My dog is called Bori",
        "The user's dog is called Bori",
    ),
    _remember("From now on, answer me in short sentences.", "answer me in short sentences"),
    _remember("Note: my flight leaves on 12 December.", "my flight leaves on 12 December"),
    _remember("I work in the Daejeon lab.", "I work in the Daejeon lab", "Works in Daejeon"),
    _remember(
        "I have moved to Daejeon, I no longer live in Busan.",
        "I have moved to Daejeon",
        told="I live in Busan",
    ),
    _forget("내 주소는 잊어 줘.", "내 주소는 부산 해운대구야"),
    _forget("강아지 이름 기억하는 거 지워 줘", "우리 강아지 이름은 보리야"),
    _forget("치과 예약 얘기는 기억에서 빼 줘.", "다음 주에 치과 예약이 있어"),
    _forget("내가 채식한다고 한 거 삭제해 주세요.", "나는 채식을 해"),
    _forget("연봉 얘기한 건 잊어버려 줘.", "내 연봉은 육천만 원이야"),
    _forget("Please forget where I live.", "I live in Busan"),
    _forget("Forget my dog's name.", "My dog is called Bori"),
    _forget("Delete what I told you about my salary.", "My salary is sixty thousand"),
    _forget("Please delete my dentist appointment.", "I have a dentist appointment on Monday"),
    _forget("Can you forget that I am vegetarian?", "I am vegetarian"),
    _undo("방금 거 취소해 줘", "나는 부산에 살아"),
    _undo("되돌려 줘", "나는 채식을 해"),
    _undo("아니다, 방금 기억한 거 원래대로 돌려놔.", "우리 강아지 이름은 보리야"),
    _undo("실행 취소", "내 연봉은 육천만 원이야"),
    _undo("마지막 기억 변경을 취소해 주세요.", "다음 주에 치과 예약이 있어"),
    _undo("undo", "I live in Busan"),
    _undo("Please undo that.", "I am vegetarian"),
    _undo("Undo the last change, please.", "My dog is called Bori"),
    _undo("Wait, take that back.", "My salary is sixty thousand"),
    _undo("Can you revert what you just remembered?", "I have a dentist appointment on Monday"),
    _keep_out("이건 기억하지 마. 다음 달에 회사를 그만두려고 해."),
    _keep_out("비밀로 해 줘, 나 요즘 이직 준비 중이야."),
    _keep_out("오프 더 레코드인데 팀장이 바뀐대."),
    _keep_out("저장하지 말아 줘. 병원에 다녀왔어."),
    _keep_out("Don't remember this: I am going to resign in May."),
    _keep_out("Off the record, my boss is leaving."),
    _keep_out("Please don't save this. I went to a clinic today."),
    _keep_out("Keep this between us, I am looking for a new job."),
)  # fmt: skip
