// What an answer's state means for its reader, in words, and what its turn did to memory.
import type { EffectView } from "$lib/api.ts";
import { N_, t } from "$lib/texts.ts";
import { isGone, type Turn } from "./turn.svelte.ts";

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

const EFFECTS: Record<EffectView["kind"], string> = {
  remembered: N_("Remembered"),
  forgotten: N_("Forgotten"),
  left_out: N_("Left out of memory"),
  undone: N_("Undone"),
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
  // What was cut off is the model's own text.
  const degraded = [turn, ...turn.continuations].flatMap((part) =>
    part.degraded.filter((name) => name !== "model" || part.state !== "incomplete"),
  );
  for (const text of degradedTexts(degraded)) notes.push({ kind: "warning", text });
  return notes;
}

/** Return what a turn did to memory. What it forgot is only known at once. */
export function effectsText(turn: Turn): string {
  if (turn.isUndone) return t("Undone");
  const texts = Object.entries(EFFECTS).flatMap(([kind, label]) => {
    const those = turn.effects.filter((each) => each.kind === kind && !isGone(each));
    const words = those.flatMap(({ text }) => (text && kind === "forgotten" ? `“${text}”` : text || []));
    return those.length ? [t(label), words.join(" · ")].filter(Boolean).join(": ") : [];
  });
  if (turn.effects.some(isGone)) texts.push(t("Remembered, forgotten since"));
  if (turn.changedSince) texts.push(t("changed since then"));
  return texts.join(" · ");
}
