// The list of memories: filters are in the address, pages are appended, changes are shown at once.
import {
  call,
  errorText,
  send,
  type MemoryCountsView,
  type MemoryType,
  type MemoryView,
  type MonthView,
} from "$lib/api.ts";
import { queryValue } from "$lib/router.svelte.ts";
import { t } from "$lib/texts.ts";
import { toast, toastError } from "$lib/toasts.svelte.ts";

const PAGE = 50;

export interface MemoryFilters {
  q: string;
  type: string;
  month: string;
  sort: string;
  pinned: boolean;
  forgotten: boolean;
  review: boolean;
}

/** Read the filters from the address. */
export function filters(): MemoryFilters {
  return {
    q: queryValue("q") ?? "",
    type: queryValue("type") ?? "",
    month: queryValue("month") ?? "",
    sort: queryValue("sort") ?? "",
    pinned: queryValue("pinned") === "1",
    forgotten: queryValue("state") === "forgotten",
    review: queryValue("state") === "to_review",
  };
}

export const isFiltered = ({ q, type, month, pinned }: MemoryFilters): boolean =>
  Boolean(q || type || month || pinned);

export class Memories {
  items: MemoryView[] = $state.raw([]);
  loading = $state(true);
  loadingMore = $state(false);
  failure = $state("");
  next: string | null = $state(null);
  counts: MemoryCountsView | undefined = $state.raw();
  months: MonthView[] = $state.raw([]);
  #chosen: MemoryFilters = filters();
  #request = 0;

  async load(chosen: MemoryFilters): Promise<void> {
    this.#chosen = chosen;
    const request = ++this.#request;
    this.loading = true;
    try {
      const page = await this.#page(null);
      if (request !== this.#request) return;
      this.items = page.memories;
      this.next = page.next_before;
      this.failure = "";
    } catch (error) {
      if (request === this.#request) this.failure = errorText(error);
    } finally {
      if (request === this.#request) this.loading = false;
    }
  }

  async more(): Promise<void> {
    if (this.next === null || this.loadingMore) return;
    const request = this.#request;
    this.loadingMore = true;
    try {
      const page = await this.#page(this.next);
      if (request !== this.#request) return;
      this.items = [...this.items, ...page.memories];
      this.next = page.next_before;
    } catch (error) {
      toastError(error);
    } finally {
      this.loadingMore = false;
    }
  }

  /** Count again: by type, by month, pinned and forgotten. */
  async recount(): Promise<void> {
    try {
      [this.counts, this.months] = await Promise.all([
        call("GET /v1/memories/counts"),
        call("GET /v1/memories/timeline"),
      ]);
    } catch {
      // The list itself says that the server cannot be reached.
    }
  }

  async refresh(): Promise<void> {
    await Promise.all([this.load(this.#chosen), this.recount()]);
  }

  /** Load the next page once all rows that were shown are gone. */
  #refill(): Promise<void> {
    return this.items.length || this.next === null ? this.recount() : this.refresh();
  }

  async add(content: string, type: MemoryType): Promise<void> {
    const added = await call("POST /v1/memories", { body: { content, type } });
    this.items = [added, ...this.items];
    void this.recount();
  }

  replace(changed: MemoryView): void {
    this.items = this.items.map((item) => (item.memory_id === changed.memory_id ? changed : item));
    void this.recount();
  }

  async pin(memory: MemoryView): Promise<void> {
    const body = { pinned: !memory.pinned };
    this.replace({ ...memory, ...body });
    try {
      this.replace(await call("PUT /v1/memories/{memory_id}/pin", { path: path(memory), body }));
    } catch (error) {
      this.replace(memory);
      toastError(error);
    }
  }

  /** Say that an unsure memory still holds. */
  async confirm(memory: MemoryView): Promise<void> {
    try {
      this.replace(await call("POST /v1/memories/{memory_id}/confirm", { path: path(memory) }));
    } catch (error) {
      toastError(error);
    }
  }

  /** Forget memories at once, with an undo. */
  async forget(ids: string[]): Promise<void> {
    const before = this.items;
    this.items = before.filter((item) => !ids.includes(item.memory_id));
    try {
      const { forgotten, batch } = await call("POST /v1/memories/forget", { body: { memory_ids: ids } });
      this.#offerUndo(forgotten, batch);
    } catch (error) {
      this.items = before;
      toastError(error);
    }
    await this.#refill();
  }

  async forgetAll(): Promise<void> {
    const { forgotten, batch } = await call("POST /v1/memories/forget-all");
    this.#offerUndo(forgotten, batch);
    await this.refresh();
  }

  /** Make memories that rules saved the user's own, as they are. */
  async keep(ids: string[]): Promise<void> {
    let kept = 0;
    try {
      for (const id of ids) {
        await send("PATCH /v1/memories/{memory_id}", { path: { memory_id: id }, body: {} });
        this.items = this.items.filter((item) => item.memory_id !== id);
        kept += 1;
      }
    } catch (error) {
      toastError(error);
    }
    if (kept) toast(t("Memories kept: {count}", { count: kept }), { kind: "success" });
    await this.#refill();
  }

  /** Bring forgotten memories back. */
  async restore(ids: string[]): Promise<void> {
    try {
      const { restored } = await call("POST /v1/memories/undo", { body: { memory_ids: ids } });
      this.items = this.items.filter((item) => !ids.includes(item.memory_id));
      toast(t("Memories restored: {count}", { count: restored }), { kind: "success" });
    } catch (error) {
      toastError(error);
    }
    await this.recount();
  }

  #offerUndo(forgotten: number, batch: string): void {
    toast(t("Memories forgotten: {count}", { count: forgotten }), {
      action: {
        label: t("Undo"),
        run: async () => {
          try {
            await call("POST /v1/memories/undo", { body: { batch } });
            await this.refresh();
          } catch (error) {
            toastError(error);
          }
        },
      },
    });
  }

  #page(before: string | null) {
    const { q, type, month, sort, pinned, forgotten, review } = this.#chosen;
    return call("GET /v1/memories", {
      query: {
        q,
        type,
        month,
        sort: sort || "newest",
        pinned: pinned || null,
        state: forgotten ? "forgotten" : review ? "to_review" : "current",
        before,
        count: PAGE,
      },
    });
  }
}

const path = (memory: MemoryView) => ({ memory_id: memory.memory_id });
