import { describe, expect, it } from "vitest";
import { marked } from "./quotes.ts";
import { importanceLabel, monthLabel } from "./words.ts";
import { useTexts } from "$lib/texts.ts";

describe("quotes", () => {
  it("marks the quotation where it was said", () => {
    expect(marked("I live in Seoul now", "live in Seoul")).toEqual([
      { text: "I ", marked: false },
      { text: "live in Seoul", marked: true },
      { text: " now", marked: false },
    ]);
  });

  it("shows a text without the quotation as it is", () => {
    expect(marked("hello", "")).toEqual([{ text: "hello", marked: false }]);
    expect(marked("hello", "bye")).toEqual([{ text: "hello", marked: false }]);
  });

  it("cuts a long text around the quotation", () => {
    const parts = marked(`${"a".repeat(1000)}here${"b".repeat(1000)}`, "here", 104);
    expect(parts.map((part) => part.text.length)).toEqual([51, 4, 51]);
  });
});

describe("words", () => {
  useTexts("en", {});

  it("names months and importance", () => {
    expect(monthLabel("2026-11", "en-US")).toBe("November 2026");
    expect(monthLabel("2026-11", "ko-KR")).toBe("2026년 11월");
    expect([0.9, 0.5, 0.1].map(importanceLabel)).toEqual(["High", "Medium", "Low"]);
  });
});
