"""Rules for secrets: issued keys and tokens, private keys, and the values of named passwords."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

from saegim.text.masking_rules import MaskKind, Rules, Span, matching

_ISSUED = (
    r"(?<![A-Za-z0-9_-])(?:(?:sk|rk)_(?:live|test)_\w{10,}|whsec_[\w+/=-]{16,}|sgm_[\w-]{8,}"
    r"|gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|AIza[\w-]{30,}|ya29\.[\w-]{20,}|hf_\w{20,}"
    r"|npm_\w{30,}|pypi-[\w-]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|\d{8,10}:[\w-]{35}"
    r"|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}|eyJ[\w-]{8,}(?:\.[\w-]*){2,4})"
)
_ISSUED_SK = r"(?<![A-Za-z0-9_-])sk-[\w-]{16,}"
_IN_HEADER = (
    r"(?i:\b(?:bearer[ \t]{1,4}|authorization[\"']?\s?[:=]\s?[\"']?(?:basic|token)\s))"
    r"([\w.~+/-]{8,}=*)"
)
_IN_URL = r"://[^\s/:@\0]{0,100}:([^\s/?#,\0]{1,200})@"
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES = re.compile(r"(?:\s*[A-Za-z0-9+/=]{16,})*+")


def _has_digit(match: re.Match[str]) -> bool:
    return any(character.isdigit() for character in match.group())


def _private_keys(view: str) -> Iterator[Span]:
    """Match whole key blocks, and the remaining lines of a truncated block."""
    ends = [match.end() for match in _KEY_END.finditer(view)]
    for begin in _KEY_BEGIN.finditer(view):
        following = bisect_right(ends, begin.end())
        whole = ends[following] if following < len(ends) else 0
        lines = _KEY_LINES.match(view, begin.end())
        yield begin.start(), whole or (lines or begin).end()


_Wording = Literal["assigned", "stated", "bare"]
_LOGIN_WORD = (
    r"pass(?:word|wd|phrase|code)|pwd|(?<![A-Za-z])(?:pw|cv[cv]|pin ?(?:code|number|번호))"
    r"|비밀 ?번호|비번|패스워드|암호|핀 ?번호"
)
_KEY_WORD = (
    r"(?P<key>(?:(?:api|app|access|secret|private|auth|account|signing|shared|client|refresh)"
    r"[ _-]?){1,3}(?:key|token|secret))|secret|token|credentials?"
    r"|(?:(?:api|인증|비밀|시크릿|액세스|보안|접근) ?)?(?:키|토큰)|시크릿"
)
# Every name of a secret contains one of these words within 40 characters of its start.
_CORE_WORDS = (
    *("pass", "pwd", "pw", "cvc", "cvv", "pin", "key", "token", "secret", "credential"),
    *("비밀", "비번", "패스워드", "암호", "핀", "키", "토큰", "시크릿"),
)
_CORE_WITHIN = 40
_NAMED = re.compile(
    rf"(?i)(?:(?P<password>{_LOGIN_WORD})|(?:{_KEY_WORD}))[\"'\\\]]{{0,3}}"
    r"(?: ?\([^()\n\0]{0,20}\))?[ \t]{0,3}"
    r"(?:(?P<assigned>(?:[은는이가] ?)?(?::=|[=-]>|→|[:=])\s{0,4})"
    r"|(?P<stated>(?:[은는이가도]|is|was)[ \t]{1,4})|(?P<bare>(?<=[ \t])(?:(?:to|as) )?))\\?"
)
_QUOTED = re.compile(r"\"([^\"\n\0]++)\"|'([^'\n\0]++)'|`([^`\n\0]++)`")
_RUN = re.compile(r"[^\s\"'`<>\0]*+")
_SHORTEST, _LONGEST = 4, 250
_VALUE = re.compile(rf"([^\s\"'`<>\0가-힣ㄱ-ㅣ]{{0,{_LONGEST}}}+)([^\s\"'`<>\0]{{0,{_LONGEST}}}+)")
_NEXT_FIELD = re.compile(r"[;&,](?=[\w. -]{1,40}[=:])")
_ORDINARY = re.compile(
    r"(?i)a|an|and|are|argon2|aes\d+|base64|bcrypt|bool|boolean|broken|case-?sensitive|changed|correct"
    r"|empty|encrypted|expired|false|fields?|forgotten|hashed|hidden|incorrect|input|invalid|it|locked"
    r"|lost|md5|missing|needed|none|not|null|oauth2|optional|pass(?:word|wd)|pbkdf2|protected|required"
    r"|reset|safe|same|scrypt|secretstr|secure|set|sha\d+|str|string|strong|text|the|there|true"
    r"|undefined|unknown|unset|utf-?8|valid|weak|what|wrong"
)
# Variables, templates, calls, paths, links, masked values.
_NOT_LITERAL = re.compile(
    r"\$\{[A-Za-z_]|\$[A-Z_]+$|\{+[A-Za-z_.]*$|%(?:s|[A-Z_]+%|\([a-z_]+\)s)$|[A-Za-z_.]+[(\[]$"
    r"|~?/(?:app|data|etc|home|opt|root|tmp|usr|Users|var)/|[a-z]+://|[*xX•●._-]{2,}$"
)
# Addresses, dates and phone numbers, versions.
_OTHER_VALUE = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]+|\d{2,4}(?:[-./]\d{1,4}){2}|v?\d+(?:\.\d+)+", re.ASCII
)
_COUNTER = re.compile(r"자|글자|개|번|회|년|명|건|단계|비트|문자")
_TYPED_IN_HANGUL = re.compile(rf"[^\d@#$%^&*]+(?:\d{{3,}}+(?!{_COUNTER.pattern})|[@#$%^&*])")
_COPULA = re.compile(r"이?야|이?에요|예요|입니다|이다|임|이?고|인데|이?라")


def _assignments(view: str) -> Iterator[Span]:
    """Match the value of a named password or key: `password: x`, `비밀번호는 x`, `비번 x`."""
    position = 0
    for start in _starts(view):
        named = _NAMED.match(view, start) if start >= position else None
        if named is None:
            continue
        position = named.end()
        nested = _NAMED.match(view, position)
        if nested and nested["password"] and nested["bare"] is None:
            continue
        wording: _Wording = (
            "assigned" if named["assigned"] else "stated" if named["stated"] else "bare"
        )
        quoted = _QUOTED.match(view, position) if wording != "bare" else None
        span = _quoted(quoted, named) if quoted else _unquoted(view, named, wording)
        if span:
            yield span
            position = span[1]


def _starts(view: str) -> Iterator[int]:
    """Yield the offsets where the name of a secret can begin."""
    plain = view.replace("İ", "i").replace("ı", "i").replace("ſ", "s").lower()
    done = 0
    for offset in sorted(offset for word in _CORE_WORDS for offset in _offsets(plain, word)):
        yield from range(max(done, offset - _CORE_WITHIN), offset + 1)
        done = max(done, offset + 1)


def _offsets(text: str, word: str) -> Iterator[int]:
    offset = text.find(word)
    while offset >= 0:
        yield offset
        offset = text.find(word, offset + 1)


def _quoted(match: re.Match[str], named: re.Match[str]) -> Span | None:
    value = match[match.lastindex or 0]
    # In code, any word in quotes is the secret: SECRET_KEY = "changeme".
    word = named["password"] or (named["key"] and len(value) >= _SHORTEST and " " not in value)
    likely = word or _likely_key(value, "assigned")
    return match.span(match.lastindex or 0) if likely and not _is_no_secret(value) else None


def _unquoted(view: str, named: re.Match[str], wording: _Wording) -> Span | None:
    match = _VALUE.match(view, named.end())
    if match is None:
        return None
    field = _NEXT_FIELD.split(match[1], maxsplit=1)[0]
    value = field.rstrip(".,;:!?)]}")
    if not value:
        typed = named["password"] and _TYPED_IN_HANGUL.match(match[2])
        return match.span() if typed else None
    ended = match.end() == len(view) or view[match.end()] == "\n" or value != field
    tail = match[2] or ("" if ended else " ")
    word = named["password"]
    likely = _likely_password(value, tail, wording, word) if word else _likely_key(value, wording)
    if not likely or _is_no_secret(value):
        return None
    whole = _RUN.match(view, match.start()) if len(match[1]) == _LONGEST else None
    return whole.span() if whole else (match.start(), match.start() + len(value))


def _is_no_secret(value: str) -> bool:
    return bool(_ORDINARY.fullmatch(value) or _NOT_LITERAL.match(value))


def _likely_password(value: str, tail: str, wording: _Wording, word: str) -> bool:
    """Return whether the value looks like a password; the vaguer the wording, the stricter."""
    digit, letter = re.search(r"\d", value), re.search(r"[A-Za-z]", value)
    if word.casefold() in ("cvc", "cvv"):
        return value.isdigit() and len(value) in (3, 4)
    if not letter and _COUNTER.match(tail):
        return False
    if wording == "assigned":
        return len(value) >= (3 if digit else 4)
    if len(value) < 4 or _OTHER_VALUE.fullmatch(value):
        return False
    if value.isalpha():
        return bool(_COPULA.match(tail)) or (wording == "stated" and not tail)
    if wording == "bare":
        return bool(digit and (letter or not word.isascii()))
    return bool(digit or re.search(r"[!@#$%^&*~]", value))


def _likely_key(value: str, wording: _Wording) -> bool:
    mixed = re.search(r"\d", value) and re.search(r"[A-Za-z]", value)
    return bool(mixed) and len(value) >= (8 if wording == "assigned" else 16)


SECRETS: Rules = [
    (MaskKind.SECRET, _private_keys),
    (MaskKind.SECRET, matching(_ISSUED)),
    (MaskKind.SECRET, matching(_ISSUED_SK, _has_digit)),
    (MaskKind.SECRET, matching(_IN_URL, lambda match: not _is_no_secret(match[1]))),
    (MaskKind.SECRET, matching(_IN_HEADER, _has_digit)),
    (MaskKind.SECRET, _assignments),
]
