"""Replace ids, card and account numbers, secrets and contacts by typed placeholders.

Rules run on a view of the text with plain characters instead of look-alikes (full width, other
digits and dashes, decomposed Hangul, invisible characters) and map their matches back to the text.
A match becomes a barrier that later rules do not match across; so do existing placeholders, so
masking is idempotent. Every pattern is linear: bounded, possessive, or anchored at the start of a
run. Number rules run only on texts with enough digits, assignments only near words for a secret.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class MaskKind(StrEnum):
    NATIONAL_ID = "national_id"
    CARD_NUMBER = "card_number"
    ACCOUNT_NUMBER = "account_number"
    BUSINESS_NUMBER = "business_number"
    PASSPORT = "passport"
    DRIVER_LICENSE = "driver_license"
    SECRET = "secret"  # noqa: S105 - the name of a kind
    PHONE = "phone"
    EMAIL = "email"

    @property
    def placeholder(self) -> str:
        return f"[{self.name}]"


type Span = tuple[int, int]
type Rule = Callable[[str], Iterable[Span]]
# Rules without a kind only hide their matches from later ones.
type Rules = list[tuple[MaskKind | None, Rule]]
type Check = Callable[[re.Match[str]], bool]

# Replaces what was matched, so that later rules do not match across it.
BARRIER = "\0"


def matching(pattern: str, check: Check | None = None) -> Rule:
    """Build a rule that masks the last group of the pattern, or all of it, if the check passes."""
    compiled = re.compile(pattern, re.ASCII)

    def rule(view: str) -> Iterator[Span]:
        for match in compiled.finditer(view):
            if check is None or check(match):
                yield match.span(match.lastindex or 0)

    return rule


_LEFT = r"(?<![A-Za-z0-9])(?<!\d[-.])"
_RIGHT = r"(?![A-Za-z0-9])(?![-.]\d)"
_GAP = r"(?: ?[-.·] ?| {1,2})"
# Words before numbers that are not masked.
_NUMBERED = (
    *("주문", "접수", "예약", "승인", "거래", "결제", "상품", "제품", "품목", "모델", "일련"),
    *("시리얼", "문서", "티켓", "배송", "추적", "송장", "요청", "order", "tracking", "invoice"),
    *("transaction", "ticket", "serial", "model", "part", "request", "trace", "booking"),
)
_NUMBERS_THEMSELVES = (
    *("송장", "바코드", "타임스탬프", "barcode", "ean(?:-13)?", "isbn", "sku", "timestamp"),
    "order",
)
_OTHER_NUMBER = re.compile(
    rf"(?i)(?:(?:{'|'.join(_NUMBERED)})[ _-]?(?:번호|코드|no|number|num|id|#)"
    rf"|{'|'.join(_NUMBERS_THEMSELVES)})\.?[은는이가]?\s?[:=#(]?\s?$"
)
_AFTER_WORD = " \t\n\r\f\v.은는이가:=#(_-"
_NUMBER_WORDS = """
번호 코드 송장 바코드 타임스탬프 주문 접수 예약 승인 거래 결제 상품 제품 품목 모델 일련 시리얼 문서
티켓 배송 추적 요청 no number num id ıd order tracking invoice transaction ticket serial model part
request trace booking barcode ean ean-13 isbn ısbn sku timestamp
"""
_LAST_WORDS = tuple(_NUMBER_WORDS.split())
_UUID = r"(?<![0-9A-Fa-f-])[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![0-9A-Fa-f-])"
PHONE = (
    r"(?:(?:\+?82[-. ]?(?:\(0\)|0)?|0)1[016789][-. ]?\d{3,4}[-. ]?\d{4}"
    r"|(?:\+82[-. ]?(?:\(0\))?|\(?0)(?:2|[3-6][1-5]|[78]0|50\d?)\)?[-. ]{1,2}\d{3,4}[-. ]\d{4}"
    r"|\+[1-9]\d{0,2}(?:[-. ()]{0,2}\d){6,12})"
)
EMAIL = r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]++@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++"
_LICENSE = r"(?:\d\d[ -]?)?\d\d[ -]?\d{6}[ -]?\d\d"
_PASSPORT = r"[A-Z]{1,2}\d{7,8}|[A-Z]\d{3}[A-Z]\d{4}|\d{9}"
_OTHER_CARD = (
    rf"(?:(?:\d{{4}}{_GAP}){{3,4}}\d{{1,3}}|\d{{4}}{_GAP}\d{{6}}{_GAP}\d{{4,5}}|\d{{13,19}})"
)
_SIX_SEVEN = r"\d{6} {0,2}[-._~/]? {0,2}\d{7}"
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DIGIT = {str(digit): digit for digit in range(10)}
_COMPANY_FORMS = {*range(11, 16), 21, 22, *range(31, 50), 71, *range(81, 87)}


def _digits(match: re.Match[str]) -> list[int]:
    return [_DIGIT[character] for character in match.group() if character in _DIGIT]


def _before(match: re.Match[str], size: int = 30) -> str:
    """Return the text before a match, up to the nearest barrier."""
    window = match.string[max(0, match.start() - size) : match.start()]
    return window.rpartition(BARRIER)[2]


def _is_other(match: re.Match[str]) -> bool:
    before = _before(match)
    # Cheap check before a slow pattern.
    word = before.rstrip(_AFTER_WORD).lower()
    return word.endswith(_LAST_WORDS) and _OTHER_NUMBER.search(before) is not None


def _is_birth(digits: list[int]) -> bool:
    """Check date and the digit for sex, century and nationality; the rest is random since 2020."""
    year = 10 * digits[0] + digits[1] + (1900 if digits[6] in (1, 2, 5, 6) else 2000)
    month, day = 10 * digits[2] + digits[3], 10 * digits[4] + digits[5]
    if not (1 <= digits[6] <= 8 and 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1]):
        return False
    return (month, day) != (2, 29) or (year % 4 == 0 and year != 1900)


def _is_resident(match: re.Match[str]) -> bool:
    return _is_birth(_digits(match)) and not _is_other(match)


def _is_company(match: re.Match[str]) -> bool:
    """Check the digit of a company registration that is no plausible resident number."""
    digits = _digits(match)
    company = (10 - sum(d * (1 + i % 2) for i, d in enumerate(digits[:12])) % 10) % 10
    form = 10 * digits[4] + digits[5]
    if company != digits[12] or form not in _COMPANY_FORMS or match.group().isdigit():
        return False
    if _is_other(match) or re.search(r"주민|외국인", _before(match)):
        return False
    weights = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
    person = (11 - sum(d * w for d, w in zip(digits, weights, strict=False)) % 11) % 10
    return not _is_birth(digits) or person != digits[12]


def _is_business(match: re.Match[str]) -> bool:
    digits = _digits(match)
    total = sum(d * w for d, w in zip(digits, (1, 3, 7, 1, 3, 7, 1, 3, 5), strict=False))
    return (10 - (total + digits[8] * 5 // 10) % 10) % 10 == digits[9]


def _is_card(match: re.Match[str]) -> bool:
    """Check Luhn and the issuer prefix (9: Korean domestic cards)."""
    digits = _digits(match)
    first = int("".join(map(str, digits[:4])))
    issued = 3000 <= first < 7000 or 2221 <= first <= 2720 or (first >= 9000 and len(digits) == 16)
    doubled = [d if i % 2 else sum(divmod(2 * d, 10)) for i, d in enumerate(digits[-2::-1])]
    luhn = (sum(doubled) + digits[-1]) % 10 == 0
    return issued and luhn and not (match.group().isdigit() and _is_other(match))


_ACCOUNT = (
    r"(?!(?:19|20)\d\d(?:-[01]?\d-[0-3]?\d(?!\d)| (?:19|20)\d\d(?!\d)))"
    r"(?:\d{2,6}(?:-\d{1,7}){1,4}|\d{10,16}|\d{3,6}(?: \d{2,7}){1,3})"
)
_ACCOUNT_WORDS = (
    *("계좌", "통장", "입금", "송금", "이체", "예금", "은행", "뱅크", "농협", "수협", "신협"),
    *("새마을", "카뱅", "토뱅", "케뱅", "account(?!ing)", "acct", r"\bbank\b"),
)
_BANKS = (
    *("국민", "신한", "우리", "하나", "기업", "제일", "씨티", "대구", "부산", "경남", "광주"),
    *("전북", "제주", "산업", "우체국", "카카오", "토스"),
)
_ACCOUNT_WORD = re.compile(
    rf"(?i){'|'.join(_ACCOUNT_WORDS)}"
    rf"|(?:{'|'.join(_BANKS)}|\b(?:kb|nh|ibk|sc|kdb|mg))[ :]{{0,2}}$"
)
_BANK = re.compile(
    r"[ (,/]{0,3}(?:[가-힣A-Za-z]{0,6}(?:은행|뱅크)|농협|수협|신협|새마을금고|예금주)"
)
_NO_ACCOUNT = re.compile(
    r"(?i)(?:aws\W{0,3}account|account[ _-]?ids?|전화|연락처|휴대폰|phone|call|\btel)\D{0,6}$"
)
_UNITS = (
    *("원", "만", "억", "천", "달러", "엔", "유로", "개", "건", "명", "회", "점", "포인트", "초"),
    *("년", "%", "usd", "krw", "won", "bytes?", "[kmg]b", "ms"),
)
_AMOUNT = re.compile(rf"(?i) ?(?:{'|'.join(_UNITS)})")


def _is_account(match: re.Match[str]) -> bool:
    """Check for 10 to 16 digits near a word for an account or a bank's name."""
    if not 10 <= len(_digits(match)) <= 16:
        return False
    before, after = _before(match), match.string[match.end() : match.end() + 16]
    # Both patterns need a letter.
    letters = not before.isascii() or not after.isascii() or re.search(r"[A-Za-z]", before)
    if not letters or not (_ACCOUNT_WORD.search(before) or _BANK.match(after)):
        return False
    return not (_AMOUNT.match(after) or _is_other(match) or _NO_ACCOUNT.search(before))


def _separate(number: str, check: Check | None = None) -> Rule:
    return matching(_LEFT + number + _RIGHT, check)


def _labelled(words: str, number: str, between: str = r"[^\d\0\n]{0,20}?") -> Rule:
    return matching(rf"(?i:{words}){between}(?<![A-Za-z])({number})(?![A-Za-z0-9])")


NUMBERS: Rules = [
    (None, matching(_UUID)),
    (None, _separate(PHONE)),
    (
        MaskKind.BUSINESS_NUMBER,
        _labelled(r"법인(?: ?등록)? ?번호", r"\d{6}[ -]{0,3}\d{7}", r"[은는이가]?[\s:=(]{0,4}"),
    ),
    (MaskKind.BUSINESS_NUMBER, _separate(_SIX_SEVEN, _is_company)),
    (MaskKind.NATIONAL_ID, _separate(_SIX_SEVEN, _is_resident)),
    (MaskKind.DRIVER_LICENSE, _separate(r"(?:1[1-9]|2[0-8])-\d\d-\d{6}-\d\d")),
    (MaskKind.DRIVER_LICENSE, _labelled(r"면허|driver'?s? licen[cs]e", _LICENSE)),
    (MaskKind.PASSPORT, _labelled(r"여권|passport", _PASSPORT)),
    (MaskKind.NATIONAL_ID, _separate(r"(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}")),
    (MaskKind.NATIONAL_ID, _labelled(r"\bssn|social security", r"\d{3}[ -]?\d\d[ -]?\d{4}")),
    (MaskKind.CARD_NUMBER, _separate(rf"(?:\d{{4}}{_GAP}){{3}}\d{{4}}", _is_card)),
    (MaskKind.CARD_NUMBER, _separate(_OTHER_CARD, _is_card)),
    (MaskKind.BUSINESS_NUMBER, _labelled(r"사업자|business reg", r"\d{3}[ -]?\d\d[ -]?\d{5}")),
    (MaskKind.BUSINESS_NUMBER, _separate(r"\d{3}-\d\d-\d{5}", _is_business)),
    (MaskKind.ACCOUNT_NUMBER, _separate(_ACCOUNT, _is_account)),
]
ADDRESSES: Rules = [
    (None, matching(_UUID)),
    (MaskKind.EMAIL, matching(EMAIL)),
]
PHONES: Rules = [
    (MaskKind.PHONE, _separate(PHONE)),
    (MaskKind.PHONE, _separate(r"(?:1[-. ])?\(?[2-9]\d\d\)?[-. ]{1,2}[2-9]\d\d[-. ]\d{4}")),
]


_ISSUED_FORMS = (
    *(r"(?:sk|rk)_(?:live|test)_\w{10,}", r"whsec_[\w+/=-]{16,}", r"sgm_[\w-]{8,}"),
    *(r"gh[opsur]_\w{20,}", r"github_pat_\w{20,}", r"glpat-[\w-]{16,}", r"xox[a-z]-[\w-]{10,}"),
    *(r"xapp-[\w-]{10,}", "(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])", r"AIza[\w-]{30,}"),
    *(r"ya29\.[\w-]{20,}", r"hf_\w{20,}", r"npm_\w{30,}", r"pypi-[\w-]{30,}"),
    *(r"SG\.[\w-]{16,}\.[\w-]{16,}", r"\d{8,10}:[\w-]{35}"),
    *(r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}", r"eyJ[\w-]{8,}(?:\.[\w-]*){2,4}"),
)
_ISSUED = rf"(?<![A-Za-z0-9_-])(?:{'|'.join(_ISSUED_FORMS)})"
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
_OF_KEY = ("api", "app", "access", "secret", "private", "auth", "account", "signing", "shared")
_OF_KOREAN_KEY = ("api", "인증", "비밀", "시크릿", "액세스", "보안", "접근")
_KEY_WORD = (
    rf"(?P<key>(?:(?:{'|'.join(_OF_KEY)}|client|refresh)[ _-]?){{1,3}}(?:key|token|secret))"
    rf"|secret|token|credentials?|(?:(?:{'|'.join(_OF_KOREAN_KEY)}) ?)?(?:키|토큰)|시크릿"
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
_ORDINARY_WORDS = (
    *("a", "an", "and", "are", "argon2", r"aes\d+", "base64", "bcrypt", "bool", "boolean"),
    *("broken", "case-?sensitive", "changed", "correct", "empty", "encrypted", "expired", "false"),
    *("fields?", "forgotten", "hashed", "hidden", "incorrect", "input", "invalid", "it", "locked"),
    *("lost", "md5", "missing", "needed", "none", "not", "null", "oauth2", "optional"),
    *("pass(?:word|wd)", "pbkdf2", "protected", "required", "reset", "safe", "same", "scrypt"),
    *("secretstr", "secure", "set", r"sha\d+", "str", "string", "strong", "text", "the", "there"),
    *("true", "undefined", "unknown", "unset", "utf-?8", "valid", "weak", "what", "wrong"),
)
_ORDINARY = re.compile(f"(?i){'|'.join(_ORDINARY_WORDS)}")
# Variables, templates, calls, paths, links, masked values.
_NOT_LITERAL = re.compile(
    r"\$\{[A-Za-z_]|\$[A-Z_]+$|\{+[A-Za-z_.]*$|%(?:s|[A-Z_]+%|\([a-z_]+\)s)$|[A-Za-z_.]+[(\[]$"
    r"|~?/(?:app|data|etc|home|opt|root|tmp|usr|Users|var)/|[a-z]+://|[*xX•●._-]{2,}$"
)
# Addresses, dates and phone numbers, versions.
_OTHER_VALUE = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]+|\d{2,4}(?:[-./]\d{1,4}){2}|v?\d+(?:\.\d+)+", re.ASCII
)
_COUNTER = re.compile(r"[자개번회년명건]|글자|단계|비트|문자")
_TYPED_IN_HANGUL = re.compile(rf"[^\d@#$%^&*]+(?:\d{{3,}}+(?!{_COUNTER.pattern})|[@#$%^&*])")
_COPULA = re.compile(r"이?[야고라]|이?에요|예요|입니다|이다|임|인데")


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


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text with placeholders, and the kind of each inserted placeholder."""

    text: str
    kinds: tuple[MaskKind, ...]


type _Claim = tuple[int, int, MaskKind]

_ROUNDS = 4
_PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(kind.name for kind in MaskKind)})\]")
_PLAIN = {
    **dict.fromkeys("\u00a0\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), " "),
    **dict.fromkeys("‐‑‒–—―−ーㅡ﹘﹣ｰ", "-"),
    **{chr(point): chr(point - 0xFEE0) for point in range(0xFF01, 0xFF5F)},
    **{
        digit: str(unicodedata.decimal(digit))
        for digit in map(chr, (*range(0x0660, 0xFF00), *range(0x1D7CE, 0x1D800)))
        if digit.isdecimal()
    },
}
# Two classes: one that stays below U+10000 is searched several times faster.
_FANCY = re.compile(f"[{''.join(c for c in _PLAIN if c < '\U00010000')}]|[\U0001d7ce-\U0001d7ff]")
_INVISIBLE = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff"
)
_HIDDEN = re.compile(f"[{_INVISIBLE}]")
# Every masked number has at least 7 digits, with at most 5 characters between two of them.
_ENOUGH_DIGITS = re.compile(r"\d(?:\D{0,5}+\d){6}", re.ASCII)
_CLUSTER = re.compile(
    f"[{_INVISIBLE}]|.[\u0300-\u036f\u1160-\u11ff\u20d0-\u20ff\u3099\u309a]*+", re.DOTALL
)


def _view(text: str) -> tuple[str, Sequence[int]]:
    """Return the text as rules see it, and the offset in the text of each character and the end."""
    offsets: Sequence[int] = range(len(text) + 1)
    if _HIDDEN.search(text) or not unicodedata.is_normalized("NFC", text):
        characters: list[str] = []
        offsets = []
        for cluster in _CLUSTER.finditer(text):
            if not _HIDDEN.match(text, cluster.start()):
                composed = unicodedata.normalize("NFC", cluster.group())
                characters.append(composed)
                # Some characters decompose in NFC, so do not go past the cluster.
                start, end = cluster.span()
                offsets += (min(start + i, end) for i in range(len(composed)))
        offsets.append(len(text))
        text = "".join(characters)
    return _FANCY.sub(lambda match: _PLAIN[match.group()], text), offsets


def _masked(text: str, rules: Rules, number_rules: Rules) -> MaskedText:
    """Apply the rules until nothing matches: one match can expose its neighbour."""
    kinds: list[MaskKind] = []
    for _ in range(_ROUNDS):
        view, offsets = _view(text)
        if _ENOUGH_DIGITS.search(view):
            rules = [*rules, *number_rules]
            number_rules = []
        claims = _claims(_PLACEHOLDER.sub(lambda match: BARRIER * len(match.group()), view), rules)
        if not claims:
            break
        pieces: list[str] = []
        done = 0
        for start, end, kind in claims:
            pieces += text[done : offsets[start]], kind.placeholder
            done = offsets[end]
            kinds.append(kind)
        text = "".join(pieces) + text[done:]
    return MaskedText(text, tuple(kinds))


def _claims(view: str, rules: Rules) -> list[_Claim]:
    """Return the matches in text order; rules without a kind only hide their matches."""
    claims: list[_Claim] = []
    for kind, rule in rules:
        pieces: list[str] = []
        done = 0
        for start, end in rule(view):
            if done <= start < end:
                pieces += view[done:start], BARRIER * (end - start)
                done = end
                if kind:
                    claims.append((start, end, kind))
        view = "".join(pieces) + view[done:] if pieces else view
    return sorted(claims)


def mask(text: str) -> MaskedText:
    """Mask national ids, card, account and business numbers, passports, licences and secrets."""
    return _masked(text, SECRETS, NUMBERS)


def contacts_in(text: str) -> tuple[list[str], list[str]]:
    """Return the e-mail addresses and the phone numbers of a text."""
    phones = re.findall(rf"(?<!\d){PHONE}(?!\d)", text)
    return re.findall(EMAIL, text), phones


def mask_contacts(text: str) -> MaskedText:
    """Mask phone numbers and e-mail addresses."""
    return _masked(text, ADDRESSES, PHONES)
