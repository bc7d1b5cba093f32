// Finds maths in Markdown: `$$…$$`, `\[…\]`, `\(…\)`, and `$…$` when it is clearly maths.
import type { TokenizerAndRendererExtension, Tokens } from "marked";

/** A formula within a text. */
export interface Maths extends Tokens.Generic {
  type: "maths" | "mathsBlock";
  text: string;
}

const DISPLAY = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[^\S\n]*(?:\n|$)/;
const INLINE_DISPLAY = /^(?:\$\$([^$\n]+?)\$\$|\\\[([^\n]+?)\\\])/;
const PARENTHESES = /^\\\(([^\n]+?)\\\)/;
const DOLLARS = /^\$(?!\s|\$)((?:\\[^\n]|[^\\$\n])+?)(?<!\s)\$(?![\dA-Za-z])/;

/** Return whether what stands between two dollar signs is maths rather than two prices. */
export function clearlyMaths(text: string): boolean {
  if (/[\p{Script=Hangul}\p{Script=Han}]/u.test(text.replace(/\\text\{[^}]*\}/g, ""))) return false;
  if (/[\\^_]/.test(text)) return true;
  if (/^[A-Za-z](?:['′]|\([A-Za-z\d, ]+\))?$/.test(text)) return true;
  return /[=<>+*/≤≥≠±×÷-]/.test(text) && /[A-Za-z]/.test(text) && !/[A-Za-z]{4,}/.test(text);
}

const escape = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

export const mathsBlock: TokenizerAndRendererExtension = {
  name: "mathsBlock",
  level: "block",
  start: (source) => source.match(/^(?:\$\$|\\\[)/m)?.index,
  tokenizer(source) {
    const match = DISPLAY.exec(source);
    const text = match?.[1] ?? match?.[2];
    return match && text?.trim() ? { type: "mathsBlock", raw: match[0], text: text.trim() } : undefined;
  },
  renderer: (token) => `<div class="maths">${escape((token as Maths).text)}</div>`,
};

export const maths: TokenizerAndRendererExtension = {
  name: "maths",
  level: "inline",
  start: (source) => source.match(/\$|\\\(|\\\[/)?.index,
  tokenizer(source) {
    const display = INLINE_DISPLAY.exec(source);
    const match = display ?? PARENTHESES.exec(source) ?? DOLLARS.exec(source);
    const text = match?.[1] ?? match?.[2];
    if (!match || !text) return undefined;
    if (source.startsWith("$") && !display && !clearlyMaths(text)) return undefined;
    return { type: "maths", raw: match[0], text: text.trim() };
  },
  renderer: (token) => `<span class="maths">${escape((token as Maths).text)}</span>`,
};
