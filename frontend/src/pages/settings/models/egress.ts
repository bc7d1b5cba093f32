// Types of memories that a provider may be kept from.
import { N_, t } from "$lib/texts.ts";

export const EGRESS_TYPES = [
  "profile",
  "fact",
  "preference",
  "constraint",
  "decision",
  "todo",
  "timeline",
  "note",
  "episode",
] as const;
export type EgressType = (typeof EGRESS_TYPES)[number];

const NAMES: Record<EgressType | "derived", string> = {
  derived: N_("Profile line"),
  profile: N_("Profile"),
  fact: N_("Fact"),
  preference: N_("Preference"),
  constraint: N_("Constraint"),
  decision: N_("Decision"),
  todo: N_("To do"),
  timeline: N_("Timeline"),
  note: N_("Note"),
  episode: N_("Past conversation"),
};

/** Return the name of a type; one that is not known is shown as it is. */
export function egressTypeName(type: string): string {
  const name = NAMES[type as EgressType];
  return name ? t(name) : type;
}
