"""Recognise what a message wants: small talk, memory, arithmetic, history, or the documents."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from saegim.chat.rules.calculator import calculate, on_calendar
from saegim.memory.opt_out import Refusal, refusal_of
from saegim.memory.rules.extractor import extract_statements
from saegim.text.analysis import fold, sentences
from saegim.text.questions import is_question


class Intent(StrEnum):
    """What a message wants. All but QUESTION and ABOUT_SELF are answered without a search."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    IDENTITY = "identity"
    REMARK = "remark"
    COMPLAINT = "complaint"
    CALCULATION = "calculation"
    CALENDAR = "calendar"
    HISTORY = "history"
    PROFILE = "profile"
    FORGET = "forget"
    UNDO = "undo"
    LEAVE_OUT = "leave_out"
    STATEMENT = "statement"
    ABOUT_SELF = "about_self"
    QUESTION = "question"

    @property
    def searches(self) -> bool:
        return self in (Intent.QUESTION, Intent.ABOUT_SELF)

    @property
    def reads_memory(self) -> bool:
        return self in (Intent.PROFILE, Intent.ABOUT_SELF, Intent.STATEMENT, Intent.QUESTION)


def _alternatives(*lines: str) -> re.Pattern[str]:
    return re.compile("|".join(lines))


# --- small talk: the whole message, in parts, is made of these ---

_FILLER = (
    r"(?:음+|어+|아+|오+|와+|우와|헉|네+|넵|예|응+|그래|그럼|정말|진짜|너무|많이|다들|여러분|봇아?|새김아?"
    r"|saegim|there|so much|very much|a lot|everyone|again|my friend|buddy|team|all)"
)
_SMALL_TALK: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        Intent.GREETING,
        _alternatives(
            r"(?:안녕(?:하세요|하십니까|하신가요|하쇼|하세용)?|안뇽|하이(?:요|루)?|헬로우?|반가(?:워요?|웠어요?|습니다)|반갑습니다"
            r"|처음 뵙겠습니다|좋은 (?:아침|저녁|오후|하루)(?:이에요|입니다|이네요|이야)?|굿모닝|(?:잘|별일) (?:지냈어요?|지내요?|지냈니|없었어요?)"
            r"|ㅎㅇ+|처음 (?:써|사용해|와)\S*|오랜만(?:이야|이에요|입니다|이네요?)?)",
            r"(?:hi+|hello+|hey+|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|morning"
            r"|how are you(?: doing)?(?: today)?|how's it going|what'?s up|sup|nice to meet you|long time no see)",
        ),
    ),
    (
        Intent.THANKS,
        _alternatives(
            r"(?:고마(?:워요?|웠어요?|습니다)|고맙(?:습니다|네요?|다)|감사(?:해요?|합니다|드려요|드립니다|했어요|요)?|땡큐|(?:ㄱㅅ)+|쌩유"
            r"|수고(?:해요?|하세요|했어요?|하셨(?:어요|습니다)|많으셨습니다)?|(?:많은 |큰 )?도움(?:이)? (?:많이 )?(?:됐|되었)(?:어요?|습니다|네요?)|덕분에.{0,12}(?:됐|풀렸|해결)\S*"
            r"|최고(?:야|예요|네요?|다)?|잘했어요?|훌륭해요?|굿|대박)",
            r"(?:(?:many )?thanks?(?: you)?(?: so much| a lot| very much| a ton)?|thank you(?: so much| very much)?|thx|ty|tysm"
            r"|cheers|much appreciated|(?:i )?appreciate (?:it|that|your help)|that (?:really )?help(?:s|ed)(?: a lot)?"
            r"|(?:that'?s |this is )?(?:very |super |so )?(?:helpful|useful|great|awesome|perfect|nice|brilliant)|good (?:job|bot)|well done|you'?re the best|great job)"
            r"(?: for (?:your|the|all).{0,30})?",
        ),
    ),
    (
        Intent.FAREWELL,
        _alternatives(
            r"(?:잘 ?가(?:요)?|잘 ?자(?:요)?|안녕히 (?:계세요|가세요|주무세요)|바이(?:바이)?|다음에 (?:봐요?|또 (?:봐요?|올게요?))|또 (?:봐요?|올게요?)"
            r"|내일 (?:봐요?|보자)|이만 (?:갈게요?|가볼게요?)|나중에 (?:봐요?|또 올게요?)|들어가(?:세요|볼게요?))",
            r"(?:bye(?: bye)?|goodbye|good night|see (?:you|ya)(?: later| soon| tomorrow)?|later|cya|take care|talk (?:to you )?(?:later|soon)|have a (?:nice|good|great) (?:day|one|evening|weekend))",
        ),
    ),
    (
        Intent.REMARK,
        _alternatives(
            r"(?:아하|오호|그렇(?:구나|군요?|네요?|습니까)|그래요|그랬(?:구나|군요)|알겠(?:어요?|습니다|음)|알았(?:어요?|습니다)|오케이|오키|ㅇㅋ|ㅇㅇ|ok|확인(?:했어요?|했습니다|요)?|이해(?:했어요?|했습니다|됐어요?)"
            r"|신기하(?:다|네요?)|재밌(?:다|네요?)|재미있네요?|좋(?:아요?|네요?|다|습니다)|멋지(?:다|네요?)|대단하(?:다|네요?)|다행이(?:다|네요?|야)|괜찮(?:아요?|네요?|습니다)|아니(?:요|에요|야)?|맞아요?|맞네요?|그치|그쵸"
            r"|[ㅋㅎㅠㅜ]+|하하+|히히+|흠+|뭐 아무튼|됐어요?|테스트|됐다)",
            r"(?:ok(?:ay)?|k|got it|i see|understood|makes sense|right|sure|yes|yep|yeah|yup|no|nope|cool|wow|interesting|good to know|noted|alright|all right|fine|hm+|huh|lol|haha+|oh|ah|aha|never ?mind|sounds good|sweet|neat|test(?:ing)?)",
        ),
    ),
)
_EDGES = re.compile(r"^[\s\W_]+|[\s\W_]+$")
_PARTS = re.compile(r"[,.!?~;…\n]+|(?<=[ㅋㅎㅠㅜ])\s+|(?<=[가-힣a-z])(?=[ㅋㅎㅠㅜ]{2,})")
# Remarks about the day, mood or weather that ask nothing.
_MUSING = re.compile(
    r"(?:비|눈)(?:가|이)? ?(?:온다|오네|와요?|많이|엄청|쏟아)|날씨.{0,8}(?:좋|춥|덥|흐리|구리|쌀쌀|맑)|(?:졸리|피곤하|힘들|배고프|심심하|춥|덥|바쁘|우울하|지루하|행복하|귀찮)\S{0,4}$"
    r"|졸려|피곤해|힘들어|배고파|심심해|추워|더워|바빠|지친다|(?:월요일|금요일|퇴근|출근|점심|주말)\S{0,3}(?:이?네|이?다|싫|좋|하고 싶|시간)"
    r"|^(?:so |i'?m (?:so |really |a bit )?)?(?:tired|hungry|bored|sleepy|exhausted|busy|cold|stressed)\b|it'?s (?:raining|snowing|so? ?(?:hot|cold)|sunny|monday|friday|late)|what a (?:day|week)|i'?m back|long day"
)
_COMPLAINT = re.compile(
    r"짜증|멍청|바보|쓸모ㅇ?없|쓰레기|꺼져|닥쳐|병신|시발|씨발|ㅅㅂ|ㅂㅅ|존나|답답하|빡치|열받|한심|형편없|구려|최악|못 ?쓰겠|도움이? 안|별로(?:야|네|다)|왜 이렇게 (?:느려|못|답답|멍청)|엉터리|뭐 하는 거야|제대로 좀|이것도 몰라|장난하|엿같"
    r"|\b(?:stupid|idiot|dumb|useless|terrible|awful|horrible|suck(?:s|ed)?|shut up|crap|garbage|trash|rubbish|worst|hate (?:you|this)|pathetic|annoying|wtf|fuck\w*|shit\w*|damn|moron|ridiculous|joke of a)\b"
)
_IDENTITY = re.compile(
    r"(?:너|넌|당신|니|네|그쪽|새김|봇|이 ?(?:챗봇|봇|서비스|앱|도우미)|여기)\S{0,3} ?(?:는|은|이|가)? ?(?:누구|뭐(?:야|하는|니|냐|예요|에요|해)|뭔데|정체|이름|무엇|사람이|사람이야|ai|인공지능|챗봇|로봇)"
    r"|^(?:누구|뭐 하는 (?:애|봇|거))(?:세요|신가요|야|니|시죠|십니까|예요|임)\??$|자기 ?소개|소개 ?(?:좀 )?(?:해|부탁)|(?:뭘|무엇을|뭐|어떤 (?:걸|일|거|것)|무슨 (?:일|걸))\S{0,3} ?(?:할 수 ?있|도와 ?(?:줄|주실) ?수|해 ?(?:줄|주실) ?수|물어 ?(?:봐|보면|볼))|어떻게 (?:써|쓰는|사용하)\S{0,6}(?:거|나|지|야|요)?\??$|(?:기능|사용법|도움말)\S{0,3}(?: ?(?:알려|뭐|설명|보여)\S*)?\??$"
    r"|\bwho (?:are|r) (?:you|u)\b|\bwhat are you\b|\bwho am i (?:talking|speaking|chatting)\b|\bwhat'?s your name\b|\byour name\b|\bwhat (?:can|do) (?:you|u) do\b|\bwhat can i (?:ask|do)\b|\bhow (?:can|do) (?:you|u) help\b|\bwhat (?:can|could) you help\b|\bare you (?:a |an )?(?:bot|robot|human|person|ai|real)\b|\bintroduce yourself\b|\btell me about yourself\b|^help$|\bhow do i use (?:you|this)\b|\bhow does this work\b"
)

# --- memory ---

_FORGET = re.compile(
    r"(?:잊어|지워|삭제해|없애|제거해)\s?(?:줘|주라|주세요|버려|주실|줄래|라|$|요$|줘요)|(?:잊어|지워)(?:도 돼|줬으면)|삭제(?:해|하|부탁)|기억에서 (?:빼|지우|삭제|없애)|기억하지 말아|잊(?:으세요|으라고)"
    r"|\b(?:please )?forget (?:that|about|my|what|where|when|which|who|how|everything|all|it|this|the)\b|\b(?:delete|erase|remove|wipe|clear)\b.{0,40}\b(?:memory|memories|about me|i (?:told|said)|what you know|my )|\bstop remembering\b"
)
_NO_FORGET = re.compile(r"잊지 ?(?:마|말)|don'?t forget|안 ?잊|못 ?잊|forgot\b|까먹|잊어버렸")
_UNDO = re.compile(
    r"^(?:아니 ?|아냐 ?)?(?:방금 ?(?:거|건|것)? ?)?(?:되돌려|취소해|복구해|다시 기억해)\s?(?:줘|주세요|라|$)|^(?:undo|undo that|restore (?:it|that)|bring (?:it|that) back)$"
)
_LEAVE_OUT = re.compile(
    r"(?:기억|저장|기록|메모)(?:은|는|을|를|에)?\s?(?:하지\s?(?:마|말)|안\s?(?:해도|했으면|하게)|남기지)|비밀로|오프\s?더\s?레코드|\b(?:don'?t|do not|never|no need to) (?:remember|save|store|record|memori[sz]e)\b|\boff the record\b"
)
_PROFILE = re.compile(
    r"(?:나|저|내|제|우리)(?:에|에게|한테|와|랑)? ?(?:대해서?|관해서?|관한|대한)\S{0,3}.{0,12}(?:알|기억|아는|말해|정리|뭐)|(?:나|저|내|제)(?:를|가 누군지|가 누구인지| 누군지)? ?(?:알아|기억해|아세요|기억하(?:니|세요|시나요|고))\??$"
    r"|(?:지금까지|여태|그동안)?\s?(?:뭘|뭐|무엇을|어떤 걸|무슨 걸|뭐뭐)\s?(?:기억하|저장하|기억해|알고 ?있)|기억하(?:는|고 ?있는) ?(?:거|것|게|내용)\S{0,3}.{0,14}(?:뭐|다|전부|모두|알려|말해|보여|있|목록)|(?:내|제) ?(?:정보|프로필|기억|메모리)\S{0,3} ?(?:뭐|다|전부|좀|알려|보여|목록|정리|있)"
    r"|\bwhat (?:do|did) you (?:know|remember|have|store)\b.{0,20}\b(?:about me|of me|on me)\b|\bwhat (?:do|have) you (?:remember|remembered|stored|saved|learned)\b|\b(?:tell|show|list|give) me (?:everything|what|all)(?: that)? you(?:'ve| have)? (?:know|remember|stored|saved|learned|got)\b|\bdo you (?:know|remember) (?:me|anything about me|who i am)\b|\bwho am i\b(?! (?:talking|speaking|chatting))|\b(?:show|list) my (?:memories|memory|profile)\b|\bwhat'?s in (?:my|your) memory\b|\bsummari[sz]e what you know about me\b"
)
_HISTORY = re.compile(
    r"(?:방금|아까|조금 전|좀 전|처음|맨 처음|첫|지난|이전|저번|어제|그제|직전|마지막|바로 전|앞에서|위에서)\S{0,4}.{0,14}(?:뭐|뭘|무슨|무엇|어떤|질문|말|얘기|이야기).{0,14}(?:물어|물었|여쭤|여쭸|질문|말했|했|얘기했|이야기했|였|라고|하셨)"
    r"|(?:내|제)(?:가)?\s?(?:방금|아까|처음|맨 처음|마지막|지난|어제|저번)\S{0,4}.{0,8}(?:뭐|뭘|무슨|무엇|어떤)|(?:첫|마지막|이전|직전|방금) ?(?:번째 ?)?(?:질문|메시지|말)\S{0,3} ?(?:뭐|무엇|알려|다시)|(?:우리|지금까지|여태) ?.{0,8}(?:무슨|뭔|어떤) ?(?:얘기|이야기|대화)"
    r"|\bwhat (?:did|was|were) (?:i|we|my|the (?:first|last) (?:thing|question))\b.{0,30}\b(?:ask|asked|say|said|tell|talk|talking|discuss|question|message|chat)\w*\b|\b(?:my|the) (?:first|last|previous|earlier) (?:question|message)\b|\bwhat have (?:i|we) (?:asked|said|talked|discussed)\b|\bremind me what i (?:asked|said)\b"
)
_SELF_KO = re.compile(
    r"(?:^|[\s,])(?:(?:내가|제가|나는|난|저는|전|나의|저의|나도|저도|나한테|저한테|나를|저를|날|나|저|내|제|우리|저희)(?=\s)"
    r"|(?:내|제|우리)(?=이름|생일|직업|나이|회사|집|차|취미|고향|주소|팀|알레르기|기억))"
)
_SELF_EN = re.compile(r"\b(?:i|my|me|mine|am i|i'm|we|our)\b")
_TOLD = re.compile(
    r"(?:라고|다고|했|말한|얘기한|알려 ?준|알려줬|말했)\s?.{0,6}(?:지|더라|었나|나요|죠|었지|거지|어\?|던가|는지)|뭐였(?:지|더라|죠)|어디였|언제였|누구였|얼마였|기억(?:나|해|하(?:니|세요|고)|하지)|적 ?있(?:나|어|지|죠)|알고 ?있(?:지|어|니|나)|알지\??$"
    r"|\bdid i (?:say|tell|mention)\b|\bdo you (?:remember|know|recall)\b|\b(?:i|i've) (?:told|said|mentioned)\b|\bremind me\b"
)


_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Reading:
    """The intent of a message, its statements about the user, and what remains to be answered.

    `told`: the question is about what the user said before.
    """

    intent: Intent
    statements: tuple[str, ...] = ()
    question: str = ""
    told: bool = False


def read(message: str) -> Reading:
    """Recognise the intent of a message."""
    folded = " ".join(fold(message).split())
    by_request = _memory_request(folded, message)
    if by_request is not None:
        return Reading(by_request)
    if calculate(message) is not None:
        return Reading(Intent.CALCULATION)
    if on_calendar(message, _ANY_DAY) is not None:
        return Reading(Intent.CALENDAR)
    talk = _small_talk(folded)
    if talk is not None:
        return Reading(talk)
    for intent, pattern in (
        (Intent.HISTORY, _HISTORY),
        (Intent.PROFILE, _PROFILE),
        (Intent.IDENTITY, _IDENTITY),
    ):
        if pattern.search(folded):
            return Reading(intent)
    return _statement_or_question(message, folded)


def _memory_request(folded: str, message: str) -> Intent | None:
    if _UNDO.search(_EDGES.sub("", folded)):
        return Intent.UNDO
    if _FORGET.search(folded) and not _NO_FORGET.search(folded):
        return Intent.FORGET
    if _LEAVE_OUT.search(folded) and refusal_of(message) is not None:
        return Intent.LEAVE_OUT
    return Intent.FORGET if refusal_of(message) is Refusal.BEFORE else None


def _small_talk(folded: str) -> Intent | None:
    """Return the kind of small talk that the whole message is; None if it is anything else."""
    bare = _EDGES.sub("", folded)
    if not bare:
        return Intent.REMARK
    kinds: list[Intent] = []
    for part in filter(None, (_EDGES.sub("", part) for part in _PARTS.split(bare))):
        kind = _kind(part)
        if kind is None:
            return None
        kinds.append(kind)
    # A greeting in front of thanks is politeness; the last kind but a remark is what is meant.
    return next((kind for kind in reversed(kinds) if kind is not Intent.REMARK), Intent.REMARK)


def _kind(part: str) -> Intent | None:
    without_filler = _EDGES.sub("", re.sub(rf"(?:^|\s){_FILLER}(?=\s|$)", " ", part))
    for text in (part, " ".join(without_filler.split())):
        for intent, pattern in _SMALL_TALK:
            if pattern.fullmatch(text):
                return intent
    return Intent.REMARK if not without_filler else None


def _statement_or_question(message: str, folded: str) -> Reading:
    asked = [sentence for sentence in sentences(message) if is_question(sentence)]
    statements = tuple(each.content for each in extract_statements(message))
    if not asked:
        if statements:
            return Reading(Intent.STATEMENT, statements)
        if _COMPLAINT.search(folded):
            return Reading(Intent.COMPLAINT)
        if _MUSING.search(folded) and len(folded) < 60:
            return Reading(Intent.REMARK)
        return Reading(Intent.QUESTION, (), message)
    question = " ".join(asked)
    if _COMPLAINT.search(folded) and not _has_subject(folded):
        return Reading(Intent.COMPLAINT)
    own = fold(question)
    first_person = _SELF_KO.search(own) or _SELF_EN.search(own)
    told = _TOLD.search(own) is not None
    intent = Intent.ABOUT_SELF if first_person is not None or told else Intent.QUESTION
    return Reading(intent, statements, question, told)


def _has_subject(folded: str) -> bool:
    """Return whether an angry question still names a matter: a word of more than five letters."""
    rest = _COMPLAINT.sub(" ", folded)
    return len([word for word in re.findall(r"[\w가-힣]+", rest) if len(word) > 1]) > 5
