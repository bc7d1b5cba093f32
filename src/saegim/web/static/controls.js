// Live controls of a conversation: temporary, memory on and off, documents and memories put in,
// and what the model would be shown.
import { el, icon, iconButton } from "./dom.js";
import { follow } from "./uploading.js";
import { context, named } from "./why.js";

export class Controls {
  /** `chosen` and `documents` are ids of what was put into the context on its own page. */
  constructor(api, say, view, { open, attaches, chosen = [], documents = [] }) {
    this.api = api;
    this.say = say;
    this.view = view;
    this.open = open;
    this.memories = new Map(chosen.map((id) => [id, id]));
    this.documents = new Map(documents.map((id) => [id, id]));
    this.attached = new Map();
    this.useMemory = true;
    this.usePinned = true;
    this.caps = {};
    this.chips = el("div", { className: "chosen" });
    this.temporary = el(
      "button",
      { type: "button", className: "quiet", "aria-pressed": "false", on: { click: () => this.#toggleTemporary() } },
      icon("ghost"),
      el("span", {}, say("Temporary chat")),
    );
    this.buttons = [
      this.temporary,
      el("button", { type: "button", className: "quiet", data: { act: "preview" }, on: { click: () => this.preview() } }, icon("context"), el("span", {}, say("Context preview"))),
    ];
    this.files = el("input", { type: "file", multiple: true, className: "sr", tabIndex: -1, "aria-label": say("Attach documents only I can see"), on: { change: () => this.#attach() } });
    this.beside = attaches ? [this.files, iconButton("attach", say("Attach documents only I can see"), () => this.files.click())] : [];
    for (const id of this.memories.keys()) this.#name(this.memories, id, `/v1/memories/${id}`, (found) => found.content);
    for (const id of this.documents.keys()) this.#name(this.documents, id, `/v1/documents/${encodeURIComponent(id)}`, (found) => found.document.title);
  }

  /** What a message takes along. */
  body() {
    return {
      chosen_memory_ids: [...this.memories.keys()],
      selected_doc_ids: [...this.documents.keys()],
      use_memory: this.useMemory,
      use_pinned: this.usePinned,
      memory_caps: this.caps,
    };
  }

  /** What was put in was for one message. */
  sent() {
    this.memories.clear();
    this.documents.clear();
    this.attached.clear();
    this.#paint();
  }

  async preview() {
    const field = el("textarea", { rows: 2, value: this.view().composer.text, "aria-label": this.say("Type a message"), placeholder: this.say("Type a message") });
    const shown = el("div", { className: "preview" });
    const draw = () => this.#draw(field.value, shown);
    const check = (name, label) =>
      el("label", { className: "check" }, el("input", { type: "checkbox", checked: this[name], on: { change: (event) => { this[name] = event.target.checked; draw(); } } }), el("span", {}, this.say.label(label)));
    let waiting = null;
    const soon = () => {
      clearTimeout(waiting);
      waiting = setTimeout(draw, 350);
    };
    field.addEventListener("input", soon);
    const cap = (name, label, usual) =>
      el("label", { className: "cap" }, this.say.label(label), el("input", { type: "number", min: 0, step: 10, value: this.caps[name] ?? "", placeholder: String(usual), on: { input: (event) => { if (event.target.value === "") delete this.caps[name]; else this.caps[name] = Number(event.target.value); soon(); } } }));
    const caps = el("div", { className: "caps" }, cap("memory_tokens", "memoryCap", 1200), cap("item_tokens", "itemCap", 150), cap("pinned_tokens", "pinnedCap", 400));
    this.open(el("h2", {}, this.say("Context preview")), el("p", { className: "muted small" }, this.say("Type a message to see what the model would get, and how long it is.")), field, el("div", { className: "row" }, check("useMemory", "useMemory"), check("usePinned", "usePinned")), caps, shown);
    await draw();
  }

  async #draw(message, place) {
    try {
      const found = await this.api.json("POST", "/v1/preview", { message, session_id: this.view().session, ...this.body() });
      const items = await named(this.api, found.items);
      place.replaceChildren(context(this.say, { blocks: found.blocks, context: { tokens: found.tokens, budget: found.budget } }), ...items.map((item) => this.#item(item, () => this.#draw(message, place))));
    } catch (error) {
      place.replaceChildren(el("p", { className: "note bad" }, error.message));
    }
  }

  #item(item, redraw) {
    const put = () => {
      this.memories.set(item.id, item.title);
      this.#paint();
      redraw();
    };
    const offered = item.kind === "memory" && !this.memories.has(item.id);
    const used = ["injected", "pinned", "shortened"].includes(item.fate);
    return el(
      "div",
      { className: used ? "item used" : "item" },
      el("div", { className: "row spread" }, el("span", { className: "name" }, item.title), el("span", { className: used ? "badge good" : "badge" }, this.say.label(`fate_${item.fate}`))),
      el("div", { className: "row spread" }, el("span", { className: "muted small" }, `${this.say.label(`kind_${item.kind}`)} · ${item.tokens} ${this.say("tokens")}`), offered ? el("button", { type: "button", className: "link small", on: { click: put } }, this.say("Add to context")) : null),
    );
  }

  #toggleTemporary() {
    const view = this.view();
    view.temporary = !view.temporary;
    this.temporary.setAttribute("aria-pressed", String(view.temporary));
    if (view.temporary) view.options.notice(this.say("This chat is not remembered."));
  }

  async #name(chosen, id, path, name) {
    try {
      chosen.set(id, name(await this.api.json("GET", path)));
    } catch {
      chosen.delete(id);
    }
    this.#paint();
  }

  async #attach() {
    const files = [...this.files.files];
    this.files.value = "";
    await follow(this.api, files, null, (name, { over, percent, error }) => {
      if (error) {
        this.attached.delete(name);
        this.view().options.notice(`${name}: ${error}`, true);
      } else {
        this.attached.set(name, over ? this.say("Ready") : `${percent}%`);
      }
      this.#paint();
    });
  }

  #paint() {
    const chip = (label, kind, drop) =>
      el("span", { className: "chip" }, icon(kind), el("span", {}, label), drop ? iconButton("close", this.say("Close"), drop) : null);
    const drop = (from, id) => () => {
      from.delete(id);
      this.#paint();
    };
    this.chips.replaceChildren(
      ...[...this.memories].map(([id, text]) => chip(text, "memory", drop(this.memories, id))),
      ...[...this.documents].map(([id, title]) => chip(title, "library", drop(this.documents, id))),
      ...[...this.attached].map(([name, state]) => chip(`${name} · ${state}`, "library", drop(this.attached, name))),
    );
  }
}
