// Formulas as text: KaTeX would not fit into the widget.

const SIGNS: Record<string, string> = {
  times: "×",
  cdot: "·",
  le: "≤",
  leq: "≤",
  ge: "≥",
  geq: "≥",
  ne: "≠",
  sum: "∑",
  sqrt: "√",
  left: "",
  right: "",
};

/** Return a formula in signs that any font has; commands without a sign keep their name. */
export function formula(source: string): string {
  return source
    .replace(/\\d?frac\{(.*?)\}\{(.*?)\}/g, "($1)/($2)")
    .replace(/\\(?:text|math\w+)\b/g, "")
    .replace(/\\([A-Za-z]+)/g, (_, name: string) => SIGNS[name] ?? name)
    .replace(/[{}]/g, "")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;");
}
