// Types, origins, actions and actors of memories in words.
import type { Action, Actor, MemoryType, Origin } from "$lib/api.ts";
import { N_, t } from "$lib/texts.ts";

const TYPES: Record<MemoryType, string> = {
  profile: N_("Profile"),
  preference: N_("Preference"),
  constraint: N_("Constraint"),
  decision: N_("Decision"),
  todo: N_("To do"),
  timeline: N_("Timeline"),
  fact: N_("Fact"),
  note: N_("Note"),
};

const ORIGINS: Record<Origin, string> = {
  model: N_("Extracted by a model"),
  fallback: N_("Kept without a model"),
  person: N_("Written by you"),
};

const ACTIONS: Record<Action, string> = {
  add: N_("Added"),
  confirm: N_("Confirmed"),
  doubt: N_("Marked as unsure"),
  supersede: N_("Replaced by a newer one"),
  contradict: N_("Contradicted"),
  revise: N_("Corrected"),
  roll_back: N_("Rolled back"),
  pin: N_("Pinned"),
  unpin: N_("Unpinned"),
  retain: N_("Retention changed"),
  forget: N_("Forgotten"),
  undo: N_("Restored"),
  expire: N_("Expired"),
  consolidate: N_("Summarised"),
  import: N_("Imported"),
  consent: N_("Consent changed"),
};

const ACTORS: Record<Actor, string> = {
  person: N_("You"),
  model: N_("Model"),
  fallback: N_("Rule"),
  rule: N_("Rule"),
  operator: N_("Administrator"),
};

export const TYPE_NAMES = Object.keys(TYPES) as MemoryType[];
export const typeLabel = (type: MemoryType): string => t(TYPES[type]);
export const originLabel = (origin: Origin): string => t(ORIGINS[origin]);
export const actionLabel = (action: Action): string => t(ACTIONS[action]);
export const actorLabel = (actor: Actor): string => t(ACTORS[actor]);

/** Say how important a memory is, from 0 to 1. */
export function importanceLabel(importance: number): string {
  if (importance >= 0.75) return t("High");
  return importance >= 0.4 ? t("Medium") : t("Low");
}

/** Name a month, `2026-11`, in the language of the page. */
export function monthLabel(month: string, locale: string): string {
  const [year = 1970, number = 1] = month.split("-").map(Number);
  return new Date(year, number - 1, 1).toLocaleDateString(locale, { year: "numeric", month: "long" });
}
