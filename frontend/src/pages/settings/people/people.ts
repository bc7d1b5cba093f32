// Finds members by what is typed.
import type { MemberView } from "$lib/api.ts";
import { roleName } from "../words.ts";

/** Return the members whose name, e-mail, role or groups contain every word of the search. */
export function matching(members: MemberView[], search: string): MemberView[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return members.filter((member) => {
    const text = [member.name, member.email ?? "", roleName(member.role), ...member.groups]
      .join("\n")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Return whether a text looks like an e-mail address; the server has the last word. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}
