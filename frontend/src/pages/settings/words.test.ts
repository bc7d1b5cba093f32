import { expect, test } from "vitest";
import { listed } from "./words.ts";

test("a typed list has no empty entries and no duplicates", () => {
  expect(listed(" sales, legal,\nsales ,,")).toEqual(["sales", "legal"]);
});
