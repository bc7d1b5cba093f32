import { expect, test } from "vitest";
import { percent, read, written } from "./evaluation.ts";

test("lines are read and written", () => {
  const text = "When? | 7 days\nA | B | guide-1";
  expect(read(`${text}\n\n`)).toEqual({
    questions: [
      { question: "When?", expected: "7 days" },
      { question: "A | B", expected: "guide-1" },
    ],
    wrong: undefined,
  });
  expect(written(read(text).questions)).toBe(text);
});

test("a line without an expectation is named", () => {
  expect(read("When? | 7 days\nWhere?").wrong).toBe(2);
  expect(read("When? |").wrong).toBe(1);
});

test("a run without answers has no score", () => {
  expect(percent(null)).toBe("–");
  expect(percent(2 / 3)).toBe("67%");
});
