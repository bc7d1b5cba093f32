// Markdown to elements: nothing runs, nothing is loaded; tags and attributes are those listed here.
import DOMPurify, { type Config } from "dompurify";
import type { Token } from "marked";
import { t } from "$lib/texts.ts";
import { BlockReader, marked } from "./blocks.ts";
import { extras } from "./extras.ts";

type FragmentConfig = Config & { RETURN_DOM_FRAGMENT: true };

const ALLOWED: FragmentConfig = {
  // prettier-ignore
  ALLOWED_TAGS: [
    "p", "br", "strong", "em", "del", "s", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "a", "div", "span",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
  ],
  ALLOWED_ATTR: ["href", "align", "start", "class"],
  // No e-mail addresses: a text that somebody planted must not become a way to reach them.
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
  // Not addresses, so that the pattern above does not apply to them.
  ADD_URI_SAFE_ATTR: ["align", "start"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};
const COLOURED: FragmentConfig = {
  ALLOWED_TAGS: ["span"],
  ALLOWED_ATTR: ["class"],
  RETURN_DOM_FRAGMENT: true,
};
const FORMULA: FragmentConfig = {
  USE_PROFILES: { mathMl: true },
  ADD_TAGS: ["semantics", "annotation"],
  FORBID_ATTR: ["style", "href", "xlink:href", "src"],
  RETURN_DOM_FRAGMENT: true,
};
/** Classes that this module gives; the text of an answer can name no others. */
const OWN_CLASSES = /^(?:maths|task|task done|language-[\w+#.-]{1,20})$/;
/** Longer code is shown without colours: highlighting it would block the page. */
const LONGEST_HIGHLIGHTED = 8000;
/** A cell with nothing but a number and its unit is never broken. */
// Citations may follow.
const NUMBER = /^[\s\p{Sc}+−–~≈-]*\d[\d.,:/\s]*(?:[\p{L}%°‰]{0,6}\s?)(?:\s*\[?(?:[MTF]?\d+|\?)\]?)*\s*$/u;

/** Return the elements of a Markdown text. */
export function render(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const block of new BlockReader().read(text)) fragment.append(renderBlock(block.tokens ?? []));
  decorate(fragment);
  return fragment;
}

/** Return the elements of one block, without colours and formulas. */
export function renderBlock(tokens: Token[]): DocumentFragment {
  const html = marked.parser(tokens);
  const fragment = DOMPurify.sanitize(html, ALLOWED);
  for (const element of fragment.querySelectorAll("[class]")) {
    if (!OWN_CLASSES.test(element.className)) element.removeAttribute("class");
  }
  for (const link of fragment.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
  }
  for (const task of fragment.querySelectorAll("span.task")) task.replaceWith(checkbox(task));
  for (const table of fragment.querySelectorAll("table")) frameTable(table);
  for (const code of fragment.querySelectorAll("pre > code")) frameCode(code as HTMLElement);
  return fragment;
}

/** Colour code and set formulas in a node whose text is finished. */
export function decorate(root: DocumentFragment | Element): void {
  if (root instanceof HTMLElement && root.matches(".maths")) void showFormula(root);
  for (const code of root.querySelectorAll<HTMLElement>("pre > code")) void colour(code);
  for (const element of root.querySelectorAll<HTMLElement>(".maths")) void showFormula(element);
}

function checkbox(task: Element): HTMLInputElement {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.disabled = true;
  box.checked = task.classList.contains("done");
  box.setAttribute("aria-label", box.checked ? t("Done") : t("Not done"));
  return box;
}

function frameTable(table: HTMLTableElement): void {
  for (const cell of table.querySelectorAll("td")) {
    if (NUMBER.test(cell.textContent ?? "")) cell.className = "number";
  }
  for (const head of table.querySelectorAll("th")) {
    // An empty header cell is announced as one; as a plain cell it is not.
    if (head.textContent?.trim() === "") {
      const cell = document.createElement("td");
      head.replaceWith(cell);
    }
  }
  const frame = document.createElement("div");
  frame.className = "table";
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", t("Table"));
  table.replaceWith(frame);
  frame.append(table);
}

function frameCode(code: HTMLElement): void {
  const pre = code.parentElement;
  if (!pre) return;
  pre.tabIndex = 0;
  const frame = document.createElement("div");
  frame.className = "code";
  const bar = document.createElement("div");
  bar.className = "code-bar";
  const name = document.createElement("span");
  name.textContent = languageOf(code);
  const copy = document.createElement("button");
  copy.type = "button";
  copy.className = "copy-code";
  copy.textContent = t("Copy code");
  bar.append(name, copy);
  pre.replaceWith(frame);
  frame.append(bar, pre);
}

const languageOf = (code: HTMLElement): string => /^language-(.+)$/.exec(code.className)?.[1] ?? "";

async function colour(code: HTMLElement): Promise<void> {
  const language = languageOf(code).toLowerCase();
  const source = code.textContent ?? "";
  if (!language || !source || source.length > LONGEST_HIGHLIGHTED) return;
  const loaded = await extras.highlight?.().catch(() => undefined);
  if (code.textContent !== source) return;
  const html = loaded?.highlight(source, language);
  if (html !== undefined) code.replaceChildren(DOMPurify.sanitize(html, COLOURED));
}

async function showFormula(element: HTMLElement): Promise<void> {
  const source = element.textContent ?? "";
  const loaded = await extras.maths?.().catch(() => undefined);
  // The text may have changed meanwhile, or is a formula already.
  if (!loaded || element.textContent !== source) return;
  const html = loaded.formula(source, element.localName === "div");
  element.replaceChildren(DOMPurify.sanitize(html, FORMULA));
}
