// What a page loads from the server: the value, or the error in words.
import { errorText } from "./api.ts";

export class Loaded<T> {
  value: T | undefined = $state.raw();
  failure = $state("");
  #load: () => Promise<T>;
  #last = 0;

  constructor(load: () => Promise<T>) {
    this.#load = load;
    void this.reload();
  }

  /** Load again. The old value stays until the new one is there; of two calls the later one counts. */
  async reload(): Promise<void> {
    const own = ++this.#last;
    try {
      const value = await this.#load();
      if (own !== this.#last) return;
      this.value = value;
      this.failure = "";
    } catch (error) {
      if (own === this.#last) this.failure = errorText(error);
    }
  }
}
