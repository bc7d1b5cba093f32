import { expect, test } from "vitest";
import { firstOpen } from "./steps.ts";

test("the page begins with the first step that is not done", () => {
  const nothing = { model: false, documents: false, members: false, asked: false };
  expect(firstOpen(nothing)).toBe("model");
  expect(firstOpen({ ...nothing, model: true })).toBe("documents");
  expect(firstOpen({ model: true, documents: true, members: false, asked: true })).toBe("ask");
});
