// One Enter sends a message once, while an IME composes or not.

// Hangul has no candidates to choose from: the Enter that ends a syllable means "send". In other
// scripts it means "take this candidate", and the next one sends.
const HANGUL = /[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]$/;

interface KeyPress {
  key: string;
  code: string;
  shiftKey: boolean;
  isComposing: boolean;
  keyCode: number;
  preventDefault(): void;
}

/** Decides what Enter does in a field; `send` is called at most once for each press. */
export class EnterKey {
  #sendWhenComposed = false;

  /** `sends` is false where Enter makes a line break, as on a touch keyboard. */
  constructor(
    private readonly send: () => void,
    private readonly sends: () => boolean = () => true,
  ) {}

  pressed(event: KeyPress): void {
    // A key that the IME takes is called "Process" on Windows.
    const enter = event.key === "Enter" || (event.key === "Process" && /Enter$/.test(event.code));
    if (!enter || event.shiftKey || !this.sends()) return;
    if (event.isComposing || event.keyCode === 229) {
      this.#sendWhenComposed = true;
      return;
    }
    event.preventDefault();
    this.#sendWhenComposed = false;
    this.send();
  }

  beforeInput(event: Pick<InputEvent, "inputType" | "preventDefault">): void {
    const breaksLine = event.inputType === "insertLineBreak" || event.inputType === "insertParagraph";
    if (this.#sendWhenComposed && breaksLine) event.preventDefault();
  }

  composed(event: Pick<CompositionEvent, "data">): void {
    const wanted = this.#sendWhenComposed;
    this.#sendWhenComposed = false;
    // The field has the last syllable only after this event.
    if (wanted && HANGUL.test(event.data)) setTimeout(this.send, 0);
  }
}

/** Whether the keyboard belongs to a touch screen, whose Enter key should break the line. */
export function touchKeyboard(): boolean {
  return matchMedia("(pointer: coarse)").matches && matchMedia("(hover: none)").matches;
}
