// The field where a message is written. One Enter sends it once, while an IME composes or not.
import { el, icon } from "./dom.js";

// Hangul has no candidates to choose from: the Enter that ends a syllable means "send". In other
// scripts it means "take this candidate", and the next one sends.
const HANGUL = /[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]$/;

export class Composer {
  /** `onSend(text)` gets what was written; `onStop()` is asked while an answer is under way. */
  constructor(say, { onSend, onStop, onChange = () => {} }) {
    this.onSend = onSend;
    this.onStop = onStop;
    this.onChange = onChange;
    this.busy = false;
    this.say = say;
    this.sendWhenComposed = false;
    this.field = el("textarea", {
      rows: 1,
      placeholder: say("Type a message"),
      "aria-label": say("Type a message"),
      enterKeyHint: "send",
      maxLength: 100000,
      on: {
        keydown: (event) => this.#pressed(event),
        beforeinput: (event) => this.#typing(event),
        compositionend: (event) => this.#composed(event),
        input: () => this.#changed(),
      },
    });
    this.button = el("button", { type: "submit", className: "primary square", on: {} });
    this.before = el("div", { className: "before" });
    this.chips = el("div", { className: "chips" });
    this.element = el(
      "form",
      { className: "composer", on: { submit: (event) => this.#submitted(event) } },
      this.chips,
      el("div", { className: "line" }, this.before, this.field, this.button),
    );
    this.setBusy(false);
  }

  setBusy(busy) {
    this.busy = busy;
    const label = this.say.label(busy ? "stop" : "send");
    this.button.replaceChildren(icon(busy ? "stop" : "send"));
    this.button.title = label;
    this.button.setAttribute("aria-label", label);
    this.button.classList.toggle("stopping", busy);
  }

  get text() {
    return this.field.value;
  }

  set text(value) {
    this.field.value = value;
    this.#changed();
  }

  focus() {
    this.field.focus();
  }

  send() {
    this.sendWhenComposed = false;
    const text = this.field.value.trim();
    if (!text || this.busy) return;
    this.field.value = "";
    this.#changed();
    this.onSend(text);
  }

  #pressed(event) {
    // A key that the IME takes is called "Process" on Windows.
    const enter = event.key === "Enter" || (event.key === "Process" && /Enter$/.test(event.code));
    if (!enter || event.shiftKey) return;
    if (event.isComposing || event.keyCode === 229) {
      this.sendWhenComposed = true;
      return;
    }
    event.preventDefault();
    this.send();
  }

  #typing(event) {
    const breaksLine = event.inputType === "insertLineBreak" || event.inputType === "insertParagraph";
    if (this.sendWhenComposed && breaksLine) event.preventDefault();
  }

  #composed(event) {
    const wanted = this.sendWhenComposed;
    this.sendWhenComposed = false;
    if (!wanted || !HANGUL.test(event.data)) return;
    // The field has the last syllable only after this event.
    setTimeout(() => this.send(), 0);
  }

  #changed() {
    this.field.style.height = "auto";
    this.field.style.height = `${Math.min(this.field.scrollHeight, 220)}px`;
    this.onChange(this.field.value);
  }

  #submitted(event) {
    event.preventDefault();
    if (this.busy) this.onStop();
    else this.send();
  }
}
