import { expect, test } from "vitest";
import { formula } from "./formula.ts";

test("a formula is written in signs", () => {
  expect(formula(String.raw`f = \max(0, s - l) \times 0.004`)).toBe("f = max(0, s - l) × 0.004");
  expect(formula(String.raw`r = 1 - \frac{p}{q + 1}`)).toBe("r = 1 - (p)/(q + 1)");
  expect(formula(String.raw`\text{합계} \leq x_{10}`)).toBe("합계 ≤ x_10");
});

test("a formula is no markup", () => {
  expect(formula("a < b & c")).toBe("a &lt; b &amp; c");
});
