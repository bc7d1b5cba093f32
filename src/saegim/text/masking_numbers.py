"""Rules for the numbers of persons, cards, accounts and companies, and for contacts."""

import re

from saegim.text.masking_rules import BARRIER, Check, MaskKind, Rule, Rules, matching

_LEFT = r"(?<![A-Za-z0-9])(?<!\d[-.])"
_RIGHT = r"(?![A-Za-z0-9])(?![-.]\d)"
_GAP = r"(?: ?[-.·] ?| {1,2})"
# Words before numbers that are not masked.
_OTHER_NUMBER = re.compile(
    r"(?i)(?:(?:주문|접수|예약|승인|거래|결제|상품|제품|품목|모델|일련|시리얼|문서|티켓|배송|추적|송장"
    r"|요청|order|tracking|invoice|transaction|ticket|serial|model|part|request|trace|booking)"
    r"[ _-]?(?:번호|코드|no|number|num|id|#)|송장|바코드|타임스탬프|barcode|ean(?:-13)?|isbn|sku"
    r"|timestamp|order)\.?(?:은|는|이|가)?\s?[:=#(]?\s?$"
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
_ACCOUNT_WORD = re.compile(
    r"(?i)계좌|통장|입금|송금|이체|예금|은행|뱅크|농협|수협|신협|새마을|카뱅|토뱅|케뱅|account(?!ing)|acct"
    r"|\bbank\b|(?:국민|신한|우리|하나|기업|제일|씨티|대구|부산|경남|광주|전북|제주|산업|우체국|카카오|토스"
    r"|\b(?:kb|nh|ibk|sc|kdb|mg))[ :]{0,2}$"
)
_BANK = re.compile(
    r"[ (,/]{0,3}(?:[가-힣A-Za-z]{0,6}(?:은행|뱅크)|농협|수협|신협|새마을금고|예금주)"
)
_NO_ACCOUNT = re.compile(
    r"(?i)(?:aws\W{0,3}account|account[ _-]?ids?|전화|연락처|휴대폰|phone|call|\btel)\D{0,6}$"
)
_AMOUNT = re.compile(
    r"(?i) ?(?:원|만|억|천|달러|엔|유로|개|건|명|회|점|포인트|초|년|%|usd|krw|won|bytes?|[kmg]b|ms)"
)


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
