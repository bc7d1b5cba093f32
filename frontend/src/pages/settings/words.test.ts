import { expect, test } from "vitest";
import type { ModelCheckView } from "$lib/api.ts";
import { checkText, listed, priceText } from "./words.ts";

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
  ...values,
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

test("a typed list has no empty entries and no duplicates", () => {
  expect(listed(" sales, legal,\nsales ,,")).toEqual(["sales", "legal"]);
});
