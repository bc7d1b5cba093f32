// Codes of the API in words.
import type { Role } from "$lib/api.ts";
import { N_, t } from "$lib/texts.ts";

const ROLES: Record<Role, string> = {
  owner: N_("Owner"),
  admin: N_("Administrator"),
  editor: N_("Editor"),
  member: N_("Member"),
  auditor: N_("Auditor"),
  minter: N_("Token issuer"),
};

const ABOUT_ROLES: Record<Role, string> = {
  owner: N_("May do everything, including sign-in providers and removing the organisation."),
  admin: N_("Manages people, models, assistants, limits and keys."),
  editor: N_("Adds documents and drafts assistants."),
  member: N_("Chats and manages the own memory."),
  auditor: N_("Reads usage and the audit trail, and with a reason the data of others."),
  minter: N_("Issues tokens for the visitors of a website, and nothing else."),
};

export const roleName = (role: string): string => t(ROLES[role as Role] ?? role);
export const aboutRole = (role: string): string => t(ABOUT_ROLES[role as Role] ?? "");

/** Split a list that is typed with commas or line breaks. */
export function listed(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[,\n]/)
        .map((each) => each.trim())
        .filter(Boolean),
    ),
  ];
}
