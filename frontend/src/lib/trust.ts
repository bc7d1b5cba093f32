// What a reader should know of a quoted text: how old its document is, and where else it stands.
import type { CitationView, FoundPassageView } from "$lib/api.ts";
import { shortDate } from "$lib/dates.ts";
import { t } from "$lib/texts.ts";

/** Say when a stale document was last changed, and which other documents have the text. */
export function citationNotes(source: Pick<CitationView, "stale_since" | "also_in">): string[] {
  return notes(
    source.stale_since,
    source.also_in?.map((other) => other.title),
  );
}

export function hitNotes(hit: Pick<FoundPassageView, "is_stale" | "changed_at" | "copies">): string[] {
  return notes(
    hit.is_stale ? hit.changed_at : null,
    hit.copies.map((other) => other.title),
  );
}

function notes(since: string | null | undefined, titles: string[] = []): string[] {
  const texts = since ? [t("Last changed {date}", { date: shortDate(since) })] : [];
  const names = titles.join(", ");
  return names ? [...texts, t("Same text in: {names}", { names })] : texts;
}
