// Marks a quotation within a text.
export interface Part {
  text: string;
  marked: boolean;
}

/** Split a text at its first occurrence of the quotation. Long texts are cut around it. */
export function marked(text: string, quote: string, longest = 600): Part[] {
  const at = quote ? text.indexOf(quote) : -1;
  if (at < 0) return [{ text: text.length > longest ? `${text.slice(0, longest)}…` : text, marked: false }];
  const end = at + quote.length;
  const room = Math.max(0, Math.floor((longest - quote.length) / 2));
  const before = at > room ? `…${text.slice(at - room, at)}` : text.slice(0, at);
  const after = text.length - end > room ? `${text.slice(end, end + room)}…` : text.slice(end);
  return [
    { text: before, marked: false },
    { text: quote, marked: true },
    { text: after, marked: false },
  ].filter((part) => part.text !== "");
}
