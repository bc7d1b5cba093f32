// Kinds and states of documents in words, with their icons.
import type { IconName } from "$components/icons.ts";
import type { DocumentState, FileState, ListedDocumentView } from "$lib/api.ts";
import { collectionName } from "$lib/collections.ts";
import { N_, t } from "$lib/texts.ts";

const KINDS: Record<string, { label: string; icon: IconName }> = {
  pdf: { label: "PDF", icon: "file" },
  word: { label: N_("Word document"), icon: "file" },
  hwp: { label: N_("Hangul document"), icon: "file" },
  slides: { label: N_("Slides"), icon: "monitor" },
  table: { label: N_("Table"), icon: "chart" },
  mail: { label: N_("E-mail"), icon: "mail" },
  book: { label: N_("Book"), icon: "library" },
  archive: { label: N_("Archive"), icon: "archive" },
  web_page: { label: N_("Web page"), icon: "globe" },
  markdown: { label: "Markdown", icon: "file" },
  text: { label: N_("Text"), icon: "file" },
  data: { label: N_("Data"), icon: "source" },
  code: { label: N_("Code"), icon: "command" },
  image: { label: N_("Image"), icon: "image" },
  faq: { label: "FAQ", icon: "chat" },
  other: { label: N_("Other"), icon: "file" },
};

const STATES: Record<DocumentState, { label: string; badge: "success" | "accent" | "danger" }> = {
  ready: { label: N_("Ready"), badge: "success" },
  importing: { label: N_("Being imported"), badge: "accent" },
  failed: { label: N_("Failed"), badge: "danger" },
};

const FILE_STATES: Record<FileState, string> = {
  receiving: N_("Uploading"),
  waiting: N_("Waiting to be read"),
  reading: N_("Reading the file"),
  storing: N_("Indexing"),
  done: N_("Ready"),
  failed: N_("Failed"),
  cancelled: N_("Cancelled"),
};

export const kinds = () => Object.entries(KINDS).map(([id, kind]) => ({ id, label: t(kind.label) }));
/** Name the kind of one document; in a list of kinds the rest is "other". */
export const kindLabel = (kind: string): string =>
  kind === "other" ? t("Document") : t(KINDS[kind]?.label ?? "Other");
export const kindIcon = (kind: string): IconName => KINDS[kind]?.icon ?? "file";
export const states = () =>
  (Object.keys(STATES) as DocumentState[]).map((id) => ({ id, label: t(STATES[id].label) }));
export const stateLabel = (state: DocumentState): string => t(STATES[state].label);
export const stateBadge = (state: DocumentState) => STATES[state].badge;
export const fileStateLabel = (state: FileState): string => t(FILE_STATES[state]);

const TRAITS = { stale: N_("Outdated"), duplicate: N_("Duplicates") };
export type Trait = keyof typeof TRAITS;
export const traits = () => (Object.keys(TRAITS) as Trait[]).map((id) => ({ id, label: t(TRAITS[id]) }));
export const isTrait = (value: string): value is Trait => value in TRAITS;

/** Say how a document came in: from a source, or uploaded, and by whom. */
export function originLabel(document: Pick<ListedDocumentView, "origin" | "source" | "uploaded_by">): string {
  const source = document.source ?? "";
  if (document.origin === "folder") return t("From the folder {source}", { source });
  if (document.origin === "s3") return t("From the bucket {source}", { source });
  if (document.origin !== "upload") return t("From the website {source}", { source });
  return document.uploaded_by ? t("Uploaded by {name}", { name: document.uploaded_by }) : t("Uploaded");
}

/** Name the other documents with the same or nearly the same text. */
export function copiesLabel(document: Pick<ListedDocumentView, "copies" | "title">, exact: boolean): string {
  const copies = document.copies.filter((copy) => copy.is_exact === exact);
  const places = copies.map((copy) => {
    const mine = copy.collection === "own";
    const name = copy.title === document.title ? copy.document_id : copy.title;
    return `${name} (${collectionLabel({ collection: copy.collection, mine })})`;
  });
  if (places.length === 0) return "";
  const names = places.join(", ");
  return exact ? t("Same text in: {names}", { names }) : t("Nearly the same: {names}", { names });
}

/** Name the collection of a document; private ones say who can read them. */
export function collectionLabel(document: Pick<ListedDocumentView, "collection" | "mine">): string {
  return document.mine ? t("Only me") : collectionName(document.collection);
}

/** Say which groups can read a collection. */
export function audienceLabel(audience: string[]): string {
  return audience.length ? audience.join(", ") : t("Everyone");
}
