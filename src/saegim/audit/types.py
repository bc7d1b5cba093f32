"""Values of the audit trail."""

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

NOBODY = UUID(int=0)
ON_BEHALF = ":on_behalf"


class AuditAction(StrEnum):
    """Audited actions, other than changes of memory."""

    KEY_MADE = "key_made"
    KEY_ROTATED = "key_rotated"
    KEY_REVOKED = "key_revoked"
    TOKEN_MINTED = "token_minted"  # noqa: S105 - the name of an action
    MEMBER_CHANGED = "member_changed"
    IDENTITY_LINKED = "identity_linked"
    IDENTITY_UNLINKED = "identity_unlinked"
    ISSUER_CHANGED = "issuer_changed"
    ASSISTANT_PUBLISHED = "assistant_published"
    ASSISTANT_REMOVED = "assistant_removed"
    AUDIENCE_CHANGED = "audience_changed"
    LIMITS_CHANGED = "limits_changed"
    WEBHOOKS_CHANGED = "webhooks_changed"
    MODELS_CHANGED = "models_changed"
    GUILD_CHANGED = "guild_changed"
    EVALUATION_QUESTIONS_CHANGED = "evaluation_questions_changed"
    EVALUATION_STARTED = "evaluation_started"
    EVALUATION_REMOVED = "evaluation_removed"
    ERASURE_PLANNED = "erasure_planned"
    ERASURE_CANCELLED = "erasure_cancelled"
    ERASURE_REQUESTED = "erasure_requested"
    ERASED = "erased"
    EXPORTED = "exported"
    READ_BY_OTHER = "read_by_other"
    AUDIT_HEAD_SET = "audit_head_set"
    QUESTIONS_READ = "questions_read"
    KEY_MADE_FOR = "key_made_for"
    DOCUMENTS_ADDED = "documents_added"
    DOCUMENT_REMOVED = "document_removed"
    SOURCES_CHANGED = "sources_changed"
    SIGNED_IN = "signed_in"
    SIGNED_OUT = "signed_out"
    SIGN_IN_FAILED = "sign_in_failed"
    INVITED = "invited"
    INVITATION_WITHDRAWN = "invitation_withdrawn"
    ACCOUNT_MADE = "account_made"
    RESET_LINK_MADE = "reset_link_made"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - the name of an action
    TEAM_MEMORY_CHANGED = "team_memory_changed"
    SESSION_SHARED = "session_shared"
    SHARING_STOPPED = "sharing_stopped"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Event:
    """An action with its actor, subject and origin. `reason_digest` is a keyed hash."""

    id: UUID
    member: UUID
    subject: UUID
    action: str
    actor: str
    at: datetime
    actor_id: UUID | None
    key: UUID | None
    origin: str | None
    reason_digest: bytes | None

    @property
    def on_behalf(self) -> bool:
        """Whether another person holds or made the credential."""
        return (self.origin or "").endswith(ON_BEHALF)

    def text(self) -> str:
        """Return the canonical text that the chain covers."""
        return json.dumps(
            [
                self.id.hex,
                self.member.hex,
                self.subject.hex,
                self.action,
                self.actor,
                f"{self.at.timestamp():.6f}",
                self.actor_id.hex if self.actor_id else None,
                self.key.hex if self.key else None,
                self.origin,
                self.reason_digest.hex() if self.reason_digest else None,
            ],
            ensure_ascii=False,
        )


@dataclass(frozen=True, slots=True)
class Seal:
    number: int
    events: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event for auditors; the reason is empty if its user was erased.

    `key_made_by` is the member who made the key that was used, if any."""

    event: Event
    reason: str
    sealed_in: int | None
    key_made_by: UUID | None = None


@dataclass(frozen=True, slots=True)
class ChainVerification:
    """The result of verifying the chain; an empty `broken` means intact."""

    batches: int
    events: int
    unsealed: int
    unreadable: int
    head: str
    broken: tuple[str, ...]
