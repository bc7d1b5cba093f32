// What an answer's state means for its reader, in words, and what its turn did to memory.
import type { EffectView } from "$lib/api.ts";
import { N_, t } from "$lib/texts.ts";
import type { Turn } from "./turn.svelte.ts";

const PHASES: Record<string, string> = {
  received: N_("Received"),
  routing: N_("Reading the question"),
  searching: N_("Searching"),
  answering: N_("Writing the answer"),
};

/** What was not available, and what that means for the answer. */
const DEGRADED: Record<string, string> = {
  model: N_("The model did not answer, so this answer was put together from quotations."),
  budget: N_("The budget for models is used up, so this answer was put together from quotations."),
  memory: N_("Your memory could not be read for this answer."),
  index: N_("The documents could not be searched completely. Ask again in a moment."),
  library: N_("The documents could not be searched completely. Ask again in a moment."),
  embedder: N_("Documents were searched by keywords only, not by meaning."),
  reranker: N_("The documents found were not put into the best order."),
  redis: N_("A part of the server did not answer; earlier turns were read again."),
  assistant_config: N_("The settings of the assistant could not be read; defaults were used."),
};

export function phaseText(phase: string): string {
  return t(PHASES[phase] ?? "Received");
}

/** Return a sentence for each component that was not available. */
export function degradedTexts(degraded: readonly string[]): string[] {
  const texts = degraded.map((name) =>
    DEGRADED[name] ? t(DEGRADED[name]) : t("A tool did not answer: {name}.", { name }),
  );
  return [...new Set(texts)];
}

/** Return what is to be said about how an answer ended; an answer without problems has no notes. */
export function endNotes(turn: Turn): { kind: "info" | "warning"; text: string }[] {
  const last = turn.last;
  const notes: { kind: "info" | "warning"; text: string }[] = [];
  if (last.error === "cancelled") notes.push({ kind: "info", text: t("Answer stopped.") });
  else if (last.state === "incomplete")
    notes.push({ kind: "warning", text: t("The answer was cut off here.") });
  else if (last.state === "failed") notes.push({ kind: "warning", text: t("Could not answer.") });
  for (const text of degradedTexts(turn.degraded)) notes.push({ kind: "warning", text });
  return notes;
}

/** Return what a turn did to memory, a text for each kind. What it forgot is only known at once. */
export function effectTexts(effects: readonly EffectView[]): string[] {
  const texts: string[] = [];
  for (const kind of ["remembered", "forgotten", "left_out", "undone"] as const) {
    const those = effects.filter((each) => each.kind === kind);
    const words = those.flatMap((each) => each.text || []);
    if (those.length > 0) texts.push(effectText(kind, words));
  }
  return texts;
}

function effectText(kind: EffectView["kind"], words: string[]): string {
  const known = words.length > 0;
  const what = words.join(" · ");
  const quoted = words.map((each) => `“${each}”`).join(" · ");
  if (kind === "remembered") return known ? t("Remembered: {what}", { what }) : t("Remembered");
  if (kind === "forgotten") return known ? t("Forgotten: {what}", { what: quoted }) : t("Forgotten");
  if (kind === "undone") return known ? t("Undone: {what}", { what }) : t("Undone");
  return t("Left out of memory");
}
