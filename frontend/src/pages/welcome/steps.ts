// The steps of the first run.
import { N_ } from "$lib/texts.ts";

export type Step = "model" | "documents" | "ask";

export interface Progress {
  model: boolean;
  documents: boolean;
  members: boolean;
  asked: boolean;
}

export const STEPS: { name: Step; label: string; done: "model" | "documents" | "asked" }[] = [
  { name: "model", label: N_("Model"), done: "model" },
  { name: "documents", label: N_("Documents"), done: "documents" },
  { name: "ask", label: N_("First question"), done: "asked" },
];

/** Return the first step that is not done; the last one if all are. */
export function firstOpen(progress: Progress): Step {
  return STEPS.find((step) => !progress[step.done])?.name ?? "ask";
}
