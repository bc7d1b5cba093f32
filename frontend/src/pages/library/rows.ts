// What the rows of documents have in common, as table and as cards.
import type { MenuItem } from "$components/Menu.svelte";
import type { ListedDocumentView } from "$lib/api.ts";
import { may } from "$lib/boot.svelte.ts";
import { dateTime } from "$lib/dates.ts";
import { originalAddress } from "$lib/place.ts";
import { t } from "$lib/texts.ts";

export interface RowsProps {
  documents: ListedDocumentView[];
  selected: string[];
  writes: boolean;
  onremove: (documents: ListedDocumentView[]) => void;
  onreindex: (documents: ListedDocumentView[]) => void;
}

export const address = (document: { id: string }): string => `/library/documents/${document.id}`;

/** Say to which document an action belongs: titles may be equal. */
export function describe(document: ListedDocumentView): string {
  return document.mine ? `${document.title} (${t("Only me")})` : document.title;
}

/** Say when a document was changed, first seen and last seen. */
export function dates(document: ListedDocumentView): string {
  const texts = [t("Last changed {date}", { date: dateTime(document.changed_at) })];
  if (document.first_seen_at) texts.push(t("First seen {date}", { date: dateTime(document.first_seen_at) }));
  if (document.last_seen_at) texts.push(t("Last seen {date}", { date: dateTime(document.last_seen_at) }));
  return texts.join(" · ");
}

/** Return whether the user may delete a document: everybody their own. */
export function mayRemove(document: { mine: boolean }): boolean {
  return may("library:write") || (document.mine && may("library:own"));
}

export function actions(
  document: ListedDocumentView,
  props: Pick<RowsProps, "onremove" | "onreindex">,
): MenuItem[] {
  const ready = document.state === "ready";
  const items: MenuItem[] = [];
  if (ready) {
    items.push({ label: t("Open"), icon: "eye", href: address(document) });
    if (may("chat"))
      items.push({
        label: t("Chat about this document"),
        icon: "chat",
        href: `/chat?document=${encodeURIComponent(document.id)}`,
      });
  }
  if (document.has_original)
    items.push({ label: t("Download original"), icon: "download", href: originalAddress(document) });
  if (mayRemove(document)) {
    if (ready && may("library:write"))
      items.push({ label: t("Index again"), icon: "regenerate", run: () => props.onreindex([document]) });
    if (document.state !== "importing")
      items.push({
        label: ready ? t("Delete") : t("Remove from the list"),
        icon: "trash",
        danger: true,
        run: () => props.onremove([document]),
      });
  }
  return items;
}

export function toggle(selected: string[], id: string): string[] {
  return selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id];
}
