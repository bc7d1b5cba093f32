// What the host page may call: `window.Saegim`. Calls made before the script has loaded wait in an array:
// `(window.Saegim ??= []).push(["ask", "…"])`.

export type WidgetEvent = "ready" | "open" | "close" | "sent" | "answered" | "error";
/** Ids only: what is said stays between the user and the server. */
export interface Told {
  sessionId?: string | undefined;
  turnId?: string | undefined;
  reason?: string | undefined;
}
export type Listener = (told: Told) => void;

export interface PublicApi {
  open(): void;
  close(): void;
  ask(text: string): void;
  newChat(): void;
  /** Call a function at each event; returns what ends that. */
  on(event: WidgetEvent, listener: Listener): () => void;
  /** A call as an array, as before the script had loaded. */
  push(...calls: unknown[]): void;
}

type Actions = Pick<PublicApi, "open" | "close" | "ask" | "newChat">;

export class Bridge {
  readonly api: PublicApi;
  readonly #listeners = new Map<WidgetEvent, Set<Listener>>();
  #actions: Actions | undefined;
  #waiting: ((actions: Actions) => void)[] = [];

  constructor() {
    const later = (run: (actions: Actions) => void) => {
      if (this.#actions) run(this.#actions);
      else this.#waiting.push(run);
    };
    this.api = {
      open: () => later((actions) => actions.open()),
      close: () => later((actions) => actions.close()),
      ask: (text) => later((actions) => actions.ask(String(text))),
      newChat: () => later((actions) => actions.newChat()),
      on: (event, listener) => {
        const all = this.#listeners.get(event) ?? new Set();
        this.#listeners.set(event, all.add(listener));
        return () => void all.delete(listener);
      },
      push: (...calls) => this.replay(calls),
    };
  }

  /** Run calls that the host queued, such as `["ask", "How much?"]`. */
  replay(calls: unknown[]): void {
    for (const call of calls) {
      if (!Array.isArray(call)) continue;
      const [name, ...rest] = call as [string, ...unknown[]];
      if (name === "push" || !Object.hasOwn(this.api, name)) continue;
      const run = this.api[name as keyof PublicApi] as (...values: unknown[]) => unknown;
      run(...rest);
    }
  }

  /** Start: what was called until now runs in order. */
  connect(actions: Actions): void {
    this.#actions = actions;
    for (const run of this.#waiting.splice(0)) run(actions);
  }

  tell(event: WidgetEvent, told: Told = {}): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        listener(told);
      } catch (error) {
        // An error of the host must not stop the chat.
        console.error(error);
      }
    }
  }
}
