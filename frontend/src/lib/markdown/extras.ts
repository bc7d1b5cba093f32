// Highlighting and maths are large, so a page chooses whether to load them: `loadExtrasOnDemand()`.
// Without them code and formulas are shown as they are written.

export interface Extras {
  highlight?: () => Promise<{ highlight: (code: string, language: string) => string | undefined }>;
  maths?: () => Promise<{ formula: (source: string, display: boolean) => string }>;
}

export const extras: Extras = {};

/** Load the highlighter with the first code block, and KaTeX with the first formula. */
export function loadExtrasOnDemand(): void {
  extras.highlight = () => import("./highlight.ts");
  extras.maths = () => import("./katex.ts");
}
