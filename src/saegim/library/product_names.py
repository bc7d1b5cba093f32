"""Finds names of products and equipment in a text by their spelling."""

import re
from collections.abc import Iterator

_LONGEST = 40
_CODE_BLOCK = re.compile(r"```.*?(?:```|$)|`[^`\n]*`", re.DOTALL)
# Possessive quantifiers and look-behinds keep long runs linear.
_LINKS = re.compile(
    r"https?://\S+|(?<!\S)[^\s@]++@\S+"
    r"|(?<![\w/-])[\w/-]++\.(?:com|net|org|io|kr|html?|py|js|json|csv|txt|pdf)\b"
)
_HANGUL = re.compile(r"[가-힣]")
_BEFORE = r"(?<![A-Za-z0-9_./@#$%&+-])"
_AFTER = r"(?![A-Za-z0-9_@/+=(])"

# gcb-123, EC2, SM-G991N: letters, then digits, written as one.
_CODE = r"[A-Za-z]{1,10}[-_]?\d{1,6}(?:[A-Za-z]{1,3}\d{0,4})?(?:[-_][A-Za-z0-9]{1,6}){0,3}"
_SEPARATED_CODE = re.compile(r"[A-Za-z]+[-_].*\d.*")
_MODEL = r"[A-Z]{1,6}-[A-Z]{1,3}\d{2,5}[A-Z]{0,3}"
_CAPITALS = r"[A-Z][A-Z&]{1,9}"
_CAMEL = r"(?:[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+[A-Z]{0,3}|[A-Z][a-z]+[A-Z]{2,4}|i[A-Z][a-z]{2,10})"
_PROPER = r"[A-Z][a-z]{1,14}"
_PIECE = rf"(?:{_MODEL}|{_CODE}|{_CAMEL}|{_CAPITALS}|{_PROPER})"
_LATIN = re.compile(
    rf"{_BEFORE}{_PIECE}(?:[ ](?:{_PIECE}|\d{{1,4}}[A-Z]?(?![\w.,:%]))){{0,9}}{_AFTER}"
)

_TYPE = (
    r"(?:제품|모델|장비|기기|설비|장치|기종|기계|서비스|솔루션|요금제|플랜|앱|프로그램|시스템"
    r"|소프트웨어)"
)
_WRITTEN = r"[A-Za-z0-9가-힣][A-Za-z0-9가-힣 ._+-]"
_LABELLED = re.compile(
    rf"(?:^|[\s|(\[])(?:{_TYPE}\s?(?:명|이름|번호|코드)?|품명|품번|모델명|기종명)\s?[:：|]\s?"
    rf"[\"'“‘「]?(?P<name>{_WRITTEN}{{1,30}}?)(?=[\"'”’」,;|)\]\n]|\s{{2}}|$)",
    re.MULTILINE,
)
_QUOTED = re.compile(
    rf"[\"'“‘「『<](?P<name>{_WRITTEN}{{1,24}})[\"'”’」』>]\s?{_TYPE}"
    rf"|{_TYPE}(?:인|명)?\s[\"'“‘「『<](?P<after>{_WRITTEN}{{1,24}})[\"'”’」』>]"
)
_EDITION = re.compile(r"(?<![가-힣])(?P<name>[가-힣]{2,8}\s?(?:플러스|울트라)(?:\s?\d{1,3})?)")
_SENTENCE_START = re.compile(r"(?:^|[.!?:。]\s+|[\n|•]\s*|[-*]\s+|\d[.)]\s+)$")

# Spelled like names, but words, units, formats, keys and dates.
_COMMON = """
a add after all also am an and any api apis apr april are as ascii ask at aug august base64 be
because been before but by call can caution cd ceo chapter check choose click close co2
configure connect contact copy could covid-19 cpu create css csv cto ctrl danger day days dec
december default delete did disable dns do does download dvd each edit en enable enter error
esc est etc eu eur every example false faq faqs feb february figure finally find first for fri
friday from ftp gb gdp get gif gmt go gpu h2o had has have hdd he her his how however html
http https i id ids if important in info install int16 int32 int64 int8 ip ipv4 ipv6 is iso it
its jan january jpeg jpg json jul july jun june kb keep kr krw kst lan led let log ltd mac
make manage mar march may mb md5 min mon monday move mp mp3 mp4 must navigate new next no none
not note nov november null oct october of off ok on once only open optional or os our page
part pc pdf php pin please pm png ppt press put qa ram read remove required rest review rgb
rom run sat saturday save sdk second section see select sep september set sftp sha-256 sha1
sha256 shall she should sign so sql ssd ssh ssl start step stop sun sunday svg table tb tcp
that the then there therefore these they third this those thu thursday tip tls to todo true
try tsv tue tuesday turn type udp ui uk un unless update upload uri url urls us usa usb usd
use using utc utf utf-16 utf-8 utf8 uuid ux vat verify version view visit vpn wan warning was
we wed wednesday were what when whenever where which while who why wifi will with without
would write x64 x86 xml yaml yes you your zip
"""
# Words in product names that tell them from people and places in English prose.
_PRODUCT = """
access agent analytics app assistant calendar center centre cloud cluster connect console
copilot dashboard database desktop docs drive edition editor engine explorer firewall gateway
hub insights kit lite manager max mini monitor office one panel plan platform player plus
portal premium pro recorder scanner search sensor server service services station storage
store studio suite system tools ultra viewer watch workspace
"""
_WORDS = frozenset(_COMMON.split())
_PRODUCT_WORDS = frozenset(_PRODUCT.split())
_OWNED = re.compile(r"\b(?:our|your|using|via)\s$", re.IGNORECASE)
_ROMAN = re.compile(r"[IVX]+")
_LONGEST_CAPITALS = 5
_LOOSE_CODE = re.compile(
    r"[ABFHLPQTVv]\d{1,2}|v\d.*|(?i:no|page|fig|step|ver|rev|vol)[-_]?\d+|[a-z]\d+"
)


def names_in(*above: str, text: str) -> Iterator[str]:
    """Yield names in the titles above a text, then in the text, with repeats."""
    for title in above:
        yield from _labelled(title)
        yield from _latin(title, is_title=True)
    plain = _LINKS.sub(" ", _CODE_BLOCK.sub(" ", text))
    yield from _labelled(plain)
    yield from _latin(plain, is_title=False)


def _labelled(text: str) -> Iterator[str]:
    """Yield names that the word next to them marks as a product, model or service."""
    for pattern in (_LABELLED, _QUOTED, _EDITION):
        for match in pattern.finditer(text):
            name = next(group for group in match.groups() if group).strip(" .-")
            if len(name) > 1 and not name.isdecimal():
                yield name


def _latin(text: str, *, is_title: bool) -> Iterator[str]:
    korean = _HANGUL.search(text) is not None
    for match in _LATIN.finditer(text):
        words = match.group().split(" ")
        before = text[max(0, match.start() - 12) : match.start()]
        if _SENTENCE_START.search(before) and not korean and not is_title and len(words) < 3:
            # The first word of a sentence is capitalised anyway.
            words = words[1:] if _is_plain(words[0]) else words
        for group in _split_codes(words):
            trimmed = _trimmed(group)
            name = " ".join(trimmed)
            evident = korean or (not is_title and _is_evident(trimmed, before))
            if 0 < len(name) <= _LONGEST and _is_name(trimmed, evident=evident):
                yield name


def _split_codes(words: list[str]) -> list[list[str]]:
    """Separate codes such as gcb-123, which are names of their own."""
    groups: list[list[str]] = [[]]
    for word in words:
        if _SEPARATED_CODE.fullmatch(word):
            groups += [[word], []]
        else:
            groups[-1].append(word)
    return groups


def _is_evident(words: list[str], before: str) -> bool:
    """Return whether capitalised words name a product rather than a person or a place."""
    is_product = any(word.lower() in _PRODUCT_WORDS for word in words)
    return is_product or _OWNED.search(before) is not None


def _trimmed(words: list[str]) -> list[str]:
    """Remove common words from both ends."""
    while words and _is_common(words[0]):
        words = words[1:]
    while words and _is_common(words[-1]):
        words = words[:-1]
    return words


def _is_common(word: str) -> bool:
    return word.lower() in _WORDS or _LOOSE_CODE.fullmatch(word) is not None


def _is_plain(word: str) -> bool:
    """Return whether a word has a capital first letter and nothing else that marks a name."""
    return re.fullmatch(_PROPER, word) is not None


def _is_name(words: list[str], *, evident: bool) -> bool:
    """Return whether the words are a name: one must look like a code, plain ones need evidence."""
    if len(words) == 1:
        return _is_coded(words[0])
    if all(map(_is_plain, words)):
        return evident
    shouted = len(words) > 2 and all(word.isalpha() and word.isupper() for word in words)
    return not shouted


def _is_coded(word: str) -> bool:
    """Return whether a single word looks like a code, an acronym or a brand."""
    if any(map(str.isdecimal, word)):
        return not word.isdecimal()
    if word.isupper():
        return 2 < len(word) <= _LONGEST_CAPITALS and not _ROMAN.fullmatch(word)
    return len(word) > 2 and not _is_plain(word)
