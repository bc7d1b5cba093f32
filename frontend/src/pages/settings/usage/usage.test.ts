import { expect, test } from "vitest";
import type { DayView, ShareView } from "$lib/api.ts";
import { named, everyDay, sum, ticks } from "./usage.ts";

const day = (values: Partial<DayView>) =>
  ({
    day: "2026-11-16",
    turns: 3,
    unanswered: 1,
    input_tokens: 10,
    output_tokens: 5,
    cost_usd: 0.1,
    p95_ms: 900,
    ...values,
  }) as DayView;

test("days without questions are there, with zeroes", () => {
  const days = everyDay([day({})], 3, new Date(2026, 10, 17, 12));
  expect(days.map((each) => [each.day, each.turns])).toEqual([
    ["2026-11-15", 0],
    ["2026-11-16", 3],
    ["2026-11-17", 0],
  ]);
});

test("a day that has begun in the reader's time zone is the last one", () => {
  const days = everyDay([day({ day: "2026-11-18" })], 2, new Date(2026, 10, 17, 12));
  expect(days.map((each) => each.day)).toEqual(["2026-11-17", "2026-11-18"]);
});

test("a cost that is not known is not counted as zero", () => {
  expect(sum([1, null, 2])).toBeNull();
  expect(sum([1, 2])).toBe(3);
  const share = (cost: number | null) =>
    ({ model: "m", turns: 1, input_tokens: 1, output_tokens: 1, cost_usd: cost }) as ShareView;
  expect(named([share(null)], (each) => each.model ?? "")[0]?.cost).toBeNull();
});

test("an axis ends at a round value that holds the highest", () => {
  expect(ticks(7)).toEqual([0, 3, 6, 9]);
  expect(ticks(100)).toEqual([0, 50, 100]);
  expect(ticks(0.03, false).at(-1)).toBeGreaterThanOrEqual(0.03);
  expect(ticks(0)).toEqual([0, 1]);
});
