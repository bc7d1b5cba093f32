// Texts for users: English in the code, Korean from the catalogue (`make texts`, `make web`).
// `scripts/texts.py` finds calls of `t`, `N_` and `plural` that begin with literals in double quotes.

export type Language = "ko" | "en";

let language: Language = "ko";
let translations: Record<string, string> = {};

/** The Korean texts, a file for each page and one that all share. */
const KOREAN = import.meta.glob<Record<string, string>>("./korean/*.json", { import: "default" });

/** Load the texts of a language. Await it before anything is shown. */
export async function setLanguage(chosen: Language): Promise<void> {
  language = chosen;
  translations = {};
  await loadTexts("shared");
}

/** Load the texts of a page. Await it before the page is shown. */
export async function loadTexts(page: string): Promise<void> {
  const load = KOREAN[`./korean/${page}.json`];
  if (language === "ko" && load) Object.assign(translations, await load());
}

/** Use texts that are already loaded, as the widget does. */
export function useTexts(chosen: Language, korean: Record<string, string>): void {
  language = chosen;
  translations = chosen === "ko" ? korean : {};
}

export function currentLanguage(): Language {
  return language;
}

/** Return the text in the language of the page, with `{name}` replaced by values. */
export function t(message: string, values?: Record<string, string | number>): string {
  const text = translations[message] ?? message;
  if (values === undefined) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Return the text for a number: the first for one, the second, with `{count}`, for others. */
export function plural(
  one: string,
  others: string,
  count: number,
  values?: Record<string, string | number>,
): string {
  return t(count === 1 ? one : others, { count: count.toLocaleString(language), ...values });
}

/** Mark a text for extraction where it is defined; translate it where it is shown. */
export function N_(message: string): string {
  return message;
}
