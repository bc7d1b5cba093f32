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
  /** Whether a model answers; without one, rules do. */
  model_connected: boolean;
}

let stored: Boot | undefined;

export function boot(): Boot {
  stored ??= JSON.parse(document.getElementById("boot")?.textContent ?? "{}") as Boot;
  return stored;
}

/** Return whether the signed-in user has a permission, such as `library:write`. */
export function may(permission: string): boolean {
  return (boot().me.permissions as string[]).includes(permission);
}
