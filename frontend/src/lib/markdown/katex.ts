// Formulas as MathML, without styles and fonts of their own.
import katex from "katex";

export function formula(source: string, display: boolean): string {
  return katex.renderToString(source, {
    output: "mathml",
    displayMode: display,
    throwOnError: false,
    strict: "ignore",
    trust: false,
    maxExpand: 200,
  });
}
