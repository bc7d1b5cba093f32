"""Tell what English speakers state of themselves from tasks, hearsay, suppositions and moods.

The signs are grammatical: who is the subject, which mood the verb has, what kind of thing is
wanted. They hold for any subject matter.
"""

import re

_ADVERBS = (
    r"(?:so|really|very|pretty|quite|just|too|still|all|a bit|a little|kinda|kind of|sort of|super"
    r"|absolutely|totally|completely|feeling|already|now|also|honestly|literally|such a|getting)\s"
)
# What an assistant makes or finds.
_PRODUCT = (
    r"(?:word|synonym|antonym|summary|list|idea|recipe|name|title|e-?mail|draft|outline|template"
    r"|table|formula|script|regex|quote|translation|poem|joke|recommendation|suggestion|tip|example"
    r"|caption|tagline|slogan|explanation|overview|breakdown|comparison|itinerary|plan|version"
    r"|answer|hint|refresher|rundown|definition|phrase|sentence|paragraph|hand|help|advice|way"
    r"|gift|present|restaurant|place|good|decent|cheap|quick|easy|nice|simple|second opinion"
    r"|alternative|speech|toast|reply|response|estimate)s?"
)
_LEARN = (
    r"(?:know|understand|see|learn (?:how|about|more)|find(?: out)?|figure|hear|ask|compare|check"
    r"|get (?:my head|a sense|an idea|better at)|wrap my head|make sense|make (?:this|it|sure)|try"
    r"|work out|decide|double[- ]check|clarify|look (?:at|into|up)|brainstorm|explore|read up"
    r"|write|draft|test|talk|vent|think)"
)
_WANTS = re.compile(
    rf"(?i)\b(?:i|we)(?:['’]d| would| will|['’]ll| just| really| also| still| currently)*\s"
    rf"(?:like|love|want|need|could use|was hoping for|(?:am |was )?looking for)\s(?:you to\b"
    rf"|to {_LEARN}\b|(?:an?|some|the|another|your|any|more)\s(?:[\w-]+\s){{0,2}}?{_PRODUCT}\b)"
    rf"|\b(?:i|we)(?:['’]m|['’]re| am| are)\s(?:{_ADVERBS})?(?:looking for"
    rf"\s(?:an?|some|the|any|ideas)\b"
    rf"|trying to {_LEARN}\b|wondering|curious|asking|after an?\b|stuck|lost|confused|not sure)"
    r"|\b(?:was|been) wondering\b|\blet me\b|\bi['’]?ll (?:try|check|see|take a look|give it|think)"
    r"|\b(?:i|we) (?:wonder|doubt|guess|suppose|assume|hope|bet|swear)\b"
)
_MOOD = (
    r"(?:tired|bored|hungry|sleepy|excited|happy|sad|nervous|stressed|exhausted|thirsty|annoyed"
    r"|worried|frustrated|glad|impressed|amazed|proud|grumpy|overwhelmed|cold|hot|freezing|dizzy"
    r"|late|early|back|here|done|ready|sorry|fine|ok|okay|good|great|alright|in|out|awake|shattered"
    r"|knackered|gutted|chuffed|stoked|dead|dying|starving|useless|hopeless|obsessed|all ears|beat"
    r"|fried|mess|wreck|joking|kidding|serious|fuming|buzzing|broke|speechless|in love|drained)"
)
_PASSING = re.compile(
    rf"(?i)^\W*(?:(?:and|but|so|now|ugh|man|oh|well|god|right|ok|wow|honestly)\W+)*"
    rf"(?:i['’]?m|i am|we['’]?re|we are|i feel|feeling|feel)\s(?:{_ADVERBS})*{_MOOD}"
    r"(?=\W*$|[!,.]|\s(?:for|about|of|at|with|by|that|today|tonight|this|now|from|right|lol)\b"
    r"(?!\s(?:(?-i:[A-Z])|the \d|\d)))"
    r"|^\W*(?:i['’]?m|i am|we['’]?re)\s(?:so|such|super|really)\s\w+"
    r"(?=\W*$|[!,.]|\s(?:for|about|that)\b)"
    r"|^so \w+\W*$"
    r"|\b(?:i|we)(?:['’]ve| have)?\s(?:just|only)?\s?(?:had|ate|grabbed|made|woke|sat down|logged"
    r"|finished)\s(?:(?:my|a|some|the|our)\s)?(?:breakfast|lunch|dinner|coffee|tea|snack|nap|up|on)\b"
    r"|\bgoing to (?:grab|get|make|have|take|hit|head|go) (?:an?|some|the|to|my|for)\s"
    r"(?:tea|coffee|lunch|dinner|snack|drink|bite|nap|break|walk|shower|bed|sack|sleep|food|home)"
    r"|^\W*(?:no idea|no clue|no wonder|no kidding|no way|no problem|no worries|no rush|not bad)\b"
    # Work on the thing at hand.
    r"|\b(?:i|we)(?:['’]ve)?\s(?:just\s|re-?)?(?:ran|re-?ran|tried|pasted|clicked|installed|pushed"
    r"|reloaded|restarted|rebooted|refreshed|tested|uploaded|attached|followed|copied|typed|checked)"
    r"\s(?:it|that|this|the|your|again|out|all|both|what)\b"
)
_JUDGED = re.compile(
    r"(?i)^(?!.*\b(?:my|our|me|us|i|we|mine)\b(?! (?:think|guess|an hour|ages|forever)))"
    rf".*\b(?:was|were|is|are|looks?|sounds?|seems?|reads?|feels?|['’]s)\s(?:{_ADVERBS})*"
    r"(?:awful|great|terrible|amazing|nice|brutal|insane|crazy|wild|lovely|horrible|fun|boring|odd"
    r"|weird|funny|awesome|packed|hilarious|stiff|better|worse|ridiculous|perfect|gorgeous|pathetic"
    r"|mental|unreal|beautiful|disappointing|a mess|a nightmare|a joke|adorable|impressive|wrong)\b"
)
_SUPPOSED = re.compile(
    r"(?i)\bhad (?:i|we|it|they|he|she)\b(?!\?)"
    r"|\b(?:i|we|they|he|she)['’]d\s(?:(?:probably|maybe|definitely|totally|never|also|just|still)\s)*"
    r"(?:have|be|go|do|buy|move|take|want|quit|say|need|get|open|live|hire|add|pick|give|end)\b"
    r"|^\W*(?:say|assuming|suppose|supposing|imagine|picture|pretend)\s(?:that\s)?\w+"
    r"|\b(?:in another life|one of these days|one day(?! a\b)|some ?day|at some point|who knows"
    r"|fingers crossed|in theory|in an ideal world|ideally|hypothetically|wouldn['’]t it)\b"
    r"|\b(?:might|may|could)\s(?:\w+\s)?(?:get|be|go|move|try|buy|take|do|end|have|adopt|switch)\b"
    r"|\b(?:i|we)['’]?(?:re|m)? (?:thinking|considering|toying|tempted|debating|wish)\b"
)
_JOKE = re.compile(r"(?i)[😂🤣😹😜🙃😝]|\b(?:lol|lmao|rofl|haha\w*|hehe\w*|jk|kidding|/s)\b")
_BASICALLY = re.compile(
    r"(?i)\b(?:i['’]?m|my [\w\s]{2,20}(?:is|are)|i live|i was)\b.{0,15}\b(?:basically|apparently"
    r"|officially|practically|literally|at this point|these days apparently)\b"
    r"|\b(?:superpower|spirit animal)\b"
    r"|\b\d+% [\w\s]{2,20} and (?:the rest|\d+%)\s?\w*|\bhates? me\b"
)
# Those whose word on the user counts: they examine, house, employ or teach them.
_AUTHORITY = (
    r"(?:doctors?|dr\.?(?:\s\w+)?|vets?|gp|dentist|landlord|owners?|owner|physio\w*|therapist|midwife"
    r"|consultant|surgeon|specialist|cardiologist|dermatologist|pa?ediatrician|optician|nurse|lawyer"
    r"|solicitor|accountant|school|hr|landlady|management|legal|compliance|client|coach|advisor"
    r"|supervisor|mechanic|court|insurance|bank|council|university|wife|husband|partner)"
)
_RELIABLE = re.compile(rf"(?i)^(?!(?:an?|some|another)\s).*\b{_AUTHORITY}\b|\b(?:i|we)\s$")
_REPORTS = (
    r"(?:told (?:me|us)|says?|said|swears?|claims?|reckons?|mentioned|thinks?|believes?"
    r"|keeps? saying|insists?|posted|announced|tweeted|argues?|was saying|asked me|is saying)"
    r"(?! (?:yes|no)\b)"
)
_REPORTED = re.compile(
    rf"(?i)^\W*(?:(?:so|and|but|well|oh|btw)\W+)?(?!(?:i|we)\b)(?P<who>(?:[\w'’.-]+\s){{1,7}}?)"
    rf"(?:always |just |also |once |never |often |even )?{_REPORTS}\b"
)
_HEARSAY = re.compile(
    r"(?i)^\W*(?:(?:so|and|but|well|oh|btw|i|just|we)\W+)*(?:heard|apparently|allegedly|supposedly"
    r"|rumou?r (?:has|is)|word (?:has it|is|on)|they say|according to|turns out|legend|fun fact"
    r"|did you know|i read|i saw|read that|saw that|studies|research|scientists|experts)\b"
    r"|\b(?:the (?:article|report|news|paper|book|post|patch notes|docs?|manual|study|memo|headline"
    r"|podcast|website|sign|label|review)s?)\s(?:says?|said|states?|claims?|reports?|mentions?)\b"
)
# A person outside the family and the house: what they do is their affair.
_STRANGER = (
    r"(?:friend|buddy|mate|neighbou?r|co-?worker|colleague|boss|barber|barista|hairdresser|customer"
    r"|classmate|teammate|bloke|lady|dude|woman|stranger|cabbie|waiter|acquaintance"
    r"|celebrity|actor|singer|politician|influencer|youtuber|lad|fella|chap|manager|intern|ex)"
)
_THEIR_AFFAIR = re.compile(
    rf"(?i)^\W*(?:(?:so|and|but|well|oh|btw)\W+)*(?:(?:my|our|the|an?|some|this|that|one)\s"
    rf"(?:[\w-]+\s){{0,2}}?{_STRANGER}s?(?:['’]s?\s[\w-]+|\s(?:of (?:mine|ours)|from|at|in|next|who"
    rf"|below|above|upstairs|downstairs|across)\b[\w\s]{{0,20}}?)?"
    rf"|(?-i:[A-Z][a-z]+)\s(?:(?-i:[A-Z][a-z]+)|from\s\w+|in\s\w+)|some(?:one|body)|people"
    rf"|every(?:body|one)|most \w+|many \w+|you)"
    rf"(?:['’](?:s|re))?\s(?:just |also |always |now |still |already |apparently |only )?"
    rf"(?:is|are|was|were|has|have|had|got|gets|lost|won|moved|lives?|eats?|drinks?|goes|went|does"
    rf"|did|drives?|bought|quit|broke|left|married|turns?|turned|works?|wants?|never|owns?|took"
    rf"|vegan|runs?|going|moving|getting|having|coming|leaving)\b"
)
# What the user has a part in, whoever does it.
_SHARED = re.compile(
    r"(?i)\b(?:(?:with|to|for|at|visit\w*|join\w*|stay\w*|meet\w*|owes?|lend\w*|pays?|picks?)\s(?:\w+\s)?"
    r"(?:me|us|ours|my|our)|we|i(?:['’]m|['’]ll|['’]ve)?|our place|wedding|funeral|birthday"
    r"|christening|baby shower|graduation|party)\b(?! (?:think|guess|heard|believe|suppose))"
)

# A second statement in a sentence: joined by ", and", a rule, or a state of a person.
_JOINT = re.compile(r"(?i)^[,;]\s+(?:and|plus|but|also)\s")
_SECOND = re.compile(
    r"(?i)^\W*(?:no|only)\s(?:[\w/-]+\s){1,3}(?:for|in|on|at|after|before|until|please|with)\b"
    r"|^\W*(?:gotta|have to|has to|need to|must|can['’]?t|cannot|can only|may not|been)\b"
    r"|^\W*(?:(?:now|also)\s)?(?:i|we)(?:['’]ve (?!done|just|been)|['’]?m |['’]re |['’]ll | will "
    r"| must | (?:also |still |now )?(?:have|use|own|take|prefer|like|hate|love|need|play|speak"
    r"|drive|live|work|run|teach|study|do|handle|manage|present|lead|coach|look after|help|care"
    r"|cover|don['’]t|can['’]t|never)\s)"
    r"|^\W*(?:she|he|they)(?:['’]s|['’]re)?\s(?:is|are|has|have|wants?|needs?|likes?|hates?|loves?|an?)\s"
    r"|^\W*(?-i:[A-Z])[\w'’-]+\s(?:is|are)\s(?:my|our|an?)\b|^\W*(?:my|our)\s[\w\s-]+?\s(?:is|are|has"
    r"|eats?|works?|lives?|can['’]t|doesn['’]t)\s"
)


def stands_alone(joint: str, clause: str) -> bool:
    """Return whether a clause is a statement of its own beside the one that `joint` follows."""
    return _JOINT.match(joint) is not None or _SECOND.match(clause) is not None


def is_not_own(clause: str) -> bool:
    """Return whether a clause is hearsay, the affair of others, or supposed."""
    return is_reported(clause) or is_supposed(clause)


def is_reported(clause: str) -> bool:
    """Return whether a clause tells what others say, or affairs of people outside the family."""
    if _HEARSAY.search(clause):
        return True
    report = _REPORTED.match(clause)
    if report is not None and not _RELIABLE.search(report["who"]):
        return True
    return _THEIR_AFFAIR.match(clause) is not None and _SHARED.search(clause) is None


def is_supposed(clause: str) -> bool:
    """Return whether a clause supposes or considers something."""
    return _SUPPOSED.search(clause) is not None


def is_passing(clause: str) -> bool:
    """Return whether a clause asks for something, jokes, or tells a mood or what is at hand."""
    return any(sign.search(clause) for sign in (_WANTS, _PASSING, _JUDGED, _JOKE, _BASICALLY))
