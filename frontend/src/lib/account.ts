// What the account menu does: language, profile, assistant, sign-out. The server sets cookies, then the
// page is loaded again.
import { boot } from "./boot.svelte.ts";
import type { Language } from "./texts.ts";

async function post(path: string, fields: Record<string, string> = {}): Promise<void> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Saegim-Csrf": boot().csrf },
    body: new URLSearchParams(fields),
  });
  if (!response.ok && response.status !== 401) throw new Error(`${path}: ${response.status}`);
}

export function chooseLanguage(language: Language): void {
  location.assign(`/language/${language}?next=${encodeURIComponent(location.pathname + location.search)}`);
}

export async function chooseProfile(name: string): Promise<void> {
  await post("/profile", { profile: name });
  location.reload();
}

/** Switch the assistant of new conversations. */
export async function chooseAssistant(id: string): Promise<void> {
  await post("/assistant", { assistant: id });
  location.assign("/chat");
}

export async function signOut(everywhere = false): Promise<void> {
  await post(everywhere ? "/sign-out/everywhere" : "/sign-out");
  location.assign("/sign-in");
}
