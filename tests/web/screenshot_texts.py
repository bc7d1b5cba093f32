"""What the screenshots show, in both languages: questions, answers, memories, people."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Texts:
    """The story of one language."""

    tenant: str
    people: tuple[str, ...]
    told: str
    acknowledged: str
    compare: str
    comparison: str
    code: str
    example: str
    edited: str
    fee: str
    earlier: tuple[tuple[str, str, int], ...]
    """Question, title and age in days of earlier conversations."""
    memories: tuple[tuple[str, str, str, float], ...]
    collections: tuple[str, ...]
    assistant: tuple[str, str, str]
    """Name, persona and description of one more assistant."""
    search: str
    tests: tuple[tuple[str, str], ...]
    unanswered: str


KO = Texts(
    tenant="코스트렌즈",
    people=("김하늘", "이도윤", "박서연", "최지우", "정민준"),
    told="저는 판교에서 일해요. 클라우드 비용을 맡고 있어요.",
    acknowledged="네, 기억해 두겠습니다. 비용에 관한 질문은 팀 기준으로 답하겠습니다.",
    compare="팀과 비즈니스 요금제의 월 요금과 한도를 비교해 줘",
    comparison="""두 요금제는 월 요금과 한도에서 차이가 납니다 [1].

| 항목 | 팀 | 비즈니스 |
| --- | ---: | ---: |
| 월 요금 | 290,000원 | 1,200,000원 |
| 클라우드 계정 | 10개 | 50개 |
| 월 분석 지출 | 50,000달러 | 500,000달러 |
| 데이터 보관 | 13개월 | 25개월 |
| API 호출 | 분당 60회 | 분당 600회 |

- **연 단위로 결제하면** 두 요금제 모두 15% 할인됩니다 [1].
- **SSO가 필요하면** 비즈니스 요금제를 선택해야 합니다. 팀 요금제에는 SSO가 없습니다 [1].
- 월 분석 지출을 넘어도 수집은 멈추지 않고 초과 요금이 붙습니다 [2].""",
    code="API로 지난달 비용을 팀별로 가져오는 예제를 보여 줘",
    example="""`GET /v2/costs`에 기간과 묶을 기준을 주면 됩니다.

```python
import httpx
from settings import COSTLENS

def monthly_cost(token: str, month: str) -> dict[str, float]:
    \"\"\"팀별 비용을 원 단위로 돌려줍니다.\"\"\"
    answer = httpx.get(
        f"{COSTLENS}/v2/costs",
        params={"month": month, "group_by": "team"},
        headers={"Authorization": f"Bearer {token}"},
    )
    answer.raise_for_status()
    return {row["team"]: row["krw"] for row in answer.json()["rows"]}
```

초과 요금은 분석한 지출 $s$가 한도 $l$을 넘을 때 다음과 같습니다.

$$f = \\max(0, s - l) \\times 0.004$$""",
    edited="API로 이번 달 비용을 서비스별로 가져오는 예제를 보여 줘",
    fee="기본 사용량은 분당 60회입니다 [1].",
    earlier=(
        ("AWS 계정은 어떻게 연결해?", "AWS 계정 연결 방법", 0),
        ("예산의 80%를 넘으면 알림을 받고 싶어", "예산 알림 설정", 1),
        ("청구서와 금액이 다른 이유가 뭐야?", "청구서와 금액이 다를 때", 1),
        ("쿠버네티스 네임스페이스별 비용을 볼 수 있어?", "네임스페이스별 비용", 4),
        ("월 마감 절차를 알려 줘", "월 마감 절차", 12),
    ),
    memories=(
        ("fact", "땅콩 알레르기가 있다", "2024-05-02", 0.92),
        ("preference", "답변은 표로 정리해 주는 것을 좋아한다", "2025-01-15", 0.6),
        ("profile", "코스트렌즈에서 클라우드 비용을 담당한다", "2025-03-03", 0.8),
        ("decision", "2026년부터 예약 인스턴스를 3년 약정으로 사기로 했다", "2025-11-20", 0.85),
        ("constraint", "월 예산은 1,200만 원을 넘지 않아야 한다", "2026-02-11", 0.9),
        ("preference", "금액은 부가세를 뺀 값으로 본다", "2026-06-08", 0.5),
        ("timeline", "3분기 비용 보고를 10월 15일에 마쳤다", "2026-10-15", 0.5),
        ("todo", "11월 말까지 유휴 인스턴스 목록을 정리한다", "2026-10-30", 0.7),
    ),
    collections=("제품 안내", "운영 절차"),
    assistant=("장비 정비", "장비 정비를 돕습니다. 안전 절차를 먼저 안내합니다.", "현장 장비"),
    search="예산 알림",
    tests=(
        ("팀 요금제는 한 달에 얼마인가요?", "290,000원"),
        ("데이터는 몇 시에 수집되나요?", "오전 4시"),
        ("공유 링크는 언제 만료되나요?", "30일"),
    ),
    unanswered="사내 할인율은 몇 퍼센트야?",
)  # fmt: skip
EN = Texts(
    tenant="CostLens",
    people=("Hana Kim", "Daniel Lee", "Sofia Park", "Jamie Choi", "Minjun Jung"),
    told="I work in Pangyo and look after our team's cloud cost.",
    acknowledged="Got it. I will answer questions about cost with your team in mind.",
    compare="Compare prices and limits of the Team and Business plans",
    comparison="""The two plans differ in price and limits [1].

| | Team | Business |
| --- | ---: | ---: |
| Price a month | $210 | $880 |
| Cloud accounts | 10 | 50 |
| Analysed spend | $50,000 | $500,000 |
| History | 13 months | 25 months |
| API calls a minute | 60 | 600 |

- **Paying for a year** takes 15 % off either plan [1].
- **Single sign-on** needs the Business plan [2].
- Above the analysed spend nothing stops; the part over the limit is billed [1].""",
    code="Show me how to fetch last month's cost by team from the API",
    example="""Call `GET /v2/costs` with the period and the grouping.

```python
import httpx
from settings import COSTLENS

def monthly_cost(token: str, month: str) -> dict[str, float]:
    \"\"\"Return the cost of each team in dollars.\"\"\"
    answer = httpx.get(
        f"{COSTLENS}/v2/costs",
        params={"month": month, "group_by": "team"},
        headers={"Authorization": f"Bearer {token}"},
    )
    answer.raise_for_status()
    return {row["team"]: row["usd"] for row in answer.json()["rows"]}
```

If the analysed spend $s$ is above the limit $l$, the fee is

$$f = \\max(0, s - l) \\times 0.004$$""",
    edited="Show me how to fetch this month's cost by service from the API",
    fee="The Team plan allows 60 calls a minute [1].",
    earlier=(
        ("How do I connect an AWS account?", "Connect an AWS account", 0),
        ("Alert me when a budget passes 80%", "Budget alerts", 1),
        ("Why does the amount differ from the invoice?", "Amounts and invoices", 1),
        ("Can I see cost by Kubernetes namespace?", "Cost by namespace", 4),
        ("What are the steps of the monthly close?", "Monthly close", 12),
    ),
    memories=(
        ("fact", "Is allergic to peanuts", "2024-05-02", 0.92),
        ("preference", "Likes answers as tables", "2025-01-15", 0.6),
        ("profile", "Looks after cloud cost at CostLens", "2025-03-03", 0.8),
        ("decision", "Decided to buy reserved instances for three years", "2025-11-20", 0.85),
        ("constraint", "The monthly budget must stay below $9,000", "2026-02-11", 0.9),
        ("preference", "Wants amounts without tax", "2026-06-08", 0.5),
        ("timeline", "Finished the report of the third quarter on 15 October", "2026-10-15", 0.5),
        ("todo", "List idle instances by the end of November", "2026-10-30", 0.7),
    ),
    collections=("Product", "Operations"),
    assistant=("Field service", "You help to repair equipment. Safety comes first.", "Equipment"),
    search="budget alert",
    tests=(
        ("What does the Team plan cost a month?", "$210"),
        ("When is data collected?", "4 a.m."),
        ("When do invitations expire?", "72 hours"),
    ),
    unanswered="What is our discount as a partner?",
)  # fmt: skip
STORY = {"ko": KO, "en": EN}
