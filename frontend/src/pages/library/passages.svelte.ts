// The passages of a document, loaded in pages in both directions.
import { call, errorText, type DocumentPassageView } from "$lib/api.ts";

const PAGE = 60;
/** More are not kept: those at the far end are loaded again when they are scrolled to. */
const MOST = 360;

export class Passages {
  items: DocumentPassageView[] = $state.raw([]);
  total = $state(0);
  loading = $state(false);
  /** How many pages were loaded: after each, both ends are looked at again. */
  loads = $state(0);
  failure = $state("");
  #document: string;
  #request = 0;

  constructor(document: string) {
    this.#document = document;
  }

  get atStart(): boolean {
    return (this.items[0]?.position ?? 0) <= 0;
  }

  get atEnd(): boolean {
    return (this.items.at(-1)?.position ?? this.total) + 1 >= this.total;
  }

  /** Show the page that begins at a position. */
  async openAt(position: number): Promise<void> {
    await this.#open({ after: position - 1 });
  }

  /** Show the page around a passage; the beginning if the passage no longer exists. */
  async openAround(passage: string): Promise<void> {
    await this.#open({ around: passage });
    if (this.failure) await this.openAt(0);
  }

  async next(): Promise<void> {
    const last = this.items.at(-1);
    if (!last || this.atEnd || this.loading) return;
    await this.#load({ after: last.position, count: PAGE }, (page) => [...this.items, ...page].slice(-MOST));
  }

  async previous(): Promise<void> {
    const first = this.items[0];
    if (!first || this.atStart || this.loading) return;
    const after = Math.max(-1, first.position - PAGE - 1);
    const count = first.position - after - 1;
    await this.#load({ after, count }, (page) => [...page, ...this.items].slice(0, MOST));
  }

  has(position: number): boolean {
    const first = this.items[0];
    const last = this.items.at(-1);
    return (
      first !== undefined && last !== undefined && first.position <= position && position <= last.position
    );
  }

  async #open(where: { after?: number; around?: string }): Promise<void> {
    this.#request += 1;
    this.loading = false;
    await this.#load({ ...where, count: PAGE }, (page) => page);
  }

  async #load(
    query: Record<string, string | number>,
    join: (page: DocumentPassageView[]) => DocumentPassageView[],
  ): Promise<void> {
    const request = this.#request;
    this.loading = true;
    this.failure = "";
    try {
      const page = await call("GET /v1/documents/{id}/passages", { path: { id: this.#document }, query });
      if (request !== this.#request) return;
      this.items = join(page.passages);
      this.total = page.total;
    } catch (error) {
      if (request === this.#request) this.failure = errorText(error);
    } finally {
      if (request === this.#request) {
        this.loading = false;
        this.loads += 1;
      }
    }
  }
}

/** Return whether a heading stands before a passage: its section differs from the one before. */
export function startsSection(
  passage: Pick<DocumentPassageView, "path">,
  before: Pick<DocumentPassageView, "path"> | undefined,
): boolean {
  return passage.path.length > 0 && passage.path.join("\n") !== before?.path.join("\n");
}
