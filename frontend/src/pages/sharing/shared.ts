// The turns of a shared conversation in the form that a turn is shown from.
import type { CitationView, SharedCitationView, SharedTurnView } from "$lib/api.ts";
import type { StoredTurn } from "$lib/conversation/turn.svelte.ts";
import { t } from "$lib/texts.ts";

/** Return a source; one that the reader may not read has a name for what it is, and no id. */
export function sourceOf({ readable, ...source }: SharedCitationView): CitationView {
  if (readable) return source;
  if (source.kind === "memory") return { ...source, text: t("A memory of the person who shared this") };
  const title = source.kind === "tool" ? t("Result of a tool") : t("A document that you may not open");
  return { ...source, title };
}

export function storedTurn(shared: SharedTurnView): StoredTurn {
  return {
    ...shared,
    session_id: "",
    citations: shared.citations.map(sourceOf),
    error: null,
    settled_at: null,
    by_rule: false,
    proposal: null,
    effects: [],
    degraded: [],
    feedback: null,
    parent_id: null,
    variant_of: null,
    in_use: true,
    variants: [],
    answers: [],
    edits: [],
    attachments: [],
  };
}
