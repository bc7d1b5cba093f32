"""Texts of `saegim plan`, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="하루 세션 수에 필요한 서버, 저장 공간, 토큰, 비용을 측정값과 가격표로 계산합니다.",
    en="What so many sessions a day need: machines, storage, tokens and money, as measured.",
)
HELP_SESSIONS = Text(ko="하루 세션 수.", en="Sessions a day.")
HELP_TURNS = Text(ko="세션당 턴 수.", en="Turns in a session.")
HELP_PEAK = Text(
    ko="가장 바쁜 시간이 평균의 몇 배인지.", en="The busiest hour against the mean one."
)
HELP_ESCALATED = Text(
    ko="강한 모델이 답하는 턴의 비율.", en="Share of the turns that the strong model answers."
)
HELP_ANSWER = Text(ko="답 하나의 토큰 수.", en="Tokens of an answer.")
HELP_MODELS = Text(ko="가격을 계산할 모델 구성.", en="Preset of models whose prices count.")
WORKLOAD = Text(
    ko="하루 세션 {sessions:,}개 × {turns}턴 = 하루 {per_day:,}턴, 가장 바쁠 때 초당 {peak:,.1f}턴",
    en="{sessions:,} sessions × {turns} turns = {per_day:,} turns a day, "
    "{peak:,.1f} a second at the peak",
)
PART = Text(ko="부분", en="part")
CORES = Text(ko="코어", en="cores")
MACHINES = Text(ko="서버", en="machines")
MACHINE_KIND = Text(ko="{count} × {cores}코어", en="{count} × {cores} cores")
CELLS = Text(
    ko="셀 {cells}개 · Postgres 1년에 {gb:,.0f} GB (복제본 제외) · Redis {redis:,.1f} GB",
    en="{cells} cells · Postgres {gb:,.0f} GB a year, replicas aside · Redis {redis:,.1f} GB",
)
ROLE = Text(ko="역할", en="role")
MODEL = Text(ko="모델", en="model")
CALLS = Text(ko="호출/일", en="calls a day")
INPUT = Text(ko="입력 백만 토큰/일", en="million tokens in")
OUTPUT = Text(ko="출력 백만 토큰/일", en="million tokens out")
MONTH = Text(ko="한 달 $", en="$ a month")
TOTAL = Text(ko="합계", en="together")
PER_TURN = Text(ko="턴당 ${usd:.6f}", en="${usd:.6f} a turn")
NO_PRICE = Text(ko="가격 없음", en="no price")
COPILOT = Text(
    ko="원래 설계의 비용표 (하루 1,000 세션, gpt-5-nano)와 나란히",
    en="Beside the cost table of the first design (1,000 sessions a day, gpt-5-nano)",
)
TURNS = Text(ko="턴/세션", en="turns")
PRINTED = Text(ko="적힌 값", en="as printed")
EXACT = Text(ko="그 토큰으로 다시 계산", en="from its own tokens")
OURS = Text(ko="새김", en="Saegim")
WRONG = Text(
    ko="적힌 값은 맞지 않습니다. 응답 1,500 + 1,000 토큰은 $0.000475인데 $0.00055로, "
    "재순위 1,000 + 500은 $0.00025인데 $0.0003으로 적혔고, 재순위를 늘 두 번으로 셉니다. "
    "응답 입력 1,500은 같은 문서의 문맥 예산 5,300보다 훨씬 작습니다. "
    "추출과 강한 모델은 빠져 있습니다. 새김의 값은 답을 같은 1,000 토큰으로 셉니다.",
    en="The printed sums do not add up: an answer of 1,500 + 1,000 tokens costs $0.000475, not "
    "$0.00055; a rerank of 1,000 + 500 costs $0.00025, not $0.0003; two reranks are always "
    "counted. An answer's 1,500 tokens of input are far below the same design's context of "
    "5,300. Extraction and the strong model are not in it. Saegim's sums count answers of the "
    "same 1,000 tokens.",
)
BASIS = Text(
    ko="기준: 한 코어가 초당 {rate:.1f}턴. 실제 대화는 다르니 `make bench-load`로 다시 재세요.",
    en="Basis: {rate:.1f} turns a second on a core. Conversations differ: `make bench-load` "
    "measures anew.",
)
