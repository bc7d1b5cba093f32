// The conversations of the user, newest first, shared by the sidebar and the chat page.
import { call, type ListedSessionView } from "$lib/api.ts";
import { dateGroup } from "$lib/dates.ts";
import { t } from "$lib/texts.ts";

const PAGE = 50;
/** Tabs of one browser tell each other what changed. */
const tabs = new BroadcastChannel("saegim");

class Sessions {
  list = $state<ListedSessionView[]>([]);
  loaded = $state(false);
  more = $state(false);
  failed = $state(false);
  #before: string | null = null;
  #loading = false;

  find(id: string | undefined): ListedSessionView | undefined {
    return this.list.find((session) => session.session_id === id);
  }

  /** Load the first page again, keeping what was loaded below it. */
  async refresh(): Promise<void> {
    try {
      const page = await call("GET /v1/sessions", { query: { count: PAGE } });
      const fresh = new Set(page.sessions.map((session) => session.session_id));
      const rest =
        this.#before === null ? [] : this.list.filter((each) => !fresh.has(each.session_id)).slice(0);
      const paged = this.loaded && this.list.length > PAGE;
      this.list = paged ? [...page.sessions, ...rest] : page.sessions;
      if (!paged) {
        this.#before = page.next_before;
        this.more = page.next_before !== null;
      }
      this.failed = false;
    } catch {
      this.failed = true;
    }
    this.loaded = true;
  }

  async loadMore(): Promise<void> {
    if (!this.more || this.#loading) return;
    this.#loading = true;
    try {
      const page = await call("GET /v1/sessions", { query: { count: PAGE, before: this.#before } });
      const known = new Set(this.list.map((session) => session.session_id));
      this.list.push(...page.sessions.filter((session) => !known.has(session.session_id)));
      this.#before = page.next_before;
      this.more = page.next_before !== null;
    } finally {
      this.#loading = false;
    }
  }

  /** Return a conversation, asking the server for one that is not in the list. */
  async read(id: string): Promise<ListedSessionView> {
    return this.find(id) ?? (await call("GET /v1/sessions/{session_id}", { path: { session_id: id } }));
  }

  async change(id: string, change: { title?: string; pinned?: boolean }): Promise<void> {
    const changed = await call("PATCH /v1/sessions/{session_id}", {
      path: { session_id: id },
      body: change,
    });
    const at = this.list.findIndex((session) => session.session_id === id);
    if (at >= 0) this.list[at] = changed;
    this.tell(id);
  }

  async remove(id: string): Promise<void> {
    const before = this.list;
    this.list = this.list.filter((session) => session.session_id !== id);
    try {
      await call("DELETE /v1/sessions/{session_id}", {
        path: { session_id: id },
        query: { undoable: true },
      });
    } catch (error) {
      this.list = before;
      throw error;
    }
    this.tell(id);
  }

  async restore(id: string): Promise<void> {
    await call("POST /v1/sessions/{session_id}/restore", { path: { session_id: id } });
    await this.refresh();
    this.tell(id);
  }

  /** Let other tabs know that a conversation changed. */
  tell(session: string | undefined): void {
    tabs.postMessage({ session });
  }

  /** Hear of changes in other tabs; returns what ends it. */
  listen(heard: (session: string | undefined) => void): () => void {
    const listener = (event: MessageEvent<{ session?: string }>): void => heard(event.data.session);
    tabs.addEventListener("message", listener);
    return () => tabs.removeEventListener("message", listener);
  }
}

export const sessions = new Sessions();

export interface SessionGroup {
  label: string;
  sessions: ListedSessionView[];
}

/** Group conversations for the list: pinned ones first, the others by date. */
export function grouped(list: readonly ListedSessionView[], now = new Date()): SessionGroup[] {
  const groups = new Map<string, ListedSessionView[]>();
  for (const session of list) {
    const label = session.pinned ? t("Pinned") : dateGroup(session.used_at, now);
    groups.set(label, [...(groups.get(label) ?? []), session]);
  }
  const pinned = t("Pinned");
  return [...groups]
    .map(([label, found]) => ({ label, sessions: found }))
    .sort((a, b) => Number(b.label === pinned) - Number(a.label === pinned));
}
