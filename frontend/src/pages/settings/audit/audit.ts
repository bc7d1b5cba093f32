// Events of the audit trail in words.
import type { AuditEventView, ErasureState } from "$lib/api.ts";
import { N_, t } from "$lib/texts.ts";

const ACTIONS: Record<string, string> = {
  key_made: N_("Key created"),
  key_rotated: N_("Key replaced"),
  key_revoked: N_("Key revoked"),
  key_made_for: N_("Key created for another user"),
  token_minted: N_("Token issued"),
  member_changed: N_("Member changed"),
  identity_linked: N_("Account linked"),
  identity_unlinked: N_("Account unlinked"),
  issuer_changed: N_("Sign-in provider changed"),
  assistant_published: N_("Assistant published"),
  assistant_removed: N_("Assistant deleted"),
  audience_changed: N_("Readers of a collection changed"),
  limits_changed: N_("Limits changed"),
  webhooks_changed: N_("Webhooks changed"),
  models_changed: N_("Models changed"),
  guild_changed: N_("Discord server changed"),
  evaluation_questions_changed: N_("Questions of the evaluation changed"),
  evaluation_started: N_("Evaluation started"),
  evaluation_removed: N_("Evaluation deleted"),
  erasure_planned: N_("Erasure scheduled"),
  erasure_cancelled: N_("Erasure cancelled"),
  erasure_requested: N_("Erasure requested"),
  erased: N_("Person erased"),
  exported: N_("Data exported"),
  read_by_other: N_("Data read by another user"),
  audit_head_set: N_("Audit trail restored"),
  questions_read: N_("Questions of others read"),
  documents_added: N_("Documents added"),
  document_removed: N_("Document deleted"),
  sources_changed: N_("Sources changed"),
  signed_in: N_("Signed in"),
  signed_out: N_("Signed out"),
  sign_in_failed: N_("Sign-in with a wrong password"),
  refused: N_("Access refused"),
  team_memory_changed: N_("Team memory changed"),
  session_shared: N_("Conversation shared"),
  sharing_stopped: N_("Sharing of a conversation stopped"),
  invited: N_("Person invited"),
  invitation_withdrawn: N_("Invitation withdrawn"),
  account_made: N_("Account created"),
  reset_link_made: N_("Password link created"),
  password_changed: N_("Password changed"),
  add: N_("Memory added"),
  confirm: N_("Memory confirmed"),
  doubt: N_("Memory marked as unsure"),
  supersede: N_("Memory replaced by a newer one"),
  contradict: N_("Memory contradicted"),
  revise: N_("Memory corrected"),
  roll_back: N_("Memory rolled back"),
  pin: N_("Memory pinned"),
  unpin: N_("Memory unpinned"),
  retain: N_("Retention of a memory changed"),
  forget: N_("Memory forgotten"),
  undo: N_("Memory restored"),
  expire: N_("Memory expired"),
  consolidate: N_("Memories summarised"),
  import: N_("Memories imported"),
  consent: N_("Memory switched on or off"),
};

const ACTORS: Record<string, string> = {
  person: N_("User"),
  model: N_("Model"),
  fallback: N_("Rule"),
  rule: N_("Rule"),
  operator: N_("Operator of the server"),
};

const STATES: Record<ErasureState, string> = {
  planned: N_("Scheduled"),
  started: N_("Running"),
  key_destroyed: N_("Unreadable; being cleaned up"),
  done: N_("Done"),
  cancelled: N_("Cancelled"),
};

/** Return an action in words; one that this page does not know yet is named as such, not by its code. */
export const actionName = (action: string): string => t(ACTIONS[action] ?? N_("Other change"));
export const erasureState = (state: ErasureState): string => t(STATES[state]);

/** Return who did it: the member's name, or the kind of actor. */
export function actorName(event: AuditEventView, names: Map<string, string>): string {
  const name =
    names.get(event.actor_id ?? "") ?? (event.actor === "person" ? names.get(event.member_id) : undefined);
  return name ?? t(ACTORS[event.actor] ?? N_("System"));
}
