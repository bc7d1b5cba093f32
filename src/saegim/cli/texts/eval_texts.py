"""What `saegim eval` says, in Korean and English."""

from saegim.cli.language import Text

HELP = Text(
    ko="기억과 검색이 도움이 되는지 평가합니다.", en="Evaluate whether memory and search help."
)
HELP_MEMORY = Text(
    ko="시나리오를 임시 서버에서 실행하고 기억을 채점합니다. 모델은 쓰지 않습니다.",
    en="Play the scenarios on throwaway servers and score what is remembered. Uses no model.",
)
HELP_SCENARIO = Text(
    ko="시나리오의 이름이나 종류. 여러 번 쓸 수 있습니다. 생략하면 모두 실행합니다.",
    en="Name or kind of a scenario; may be given more than once. All of them by default.",
)
HELP_FILE = Text(ko="직접 쓴 시나리오 파일 (TOML).", en="A scenario file of your own (TOML).")
HELP_REPORT = Text(
    ko="저장된 평가를 HTML 한 장과 Markdown으로 씁니다.",
    en="Write the stored evaluations as one HTML page and as Markdown.",
)
HELP_OUT = Text(ko="보고서를 둘 폴더.", en="Folder for the report.")
HELP_RUNS = Text(
    ko="평가 결과를 두는 폴더. 기본값은 데이터 폴더의 evaluations.",
    en="Folder of the results; `evaluations` in the data folder by default.",
)
HELP_LIVE = Text(
    ko="설정된 모델로 평가자 보정, 추출, 상위 모델 전환, 시나리오를 예산 안에서 실행합니다.",
    en="Run the judge's calibration, extraction, escalation and scenarios with the configured "
    "models, within a budget.",
)
HELP_TOKENS = Text(ko="쓸 수 있는 토큰.", en="Tokens that may be spent.")
HELP_USD = Text(ko="쓸 수 있는 돈 (달러).", en="Dollars that may be spent.")
HELP_SECONDS = Text(ko="걸려도 되는 시간 (초).", en="Seconds that it may take.")
HELP_REPEAT = Text(ko="반복할 횟수.", en="How often to repeat it.")
HELP_SAMPLES = Text(
    ko="보정에 쓸 기억과 전환을 볼 질문의 수. 생략하면 모두 씁니다.",
    en="How many memories to calibrate the judge with, and how many questions to escalate; all "
    "of them by default.",
)
HELP_CASES = Text(
    ko="사용자가 평가에 쓰도록 동의한 피드백을 가려서 라벨과 시나리오로 씁니다.",
    en="Write the feedback that people gave for evaluation as labels and scenarios, masked.",
)
HELP_CASES_OUT = Text(ko="사례를 둘 폴더.", en="Folder for the cases.")
HELP_DAYS = Text(ko="며칠 전의 피드백까지 볼지.", en="How many days of feedback to read.")

NO_SESSION = Text(
    ko="아직 대화가 없습니다. 먼저 말을 걸어 주세요.", en="There is no conversation yet."
)
OVERALL = Text(ko="전체 {score:.1f}/100 (평가: {by})", en="overall {score:.1f}/100 (by {by})")
CRITERIA = {
    "relevance": Text(ko="관련성", en="relevance   "),
    "completeness": Text(ko="완전성", en="completeness"),
    "accuracy": Text(ko="정확성", en="accuracy    "),
    "noise": Text(ko="노이즈", en="noise       "),
}
HELPS = Text(ko="도움이 되는 정보", en="helps")
MISSING = Text(ko="없는 정보", en="missing")

NO_SCENARIO = Text(
    ko="그런 시나리오가 없습니다: {names}. 있는 것: {there}",
    en="There is no such scenario: {names}. There are: {there}",
)
BAD_SCENARIO = Text(ko="시나리오를 읽을 수 없습니다: {reason}", en="Not a scenario: {reason}")
STARTING = Text(ko="임시 서버를 시작합니다…", en="Starting throwaway servers…")
PASSED = Text(ko="통과", en="passed")
FAILED = Text(ko="실패", en="failed")
SCENARIO = Text(
    ko="{state}  {id}  기억만 {alone}  회상과 함께 {together}",
    en="{state}  {id}  working memory {alone}  with recall {together}",
)
LEAKED = Text(ko="있으면 안 되는 말: {words}", en="should be nowhere: {words}")
BELIEVED = Text(ko="믿으면 안 되는 말: {words}", en="should not be believed: {words}")
UNREAD = Text(
    ko="모델의 답을 읽지 못한 단계: {count}", en="steps whose model could not be read: {count}"
)
SUMMARY = Text(
    ko="{all}개 중 {passed}개 통과. 저장: {path}",
    en="{passed} of {all} passed. Stored: {path}",
)
NO_RUNS = Text(
    ko="{folder}에 평가 결과가 없습니다. 먼저 `saegim eval memory`를 실행하세요.",
    en="There are no results in {folder}. Run `saegim eval memory` first.",
)
WRITTEN = Text(ko="보고서: {path}", en="Report: {path}")
NO_MODEL = Text(
    ko="모델이 설정되지 않았습니다. SAEGIM_MODELS와 SAEGIM_MODELS_API_KEY, "
    "또는 SAEGIM_MODELS_BASE_URL을 설정하세요.",
    en="No model is configured. Set SAEGIM_MODELS and SAEGIM_MODELS_API_KEY, "
    "or SAEGIM_MODELS_BASE_URL.",
)
BUDGET = Text(
    ko="예산: 토큰 {tokens:,}, ${usd:.2f}, {seconds:.0f}초",
    en="Budget: {tokens:,} tokens, ${usd:.2f}, {seconds:.0f} s",
)
CASES = Text(
    ko="피드백 {given}건: 라벨 {labels}줄, 시나리오 {scenarios}개. "
    "값을 읽어 낼 수 없는 정정 {unread}건.",
    en="{given} given: {labels} labels, {scenarios} scenarios. "
    "{unread} corrections state no value that a rule can look for.",
)
CASES_NEXT = Text(
    ko="이름은 가려지지 않습니다. 읽어 본 뒤 쓰세요: `saegim tune --labelled {labels}`, "
    "`saegim eval memory --file …`",
    en="Names are not masked. Read them first, then: `saegim tune --labelled {labels}`, "
    "`saegim eval memory --file …`",
)
