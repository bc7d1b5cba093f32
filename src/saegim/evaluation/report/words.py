"""What the report says, in Korean and English."""

from collections.abc import Mapping
from dataclasses import dataclass

from saegim.domain.scope import Locale

_KO: Mapping[str, str] = {
    "title": "새김 평가 보고서",
    "made": "{at} · 버전 {version} · 커밋 {commit} · {kind}",
    "offline": "오프라인: 모든 모델 단계를 규칙(쌍둥이)이 대신함",
    "live": "라이브: 설정된 모델 사용",
    "in_short": "요약",
    "figures": "주요 수치",
    "figures_help": "구간은 질문을 다시 뽑아 구한 95 % 신뢰 구간입니다. "
    "변화는 바로 앞 평가와의 차이이며, 구간의 절반보다 작으면 우연으로 봅니다.",
    "figure": "수치",
    "value": "값",
    "interval": "95 % 구간",
    "count": "개수",
    "previous": "이전",
    "change": "변화",
    "scenarios": "시나리오",
    "scenarios_help": "대화를 실제 서비스에서 진행한 뒤, "
    "쿼리마다 기억이 도움이 되는지 0–100점으로 채점합니다. "
    "관련성·완전성·정확성이 모두 7 이상이고 있으면 안 되는 것이 없으면 통과입니다.",
    "scenario": "시나리오",
    "query": "쿼리",
    "alone": "작업 기억만",
    "with_recall": "회상과 함께",
    "scores": "관련/완전/정확/노이즈",
    "tokens": "토큰",
    "passed": "통과",
    "failed": "실패",
    "per_class": "질문 종류별 recall@10",
    "curve": "토큰 예산과 찾은 근거의 비율",
    "curve_x": "토큰",
    "latency": "검색 시간 분포",
    "latency_x": "밀리초",
    "configuration": "설정",
    "comparisons": "설정 비교",
    "comparisons_help": "같은 질문에서 앞의 설정이 뒤의 설정보다 얼마나 나은지, "
    "짝지은 부트스트랩 95 % 구간과 함께. "
    "구간이 0을 품으면 차이가 우연일 수 있습니다.",
    "set": "세트",
    "measure": "척도",
    "compared": "비교",
    "difference": "차이",
    "better": "낫다",
    "worse": "못하다",
    "level": "차이 없음",
    "failures": "실패한 예와 그 이유",
    "failures_help": "열 개 안에 근거가 하나도 없던 질문과, 대신 돌아온 것, 그 신호입니다.",
    "wanted": "찾아야 했던 것",
    "found": "돌아온 것",
    "nothing": "(없음)",
    "leaked": "있으면 안 되는 말이 있음",
    "believed": "믿으면 안 되는 것을 믿음",
    "missing": "없는 정보",
    "exact": "정확한 설정",
    "over_time": "시간에 따른 변화",
    "verdict_scenarios": "시나리오 {all}개 중 {passed}개 통과",
    "verdict_judge": "평가자가 받아들인 비율: 좋은 기억 {good:.0%}, 틀린 기억 {wrong:.1%}",
    "verdict_recall": "{title}: 회상이 근거의 {value:.0%}를 열 개 안에서 찾음 "
    "({low:.0%}–{high:.0%})",
    "notes": "알림",
    "repeats": "반복",
}
_EN: Mapping[str, str] = {
    "title": "Saegim evaluation",
    "made": "{at} · version {version} · commit {commit} · {kind}",
    "offline": "offline: every model step by its rule-based twin",
    "live": "live: with the configured models",
    "in_short": "In short",
    "figures": "Figures",
    "figures_help": "Intervals are 95 %, by resampling the questions. A change is against the "
    "evaluation before; less than half an interval is taken for chance.",
    "figure": "figure",
    "value": "value",
    "interval": "95 % interval",
    "count": "n",
    "previous": "before",
    "change": "change",
    "scenarios": "Scenarios",
    "scenarios_help": "Conversations played on the real services; for each query memory is scored "
    "0–100. Passed: relevance, completeness and accuracy of 7 or more, and nothing that should not "
    "be there.",
    "scenario": "scenario",
    "query": "query",
    "alone": "working memory",
    "with_recall": "with recall",
    "scores": "rel/compl/acc/noise",
    "tokens": "tokens",
    "passed": "passed",
    "failed": "failed",
    "per_class": "recall@10 by class of question",
    "curve": "evidence found within a token budget",
    "curve_x": "tokens",
    "latency": "how long a search took",
    "latency_x": "milliseconds",
    "configuration": "configuration",
    "comparisons": "One configuration against another",
    "comparisons_help": "How much better the first is than the second on the same questions, with "
    "the 95 % interval of a paired bootstrap. An interval around 0 may be chance.",
    "set": "set",
    "measure": "measure",
    "compared": "compared",
    "difference": "difference",
    "better": "better",
    "worse": "worse",
    "level": "level",
    "failures": "What failed, and why",
    "failures_help": "Questions of whose evidence nothing was among the first ten, what came back "
    "instead, and its signals.",
    "wanted": "wanted",
    "found": "came back",
    "nothing": "(nothing)",
    "leaked": "should be nowhere, and is there",
    "believed": "should not be believed, and is",
    "missing": "missing",
    "exact": "Exact configuration",
    "over_time": "Over time",
    "verdict_scenarios": "{passed} of {all} scenarios passed",
    "verdict_judge": "The judge accepts {good:.0%} of good memories and {wrong:.1%} of wrong ones",
    "verdict_recall": "{title}: recall finds {value:.0%} of the evidence among ten "
    "({low:.0%}–{high:.0%})",
    "notes": "Notes",
    "repeats": "repeats",
}


@dataclass(frozen=True, slots=True)
class Words:
    """The report's texts in one language."""

    texts: Mapping[str, str]

    def __call__(self, name: str, **values: object) -> str:
        return self.texts[name].format(**values)


def words_of(language: Locale) -> Words:
    return Words(_KO if language == "ko" else _EN)
