"""What the report says, in Korean and English."""

from collections.abc import Mapping
from dataclasses import dataclass

from saegim.domain.scope import Locale
from saegim.evaluation.results import ResultTable

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
    "verdict_recall": "{title}: 회상이 1,000토큰 안에서 근거의 {value:.0%}를 찾음 "
    "({low:.0%}–{high:.0%}); 낱말만으로는 {words:.0%}",
    "verdict_escalation": "기본 임계값에서 {share:.0%}가 상위 모델로 넘어가고 {saving:.0%}를 아낌; "
    "맞은 답 {right:.0%}, 상위 모델만 쓰면 {alone:.0%}",
    "notes": "알림",
    "repeats": "반복",
    "table_korean_memory": "한국어 장기 기억, 개발용 절반",
    "table_korean_memory_held_out": "한국어 장기 기억, 떼어 둔 절반",
    "table_windows": "에피소드: 앞선 턴을 몇 개까지 함께 색인하는지",
    "table_analysers_memory": "턴 하나씩의 BM25, 분석기별",
    "table_escalation": "임계값별 상위 모델 전환",
    "help_korean_memory": "다섯 사람의 두 해 치 대화에서 근거가 된 턴을 찾습니다. "
    "bm25는 낱말만, dense는 뜻만 보고, records는 추출한 기억만, episodes는 대화 턴만, "
    "recall은 제품이 모델에 주는 그대로 둘을 함께 봅니다. "
    "recall은 기억과 턴을 번갈아 놓으므로 순위보다 토큰으로 읽으세요.",
    "help_windows": "window 2는 그 턴과 앞의 두 턴을 함께 색인한다는 뜻입니다.",
    "help_escalation": "share는 상위 모델로 넘어간 비율, "
    "saving은 늘 상위 모델을 쓸 때와 견준 절약, right는 맞은 답의 비율입니다. "
    "검색이 확실하지 않을 때를 가정합니다.",
    "measures_help": "recall@10: 열 개 안에 든 근거의 비율. "
    "all_gold@10: 근거가 모두 든 질문의 비율. "
    "mrr, ndcg@10: 근거가 얼마나 위에 있는지. recall@1000tokens: 1,000토큰 안에 든 근거의 비율. "
    "freshness: 새 값이 옛 값보다 위에 있는 비율. "
    "abstention_auroc: 답이 없는 질문을 가려내는 힘 (0.5는 우연).",
    "retrieval": "찾기",
    "class": "질문 종류",
    "by_class": "질문 종류별 수치와 95 % 구간의 절반",
    "tokens_both": "토큰 (작업 기억 / 회상)",
    "help_scores": "괄호 안은 관련성/완전성/정확성/노이즈이고 노이즈는 낮을수록 좋습니다.",
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
    "verdict_recall": "{title}: within 1,000 tokens recall finds {value:.0%} of the evidence "
    "({low:.0%}–{high:.0%}); words alone find {words:.0%}",
    "verdict_escalation": "At the default thresholds {share:.0%} are escalated and {saving:.0%} is "
    "saved; {right:.0%} of the answers are right, {alone:.0%} with the strong model alone",
    "notes": "Notes",
    "repeats": "repeats",
    "table_korean_memory": "Korean long-term memory, dev half",
    "table_korean_memory_held_out": "Korean long-term memory, held-out half",
    "table_windows": "Episodes: how many turns before it a turn is indexed with",
    "table_analysers_memory": "BM25 over single turns, by analyser",
    "table_escalation": "Escalation to the strong model, by threshold",
    "help_korean_memory": "Two years of conversations of five people; found are the turns that a "
    "question needs. bm25 and dense look at words or meaning alone, records at extracted memories, "
    "episodes at turns, recall at both, as the product hands them to the model. recall takes "
    "records and turns alternately, so read it by tokens rather than by rank.",
    "help_windows": "window 2 indexes a turn together with the two before it.",
    "help_escalation": "share: how many go to the strong model; saving: against asking it always; "
    "right: how many answers are. As if search were never sure.",
    "measures_help": "recall@10: how much of the evidence is among ten. all_gold@10: questions "
    "with all of it. mrr, ndcg@10: how far up it stands. recall@1000tokens: how much of it fits "
    "1,000 tokens. freshness: new above stale. abstention_auroc: telling apart what cannot be "
    "answered (0.5 is chance).",
    "retrieval": "Retrieval",
    "class": "class",
    "by_class": "By class of question, with half of the 95 % interval",
    "tokens_both": "tokens (alone / with recall)",
    "help_scores": "In brackets relevance/completeness/accuracy/noise; less noise is better.",
}


@dataclass(frozen=True, slots=True)
class ReportTexts:
    """The report's texts in one language."""

    texts: Mapping[str, str]

    def __call__(self, name: str, **values: object) -> str:
        return self.texts[name].format(**values)

    def title(self, table: ResultTable) -> str:
        """What a table is called; one that only its maker knows, as its maker calls it."""
        return self.texts.get(f"table_{table.name}", table.title)

    def explained(self, table: ResultTable) -> str:
        """What a table is about, where that can be said."""
        return self.texts.get(f"help_{table.name.removesuffix('_held_out')}", "")


def words_of(language: Locale) -> ReportTexts:
    return ReportTexts(_KO if language == "ko" else _EN)
