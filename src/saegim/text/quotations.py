"""Separate a user's own words from quoted text, which is data and not a statement."""

import re
from itertools import islice

from saegim.text.analysis import sentences

_QUOTED = re.compile(r'^[ \t]*>.*$|"""[\s\S]*?"""|“““(?:(?!“““)[\s\S])*?”””', re.MULTILINE)
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(
    # Indented, a comment or heading, markup, a decorator, a prompt of a shell
    r"^(?: {4,}|\t)\S.*|^\s*(?:#|//|/\*|\*/|--|</?[a-z!][^>]*>|@\w+[.(]|\$ |>>> |\|).*"
    # An import, a definition, a query, a call, an assignment, a block, a log
    r"|^\s*(?:from [\w.]+ import\b|import [\w.{*]+(?: as \w+| from .*|;)?$"
    r"|(?:async )?(?:def|class|function|fn|func|const|let|var|public|private|static) \w+.*[({=:;]"
    r"|return\b.*[;)\]}'\"]$|traceback \(|at [\w.$]+\(|file \").*"
    r"|^\s*(?:select\s.+\sfrom|insert into|update \w+ set|delete from|create table|alter table)\s.*"
    r"|^\s*[a-z_][\w.]*\(.*\)[;,]?$|^\s*[a-z_][\w.\[\]'\"]*\s*[-+*/|:]?=\s?\S.*|.*[{};]\s*$"
    r"|^\s*\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*|^\s*[\w.]*(?:error|exception|warning):.*",
    re.IGNORECASE,
)
_SYMBOL = re.compile(r"[{}\[\];=<>_$\\|&*#@]")
_MANY_SYMBOLS, _DENSE = 3, 0.08
# Work on a text, which is the rest of the message.
_ON_TEXT = re.compile(
    r"(?i)(?:요약|번역|교정|교열|윤문|첨삭|퇴고|영작|의역|맞춤법|다듬어|다듬을)[가-힣]{0,3}\s?(?:좀\s?)?(?:해\s?|봐\s?)?"
    r"(?:줘|주[세시면라]|줄|달라|부탁|바라|봐|할래)|^\s*(?:번역|요약|교정)[^\n]{0,10}:"
    r"|(?:^|[.!?:\n][ \t]*"
    r"|\b(?:please|pls|plz|you|and|then|to)\s)(?:proof-?read|translate|summari[sz]e"
    r"|paraphrase|re-?phrase|re-?word|re-?write|spell-?check|transcribe|condense)\b"
    r"|\b(?:a|the|short|quick|brief) (?:summary|translation) of (?:this|the following)\b|\btl;?dr\b"
)
_ON_MATERIAL = re.compile(
    r"(?i)(?:정리|검토|수정|분석|설명|해석|비교|평가|채점|고쳐|바꿔|줄여|늘려|작성|답장|써|짜|만들어)\s?(?:좀\s?)?(?:해\s?|써\s?)?"
    r"(?:줘|주[세시라]|줄|달라|부탁|봐)"
    r"|(?:^|[.!?:\n][ \t]*"
    r"|\b(?:please|pls|plz|can you|could you|help me|then)\s)(?:edit|correct|fix"
    r"|polish|improve|sort|convert|format|role-?play|explain|analy[sz]e|review|tidy|clean up|write"
    r"|draft|reply|respond|simplify|check|rank|classify|compare|extract|describe|critique|grade"
    r"|rate|continue|debug|refactor|shorten|expand|make|turn|put|change|caption|solve|pretend"
    r"|imagine)\b(?! (?:of|my week|sure)\b)"
)
_STANDING = re.compile(
    r"(?i)앞으로|항상|매번|언제나|다음부터|이제부터"
    r"|\b(?:always|never|(?:don['’]?t|not) ever|from now on|going forward|whenever)\b"
)
_SEVERAL, _MOST_TASKS = 4, 20
_LONGEST_SENTENCE = 1_000
_END = re.compile(r"[.!?…]+(?=\s|$)|[:\n]")
# Words around a task that names nothing of its own: it is on the text before it.
_ON_THIS = re.compile(
    r"(?i)(?:\W|(?:이|위|위의|앞|이거|이것|이걸|글|문장|문단|내용|메일|말|좀|[가-힣\d]+로)(?:을|를|의|만)?(?=\W|$)"
    r"|\b(?:this|it|that|the|above|text|sentence|paragraph|e?-?mail|can|could|you|please"
    r"|(?:in)?to \w+)\b)*"
)


def own_words(text: str) -> str:
    """Return the text without quoted lines and blocks; all of it if nothing else remains."""
    own = _QUOTED.sub("", text)
    return own if own.strip() else text


def prose(text: str) -> str:
    """Return a text without quotes and code."""
    lines = _FENCED.sub("", _QUOTED.sub("", text)).split("\n")
    return "\n".join("" if is_code(line) else line for line in lines)


def own_prose(text: str) -> str:
    """Return what the user says: no quotes, no code, and nothing of a text to be worked on."""
    plain = prose(text)
    task = _task(_ON_TEXT, plain)
    if task is None:
        task = _task(_ON_MATERIAL, plain)
        several = "\n" in plain.strip() or ":" in plain or len(sentences(plain)) >= _SEVERAL
        if task is None or not several:
            return plain
    return _before_task(plain, task)


def _before_task(text: str, task: re.Match[str]) -> str:
    """Return the sentences before a task, unless they are the text to be worked on."""
    begin, last = _sentence(text, task)
    before, after = text[:begin], text[last:]
    around = text[begin : task.start()] + text[task.end() : last]
    is_last = not re.search(r"\w", after)
    pasted = "\n" in before.strip() or len(sentences(before)) >= _SEVERAL - 1
    return "" if pasted or (is_last and _ON_THIS.fullmatch(around)) else before


def _task(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the first task that is not one for every time."""
    tasks = islice(pattern.finditer(text), _MOST_TASKS)
    return next((task for task in tasks if not is_standing(_in_sentence(text, task))), None)


def _in_sentence(text: str, task: re.Match[str]) -> str:
    begin, last = _sentence(text, task)
    return text[begin:last]


def _sentence(text: str, task: re.Match[str]) -> tuple[int, int]:
    """Return where the sentence of a task begins and ends."""
    # The first letter of a task may be the mark before it.
    near = max(0, task.start() - _LONGEST_SENTENCE)
    begin = max((end.end() for end in _END.finditer(text, near, task.end() - 1)), default=near)
    end = _END.search(text, task.end())
    return begin, len(text) if end is None else end.start()


def is_code(line: str) -> bool:
    """Return whether a line is code, markup or a log."""
    symbols = len(_SYMBOL.findall(line))
    dense = symbols >= _MANY_SYMBOLS and symbols >= _DENSE * len(line)
    return dense or _CODE.fullmatch(line) is not None


def is_standing(text: str) -> bool:
    """Return whether a text says how it is to be from now on."""
    return _STANDING.search(text) is not None
