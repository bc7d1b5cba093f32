"""A conversation of 200 turns with new, repeated, changed and retracted statements among small
talk.
"""

TOLD = (
    "나는 서울에 살아",
    "강아지 초코를 키워",
    "땅콩 알레르기가 있어",
    "우리 딸 서연이가 5살이야",
    "나는 네이버에 다녀",
    "모바일 프로젝트 예산은 1억이야",
    "커피를 좋아해",
    "I speak English.",
    "다음 주 화요일에 치과 예약 있어",
    "부산으로 이사했어",
    "고양이 나비도 키워",
    "모바일 프로젝트 예산을 1.5억으로 올렸어",
    "새우 알레르기도 있어",
    "여권 갱신해야 해",
    "앞으로는 답변을 짧게 해줘",
    "이제 커피 싫어해",
    "다시 서울로 이사했어",
    "I'm allergic to penicillin.",
    "마라톤 완주가 목표야",
    "보고서는 PDF로 하기로 했어",
)
SMALL_TALK = ("네 고마워요", "환불 정책이 뭐야?", "안녕!", "ok thanks", "파이썬 설치 방법 알려줘")


def turns(count: int = 200) -> list[str]:
    """Returns the turns: one new statement in ten, the rest small talk and repetitions."""
    said: list[str] = []
    for number in range(count):
        step, place = divmod(number, 10)
        if place == 0:
            said.append(TOLD[step % len(TOLD)])
        elif place == 5 and step < 9:
            said.append(TOLD[step] + "!")
        else:
            said.append(SMALL_TALK[number % len(SMALL_TALK)])
    return said
