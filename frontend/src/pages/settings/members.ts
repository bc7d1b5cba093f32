// Names of members, for lists that only have their ids.
import { call, type MemberView } from "$lib/api.ts";
import { may } from "$lib/boot.svelte.ts";

/** Return all members, page by page; none if the user may not see them. */
export async function allMembers(): Promise<MemberView[]> {
  if (!may("members")) return [];
  const members: MemberView[] = [];
  let after: string | null = null;
  do {
    const page: { members: MemberView[]; next_after: string | null } = await call("GET /v1/members", {
      query: { after },
    });
    members.push(...page.members);
    after = page.next_after;
  } while (after !== null);
  return members;
}

export async function memberNames(): Promise<Map<string, string>> {
  return new Map((await allMembers()).map((member) => [member.member_id, member.name]));
}
