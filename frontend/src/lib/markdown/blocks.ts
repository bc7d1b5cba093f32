// Splits a growing Markdown text into blocks. Blocks that are finished are never read again.
import { Marked, type Token } from "marked";
import { maths, mathsBlock } from "./maths.ts";

export const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  extensions: [mathsBlock, maths],
  renderer: {
    checkbox: ({ checked }) => `<span class="${checked ? "task done" : "task"}"></span>`,
    image: ({ text }) => text,
    // Always with paragraphs: one item more can make all items of a list have them.
    listitem(item) {
      const [first, second] = item.tokens;
      const joined =
        first?.type === "checkbox" && second && "tokens" in second
          ? [{ ...second, tokens: [first, ...(second.tokens ?? [])] }, ...item.tokens.slice(2)]
          : item.tokens;
      const tokens = joined.map((each) => (each.type === "text" ? { ...each, type: "paragraph" } : each));
      return `<li>${this.parser.parse(tokens as Token[])}</li>`;
    },
  },
});

/** A part of a text that is rendered on its own. */
export interface Block {
  raw: string;
  /** Undefined for a block that did not change since the last time. */
  tokens: Token[] | undefined;
}

/** What follows may still join the last two blocks: an item its list, a line its paragraph. */
const OPEN_BLOCKS = 2;

/** The blocks of a text that grows at its end. */
export class BlockReader {
  #text = "";
  /** Blocks before the open ones, and where those begin. */
  #finished: string[] = [];
  #offset = 0;
  #open: string[] = [];

  /** Return all blocks of the text; those that were returned before have no tokens. */
  read(given: string): Block[] {
    const text = given.replace(/\r\n?/g, "\n");
    if (!text.startsWith(this.#text)) this.reset();
    this.#text = text;
    const tokens = marked.lexer(text.slice(this.#offset));
    const blocks = group(tokens);
    const before = this.#open;
    const shown: Block[] = [
      ...this.#finished.map((raw) => ({ raw, tokens: undefined })),
      ...blocks.map((block, index) =>
        before[index] === block.raw ? { raw: block.raw, tokens: undefined } : block,
      ),
    ];
    const finished = blocks.slice(0, Math.max(0, blocks.length - OPEN_BLOCKS));
    for (const block of finished) this.#offset += block.raw.length;
    this.#finished.push(...finished.map((block) => block.raw));
    this.#open = blocks.slice(finished.length).map((block) => block.raw);
    return shown;
  }

  reset(): void {
    this.#text = "";
    this.#finished = [];
    this.#offset = 0;
    this.#open = [];
  }
}

/** One block per token; blank lines belong to the block before them. */
function group(tokens: Token[]): { raw: string; tokens: Token[] }[] {
  const blocks: { raw: string; tokens: Token[] }[] = [];
  for (const token of tokens) {
    const last = blocks.at(-1);
    if (token.type === "space" && last) last.raw += token.raw;
    else blocks.push({ raw: token.raw, tokens: [token] });
  }
  return blocks;
}
