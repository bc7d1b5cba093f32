import { afterEach, expect, test, vi } from "vitest";
import type { EffectView, TurnView } from "$lib/api.ts";
import { Conversation } from "./conversation.svelte.ts";
import { effectTexts } from "./notes.ts";
import { Turn } from "./turn.svelte.ts";

afterEach(() => void vi.unstubAllGlobals());

const effect = (kind: EffectView["kind"], id: string, text = "", undone = false): EffectView => ({
  kind,
  id,
  ref: null,
  text,
  undone,
});
const record = (memory_id: string, content: string) =>
  ({ memory_id, content, type: "fact", topic: "", quote: "" }) as const;

function turn(id: string, ...effects: EffectView[]): Turn {
  const made = new Turn("message");
  made.id = id;
  made.did(effects);
  return made;
}

test("what a turn did is told in one text for each kind", () => {
  const effects = [
    effect("forgotten", "2", "lives in Busan"),
    effect("remembered", "1", "allergic to nuts"),
    effect("remembered", "3", "likes tables"),
    effect("left_out", "4"),
  ];
  expect(effectTexts(effects)).toEqual([
    "Remembered: allergic to nuts · likes tables",
    "Forgotten: “lives in Busan”",
    "Left out of memory",
  ]);
  expect(effectTexts([effect("forgotten", "2"), effect("undone", "5")])).toEqual(["Forgotten", "Undone"]);
});

test("words that are not stored stay on the page, and nothing is told twice", () => {
  const shown = turn("a", effect("remembered", "1", "allergic to nuts"), effect("forgotten", "2", "Busan"));
  shown.learned([record("1", "allergic to nuts"), record("3", "likes tables")]);
  shown.did([effect("remembered", "1", "allergic to nuts"), effect("forgotten", "2")]);
  expect(effectTexts(shown.effects)).toEqual([
    "Remembered: allergic to nuts · likes tables",
    "Forgotten: “Busan”",
  ]);
});

test("an undo marks the turn, and the turn that it had taken back is in force again", async () => {
  const conversation = new Conversation();
  conversation.turns = [
    turn("a", effect("remembered", "1", "nuts", true)),
    turn("b", effect("undone", "a", "nuts")),
  ];
  const stored: Record<string, EffectView[]> = {
    a: [effect("remembered", "1", "nuts")],
    b: [effect("undone", "a", "", true)],
  };
  vi.stubGlobal("fetch", (url: string, { method }: RequestInit) => {
    const id = url.split("/")[3] ?? "";
    const body: Partial<TurnView> | object = method === "GET" ? { effects: stored[id] } : { forgotten: 1 };
    const headers = { "content-type": "application/json" };
    return Promise.resolve(new Response(JSON.stringify(body), { headers }));
  });
  const [first, second] = conversation.turns as [Turn, Turn];
  await conversation.undo(second);
  expect([first.isUndone, second.isUndone, second.changedSince]).toEqual([false, true, false]);

  // A record that was changed on another page stays as it is.
  await conversation.undo(first);
  expect([first.isUndone, first.changedSince]).toEqual([false, true]);
});
