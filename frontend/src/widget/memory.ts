// What the widget keeps in the browser: the id of the conversation of each user, and whether it is open.
// Storage can be forbidden; then a page load starts anew.

/** A conversation that nobody continued for a day is not shown again. */
const KEPT_MS = 24 * 3_600_000;
const PREFIX = "saegim-widget";

/** The id of the last conversation, by server and user. */
export class KeptConversation {
  readonly #key: string;

  constructor(site: string, user: string) {
    this.#key = `${PREFIX}:${site}:${user}`;
  }

  read(now = Date.now()): string | undefined {
    try {
      const { session, at } = JSON.parse(localStorage.getItem(this.#key) ?? "{}") as {
        session?: string;
        at?: number;
      };
      return session && at !== undefined && now - at < KEPT_MS ? session : undefined;
    } catch {
      return undefined;
    }
  }

  write(session: string | undefined, now = Date.now()): void {
    try {
      if (session === undefined) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify({ session, at: now }));
    } catch {
      // The conversation lasts as long as the page.
    }
  }
}

const OPEN = `${PREFIX}-open`;

/** Whether the panel was open on the last page of this tab; undefined if nobody opened or closed it. */
export function wasOpen(): boolean | undefined {
  try {
    const stored = sessionStorage.getItem(OPEN);
    return stored === null ? undefined : stored === "true";
  } catch {
    return undefined;
  }
}

export function keepOpen(open: boolean): void {
  try {
    sessionStorage.setItem(OPEN, String(open));
  } catch {
    // The next page starts closed.
  }
}
