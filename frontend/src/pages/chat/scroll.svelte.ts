// Keeps the end of a conversation in sight, unless the reader scrolled up.

const NEAR_PX = 80;

export class EndFollower {
  /** Whether the end is in sight. */
  atEnd = $state(true);
  #log: HTMLElement | undefined;
  #observer: ResizeObserver | undefined;

  /** Follow the content of an element that scrolls. */
  attach(log: HTMLElement, content: HTMLElement): () => void {
    this.#log = log;
    let before = log.scrollTop;
    const scrolled = (): void => {
      const near = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX;
      // The text may have grown since we scrolled to its end: only a move upwards is the reader's.
      if (near || log.scrollTop < before) this.atEnd = near;
      before = log.scrollTop;
    };
    log.addEventListener("scroll", scrolled, { passive: true });
    this.#observer = new ResizeObserver(() => {
      // After an edit there may be nothing left to scroll to.
      if (log.scrollHeight <= log.clientHeight) this.atEnd = true;
      if (this.atEnd) log.scrollTop = log.scrollHeight;
    });
    this.#observer.observe(content);
    this.#observer.observe(log);
    return () => {
      log.removeEventListener("scroll", scrolled);
      this.#observer?.disconnect();
    };
  }

  jump(): void {
    this.atEnd = true;
    if (this.#log) this.#log.scrollTop = this.#log.scrollHeight;
  }
}
