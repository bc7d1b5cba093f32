// Takes the place of DOMPurify in the widget, which must be small: reduces HTML to listed tags and attributes.
// The text is parsed in a template, where nothing runs and nothing is loaded; what is listed is made anew, element by
// element, and never becomes text again that a browser could read differently.

export interface Config {
  ALLOWED_TAGS?: string[];
  ALLOWED_ATTR?: string[];
  ALLOWED_URI_REGEXP?: RegExp;
}

/** Elements whose content is not text of the answer. */
const DROPPED = new Set(
  "script style template noscript iframe object embed svg math title textarea xmp plaintext noembed noframes head select audio video".split(
    " ",
  ),
);
const ADDRESSES = new Set(["href", "src", "action", "formaction", "xlink:href"]);

function sanitize(html: string, config: Config): DocumentFragment {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  const fragment = document.createDocumentFragment();
  copy(parsed.content, fragment, config);
  return fragment;
}

function copy(from: Node, to: Node, config: Config): void {
  for (const node of from.childNodes) {
    // Fields of a form hide its properties behind their names, so nothing of it can be trusted.
    if (node instanceof HTMLFormElement) continue;
    if (node.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(node.nodeValue ?? ""));
    else if (node.nodeType === Node.ELEMENT_NODE) copyElement(node as Element, to, config);
  }
}

function copyElement(element: Element, to: Node, config: Config): void {
  const tag = element.localName;
  if (DROPPED.has(tag)) return;
  if (!config.ALLOWED_TAGS?.includes(tag) || element.namespaceURI !== "http://www.w3.org/1999/xhtml") {
    copy(element, to, config);
    return;
  }
  const made = document.createElement(tag);
  for (const { name, value } of element.attributes) {
    if (!config.ALLOWED_ATTR?.includes(name)) continue;
    if (ADDRESSES.has(name) && !config.ALLOWED_URI_REGEXP?.test(value.trim())) continue;
    made.setAttribute(name, value);
  }
  to.appendChild(made);
  copy(element, made, config);
}

export default { sanitize };
