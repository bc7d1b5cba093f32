import { expect, test } from "vitest";
import type { TurnState } from "$lib/api.ts";
import { endNotes } from "./notes.ts";
import { Turn } from "./turn.svelte.ts";

const QUOTATIONS = "The model did not answer, so this answer was put together from quotations.";

function turn(state: TurnState, degraded: string[]): Turn {
  const made = new Turn("message");
  made.state = state;
  made.degraded = degraded;
  return made;
}

const texts = (of: Turn): string[] => endNotes(of).map(({ text }) => text);

test("an answer that the model began is not called put together from quotations", () => {
  expect(texts(turn("incomplete", ["model"]))).toEqual(["The answer was cut off here."]);
  expect(texts(turn("done", ["model"]))).toEqual([QUOTATIONS]);
});

test("so is its end, only if the model did not write that either", () => {
  const begun = turn("incomplete", ["model"]);
  begun.continuations = [turn("done", [])];
  expect(texts(begun)).toEqual([]);
  begun.continuations = [turn("done", ["model"])];
  expect(texts(begun)).toEqual([QUOTATIONS]);
});
