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

test("what was forgotten since is said so, and cannot be undone", () => {
  const shown = turn("a", effect("remembered", "1", "allergic to nuts"));
  expect(shown.isUndoable).toBe(true);
  shown.did([effect("remembered", "1")]);
  expect(effectsText(shown)).toBe("Remembered, forgotten since");
  expect(shown.isUndoable).toBe(false);

  const partly = turn("b", effect("remembered", "1"), effect("remembered", "2", "likes tables"));
  expect(effectsText(partly)).toBe("Remembered: likes tables · Remembered, forgotten since");
  expect(partly.isUndoable).toBe(true);
  partly.markUndone();
  expect(effectsText(partly)).toBe("Undone");
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

test("a turn whose memory a later message forgets says so at once", async () => {
  const conversation = new Conversation({}, "session");
  conversation.turns = [turn("a", effect("remembered", "1", "nuts"))];
  const turns = [
    { turn_id: "a", state: "done", effects: [effect("remembered", "1")] },
    { turn_id: "b", state: "done", effects: [effect("forgotten", "1")] },
  ];
  const reply = { turn_id: "b", session_id: "session", state: "done", degraded: [] };
  const done = JSON.stringify({ ...reply, effects: [effect("forgotten", "1", "nuts")] });
  vi.stubGlobal("fetch", (_: unknown, { method }: RequestInit) => {
    if (method === "POST")
      return Promise.resolve(
        new Response(`event: done\ndata: ${done}\n\n`, { headers: { "Saegim-Turn": "b" } }),
      );
    const headers = { "content-type": "application/json" };
    return Promise.resolve(new Response(JSON.stringify({ turns, remembered: [] }), { headers }));
  });
  await conversation.send("forget that");
  await vi.waitFor(() =>
    expect(conversation.turns.map(effectsText)).toEqual(["Remembered, forgotten since", "Forgotten: “nuts”"]),
  );
});
