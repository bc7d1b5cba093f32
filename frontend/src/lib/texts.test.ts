import { afterEach, expect, test } from "vitest";
import { plural, useTexts } from "./texts.ts";

afterEach(() => useTexts("en", {}));

test("one thing is named in the singular, none and many in the plural", () => {
  useTexts("en", {});
  const said = [0, 1, 2, 1234].map((count) => plural("1 passage", "{count} passages", count));
  expect(said).toEqual(["0 passages", "1 passage", "2 passages", "1,234 passages"]);
});

test("both forms are translated, with other values", () => {
  useTexts("ko", { "1 hit in {s} s": "1개 · {s}초", "{count} hits in {s} s": "{count}개 · {s}초" });
  const said = [1, 2].map((count) => plural("1 hit in {s} s", "{count} hits in {s} s", count, { s: 3 }));
  expect(said).toEqual(["1개 · 3초", "2개 · 3초"]);
});
