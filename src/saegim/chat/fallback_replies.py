"""What is said when nothing answers (TN4), and only then."""

from dataclasses import dataclass
from typing import Literal

from saegim.chat.context.assembly import Context
from saegim.chat.context.evidence import RetrievedContext, unmarked
from saegim.chat.extractive_answer import find_quotes
from saegim.chat.routing import TurnRoute
from saegim.chat.types import CLOSEST, NOTHING_FOUND, NOTHING_READY, AssistantConfig, EvidenceKind
from saegim.chat.understanding import depends_on_thread, is_statement_about_self
from saegim.domain.scope import Locale
from saegim.locales import N_, translate
from saegim.text.analysis import language

Kind = Literal["nothing_ready", "nothing_found", "tools_failed", "abstained"]

TOOLS_FAILED = N_("The search service is unavailable.")
ABSTAINED = N_("I couldn't find an answer to that in the documents.")
PARTIAL = N_("The documents only answer part of this. Here is what they say.")
MOST_CLOSEST = 3
# Below this share of the threshold a document is unrelated rather than close.
CLOSE_SHARE = 0.5
MENU = N_("These pages may help:")


@dataclass(frozen=True, slots=True)
class Fallback:
    """A fixed answer, and why it is given."""

    kind: Kind
    text: str


def fallback(
    route: TurnRoute, context: Context, gathered: RetrievedContext, config: AssistantConfig
) -> Fallback | None:
    """The fixed answer where documents, memory, history and tools all have none."""
    if not route.searches:
        return None
    # What was said before is read only where documents and tools have nothing.
    fixed = _nothing_in_documents(language(context.message), gathered, config)
    return None if fixed is None or answers_elsewhere(context, gathered) else fixed


def _nothing_in_documents(
    locale: Locale, gathered: RetrievedContext, config: AssistantConfig
) -> Fallback | None:
    findings = gathered.findings
    if gathered.tools and all(result.state != "ok" for result in gathered.tools):
        if not findings.ranked or findings.confidence < config.thresholds.confidence:
            return Fallback("tools_failed", translate(TOOLS_FAILED, locale))
        return None
    if not findings.consulted:
        return Fallback("abstained", translate(ABSTAINED, locale)) if config.strict else None
    if not findings.ranked:
        return Fallback("nothing_ready", translate(NOTHING_READY, locale))
    if findings.confidence < config.thresholds.confidence:
        return Fallback("nothing_found", nothing_found(locale, config))
    return None


def answers_elsewhere(context: Context, gathered: RetrievedContext) -> bool:
    """Whether memory, history or tools have something on the message, or it asks for nothing."""
    if gathered.has_facts or is_statement_about_self(context.message):
        return True
    thread = context.thread
    if depends_on_thread(context.message) and (thread.recent or thread.summary):
        return True
    return bool(find_quotes(context))


def nothing_found(locale: Locale, config: AssistantConfig) -> str:
    """That no document was found, with the menu to look in."""
    if not config.menu_links:
        return translate(NOTHING_FOUND, locale)
    links = "\n".join(f"- [{link.label}]({link.url})" for link in config.menu_links)
    return f"{translate(NOTHING_FOUND, locale)} {translate(MENU, locale)}\n\n{links}"


def closest_documents(
    context: Context, gathered: RetrievedContext, config: AssistantConfig
) -> str | None:
    """Name the documents that are close to the question, cited; None if none is close."""
    if gathered.findings.confidence < CLOSE_SHARE * config.thresholds.confidence:
        return None
    cited: dict[str, str] = {}
    for piece in context.found.evidence:
        one = piece.evidence
        if one.kind is EvidenceKind.PASSAGE and one.document is not None:
            cited.setdefault(one.document, f"- {unmarked(one.title)} [{one.marker}]")
    if not cited:
        return None
    head = translate(CLOSEST, language(context.message))
    return "\n".join([head, "", *list(cited.values())[:MOST_CLOSEST]])


def is_partial(gathered: RetrievedContext, library_calls: int) -> bool:
    """Whether all calls were used and what was found still does not suffice."""
    findings = gathered.findings
    used_up = len(findings.library_calls) >= library_calls
    return used_up and bool(findings.ranked) and not findings.is_sufficient
