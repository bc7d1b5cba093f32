import { describe, expect, it } from "vitest";
import { useTexts } from "$lib/texts.ts";
import { grouped } from "./sessions.svelte.ts";

const session = (id: string, used_at: Date, pinned = false) => ({
  session_id: id,
  assistant_id: "a",
  title: id,
  turns: 1,
  used_at: used_at.toISOString(),
  temporary: false,
  pinned,
  share_id: null,
  shared_at: null,
});

describe("grouped", () => {
  it("puts pinned conversations first and the others under their dates", () => {
    useTexts("en", {});
    const now = new Date(2026, 10, 17, 12);
    const groups = grouped(
      [
        session("today", new Date(2026, 10, 17, 9)),
        session("old", new Date(2026, 10, 16, 9)),
        session("kept", new Date(2026, 8, 1), true),
      ],
      now,
    );
    expect(groups.map((group) => [group.label, group.sessions.map((each) => each.session_id)])).toEqual([
      ["Pinned", ["kept"]],
      ["Today", ["today"]],
      ["Yesterday", ["old"]],
    ]);
  });
});
