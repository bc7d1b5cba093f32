// Citation markers in an answer: `[1]`, `[M1]`, `[T1]`, `[F1]`.

const MARKER = /\[([MTF]?\d{1,4})\]/g;
const PUNCTUATION = /^[.,;:!?…。)]+/;

export type Piece = string | { marker: string; after: string };

/** Split a text at its known markers, each with the punctuation that must stay beside it. */
export function splitMarkers(text: string, known: (marker: string) => boolean): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKER)) {
    const marker = match[1] ?? "";
    if (!known(marker)) continue;
    const end = match.index + match[0].length;
    const after = PUNCTUATION.exec(text.slice(end))?.[0] ?? "";
    if (match.index > from) pieces.push(text.slice(from, match.index));
    pieces.push({ marker, after });
    from = end + after.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** Return the markers that a text contains, in order and once each. */
export function markersIn(text: string): string[] {
  return [...new Set([...text.matchAll(MARKER)].map((match) => match[1] ?? ""))];
}

/** Replace known markers in the texts below an element by buttons; `label` names a marker's source. */
export function markCitations(root: ParentNode & Node, labels: ReadonlyMap<string, string>): void {
  if (labels.size === 0) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.data.includes("[") && !node.parentElement?.closest("code, pre, a, button, .maths"))
      texts.push(node);
  }
  for (const node of texts) {
    const pieces = splitMarkers(node.data, (marker) => labels.has(marker));
    if (!pieces.some((piece) => typeof piece !== "string")) continue;
    node.replaceWith(...pieces.map((piece) => (typeof piece === "string" ? piece : citation(piece, labels))));
  }
}

function citation({ marker, after }: Exclude<Piece, string>, labels: ReadonlyMap<string, string>): Node {
  const label = labels.get(marker) ?? marker;
  const mark = document.createElement("button");
  mark.className = "cite";
  mark.type = "button";
  mark.dataset.marker = marker;
  mark.setAttribute("aria-label", label);
  mark.textContent = marker;
  const together = document.createElement("span");
  together.className = "together";
  together.append(mark, after);
  return together;
}
