"""The questions, their libraries and what answers them, from public sets and our conversations."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from benchmarks.answers.script import GoldQuestion, letters
from benchmarks.conversation.judge import fold
from benchmarks.conversation.messages import Documents, Message, files, read
from benchmarks.library.sets import BenchDocument, Question, RetrievalSet, held_out_ids, load
from saegim.text.tokens import cut

Half = Literal["dev", "held_out"]
HALVES: tuple[Half, ...] = get_args(Half)
KORQUAD, AUTORAG, MTRAG, CONVERSATION = "korquad", "autorag_ko", "mtragun", "conversation"
SETS = (KORQUAD, AUTORAG, MTRAG, CONVERSATION)
UNANSWERABLE_SHARE = 0.3
LONG_TURNS = 50
ANSWER_TOKENS = 60
LONG_REPLY_TOKENS = 120
# Letters of a passage that are looked for: shorter than a sentence would be found elsewhere.
WINDOW = 60
LEAST_LINE = 8
ABOUT_DOCUMENTS = frozenset(
    {"paraphrase", "cell", "list", "count", "follow_up", "two_part", "cross_language"}
)


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """A message to send, in a session or with its history."""

    gold: GoldQuestion
    set: str
    half: Half
    library: str
    answerable: bool
    session: str
    history: tuple[dict[str, str], ...] | None = None

    @property
    def id(self) -> str:
        return self.gold.id


type Conversation = tuple[BenchQuestion, ...]


@dataclass(slots=True)
class QuestionSet:
    """Conversations by user, the libraries they ask, and one long conversation."""

    conversations: list[Conversation] = field(default_factory=list[Conversation])
    libraries: dict[str, dict[str, bytes]] = field(default_factory=dict[str, dict[str, bytes]])
    long: Conversation = ()

    def of(self, halves: Sequence[Half]) -> list[Conversation]:
        return [each for each in self.conversations if each[0].half in halves]


def questions(root: Path, most: int, sets: Sequence[str] = SETS) -> QuestionSet:
    """Returns up to `most` questions of each set and half. The libraries are those of all halves,
    so that both can be asked in one installation."""
    made = QuestionSet()
    for name in (KORQUAD, AUTORAG):
        if name in sets:
            _add_korean(made, root, name, most)
    if MTRAG in sets:
        _add_mtrag(made, root, most)
    if CONVERSATION in sets:
        _add_conversations(made, most)
    return made


def _add_korean(made: QuestionSet, root: Path, name: str, most: int) -> None:
    """Adds questions of a set; the answers of some are left out of its library."""
    whole = load(root, name)
    known = _answers(root, name)
    chosen: dict[Half, list[Question]] = {half: spread(_half(whole, half), most) for half in HALVES}
    count = round(most * UNANSWERABLE_SHARE)
    without = {half: asked[:count] for half, asked in chosen.items()}
    removed = {gold for each in without.values() for one in each for gold in one.gold}
    documents = [one for one in whole.documents if one.id not in removed]
    made.libraries[name] = {"set.jsonl": _lines(documents)}
    passages = Passages(whole.documents)
    for half, asked in chosen.items():
        for one in asked:
            answerable = not one.gold & removed
            if not answerable and one not in without[half]:
                continue
            gold = _gold(one, known[one.id], passages) if answerable else _unanswered(one)
            made.conversations.append((_single(gold, name, half, answerable),))
    if name == KORQUAD:
        made.long = tuple(_long(whole, known, passages, removed))


def _half(whole: RetrievalSet, half: Half) -> tuple[Question, ...]:
    return whole.dev if half == "dev" else whole.held_out


def spread[T](values: Sequence[T], most: int) -> list[T]:
    """Returns so many values, at equal distances."""
    return list(values[:: max(1, len(values) // most)])[:most] if most else []


def _single(gold: GoldQuestion, name: str, half: Half, answerable: bool) -> BenchQuestion:
    return BenchQuestion(gold, name, half, name, answerable, session=gold.id)


def _answers(root: Path, name: str) -> dict[str, str]:
    if name != KORQUAD:
        rows = map(json.loads, (root / name / "queries.jsonl").read_text("utf-8").splitlines())
        return {row["_id"]: row["answers"][0] for row in rows}
    articles = json.loads((root / name / "KorQuAD_v1.0_dev.json").read_text())["data"]
    return {
        asked["id"]: asked["answers"][0]["text"]
        for article in articles
        for paragraph in article["paragraphs"]
        for asked in paragraph["qas"]
    }


class Passages:
    """The letters of documents, to choose windows that only one of them has."""

    def __init__(self, documents: Iterable[BenchDocument]) -> None:
        self._letters = {one.id: letters(one.text) for one in documents}

    def windows(self, document: str) -> list[str]:
        """Returns the windows of a document that no other has; all, if each is in others."""
        own = self._letters[document]
        starts = range(0, max(1, len(own) - WINDOW + 1), WINDOW)
        windows = [own[start : start + WINDOW] for start in starts]
        others = [text for name, text in self._letters.items() if name != document]
        unique = [each for each in windows if not any(each in text for text in others)]
        return unique or windows


def _gold(one: Question, answer: str, passages: Passages, language: str = "ko") -> GoldQuestion:
    windows = [window for document in sorted(one.gold) for window in passages.windows(document)]
    return GoldQuestion(one.id, one.text, language, cut(answer, ANSWER_TOKENS), tuple(windows))


def _unanswered(one: Question) -> GoldQuestion:
    return GoldQuestion(one.id, one.text, "ko")


def _long(
    whole: RetrievalSet, known: dict[str, str], passages: Passages, removed: set[str]
) -> Iterator[BenchQuestion]:
    """Yields one conversation of neighbouring questions, with replies as long as an assistant's:
    the answer, and what its document says from there on."""
    texts = {each.id: each.text for each in whole.documents}
    asked = [one for one in whole.dev if not one.gold & removed][:LONG_TURNS]
    for one in asked:
        answer, text = known[one.id], texts[min(one.gold)]
        reply = f"{answer}. {cut(text[max(0, text.find(answer)) :], LONG_REPLY_TOKENS)}"
        gold = replace(_gold(one, answer, passages), id=f"long {one.id}", answer=reply)
        yield BenchQuestion(gold, KORQUAD, "dev", KORQUAD, answerable=True, session="long")


def _add_mtrag(made: QuestionSet, root: Path, most: int) -> None:
    whole = load(root, "mtragun_last")
    gold = {one.id: one for one in whole.questions}
    passages = Passages(whole.documents)
    made.libraries[MTRAG] = {"set.jsonl": _lines(whole.documents)}
    rows = list(map(json.loads, (root / MTRAG / "queries.jsonl").read_text().splitlines()))
    held_out = held_out_ids("mtragun_last")
    without = round(most * UNANSWERABLE_SHARE)
    for half in HALVES:
        own = [row for row in rows if (row["_id"] in held_out) == (half == "held_out")]
        for label, count in (("ANSWERABLE", most - without), ("UNANSWERABLE", without)):
            for row in spread([row for row in own if row["answerability"] == [label]], count):
                answers = label == "ANSWERABLE"
                one = gold[row["_id"]] if answers else None
                made.conversations.append((_multi_turn(row, half, one, passages),))


def _multi_turn(
    row: dict[str, Any], half: Half, one: Question | None, passages: Passages
) -> BenchQuestion:
    said = [turn["text"] for turn in row["history"] if turn["role"] == "user"]
    depends = bool(said) and row["multi_turn"] != ["N/A"]
    gold = GoldQuestion(row["_id"], row["text"], "en")
    if one is not None:
        gold = replace(_gold(one, row["answers"][0], passages, "en"), message=row["text"])
    gold = replace(gold, previous=said[-1] if depends else "")
    history = tuple(
        {"role": "user", "content": turn["text"]}
        if turn["role"] == "user"
        else {"role": "assistant", "summary": turn["text"]}
        for turn in row["history"]
    )
    return BenchQuestion(
        gold, MTRAG, half, MTRAG, one is not None, session=row["_id"], history=history or None
    )


def _add_conversations(made: QuestionSet, most: int) -> None:
    """Adds whole users, in order, until there are enough questions about documents."""
    for half in HALVES:
        messages, counted = read(half), 0
        for user in dict.fromkeys(each.user for each in messages):
            said = [each for each in messages if each.user == user]
            conversation = tuple(_of_messages(said, half))[: most - counted]
            if not conversation:
                continue
            counted += len(conversation)
            made.conversations.append(conversation)
            for each in said:
                documents = {name: text.encode() for name, text in files(each.documents).items()}
                made.libraries[_library(each.documents)] = documents


def _library(documents: Documents) -> str:
    return f"{CONVERSATION}-{documents}"


def _of_messages(said: Sequence[Message], half: Half) -> Iterator[BenchQuestion]:
    """Yields the questions about documents, those without an answer included."""
    before: dict[str, str] = {}
    for each in said:
        answers = each.kind in ABOUT_DOCUMENTS and bool(each.cites)
        if not answers and each.kind != "unanswerable":
            continue
        previous = before.get(each.session, "") if each.kind == "follow_up" else ""
        gold = GoldQuestion(each.id, each.message, each.language, previous=previous)
        if answers:
            lines = gold_lines(each)
            answer = cut(lines[0].strip(" |#-*"), ANSWER_TOKENS)
            gold = replace(gold, answer=answer, snippets=tuple(map(letters, lines)))
        library = _library(each.documents)
        yield BenchQuestion(gold, CONVERSATION, half, library, answers, each.session)
        before[each.session] = each.message


def gold_lines(message: Message) -> list[str]:
    """Returns the lines of the cited documents with most of the expected values."""
    cited = message.cites or ()
    texts = [text for name, text in files(message.documents).items() if name in cited]
    lines = [line for text in texts for line in text.splitlines() if len(letters(line)) > 1]
    wanted = message.first or message.must

    def values(line: str) -> int:
        plain = fold(line)
        return sum(any(re.search(each, plain) for each in group) for group in wanted)

    most = max(map(values, lines))
    return [line for line in lines if values(line) == most and len(letters(line)) >= LEAST_LINE]


def _lines(documents: Iterable[BenchDocument]) -> bytes:
    rows = (
        json.dumps(
            {"id": f"d{number}", **({"title": one.title} if one.title else {}), "text": one.text},
            ensure_ascii=False,
        )
        for number, one in enumerate(documents)
    )
    return "\n".join(rows).encode()
