"""Rules of extraction by grammar: statements are told, and what only looks like one is not."""

import pytest

from saegim.memory.rules.extractor import extract_statements

# A statement, and a part of the quote of each fact in it.
STATEMENTS: list[tuple[str, ...]] = [
    # Who, home, work, family
    ("저는 대구에서 나고 자랐고 지금은 세종에 살아요", "대구에서", "세종에 살아요"),
    ("반도체 회사에서 공정 엔지니어로 일하고 있어요", "공정 엔지니어로"),
    ("남편은 소방관이고 저는 초등학교 교사예요", "남편은 소방관", "초등학교 교사예요"),
    ("시어머니가 우리랑 같이 사셔서 방이 세 개 필요해", "같이 사셔서"),
    ("동생이 내년에 입대해서 가족여행은 올해 가야 돼", "내년에 입대", "올해 가야 돼"),
    ("우리 팀은 여섯 명이고 제가 막내예요", "여섯 명", "막내예요"),
    ("사무실은 을지로에 있고 주 3일만 출근해요", "을지로", "주 3일만"),
    ("거래처 담당자는 박지훈 대리예요", "박지훈"),
    # Health and diet
    ("저는 글루텐 못 먹어요", "글루텐"),
    ("아빠가 고혈압이라서 짠 음식 안 드세요", "고혈압"),
    ("복숭아 먹으면 입술이 부어요", "복숭아"),
    ("의사가 한 달 동안 달리기 하지 말래요", "달리기"),
    ("술은 작년에 끊었어요", "끊었어요"),
    # Plans, deadlines, decisions
    ("보고서는 금요일까지 보내야 해", "금요일까지"),
    ("3월 초에 전세 만기라 이사 알아봐야 함", "전세 만기"),
    ("결국 제주 말고 부산 가기로 했어", "부산 가기로"),
    ("다음 달부터 수영 다니려고 해", "수영"),
    ("그럼 두 번째 안으로 가시죠", "두 번째 안"),
    ("내일 오전 10시에 은행 가야 돼", "은행"),
    ("드디어 면허 땄다!!", "면허"),
    ("운전면허 합격!!", "합격"),
    # Preferences and manners
    ("저는 창가 자리가 좋아요", "창가 자리"),
    ("표로 정리할 때는 단위도 꼭 써 주세요", "단위"),
    ("이메일 쓸 때 이모지는 빼 주세요", "이모지"),
    ("커피는 산미 있는 걸로만 마셔요", "산미"),
    ("회의는 무조건 오후에 잡아 주세요", "오후에"),
    # Corrections and negation
    ("아니 인천 말고 김포로 이사했어", "김포"),
    ("나 차 없어 면허만 있어", "차 없어"),
    ("이제 그 회사 안 다녀요", "안 다녀요"),
    # Things
    ("모니터는 델 27인치 두 대 쓰고 있고 키보드는 해피해킹이에요", "델 27인치", "해피해킹"),
    ("배포는 매주 목요일 밤에 해요", "목요일"),
    ("서버 비용이 한 달에 400만원 정도 나와요", "400만원"),
    # English
    ("I grew up in Leeds and now I live in Porto", "Leeds", "Porto"),
    ("My sister runs a bakery and I do her books", "bakery", "her books"),
    ("our landlord said no pets in the building", "no pets"),
    ("been vegetarian since 2019", "vegetarian"),
    ("can't do dairy, gives me hives", "dairy"),
    ("have to hand in the thesis by end of June", "thesis"),
    ("Switched the team to Postgres last month", "Postgres"),
    ("we're going with the smaller venue", "smaller venue"),
    ("rent is 1450 a month plus utilities", "1450"),
    ("window seats only, I get claustrophobic", "window seats"),
    ("Mia's got asthma so no cats at the party", "asthma", "no cats"),
    ("not Oslo, we moved to Bergen", "Bergen"),
    ("GP says my iron is low so I'm on supplements", "iron", "supplements"),
    ("my exam is a week from Friday", "exam"),
    ("The router is in the hall closet, second shelf", "router"),
    ("when you write code for me use tabs, not spaces", "tabs"),
    ("I don't have a car anymore, sold it in May", "car anymore"),
    ("Our CI runs on Buildkite and deploys go through Argo", "Buildkite"),
    ("graduated from Lund in 2015", "Lund"),
    ("kids are with their dad every other weekend", "every other weekend"),
    ("as a single dad what should I know about tax credits?", "single dad"),
    ("from now on cite sources in Chicago style", "Chicago"),
    ("whenever I ask for a recipe use metric units", "metric"),
    ("tinnitus, worse at night", "tinnitus"),
    ("our budget for the loft is twelve grand", "twelve grand"),
    ("oops I said Monday, I meant Thursday for the electrician", "Thursday"),
    ("shellfish is out, can only have cod or plaice", "cod"),
]

# Nothing of the speaker is told.
NOTHING = [
    # Questions
    "세탁기 필터 청소는 얼마나 자주 해요?",
    "강릉 맛집 아는 데 있어?",
    "내가 지난주에 뭐라고 했더라",
    "이 약 식후에 먹어도 되나",
    "전기요금 계산 어떻게 하지",
    "how long do eggs keep in the fridge",
    "any idea why the build fails",
    "which one is cheaper",
    "has anyone tried the new release",
    # Requests
    "회의록 세 줄로 줄여 줘",
    "아래 문장 자연스럽게 고쳐 주세요: 나는 어제 학교에 갔다",
    "신입사원 환영 인사말 하나만 써줘",
    "영어로 바꿔봐",
    "파이썬으로 정렬 함수 짜줘",
    "brainstorm names for a coffee cart",
    "refactor this function to use async",
    "proofread the paragraph below",
    "tips for sleeping on planes",
    "now in French please",
    "Translate to German: I live in Leeds and I have two dogs.",
    "please rephrase: we moved our office to Bath in 2019",
    "I need a synonym for grumpy",
    "I'd like you to be stricter with my essay",
    "I'm trying to figure out how leases work",
    # Suppositions
    "내가 부자라면 매일 놀 텐데",
    "만약 이직한다면 어디가 좋을까",
    "비 오면 취소될 수도 있겠다",
    "내가 의사였으면 그렇게 안 했지",
    "한 달 쉰다고 하면 다들 놀라겠지",
    "if I had a garden I'd grow tomatoes",
    "suppose we moved to Spain",
    "I'd probably hate living there",
    "what if we just skipped the meeting",
    "had we left at six, we'd have caught the ferry",
    "one of these days I'll take up pottery",
    # Hearsay and other people
    "뉴스에서 내년에 금리 내린대",
    "친구가 새 차 샀다고 자랑하더라",
    "옆 팀 부장님 다음 달에 은퇴하신대",
    "유튜브에서 봤는데 아침 공복에 물 마시면 좋대",
    "그 배우 결혼한대",
    "사람들이 그 식당 별로래",
    "they say the new phone overheats",
    "my neighbour swears by vinegar",
    "some guy on the bus told me the world ends in May",
    "apparently the CEO is stepping down",
    "the article said coffee is bad for you",
    "a client told me her son only eats rice",
    "my neighbour's girl is off to Cardiff in September",
    "Rosa Kline has four dogs",
    # Jokes, moods and small talk
    "아 월요일 싫다",
    "퇴근하고 싶다ㅠㅠ",
    "배고파 죽겠네",
    "오늘 날씨 미쳤다",
    "나 사실 외계인임ㅋㅋㅋ",
    "ㅋㅋㅋ 대박이네",
    "오 좋은데요?",
    "ugh mondays",
    "I'm so tired today lol",
    "haha you got me",
    "that's hilarious",
    "I'm so thrilled for you, and so sleepy",
    "the queue was insane this morning",
    "I just had dinner",
    "ok cool, makes sense",
    "nice one, thanks a bunch",
    # Secrets and refusals
    "비밀번호는 qwer1234 야",
    "my password is hunter22",
    "the gate code is 5512",
]


def _told(message: str) -> list[str]:
    return [each.quote for each in extract_statements(message)]


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(("message", "facts"), [(each[0], each[1:]) for each in STATEMENTS])
def test_each_fact_of_a_statement_is_told(message: str, facts: tuple[str, ...]) -> None:
    told = _told(message)
    for fact in facts:
        assert any(fact in quote for quote in told), told
    assert len(told) >= len(facts)


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("message", "quotes"),
    [
        ("we're on the ninth floor, no balcony", ["we're on the ninth floor, no balcony"]),
        (
            "I coach rowing at Henley so I see a lot of sunrises",
            ["I coach rowing at Henley so I see a lot of sunrises"],
        ),
        ("I no longer teach at Eton, I'm at Harrow", ["I no longer teach at Eton, I'm at Harrow"]),
    ],
)
def test_a_clause_that_only_completes_a_statement_is_part_of_it(
    message: str, quotes: list[str]
) -> None:
    assert _told(message) == quotes


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("message", "type_", "topic", "content"),
    [
        ("since I'm on apixaban, no grapefruit", "constraint", "medication", "I'm on apixaban"),
        ("I teach physics at a sixth form", "profile", "job", "I teach physics at a sixth form"),
        ("my niece's name is Ottilie", "profile", "family", "My niece's name is Ottilie"),
        ("our budget is 900 dollars", "constraint", "budget", "Our budget is 900 dollars"),
    ],
)
def test_type_topic_and_content_of_an_english_statement(
    message: str, type_: str, topic: str, content: str
) -> None:
    told = extract_statements(message)[0]
    assert (told.type, told.topic) == (type_, topic)
    assert told.content.startswith(content)


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize("message", NOTHING)
def test_what_is_not_a_statement_is_not_told(message: str) -> None:
    assert _told(message) == []
