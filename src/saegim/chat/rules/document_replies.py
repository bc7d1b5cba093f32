"""The part of a reply that is answered from the documents."""

from collections.abc import Sequence

from saegim.chat.context.evidence import unmarked
from saegim.chat.rules import document_answer
from saegim.chat.rules.document_question import (
    AnswerLine,
    Question,
    SourcePassage,
    terms_of,
    understand,
)
from saegim.chat.rules.patterns import pattern
from saegim.chat.rules.types import RuleReply, RuleTask
from saegim.chat.types import (
    CLOSEST,
    NOTHING_FOUND,
    NOTHING_READY,
    AssistantConfig,
    Thresholds,
)
from saegim.chat.understanding import depends_on_thread
from saegim.domain.scope import Locale
from saegim.library.types import FoundPassage
from saegim.locales import N_, translate
from saegim.text.analysis import language, query_terms, sentences, word_keys
from saegim.text.questions import is_question
from saegim.text.tokens import cut

MENU = N_("These pages may help:")
_MOST_CLOSEST = 3
# Below this share of the threshold a document is unrelated rather than close.
_CLOSE_SHARE, _CLOSE_MEANING = 0.35, 0.45
_CLOSEST_TOKENS = 60
# Share of the question's words and similarity together, from which on a line is shown as close.
_LEAST_CLOSE = 1.2
# A follow-up takes its subject from the question before it, a second part from the first.
_EARLIER_SHARE, _PART_SHARE = 0.6, 0.35
_MOST_QUESTIONS = 2
_FEW_WORDS, _SHORT_WORDS = 2, 4
# "Explain sop 77" asks for nothing in particular.
_LOOK_UP_WORDS = 4
_CAUTION = 0.8
_USUAL_CONFIDENCE = Thresholds().confidence
MOST_MEANINGS = 40


def passage_meanings(task: RuleTask) -> list[str]:
    """Return the texts of the passages to compare with the question, the likeliest."""
    passages = _sources(task)
    texts: dict[str, None] = {}
    for question in questions_of(task):
        found = document_answer.candidates(question, passages)
        texts |= dict.fromkeys(each.meaning for each in found[:MOST_MEANINGS])
        texts |= dict.fromkeys(each.asked for each in found[:MOST_MEANINGS] if each.asked)
    return list(texts)


def nothing_found(task: RuleTask) -> RuleReply:
    if task.searched and task.findings.consulted and not task.findings.ranked:
        return RuleReply(task.say(NOTHING_READY), "nothing_ready")
    closest = _closest(task)
    if closest is not None:
        return RuleReply(closest, "nothing_found")
    return RuleReply(no_documents(task.locale, task.config), "nothing_found")


def no_documents(locale: Locale, config: AssistantConfig) -> str:
    """Return the sentence that no document was found, with the assistant's links."""
    if not config.menu_links:
        return translate(NOTHING_FOUND, locale)
    return f"{translate(NOTHING_FOUND, locale)} {translate(MENU, locale)}\n\n{help_links(config)}"


def help_links(config: AssistantConfig) -> str:
    """List where a person finds help."""
    return "\n".join(f"- [{link.label}]({link.url})" for link in config.menu_links)


def is_near(task: RuleTask) -> bool:
    """Return whether the documents found are at least close to the question."""
    similar = task.inputs.similar
    closest = max((similar.get(text, 0.0) for text in passage_meanings(task)), default=0.0)
    by_words = task.findings.confidence >= _CLOSE_SHARE * task.config.thresholds.confidence
    return by_words or closest >= _CLOSE_MEANING


def _closest(task: RuleTask) -> str | None:
    """List the lines closest to the question with their documents; None if none is close."""
    passages = _sources(task)
    if not passages or not is_near(task):
        return None
    found = document_answer.candidates(questions_of(task)[0], passages)
    similar = task.inputs.similar
    least = _LEAST_CLOSE if similar else document_answer.LEAST_COVERED
    lines = [
        each.line
        for each in document_answer.ranked(found, similar)
        if each.covered + each.similarity(similar) >= least
    ]
    texts = dict.fromkeys(
        f"- {unmarked(_first_line(line.text))} ({unmarked(line.passage.title)}) "
        f"[{line.passage.marker}]"
        for line in lines
    )
    return "\n".join([task.say(CLOSEST), "", *list(texts)[:_MOST_CLOSEST]]) if texts else None


def _first_line(text: str) -> str:
    return cut(" ".join(text.replace("\n- ", ", ").removeprefix("- ").split()), _CLOSEST_TOKENS)


def questions_of(task: RuleTask) -> list[Question]:
    """Return the questions of the message, with the words that each takes from the one before."""
    passages = _sources(task)
    message = task.inputs.reading.question or task.context.message
    asked = [part for each in sentences(message) for part in _parts(each)]
    asked = [each for each in asked if is_question(each)] or [message]
    earlier = _earlier_question(task)
    questions: list[Question] = []
    for text in asked[:_MOST_QUESTIONS]:
        share = _EARLIER_SHARE if earlier and follows(task, text) else 0.0
        if questions:
            earlier, share = asked[0], _PART_SHARE
        questions.append(understand(text, earlier, passages, share))
    return questions


_PART = pattern("replies", "part")


def _parts(sentence: str) -> list[str]:
    """Split a question with two parts: 언제고 얼마예요, how hot and how long."""
    parts = [part.strip(" ,") for part in _PART.split(sentence)]
    return parts if len(parts) > 1 and all(len(part) > 2 for part in parts) else [sentence]


def document_lines(task: RuleTask) -> list[AnswerLine]:
    """Return the line that answers each question of the message; none below the threshold."""
    passages = _sources(task)
    if not passages:
        return []
    if not task.searched:
        return _opened(task, passages)
    if named := document_answer.named_passage(task.context.message, passages):
        return [document_answer.beginning(named)]
    if task.config.thresholds.confidence > _USUAL_CONFIDENCE and not task.is_confident:
        # The assistant demands more of a search than these rules do.
        return []
    lines: list[AnswerLine] = []
    for question in questions_of(task):
        found = document_answer.candidates(question, passages)
        line = document_answer.best_line(found, task.inputs.similar, _caution(task))
        if line is not None:
            lines.append(line)
    return list({(line.passage.marker, line.text): line for line in lines}.values())


def _caution(task: RuleTask) -> float:
    """Return how much more alike a line must be if the search is unsure; 0 across languages.

    Confidence counts shared words, which another language does not have.
    """
    first = next(iter(task.context.passages), None)
    if first is None or language(first.text) != task.locale:
        return 0.0
    return _CAUTION * max(0.0, task.config.thresholds.confidence - task.findings.confidence)


def _opened(task: RuleTask, passages: Sequence[SourcePassage]) -> list[AnswerLine]:
    """Return how the document that was looked up begins, or the line that answers, if one does."""
    first = [each for each in passages if each.title == passages[0].title]
    for question in questions_of(task)[:1]:
        found = document_answer.candidates(question, first)
        line = document_answer.best_line(found, task.inputs.similar)
        if line is not None and len(question.own_words) > _LOOK_UP_WORDS:
            return [line]
    return [document_answer.beginning(first[0])]


def _sources(task: RuleTask) -> list[SourcePassage]:
    """Return the passages of the context with their ranks; those of the last answer count more."""
    found: dict[str, FoundPassage] = {str(each.passage.id): each for each in task.findings.ranked}
    best = max((each.signals.score for each in found.values()), default=0.0) or 1.0
    recent = task.context.thread.recent
    last = set(recent[-1].doc_ids) if recent else set[str]()
    follow_up = follows(task, task.context.message)
    sources: list[SourcePassage] = []
    for evidence in task.context.passages:
        each = found.get(evidence.id)
        rank = max(0.0, each.signals.score / best) if each else 0.5
        if follow_up and evidence.document in last:
            rank += 0.3
        path = [heading for heading in (each.path if each else ()) if heading != evidence.title]
        headings = " › ".join(path)
        sources.append(
            SourcePassage(evidence.marker, evidence.title, headings, evidence.text, rank)
        )
    return sources


def asked_texts(task: RuleTask) -> list[str]:
    """Return the question to compare by meaning, also with the one before it that it depends on."""
    message = task.inputs.reading.question or task.context.message
    earlier = _earlier_question(task) if follows(task, message) else ""
    return [message, f"{earlier}\n{message}"] if earlier else [message]


def follows(task: RuleTask, text: str) -> bool:
    """Return whether a question leaves its subject to the one before: 가입비는요?"""
    recent = task.context.thread.recent
    if not recent or not recent[-1].doc_ids:
        return depends_on_thread(text)
    words = len(word_keys(text))
    return depends_on_thread(text) or words <= _FEW_WORDS or _names_nothing(task, text, words)


def _names_nothing(task: RuleTask, text: str, words: int) -> bool:
    """Return whether no passage has a word of a short question: 몇 시까지 가면 돼요?"""
    if words > _SHORT_WORDS:
        return False
    terms = set(query_terms(text))
    found = [each.text for each in task.context.passages if language(each.text) == task.locale]
    return bool(found) and all(terms.isdisjoint(terms_of(each)) for each in found)


def _earlier_question(task: RuleTask) -> str:
    """Return the last question of the conversation that stands alone, with those after it."""
    messages: list[str] = []
    for turn in reversed(task.context.thread.recent[-4:]):
        messages.append(turn.message)
        if turn.message and not depends_on_thread(turn.message):
            break
    return "\n".join(reversed(messages))
