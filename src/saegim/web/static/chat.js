// The chat view, the same on our page and in the widget: send, stream, stop, resume, rate, undo.
import { Refused } from "./api.js";
import { Composer } from "./composer.js";
import { el } from "./dom.js";
import { events } from "./sse.js";
import { speaking } from "./texts.js";
import { TurnView } from "./turn.js";

const NEAR_THE_END = 80;
const RETRIES = 6;
const LOOKS = 20;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class ChatView {
  /**
   * `root` is filled. `options`: session, language, name, why(turn), cite(turn, citation),
   * manage(records), extras() for the body of a request, signedOut(), told(event).
   */
  constructor(root, api, options = {}) {
    this.api = api;
    this.options = options;
    this.say = speaking(options.language ?? "ko");
    this.session = options.session || null;
    this.temporary = false;
    this.turns = [];
    this.current = null;
    this.log = el("div", { className: "log", role: "log", tabIndex: 0, "aria-label": options.name ?? "Saegim" });
    this.greeting = el("div", { className: "greeting" }, el("h1", {}, this.say("How can I help?")), el("p", { className: "muted" }, this.say("I answer from your documents and remember what you tell me.")));
    this.log.append(this.greeting);
    this.composer = new Composer(this.say, {
      onSend: (text) => this.send(text),
      onStop: () => this.stop(),
      onChange: (text) => options.drafted?.(text),
    });
    root.append(this.log, this.composer.element);
    this.acts = {
      painted: () => this.#follow(),
      again: (turn) => this.again(turn),
      goOn: (turn) => this.goOn(turn),
      rate: (turn, thumb) => this.rate(turn, thumb),
      copy: (turn) => this.copy(turn),
      cite: (turn, marker) => this.cite(turn, marker),
      undo: (turn) => this.undo(turn),
      manage: (records) => options.manage?.(records) ?? [],
      why: options.why ? (turn) => options.why(turn) : null,
    };
  }

  /** Shows what was said before, and goes on with an answer that is still being written. */
  async load() {
    if (!this.session) return;
    let after = 0;
    do {
      const page = await this.api.json("GET", `/v1/sessions/${this.session}/turns?after=${after}`);
      for (const stored of page.turns) this.#restore(stored);
      after = page.next_after;
    } while (after);
    this.log.scrollTop = this.log.scrollHeight;
    const last = this.turns.at(-1);
    if (last && ["received", "running"].includes(last.state)) await this.#under(last, () => this.#resume(last, null));
    this.#learnCitations();
  }

  /** Lets nothing more be said here, and says why. */
  close(...why) {
    this.composer.element.replaceWith(el("p", { className: "closed", role: "note" }, ...why));
  }

  /** What came in elsewhere since, in another tab for one. */
  async refresh() {
    if (!this.session || this.current) return;
    const after = Math.max(0, ...this.turns.map((turn) => turn.number ?? 0));
    const page = await this.api.json("GET", `/v1/sessions/${this.session}/turns?after=${after}`);
    for (const stored of page.turns) {
      const known = this.turns.find((turn) => turn.id === stored.turn_id);
      if (known) known.number = stored.number;
      else this.#restore(stored);
    }
    const last = this.turns.at(-1);
    if (page.turns.length && ["received", "running"].includes(last.state)) await this.#under(last, () => this.#resume(last, null));
    else this.#learnCitations();
  }

  async send(text) {
    if (this.current) return;
    const turn = this.#open(text);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    if (this.session) headers["Saegim-Session"] = this.session;
    const body = { message: text, stream: true, temporary: this.temporary, ...this.options.extras?.() };
    await this.#under(turn, () => this.#stream(turn, "/v1/chat", { body, headers }));
  }

  async again(turn) {
    if (this.current) return;
    const opened = this.#open(turn.message);
    const path = `/v1/turns/${turn.id}/regenerate`;
    await this.#under(opened, () => this.#stream(opened, path, { body: {}, headers: { Accept: "text/event-stream" } }));
  }

  async goOn(turn) {
    if (this.current) return;
    const opened = this.#open(turn.message);
    const path = `/v1/turns/${turn.id}/continue`;
    await this.#under(opened, () => this.#stream(opened, path, { headers: { Accept: "text/event-stream" } }));
  }

  async stop() {
    const turn = this.current;
    if (turn?.id) await this.api.json("POST", `/v1/turns/${turn.id}/cancel`);
  }

  async rate(turn, thumb) {
    turn.rated(thumb);
    await this.api.json("PUT", `/v1/turns/${turn.id}/feedback`, { thumb });
    if (thumb === "down") this.#askCorrection(turn);
    else this.options.notice?.(this.say("Thanks for your feedback"));
  }

  async copy(turn) {
    await navigator.clipboard.writeText(turn.text);
    this.options.notice?.(this.say("Copied"));
  }

  async undo(turn) {
    await this.api.json("DELETE", `/v1/turns/${turn.id}/memories`);
    turn.showUndone();
  }

  async cite(turn, marker) {
    if (!turn.citations.has(marker)) await this.#citationsOf(turn);
    const citation = turn.citations.get(marker);
    if (citation) this.options.cite?.(turn, citation);
  }

  #open(text) {
    const turn = new TurnView(this.say, this.acts, text);
    this.#add(turn);
    turn.phase("received");
    this.log.scrollTop = this.log.scrollHeight;
    return turn;
  }

  #add(turn) {
    this.greeting.remove();
    this.turns.push(turn);
    this.log.append(turn.element);
  }

  #restore(stored) {
    const turn = new TurnView(this.say, this.acts, stored.message);
    turn.number = stored.number;
    this.#add(turn);
    if (["received", "running"].includes(stored.state)) {
      turn.id = stored.turn_id;
      turn.state = stored.state;
      turn.phase("received");
    } else {
      turn.restore(stored);
    }
  }

  async #under(turn, work) {
    this.current = turn;
    this.composer.setBusy(true);
    this.log.setAttribute("aria-busy", "true");
    try {
      await work();
    } catch (error) {
      this.#refused(turn, error);
    } finally {
      this.current = null;
      this.composer.setBusy(false);
      this.log.removeAttribute("aria-busy");
    }
  }

  async #stream(turn, path, request) {
    let response = null;
    for (let tries = 0; !response; tries += 1) {
      try {
        response = await this.api.send("POST", path, request);
      } catch (error) {
        // The key makes a message that is sent twice one turn.
        if (error instanceof Refused || tries >= RETRIES) throw error;
        turn.phase("offline");
        await pause(500 * 2 ** Math.min(tries, 4));
      }
    }
    turn.id = response.headers.get("Saegim-Turn");
    this.#enter(response.headers.get("Saegim-Session"));
    const position = { at: null };
    if (!(await this.#listen(turn, response, position))) await this.#resume(turn, position.at);
  }

  /** Follows a turn from where this reader stands, for as long as it takes. */
  async #resume(turn, at) {
    const position = { at };
    if (at === null) turn.restart();
    for (let tries = 0; tries < RETRIES; tries += 1) {
      try {
        const headers = position.at ? { "Last-Event-ID": position.at } : {};
        const response = await this.api.send("GET", `/v1/turns/${turn.id}/events`, { headers });
        if (await this.#listen(turn, response, position)) return;
      } catch (error) {
        if (error instanceof Refused && error.status < 500) throw error;
      }
      turn.phase("resuming");
      await pause(300 * 2 ** tries);
    }
    throw new Error(this.say("Cannot reach the server. Retrying soon."));
  }

  /** Hears events until the turn is over; false where the connection broke before. */
  async #listen(turn, response, position) {
    try {
      for await (const event of events(response)) {
        if (event.name === "error") throw new Refused(503, event.data);
        if (event.id && event.name === "token") position.at = event.id;
        if (this.#heard(turn, event)) return true;
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
    }
    return false;
  }

  #heard(turn, { name, data }) {
    if (name === "status") turn.phase(data.phase);
    else if (name === "token") turn.add(data.text);
    else if (name === "citation") turn.cite(data);
    else if (name === "restart") turn.restart();
    else if (name === "done") {
      this.#done(turn, data);
      return true;
    }
    return false;
  }

  #done(turn, reply) {
    turn.id = reply.turn_id;
    turn.text = reply.answer || turn.text;
    for (const citation of reply.citations) turn.cite(citation);
    turn.known = true;
    turn.settle(reply);
    this.#enter(reply.session_id);
    this.#follow();
    this.options.told?.("done", this.session);
    if (!this.temporary && reply.state !== "failed") this.#watchMemory(turn);
  }

  #enter(session) {
    if (!session || session === this.session) return;
    this.session = session;
    this.options.told?.("session", session);
  }

  async #watchMemory(turn) {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      await pause(looks < 5 ? 600 : 2000);
      let found;
      try {
        found = await this.api.json("GET", `/v1/turns/${turn.id}/memories`);
      } catch {
        return;
      }
      if (found.reading === "waiting") continue;
      turn.showRemembered(found.remembered);
      this.#follow();
      return;
    }
  }

  async #learnCitations() {
    for (const turn of this.turns.slice(-12)) {
      if (turn.needsCitations) await this.#citationsOf(turn);
    }
  }

  async #citationsOf(turn) {
    try {
      const { trace } = await this.api.json("GET", `/v1/turns/${turn.id}/trace`);
      turn.setCitations(trace.citations ?? []);
    } catch {
      turn.setCitations([]);
    }
  }

  #askCorrection(turn) {
    const field = el("textarea", { rows: 2, maxLength: 20000, "aria-label": this.say("What would the right answer be? (optional)"), placeholder: this.say("What would the right answer be? (optional)") });
    const form = el(
      "form",
      {
        className: "correction",
        on: {
          submit: async (event) => {
            event.preventDefault();
            const correction = field.value.trim();
            if (correction) await this.api.json("PUT", `/v1/turns/${turn.id}/feedback`, { thumb: "down", correction });
            form.remove();
            this.options.notice?.(this.say("Thanks for your feedback"));
          },
        },
      },
      field,
      el("button", {}, this.say("Send")),
    );
    turn.element.querySelector(".correction")?.remove();
    turn.actions.after(form);
    field.focus();
  }

  #refused(turn, error) {
    if (error instanceof Refused && error.status === 401) {
      this.composer.text = turn.message;
      const link = this.options.signedOut?.();
      turn.refuse(this.say("Your session has expired."), ...(link ? [link] : []));
      return;
    }
    turn.refuse(error.message || this.say("Could not answer."));
  }

  /** Keeps the end in sight, unless the reader went up. */
  #follow() {
    const left = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight;
    if (left < NEAR_THE_END + 200) this.log.scrollTop = this.log.scrollHeight;
  }
}
