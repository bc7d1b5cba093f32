// What the script tag of the host says.
import type { Language } from "$lib/texts.ts";

export interface Settings {
  /** Origin of the Saegim server. */
  site: string;
  /** Folder of the static files of this release. */
  files: string;
  /** Route of the host that answers with a token. */
  tokenUrl: string;
  title: string;
  language: Language;
  theme: "light" | "dark" | "system";
  mode: "popup" | "inline";
  /** Where an inline chat stands: a selector; without one, where the script tag is. */
  target: string;
  side: "left" | "right";
  open: boolean;
  greeting: string;
  starters: string[];
}

const one = <Value extends string>(text: string | undefined, values: readonly Value[], usual: Value): Value =>
  values.find((value) => value === text) ?? usual;

/** Read the `data-` attributes of the tag; unknown values mean the default. */
export function readSettings(data: DOMStringMap, source: string, browser: string): Settings {
  const address = new URL(source);
  return {
    site: address.origin,
    files: new URL("__BASE__", address).href,
    tokenUrl: data.tokenUrl ?? "",
    title: data.title ?? "",
    language: one(data.language, ["ko", "en"], browser.startsWith("ko") ? "ko" : "en"),
    theme: one(data.theme, ["light", "dark", "system"], "system"),
    mode: one(data.mode, ["popup", "inline"], "popup"),
    target: data.target ?? "",
    side: one(data.side, ["left", "right"], "right"),
    open: data.open !== undefined && data.open !== "false",
    greeting: data.greeting ?? "",
    starters: (data.starters ?? "")
      .split("|")
      .map((starter) => starter.trim())
      .filter(Boolean)
      .slice(0, 6),
  };
}
