// What the server puts into the page: who is signed in and what they may do.
import type { AvailableAssistantView, MeView, ProfileView } from "$client/types.ts";
import type { Language } from "./texts.ts";

export interface Boot {
  language: Language;
  csrf: string;
  version: string;
  me: MeView;
  /** The user's name or e-mail address; empty if the server knows none. */
  name: string;
  /** Own profiles, one of which is current; empty for a credential without its own data. */
  profiles: ProfileView[];
  /** Assistants that the user may choose; the current one answers in new conversations. */
  assistants: AvailableAssistantView[];
  /** Whether a model answers; without one, replies quote. */
  model_connected: boolean;
}

// Replaced as a whole; pages that read it are updated.
let current = $state.raw(read(document));
let requested = 0;

function read(page: Document): Boot {
  return JSON.parse(page.getElementById("boot")?.textContent ?? "{}") as Boot;
}

export function boot(): Boot {
  return current;
}

/** Read it again after a change: models, assistants or the account may be others now. */
export async function refreshBoot(): Promise<void> {
  const request = ++requested;
  const response = await fetch(location.pathname, { credentials: "same-origin" }).catch(() => undefined);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  // Of several requests the last one counts; a sign-in page has no such data.
  if (request === requested && page.getElementById("boot")) current = read(page);
}

/** Return whether the signed-in user has a permission, such as `library:write`. */
export function may(permission: string): boolean {
  return (boot().me.permissions as string[]).includes(permission);
}
