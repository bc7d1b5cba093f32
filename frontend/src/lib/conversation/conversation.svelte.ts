// A conversation: its turns, and everything that can be done with them. Used by the page and the widget.
import { call, errorText, SaegimProblem, Unreachable, type ChatBody, type FeedbackBody } from "$lib/api.ts";
import { t } from "$lib/texts.ts";
import { assembled, readPage, watchMemory } from "./history.ts";
import { followTurn, runTurn, type TurnListener, type TurnRequest } from "./stream.ts";
import { Turn, type Attachment } from "./turn.svelte.ts";

export interface ConversationEvents {
  /** The first message made a session. */
  onsession?(id: string): void;
  /** An answer ended, or the turns changed in another way that other tabs must know. */
  onchange?(): void;
  /** The sign-in is over; the message was not sent. */
  onexpired?(message: string): void;
}

export interface Sending extends Partial<Omit<ChatBody, "message" | "stream">> {
  attachments?: Attachment[];
}

const attached = (files: readonly Attachment[]): { attached_doc_ids?: string[] } =>
  files.length ? { attached_doc_ids: files.map((each) => each.document_id) } : {};

export class Conversation {
  turns = $state<Turn[]>([]);
  session = $state<string>();
  loading = $state(false);
  /** Whether there are turns before the first one that is loaded. */
  older = $state(false);
  /** The turn whose answer is on its way. */
  current = $state<Turn>();
  /** The connection broke and is tried again. */
  lost = $state(false);
  /** Sent as `Saegim-Assistant` with new messages. */
  assistant: string | undefined;
  readonly #events: ConversationEvents;

  constructor(events: ConversationEvents = {}, session?: string) {
    this.#events = events;
    this.session = session;
  }

  get busy(): boolean {
    return this.current !== undefined;
  }

  /** Load the newest turns, and go on with an answer that is still being written. */
  async load(): Promise<void> {
    if (!this.session) return;
    this.loading = true;
    try {
      const page = await readPage(this.session);
      this.turns = [];
      await this.#place(assembled(page.turns, []));
      this.older = page.older;
    } finally {
      this.loading = false;
    }
    this.#resume();
  }

  /** Load earlier turns, and tell whenever some of them are placed. */
  async loadOlder(placed?: () => Promise<void>): Promise<void> {
    const first = this.turns[0];
    if (!this.older || this.loading || !first) return;
    this.loading = true;
    try {
      const page = await readPage(this.session ?? "", first.number);
      await this.#place(assembled(page.turns, []), placed);
      this.older = page.older;
    } finally {
      this.loading = false;
    }
  }

  /** Put turns before the others, the last one first and one at a time: the page stays free between. */
  async #place(found: Turn[], placed?: () => Promise<void>): Promise<void> {
    for (const turn of found.reverse()) {
      this.turns = [turn, ...this.turns];
      await placed?.();
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /** Show what changed elsewhere, for one in another tab. */
  async refresh(): Promise<void> {
    if (!this.session || this.busy) return;
    const page = await readPage(this.session);
    if (this.busy) return;
    const start = page.turns[0]?.number ?? 0;
    const before = this.turns.filter((turn) => turn.number > 0 && turn.number < start);
    // A message that was not sent yet is only here.
    const unsent = this.turns.filter((turn) => turn.id === undefined);
    this.turns = [...before, ...assembled(page.turns, this.turns), ...unsent];
    this.#resume();
  }

  async send(message: string, sending: Sending = {}): Promise<void> {
    if (this.busy) return;
    const { attachments = [], ...controls } = sending;
    const turn = new Turn(message);
    turn.attachments = attachments;
    turn.request = this.#request("POST /v1/chat", undefined, {
      message,
      stream: true,
      ...controls,
      ...attached(attachments),
    });
    if (this.session && turn.request.options.headers)
      turn.request.options.headers["Saegim-Session"] = this.session;
    this.turns.push(turn);
    await this.#run(this.turns.at(-1) as Turn);
  }

  /** Try again what failed: follow the turn if the server has it, else send it again. */
  async retry(turn: Turn): Promise<void> {
    if (this.busy) return;
    const part = turn.last;
    part.failure = undefined;
    if (part.id && part.state !== "failed") await this.#follow(part, turn);
    else if (part.request) await this.#run(part, turn);
    else await this.regenerate(turn);
  }

  async stop(): Promise<void> {
    const id = this.current?.last.id;
    if (id) await call("POST /v1/turns/{turn_id}/cancel", { path: { turn_id: id } });
  }

  /** Answer the message again, as a variant. */
  async regenerate(turn: Turn): Promise<void> {
    await this.#replace(turn, turn.message, turn.attachments, "POST /v1/turns/{turn_id}/regenerate", {});
  }

  /** Send another message in place of this one, as a branch. */
  async edit(turn: Turn, message: string): Promise<void> {
    await this.#replace(turn, message, turn.attachments, "POST /v1/turns/{turn_id}/edit", {
      message,
      ...attached(turn.attachments),
    });
  }

  async continue(turn: Turn): Promise<void> {
    const id = turn.last.id;
    if (this.busy || !id) return;
    const more = new Turn("");
    more.request = this.#request("POST /v1/turns/{turn_id}/continue", id, undefined);
    turn.continuations.push(more);
    await this.#run(turn.continuations.at(-1) as Turn, turn);
  }

  /** Put another variant of a turn in use, with what followed it. */
  async choose(variant: string): Promise<void> {
    if (!this.session || this.busy) return;
    await call("PUT /v1/sessions/{session_id}/branch", {
      path: { session_id: this.session },
      body: { turn_id: variant },
    });
    let page = await readPage(this.session);
    const stored = page.turns;
    while (page.older && !stored.some((each) => each.turn_id === variant)) {
      page = await readPage(this.session, stored[0]?.number);
      stored.unshift(...page.turns);
    }
    this.older = page.older;
    this.turns = assembled(stored, this.turns);
    this.#events.onchange?.();
  }

  async rate(turn: Turn, feedback: FeedbackBody): Promise<void> {
    if (!turn.id) return;
    const before = turn.feedback;
    turn.feedback = feedback;
    try {
      await call("PUT /v1/turns/{turn_id}/feedback", {
        path: { turn_id: turn.id },
        body: feedback,
      });
    } catch (error) {
      turn.feedback = before;
      throw error;
    }
  }

  /** Take back what a turn did to memory, unless that was changed since. */
  async undo(turn: Turn): Promise<void> {
    if (!turn.id) return;
    await call("DELETE /v1/turns/{turn_id}/memories", { path: { turn_id: turn.id } });
    turn.markUndone();
    // What it had taken back is in force again.
    await this.refresh();
    turn.changedSince = !turn.isUndone;
  }

  #request(name: string, id: string | undefined, body: unknown): TurnRequest {
    const headers: Record<string, string> = { "Idempotency-Key": crypto.randomUUID() };
    if (this.assistant) headers["Saegim-Assistant"] = this.assistant;
    const path: Record<string, string> = id === undefined ? {} : { turn_id: id };
    return { name, options: { path, headers, body } };
  }

  /** Put a new turn in place of one; what followed is another branch. */
  async #replace(
    turn: Turn,
    message: string,
    attachments: Attachment[],
    name: string,
    body: unknown,
  ): Promise<void> {
    if (this.busy || !turn.id) return;
    const at = this.turns.indexOf(turn);
    if (at < 0) return;
    const before = this.turns;
    const next = new Turn(message);
    next.attachments = attachments;
    next.request = this.#request(name, turn.id, body);
    this.turns = [...before.slice(0, at), next];
    const placed = this.turns[at] as Turn;
    await this.#run(placed);
    const { id } = placed;
    if (id) {
      const again = message === turn.message;
      const mine = again ? turn.answers : [];
      placed.variants = [...turn.variants, id];
      placed.answers = [...mine, id];
      placed.edits = [...turn.edits.filter((each) => !mine.includes(each)), id];
    } else {
      const failure = placed.failure;
      this.turns = before;
      if (failure) throw new Error(failure.text);
    }
  }

  /** Go on with the last turn if the server still works on it. */
  #resume(): void {
    const last = this.turns.at(-1);
    if (last?.last.running) void this.#follow(last.last, last);
  }

  async #run(turn: Turn, shownAs = turn): Promise<void> {
    const request = turn.request;
    if (request) await this.#under(turn, shownAs, (listener) => runTurn(request, listener));
  }

  async #follow(turn: Turn, shownAs = turn): Promise<void> {
    const id = turn.id;
    if (id) await this.#under(turn, shownAs, (listener) => followTurn(id, listener));
  }

  async #under(turn: Turn, shownAs: Turn, work: (listener: TurnListener) => Promise<void>): Promise<void> {
    this.current = shownAs;
    turn.failure = undefined;
    if (turn.state === "failed") turn.state = "received";
    try {
      await work(this.#listener(turn));
      void watchMemory(turn);
    } catch (error) {
      this.#failed(turn, error);
    } finally {
      this.current = undefined;
      this.lost = false;
      // The turns whose memories it took back or forgot say so.
      if (turn.effects.some((each) => each.kind !== "remembered")) void this.refresh();
      if (turn.id) this.#events.onchange?.();
    }
  }

  #listener(turn: Turn): TurnListener {
    return {
      opened: (id, session) => {
        turn.id = id;
        this.#enter(session);
      },
      connection: (lost) => (this.lost = lost),
      heard: (event) => {
        if (event.type === "status") turn.phase = event.phase;
        else if (event.type === "token") turn.text += event.text;
        else if (event.type === "citation") turn.cite(event.citation);
        else if (event.type === "restart") {
          turn.text = "";
          turn.citations = [];
        } else if (event.type === "done") {
          turn.settle(event.reply);
          this.#enter(event.reply.session_id);
        }
      },
    };
  }

  #enter(session: string): void {
    if (!session || session === this.session) return;
    this.session = session;
    this.#events.onsession?.(session);
  }

  #failed(turn: Turn, error: unknown): void {
    if (error instanceof SaegimProblem && error.status === 401) {
      turn.failure = { text: t("Your session has expired."), remedy: "expired" };
      this.#events.onexpired?.(turn.message);
    } else if (error instanceof Unreachable) {
      turn.failure = { text: t("The server cannot be reached. Your message is kept."), remedy: "retry" };
    } else {
      turn.failure = { text: errorText(error), remedy: "retry" };
    }
  }
}
