import { expect, test } from "vitest";
import type { LimitShape } from "$lib/api.ts";
import { limitsOf, limitText, unshown, valuesOf, wrong } from "./limits.ts";

const limits: LimitShape[] = [
  { subject: "user", resource: "requests", window_seconds: 60, most: 30 },
  { subject: "tenant", resource: "microdollars", window_seconds: 86_400, most: 5_000_000 },
  { subject: "tenant", resource: "tokens", window_seconds: 7200, most: 9 },
];

test("limits become fields and back, dollars in dollars", () => {
  const values = valuesOf(limits);
  expect(values["tenant/microdollars/86400"]).toBe("5");
  expect(limitsOf(values, limits)).toEqual(expect.arrayContaining(limits));
  expect(limitsOf(values, limits)).toHaveLength(3);
});

test("an empty field is no limit, and a limit without a field stays", () => {
  const values = { ...valuesOf(limits), "user/requests/60": "" };
  expect(limitsOf(values, limits).map((each) => each.resource)).toEqual(["microdollars", "tokens"]);
  expect(unshown(limits).map(limitText)).toEqual(["The whole organisation: 9 tokens in 2 hours"]);
});

test("what is no number is named by its field", () => {
  expect(wrong({ "user/requests/60": "-1" })).toContain("Requests per minute");
  expect(wrong({ "user/requests/60": "" })).toBe("");
});
