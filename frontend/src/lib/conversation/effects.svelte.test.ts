import { afterEach, expect, test, vi } from "vitest";
import type { EffectView } from "$lib/api.ts";
import { Conversation } from "./conversation.svelte.ts";
import { effectsText } from "./notes.ts";
import { Turn } from "./turn.svelte.ts";

afterEach(() => void vi.unstubAllGlobals());

const effect = (kind: EffectView["kind"], id: string, text = "", undone = false): EffectView => ({
  kind,
  id,
  ref: null,
  text,
  undone,
});

function turn(id: string, ...effects: EffectView[]): Turn {
  const made = new Turn("message");
  made.id = id;
  made.did(effects);
  return made;
}

test("what a turn did is told in one text for each kind", () => {
  const shown = turn(
    "a",
    effect("forgotten", "2", "lives in Busan"),
    effect("remembered", "1", "allergic to nuts"),
    effect("left_out", "4"),
  );
  expect(effectsText(shown)).toBe(
    "Remembered: allergic to nuts · Forgotten: “lives in Busan” · Left out of memory",
  );
  expect(effectsText(turn("b", effect("forgotten", "2"), effect("undone", "5")))).toBe("Forgotten · Undone");
});

test("words that are not stored stay on the page, and nothing is told twice", () => {
  const shown = turn("a", effect("remembered", "1", "allergic to nuts"), effect("forgotten", "2", "Busan"));
  shown.did([
    { kind: "remembered", id: "1", text: "allergic to nuts" },
    { kind: "remembered", id: "3", text: "likes tables" },
  ]);
  shown.did([effect("remembered", "1", "allergic to nuts"), effect("forgotten", "2")]);
  expect(effectsText(shown)).toBe("Remembered: allergic to nuts · likes tables · Forgotten: “Busan”");
  shown.markUndone();
  shown.did([{ kind: "remembered", id: "3", text: "likes tables" }]);
  expect(shown.isUndone).toBe(true);
});

test("an undo marks the turn, and the turn that it had taken back is in force again", async () => {
  const conversation = new Conversation({}, "session");
  conversation.turns = [
    turn("a", effect("remembered", "1", "nuts", true)),
    turn("b", effect("undone", "a", "nuts")),
  ];
  const turns = [
    { turn_id: "a", state: "done", effects: [effect("remembered", "1", "nuts")] },
    { turn_id: "b", state: "done", effects: [effect("undone", "a", "", true)] },
  ];
  vi.stubGlobal("fetch", () => {
    const headers = { "content-type": "application/json" };
    return Promise.resolve(new Response(JSON.stringify({ turns, forgotten: 1 }), { headers }));
  });
  const [first, second] = conversation.turns as [Turn, Turn];
  await conversation.undo(second);
  expect([first.isUndone, second.isUndone, second.changedSince]).toEqual([false, true, false]);

  // A record that was changed on another page stays as it is.
  await conversation.undo(first);
  expect([first.isUndone, first.changedSince]).toEqual([false, true]);
});
