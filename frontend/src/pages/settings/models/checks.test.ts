import { expect, test } from "vitest";
import type { ModelCheckView } from "$lib/api.ts";
import { checkRows, checkText, priceText, turnsText } from "./checks.ts";

const check = (values: Partial<ModelCheckView>): ModelCheckView => ({
  role: "lite",
  model: "m",
  ok: false,
  seconds: 1.24,
  fault: null,
  status: null,
  message: null,
  input_price: null,
  output_price: null,
  takes_tools: null,
  usd_per_1000_turns: "0",
  ...values,
});

test("a model that calls no tool says so once, whatever else it does", () => {
  const works = { ok: true, model: "m" };
  const rows = checkRows([
    check({ ...works, role: "judge" }),
    check({ ...works, role: "lite", takes_tools: false }),
  ]);
  expect(rows.map((row) => row.tools)).toEqual([
    "Takes tools: no. It answers from what is found beforehand.",
  ]);
});

test("the cost of turns is the sum of the roles, and unknown is not zero", () => {
  const extractor = check({ role: "extractor", usd_per_1000_turns: "0.14" });
  expect(turnsText([check({ usd_per_1000_turns: "1.45" }), extractor])).toBe(
    "Estimated cost of 1,000 turns: $1.59",
  );
  expect(turnsText([check({ usd_per_1000_turns: null }), extractor])).toBe(
    "Cost of 1,000 turns: unknown, as a model has no list price.",
  );
  expect(turnsText([extractor])).toBe("");
});

test("a failed test says what is wrong, not its code", () => {
  expect(checkText(check({ fault: "http_error", status: 401 }))).toBe(
    "The provider does not accept the key.",
  );
  expect(checkText(check({ fault: "http_error", status: 500, message: "overloaded" }))).toBe(
    "The provider answered with an error. It says: overloaded",
  );
  expect(checkText(check({ ok: true }))).toBe("Works: answered in 1.2 s.");
});

test("a price that is not known is not shown as zero", () => {
  expect(priceText(check({}))).toBeUndefined();
  expect(priceText(check({ input_price: "0.250", output_price: "2.00" }))).toBe(
    "$0.25 in, $2 out per million tokens",
  );
});

test("one wrong key is one message, whatever the roles and models", () => {
  const wrong = { fault: "http_error", status: 401, message: "no such key" } as const;
  const rows = checkRows([
    check({ ...wrong, role: "lite", model: "small" }),
    check({ ...wrong, role: "strong", model: "large", seconds: 3 }),
    check({ ...wrong, role: "judge", model: "large" }),
    check({ ok: true, role: "assessor", model: "small" }),
  ]);
  expect(rows.map((row) => [row.models, row.roles])).toEqual([
    ["small, large", "Answers, Hard questions, Evaluation"],
    ["small", "Search"],
  ]);
});
