"""Markdown patterns of the stream sanitizer."""

import re

MARK = r"[MTF]?\d{1,4}"
MARKERS = re.compile(rf"\[{MARK}(?:\s?[,;]\s?{MARK}){{0,9}}\]", re.IGNORECASE)
# The start of a line that does not decide yet which block the line belongs to.
HEAD = re.compile(r"[ \t>\-+*_=#~`0-9.)|:]*")
FENCE = re.compile(r"`{3,}|~{3,}")
LABEL = re.compile(r"\[(?P<label>(?:[^\[\]\n`]|`[^`\n\[\]|]{0,400}`){0,1000})(?P<end>\])?")
DESTINATION = re.compile(r"\((?P<url>[^()\n<>`]{0,2000})(?P<end>\))?")
SPECIAL = re.compile(
    r"(?P<tick>\\?`+)|(?P<bracket>!?\[)|(?P<close>\])|(?P<tag><)|(?P<entity>&)"
    r"|(?P<scheme>\\?:(?:\\?/){2})|(?P<www>www\\?\.)|(?P<slashes>//)|(?P<dot>\\?\.(?=[^\W_]))",
    re.IGNORECASE,
)
SPECIAL_IN_CODE = re.compile(
    r"(?P<scheme>\\?:(?:\\?/){2})|(?P<www>www\\?\.)"
    r"|(?P<close>\])|(?P<slashes>[/\\]{2}(?=[\w.-]+\.[A-Za-z]{2,}))",
    re.IGNORECASE,
)
# In code a bracket is broken only before a URL, for renderers that do not recognise the code.
TARGET_IN_CODE = re.compile(r"\](?:\(\s*<?(?:[/\\&]|\w+:)|:\s*<?(?:[/\\]{2}\S|&))")
TARGET_BEGUN = re.compile(r"\](?:\(\s*<?\w*|:\s*<?[/\\]{0,2})?\Z")
SCHEME = re.compile(r"(?:https?|ftps?|wss?)\Z", re.IGNORECASE)
ADDRESS = re.compile(r"[^\s<]{0,2000}")
HOST = re.compile(r"[A-Za-z0-9.-]+")
RUN = re.compile(r"[^\s<>\"'`()\[\]!|*]*")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
ENTITY_BEGUN = re.compile(r"&(?:#?[A-Za-z0-9]{0,32})\Z")
AUTOLINK = re.compile(r"<(?P<url>https?://[^\s<>]{1,2000})(?P<end>>)?", re.IGNORECASE)
BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
# Tags of the prompt, which weak models repeat: with the suffix any name, without it the known ones.
PROMPT_TAG = re.compile(
    r"</?(?:[a-z_]{1,40}-[0-9a-f]{8}"
    r"|pinned|profile|summary|entities|memories|evidence|nearby|message|client_instructions) ?/?>",
    re.IGNORECASE,
)
NETWORK_PATH = re.compile(r"//(?=localhost\b|[^\s/<]*[^\s/<.]\.[^\s\d/<.])", re.IGNORECASE)
# A line that could be the label of a reference definition.
DEFINITION = re.compile(
    r"(?:\A|\n)[ \t>*+\-0-9.)]*(?:\[[ xX]\][ \t]+)?\[(?:\\.|[^\]\\])*\]?\Z", re.DOTALL
)
LONGEST_SPAN = 400
LONGEST_LABEL = 1_100
LONGEST_WORD = 300
# Characters that would combine to markup once what was between them is removed.
LEFT = re.compile(r"[A-Za-z0-9.:/\\@&#;%_<!\[`-]")
RIGHT = re.compile(r"[A-Za-z0-9.:/\\@&#;%_(!\[\]?<`-]")
