import { expect, test } from "vitest";
import { pageAddress, placeText } from "./place.ts";

const NONE = { page: null, slide: null, sheet: null, row: null, last: null };

test("names the page, the slide, or the row of a sheet", () => {
  expect(placeText({ ...NONE, page: 3 })).toBe("page 3");
  expect(placeText({ ...NONE, page: 3, last: 5 })).toBe("pages 3–5");
  expect(placeText({ ...NONE, slide: 4 })).toBe("slide 4");
  expect(placeText({ ...NONE, sheet: "매출", row: 12 })).toBe("sheet “매출”, row 12");
  expect(placeText({ ...NONE, sheet: "매출" })).toBe("sheet “매출”");
  expect(placeText({ ...NONE, row: 7 })).toBe("row 7");
  expect(placeText(NONE)).toBe("");
  expect(placeText(null)).toBe("");
});

test("opens a PDF at its page, and no other file", () => {
  const file = { id: "1", document_id: "보고서.PDF", has_original: true };
  expect(pageAddress(file, { ...NONE, page: 3 })).toBe("/v1/documents/1/original?inline=true#page=3");
  expect(pageAddress(file, null)).toBe("/v1/documents/1/original?inline=true");
  expect(pageAddress({ ...file, has_original: false }, null)).toBeUndefined();
  expect(pageAddress({ ...file, document_id: "표.xlsx" }, null)).toBeUndefined();
});
