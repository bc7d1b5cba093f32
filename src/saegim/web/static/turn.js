// One message with its answer, as it is shown.
import { el, icon, iconButton } from "./dom.js";
import { render } from "./markdown.js";

const MARKED = /\[[MTF]?\d{1,4}\]/;

export class TurnView {
  /** `acts` is what its buttons do: again, goOn, rate, why, cite, undo. */
  constructor(say, acts, message) {
    this.say = say;
    this.acts = acts;
    this.id = null;
    this.text = "";
    this.state = "running";
    this.citations = new Map();
    this.known = false;
    this.frame = null;
    this.answer = el("div", { className: "answer prose" });
    this.status = el("p", { className: "status", role: "status" });
    this.notes = el("div", { className: "notes" });
    this.sources = el("div", { className: "sources" });
    this.actions = el("div", { className: "actions" });
    this.remembered = el("div", { className: "remembered", role: "status" });
    this.element = el(
      "article",
      { className: "turn" },
      el("div", { className: "asked" }, el("p", { className: "bubble" }, message)),
      el("div", { className: "reply" }, this.answer, this.status, this.notes, this.sources, this.actions, this.remembered),
    );
    this.message = message;
  }

  phase(name) {
    if (this.text) return;
    this.status.replaceChildren(el("span", { className: "dots", "aria-hidden": "true" }), this.say.label(name));
  }

  add(text) {
    this.text += text;
    this.status.replaceChildren();
    this.frame ??= requestAnimationFrame(() => this.paint());
  }

  restart() {
    this.text = "";
    this.citations.clear();
    this.paint();
  }

  cite(citation) {
    this.citations.set(citation.marker, citation);
  }

  paint() {
    // Painted again by a frame still to come, a marker would lose the focus.
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.answer.replaceChildren(render(this.text, (marker) => this.#marker(marker)));
    this.acts.painted();
  }

  /** A turn as it was stored: what its markers mean is asked for when it is needed. */
  restore(stored) {
    this.id = stored.turn_id;
    this.text = stored.answer ?? "";
    this.settle({ state: stored.state, error: stored.error, outcome: null, degraded: [] });
  }

  get needsCitations() {
    return !this.known && MARKED.test(this.text);
  }

  setCitations(citations) {
    this.known = true;
    for (const citation of citations) this.cite(citation);
    this.paint();
    this.#listSources();
  }

  settle({ state, error, outcome, degraded }) {
    this.state = state;
    this.status.replaceChildren();
    this.paint();
    const notes = [];
    if (state === "failed") notes.push(this.say.label(error === "cancelled" ? "cancelled" : "failed"));
    if (state === "incomplete") notes.push(this.say.label(error === "cancelled" ? "cancelled" : "incomplete"));
    if (outcome === "search_mode") notes.push(this.say("Search mode: quotes from the documents, without a model."));
    else if (degraded.length) notes.push(`${this.say("Some components were unavailable")}: ${degraded.join(", ")}`);
    this.notes.replaceChildren(...notes.map((note) => el("p", { className: "note" }, note)));
    this.#listSources();
    this.#offer();
  }

  refuse(message, ...more) {
    this.state = "failed";
    this.status.replaceChildren();
    this.notes.replaceChildren(el("p", { className: "note bad", role: "alert" }, message, " ", ...more));
    this.#offer();
  }

  showRemembered(records) {
    if (!records.length) return;
    const undo = el("button", { type: "button", className: "link", on: { click: () => this.acts.undo(this) } }, this.say("Undo"));
    const known = records.map((record) => record.content).join(" · ");
    this.remembered.replaceChildren(icon("memory"), el("span", {}, `${this.say("Remembered")}: ${known}`), " · ", undo, ...this.acts.manage(records));
  }

  showUndone() {
    this.remembered.replaceChildren(el("span", { className: "muted" }, this.say("The memory was removed")));
  }

  #marker(marker) {
    const citation = this.citations.get(marker);
    if (!citation && (this.known || this.state === "running")) return null;
    return el(
      "button",
      {
        type: "button",
        className: "cite",
        title: citation?.title ?? this.say("Evidence"),
        "aria-label": `${this.say("Evidence")} ${marker}${citation ? `: ${citation.title}` : ""}`,
        on: { click: () => this.acts.cite(this, marker) },
      },
      marker,
    );
  }

  #listSources() {
    const shown = [...this.citations.values()].filter((one) => this.text.includes(`[${one.marker}]`));
    this.sources.replaceChildren(
      ...shown.map((one) =>
        el(
          "button",
          { type: "button", className: `source of-${one.kind}`, on: { click: () => this.acts.cite(this, one.marker) } },
          el("b", {}, one.marker),
          el("span", {}, one.kind === "memory" ? `${this.say.label(one.turn ? "kind_episode" : "kind_memory")} · ${one.title}` : one.title),
        ),
      ),
    );
  }

  #offer() {
    const say = this.say;
    const buttons = [];
    if (this.id && this.text) {
      buttons.push(iconButton("copy", say("Copy"), () => this.acts.copy(this)));
      buttons.push(iconButton("up", say("Good answer"), () => this.acts.rate(this, "up"), { "aria-pressed": "false", data: { thumb: "up" } }));
      buttons.push(iconButton("down", say("Bad answer"), () => this.acts.rate(this, "down"), { "aria-pressed": "false", data: { thumb: "down" } }));
    }
    if (this.id) buttons.push(iconButton("again", say("Regenerate"), () => this.acts.again(this)));
    if (this.id && this.state === "incomplete") {
      buttons.push(el("button", { type: "button", className: "quiet", on: { click: () => this.acts.goOn(this) } }, icon("go"), say("Continue the answer")));
    }
    if (this.id && this.acts.why) buttons.push(el("button", { type: "button", className: "quiet", data: { act: "why" }, on: { click: () => this.acts.why(this) } }, icon("why"), say("Why this answer?")));
    this.actions.replaceChildren(...buttons);
  }

  rated(thumb) {
    for (const button of this.actions.querySelectorAll("[data-thumb]")) {
      button.setAttribute("aria-pressed", String(button.dataset.thumb === thumb));
    }
  }
}
