// Changes shown nodes into new ones and keeps those that are alike, so that a selection and the focus
// survive while a text grows.

/** Make `shown`, which stand together below `parent`, equal to `made`; return the nodes now shown. */
export function morph(
  parent: Node,
  shown: ChildNode[],
  made: ChildNode[],
  end: ChildNode | null,
): ChildNode[] {
  const kept = made.map((next, index) => {
    const before = shown[index];
    if (before && alike(before, next)) {
      change(before, next);
      return before;
    }
    parent.insertBefore(next, before ?? end);
    before?.remove();
    return next;
  });
  for (const rest of shown.slice(made.length)) rest.remove();
  return kept;
}

const alike = (one: Node, other: Node): boolean =>
  one.nodeType === other.nodeType && one.nodeName === other.nodeName;

function change(shown: ChildNode, made: ChildNode): void {
  if (shown instanceof Text) {
    changeText(shown, (made as Text).data);
  } else if (shown instanceof Element) {
    changeAttributes(shown, made as Element);
    morph(shown, [...shown.childNodes], [...made.childNodes], null);
  }
}

/** Change only what follows the common beginning: a selection within that stays. */
function changeText(shown: Text, text: string): void {
  if (shown.data === text) return;
  let same = 0;
  while (same < text.length && text[same] === shown.data[same]) same += 1;
  shown.replaceData(same, shown.length - same, text.slice(same));
}

function changeAttributes(shown: Element, made: Element): void {
  for (const { name } of [...shown.attributes]) if (!made.hasAttribute(name)) shown.removeAttribute(name);
  for (const { name, value } of made.attributes) {
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
  if (shown instanceof HTMLInputElement) shown.checked = (made as HTMLInputElement).checked;
}
