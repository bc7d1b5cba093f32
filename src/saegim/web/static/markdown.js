// Markdown to elements. Nothing runs, nothing is fetched: tags and attributes are those listed here.
import DOMPurify from "./vendor/purify.es.js";
import { Marked } from "./vendor/marked.esm.js";

const marked = new Marked({ gfm: true, breaks: true, async: false });
const ALLOWED = {
  ALLOWED_TAGS: [
    "p", "br", "strong", "em", "del", "s", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "a",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
  ],
  ALLOWED_ATTR: ["href", "align", "start"],
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};
const MARKER = /\[([MTF]?\d{1,4})\]/g;

/** A text as elements; each marker becomes what `cite(marker)` makes, or stays text. */
export function render(text, cite = () => null) {
  const fragment = DOMPurify.sanitize(marked.parse(text), ALLOWED);
  for (const link of fragment.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
  }
  for (const table of fragment.querySelectorAll("table")) {
    const frame = document.createElement("div");
    frame.className = "table";
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
  citeIn(fragment, cite);
  return fragment;
}

function citeIn(fragment, cite) {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement?.closest("code, pre, a")) texts.push(walker.currentNode);
  }
  for (const node of texts) {
    const pieces = [];
    let from = 0;
    for (const match of node.data.matchAll(MARKER)) {
      const made = cite(match[1]);
      if (!made) continue;
      // With the stop that follows, so that none begins a line.
      const end = match.index + match[0].length;
      const stop = node.data.slice(end).match(/^[.,;:!?…。)]+/)?.[0] ?? "";
      const together = document.createElement("span");
      together.className = "together";
      together.append(made, stop);
      pieces.push(node.data.slice(from, match.index), together);
      from = end + stop.length;
    }
    if (pieces.length) node.replaceWith(...pieces, node.data.slice(from));
  }
}
