"""Separate a user's own words from quoted text, which is data and not a statement."""

import re

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
    r"|\b(?:always|never|from now on|going forward|whenever)\b"
)
_SEVERAL = 4


def own_words(text: str) -> str:
    """Return the text without quoted lines and blocks; all of it if nothing else remains."""
    own = _QUOTED.sub("", text)
    return own if own.strip() else text


def own_prose(text: str) -> str:
    """Return what the user says: no quotes, no code, and nothing of a text to be worked on."""
    lines = _FENCED.sub("", _QUOTED.sub("", text)).split("\n")
    prose = "\n".join("" if is_code(line) else line for line in lines)
    return "" if _has_material(prose) else prose


def is_code(line: str) -> bool:
    """Return whether a line is code, markup or a log."""
    symbols = len(_SYMBOL.findall(line))
    dense = symbols >= _MANY_SYMBOLS and symbols >= _DENSE * len(line)
    return dense or _CODE.fullmatch(line) is not None


def _has_material(text: str) -> bool:
    """Return whether a message asks for work on a text that it contains."""
    if is_standing(text):
        return False
    if _ON_TEXT.search(text):
        return True
    task = _ON_MATERIAL.search(text)
    several = "\n" in text.strip() or ":" in text or len(sentences(text)) >= _SEVERAL
    return task is not None and several


def is_standing(text: str) -> bool:
    """Return whether a text says how it is to be from now on."""
    return _STANDING.search(text) is not None
