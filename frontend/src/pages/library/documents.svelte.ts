// The list of documents: filters are in the address, pages are appended.
import { call, errorText, type DocumentSort, type ListedDocumentView } from "$lib/api.ts";
import { queryValue } from "$lib/router.svelte.ts";
import { isTrait } from "./kinds.ts";

const PAGE = 50;

export interface DocumentFilters {
  q: string;
  collection: string;
  kind: string;
  state: string;
  sort: string;
}

/** Read the filters from the address. */
export function filters(): DocumentFilters {
  return {
    q: queryValue("q") ?? "",
    collection: queryValue("collection") ?? "",
    kind: queryValue("kind") ?? "",
    state: queryValue("state") ?? "",
    sort: queryValue("sort") ?? "",
  };
}

export const isFiltered = ({ q, collection, kind, state }: DocumentFilters): boolean =>
  Boolean(q || collection || kind || state);

export class DocumentList {
  documents: ListedDocumentView[] = $state.raw([]);
  loading = $state(true);
  loadingMore = $state(false);
  failure = $state("");
  next: string | null = $state(null);
  #request = 0;

  /** Load the first page; keep what is shown until it is there. */
  async load(chosen: DocumentFilters, quietly = false): Promise<void> {
    const request = ++this.#request;
    if (!quietly) this.loading = true;
    try {
      const page = await this.#page(chosen, null);
      if (request !== this.#request) return;
      this.documents = page.documents;
      this.next = page.next_before;
      this.failure = "";
    } catch (error) {
      if (request === this.#request && !quietly) this.failure = errorText(error);
    } finally {
      if (request === this.#request) this.loading = false;
    }
  }

  async more(chosen: DocumentFilters): Promise<void> {
    if (this.next === null || this.loadingMore) return;
    this.loadingMore = true;
    const request = this.#request;
    try {
      const page = await this.#page(chosen, this.next);
      if (request !== this.#request) return;
      const shown = new Set(this.documents.map((document) => document.id));
      this.documents = [...this.documents, ...page.documents.filter(({ id }) => !shown.has(id))];
      this.next = page.next_before;
    } catch (error) {
      this.failure = errorText(error);
    } finally {
      this.loadingMore = false;
    }
  }

  /** Load what is shown again, as far as it was scrolled. */
  async refresh(chosen: DocumentFilters): Promise<void> {
    if (this.documents.length <= PAGE) await this.load(chosen, true);
    else {
      const request = ++this.#request;
      try {
        const page = await this.#page(chosen, null, Math.min(200, this.documents.length));
        if (request !== this.#request) return;
        this.documents = page.documents;
        this.next = page.next_before;
      } catch {
        // What is shown stays; the next refresh tries again.
      }
    }
  }

  replace(changed: ListedDocumentView): void {
    this.documents = this.documents.map((document) => (document.id === changed.id ? changed : document));
  }

  #page(chosen: DocumentFilters, before: string | null, count = PAGE) {
    const trait = isTrait(chosen.state) ? chosen.state : null;
    return call("GET /v1/documents", {
      query: {
        ...chosen,
        state: trait ? "" : chosen.state,
        only: trait,
        // Those who look for copies want to see each of them.
        once: trait !== "duplicate",
        sort: (chosen.sort || "newest") as DocumentSort,
        before,
        count,
      },
    });
  }
}
