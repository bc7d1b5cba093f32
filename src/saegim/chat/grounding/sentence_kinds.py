"""Recognise sentences of an answer that state nothing about the subject."""

import re

from saegim.text.analysis import fold

_ABSTAINS = re.compile(
    r"찾지\s?못|찾을\s?수(?:가|는)?\s?없|찾을\s?수\s?없|확인(?:할|하실)\s?수(?:가|는)?\s?없|확인되지\s?않|확인하지\s?못"
    r"|나와\s?있지\s?않|나오지\s?않|나와\s?있는\s?내용이\s?없|(?:언급|기재|명시|포함|제시|설명|서술|기록)(?:돼|되어|되|하고|하)?\s?(?:있지\s?)?(?:지\s?)?않"
    r"|(?:정보|내용|언급|답|답변|자료|문서|근거|기록)(?:가|이|은|는|도|에는|에)?\s?(?:전혀\s?)?(?:없|부족)"
    r"|모르겠|알\s?수(?:가|는)?\s?없|알지\s?못|글쎄|답변?(?:을|은)?\s?(?:드리기|할\s?수)\s?(?:어렵|없)|답(?:하기|할\s?수)"
    r"|(?:could|can|did|do|does)(?:\s?not|n't)\s(?:\w+\s){0,2}"
    r"(?:find|know|mention|contain|provide|include|state|specify|say|cover|answer|determine|have)"
    r"|\bcannot\s(?:\w+\s)?(?:find|answer|determine|say|tell)"
    r"|\b(?:is|are)(?:\s?not|n't)\s(?:\w+\s){0,2}(?:mentioned|stated|specified|provided|included|given|sure|covered)"
    r"|\bno\s(?:\w+\s){0,2}(?:information|mention|evidence|answer|details?)\b|\bnot\s(?:\w+\s)?sure\b"
    r"|\bunable\sto\b|\bi\s?(?:do\snot|don't)\sknow\b|\bunknown\b"
)
# What follows these states something after all: "not in the documents, but it is 95 %".
_HOWEVER = re.compile(r"(?:지만|으나|는데|더라도)[,\s]|\b(?:but|however|though|although)\b")
_COURTESY = re.compile(
    r"\A\W*(?:안녕|반가|반갑|감사|고맙|죄송|미안|네|넵|예|물론|알겠|좋은\s?질문|음|글쎄|천만에|도움이"
    r"|hello|hi|hey|i\sapologi[sz]e|thank|sorry|sure|of\scourse|certainly|okay|ok|yes|no|great\squestion|you're\swelcome|glad)"
    r"(?:하세요|합니다|해요|하지만|요|습니다|히\s?계세요|\s?you|\s?there|드려요|드립니다|되셨기를)*\b"
)
_OFFERS = re.compile(
    r"(?:알려|안내해?|설명해?|정리해?|말씀해?|말씀|도와|답변해?|소개해?|요약해?|살펴|찾아)\s?(?:드리|드립|드릴|드려|보겠|볼게|주세요|주시면|주십시오)"
    r"|(?:다음과|아래와)\s?같(?:습니다|아요|다)\W*\Z|궁금(?:한|하신|하시)|언제든지|문의(?:해|하)|도움이\s?(?:되|필요)"
    r"|\b(?:here\s(?:is|are)|as\sfollows|the\sfollowing|let\sme|feel\sfree|happy\sto|would\syou\slike|i\shope)\b"
)
_ASKS = re.compile(r"[?？]\W*\Z|(?:까요|나요|인가요|은가요|는가요)\W*\Z")
_INTRODUCES = re.compile(
    r"[:：]\W*\Z"
    r"|(?:두|세|네|다섯|여섯|몇|여러|\d+)\s?가지(?:로|가|를|입니다|예요|이에요)?(?:\s[가-힣]+){0,3}\W*\Z"
    r"|\bthere\sare\s(?:two|three|four|five|six|several|\d+)\s(?:ways|options|steps|points)\b"
)
_ADVISES = re.compile(
    r"(?:세요|십시오|시죠|(?:하|두|보)면\s?(?:좋|됩|돼)[가-힣]*|것이\s?좋[가-힣]*|(?:권|추천|권장)(?:합니다|해요|드립니다|드려요))\W*\Z"
    r"|\A\W*(?:please|try|consider|remember|make\ssure|don't\sforget)\b|\byou\s(?:should|may\swant|might)\b"
    r"|\b(?:i|we)(?:'d)?\s(?:recommend|suggest|advise)\b"
)
_MOST_COURTESY = 12


def gives_advice(sentence: str) -> bool:
    return _ADVISES.search(fold(sentence).strip()) is not None


def states_something(sentence: str) -> bool:
    """Return whether evidence must support a sentence.

    A sentence that abstains, greets, asks, offers or introduces a list needs none.
    """
    folded = fold(sentence).strip()
    if not folded or _INTRODUCES.search(folded) or _OFFERS.search(folded):
        return False
    if _ASKS.search(folded):
        return False
    courtesy = _COURTESY.match(folded)
    if courtesy is not None and len(folded) - courtesy.end() <= _MOST_COURTESY // 2:
        return False
    abstention = _ABSTAINS.search(folded)
    if abstention is None:
        return True
    after = _HOWEVER.search(folded, max(0, abstention.start()))
    return after is not None and len(folded) - after.end() > _MOST_COURTESY // 2
