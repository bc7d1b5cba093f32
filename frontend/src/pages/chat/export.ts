// A conversation as a Markdown file, with its sources.
import { call, type ListedSessionView } from "$lib/api.ts";
import { assembled } from "$lib/conversation/history.ts";
import { withSources, type StoredTurn, type Turn } from "$lib/conversation/turn.svelte.ts";
import { dateTime } from "$lib/dates.ts";

/** Return the turns of a conversation as Markdown. */
export function markdownOf(title: string, turns: readonly Turn[]): string {
  const parts = turns.map((turn) => {
    const time = turn.createdAt ? ` · ${dateTime(turn.createdAt)}` : "";
    const files = turn.attachments.map((file) => `\n\n📎 ${file.title}`).join("");
    return `### ${turn.message.replaceAll("\n", "\n### ")}${time}${files}\n\n${withSources(turn)}`;
  });
  return `# ${title}\n\n${parts.join("\n\n---\n\n")}\n`;
}

export async function exportConversation(session: ListedSessionView): Promise<void> {
  const stored: StoredTurn[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const page: { turns: StoredTurn[]; next_after: number | null } = await call(
      "GET /v1/sessions/{session_id}/turns",
      { path: { session_id: session.session_id }, query: { after } },
    );
    stored.push(...page.turns);
    after = page.next_after;
  }
  const text = markdownOf(session.title, assembled(stored, []));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  link.download = `${session.title.replace(/[\\/:*?"<>|]+/g, " ").trim() || "conversation"}.md`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
