"""Labels of the pages that are looked up by name: codes of the API, roles, types."""

from collections.abc import Callable

from saegim.domain.scope import Locale
from saegim.locales import N_, translate

LABELS = {
    "origin_model": N_("Extracted by a model"),
    "origin_fallback": N_("Extracted by rules"),
    "origin_person": N_("Written by you"),
    "type_fact": N_("Fact"),
    "type_preference": N_("Preference"),
    "type_constraint": N_("Constraint"),
    "type_decision": N_("Decision"),
    "type_todo": N_("To do"),
    "type_timeline": N_("Timeline"),
    "type_profile": N_("Profile"),
    "type_note": N_("Note"),
    "score": N_("Score"),
    "lexical": N_("Keywords"),
    "dense": N_("Meaning"),
    "reranked": N_("Reranked"),
    "role_owner": N_("Owner"),
    "role_admin": N_("Admin"),
    "role_editor": N_("Editor"),
    "role_member": N_("Member"),
    "role_auditor": N_("Auditor"),
    "code_offline": N_("Without a model"),
    "code_live": N_("With a model"),
    "code_answered": N_("Answered"),
    "code_search_mode": N_("Search mode"),
    "code_nothing_ready": N_("No documents ready"),
    "code_nothing_found": N_("No results"),
    "code_tools_failed": N_("Tools failed"),
    "code_abstained": N_("Not enough evidence"),
    "code_failed": N_("Failed"),
    "code_incomplete": N_("Incomplete"),
    "code_key_made": N_("Key created"),
    "code_key_rotated": N_("Key rotated"),
    "code_key_revoked": N_("Key revoked"),
    "code_token_minted": N_("Token issued"),
    "code_member_changed": N_("Member changed"),
    "code_identity_linked": N_("Account linked"),
    "code_identity_unlinked": N_("Account unlinked"),
    "code_issuer_changed": N_("Sign-in issuer changed"),
    "code_assistant_published": N_("Assistant published"),
    "code_audience_changed": N_("Audience changed"),
    "code_limits_changed": N_("Limits changed"),
    "code_webhooks_changed": N_("Webhooks changed"),
    "code_guild_changed": N_("Discord server settings changed"),
    "code_erasure_planned": N_("Erasure scheduled"),
    "code_erasure_cancelled": N_("Erasure cancelled"),
    "code_erasure_requested": N_("Erasure requested"),
    "code_erased": N_("Erased"),
    "code_exported": N_("Exported"),
    "code_questions_read": N_("Questions read"),
    "code_key_made_for": N_("Key created for another user"),
    "code_documents_added": N_("Documents added"),
    "code_document_removed": N_("Document deleted"),
    "code_sources_changed": N_("Sources changed"),
    "code_signed_in": N_("Signed in"),
    "code_signed_out": N_("Signed out"),
    "code_refused": N_("Access denied"),
    "code_read_by_other": N_("Read by another user"),
    "code_add": N_("Memory added"),
    "code_confirm": N_("Memory confirmed"),
    "code_supersede": N_("Memory superseded"),
    "code_contradict": N_("Memory contradicted"),
    "code_revise": N_("Memory corrected"),
    "code_roll_back": N_("Rolled back"),
    "code_pin": N_("Pinned"),
    "code_unpin": N_("Unpinned"),
    "code_forget": N_("Forgotten"),
    "code_undo": N_("Undone"),
    "code_expire": N_("Expired"),
    "code_consolidate": N_("Consolidated"),
    "code_person": N_("User"),
    "code_model": N_("Model"),
    "code_fallback": N_("Rule"),
    "code_queued": N_("Waiting"),
    "code_waiting": N_("Waiting"),
    "code_running": N_("Running"),
    "code_done": N_("Done"),
    "code_planned": N_("Planned"),
    "code_started": N_("Started"),
    "code_key_destroyed": N_("Key destroyed"),
    "code_cancelled": N_("Cancelled"),
    "page_chat": N_("Chat"),
    "page_memory": N_("Memory"),
    "page_library": N_("Library"),
    "page_usage": N_("Usage"),
    "page_evaluation": N_("Evaluation"),
    "page_admin": N_("Administration"),
    "needs_name": N_("This key can act for several users. Enter your user name."),
    "wrong_key": N_("The key is invalid or has expired."),
    "issuer_refused": N_("Could not sign in with your company account. Please try again."),
}


def labels(language: Locale) -> Callable[[str], str]:
    """Return a function from names to labels in the language."""

    def label(name: str) -> str:
        return translate(LABELS[name], language)

    return label


def codes(language: Locale) -> Callable[[str], str]:
    """Return a function from codes of the API to labels; a code without one stays as it is."""

    def code(code: str) -> str:
        return translate(LABELS.get(f"code_{code}", code), language)

    return code
