import { describe, expect, it } from "vitest";
import { contrast, palette, parse, READABLE, type Colour } from "./colours.ts";

const colour = (text: string): Colour => parse(text) ?? [0, 0, 0];
const ACCENTS = ["#2457c5", "#b03a26", "#ffe600", "#00ff88", "#111111", "#ffffff", "#ff3366", "#777777"];

describe("the accent of a host", () => {
  it("reads the notations that browsers give", () => {
    expect(parse("#0f8")).toEqual([0, 1, 136 / 255]);
    expect(parse("rgb(255, 0, 51)")).toEqual([1, 0, 0.2]);
    expect(parse("color(srgb 0.5 0.25 1)")).toEqual([0.5, 0.25, 1]);
    expect(parse("not a colour")).toBeUndefined();
  });

  it("knows the contrast of black and white", () => {
    expect(contrast([0, 0, 0], [1, 1, 1])).toBeCloseTo(21);
  });

  it.each(ACCENTS)("derives readable colours from %s in both themes", (accent) => {
    for (const theme of ["light", "dark"] as const) {
      const found = palette(colour(accent), theme);
      const grounds =
        theme === "light" ? ["#fbfaf8", "#ffffff", "#f3f1ed"] : ["#131417", "#1b1d22", "#23262c"];
      for (const ground of [...grounds, found.accentSoft]) {
        expect(contrast(colour(found.accent), colour(ground))).toBeGreaterThanOrEqual(READABLE);
      }
      expect(contrast(colour(found.onAccent), colour(found.accentFill))).toBeGreaterThanOrEqual(READABLE);
    }
  });

  it("keeps a colour that is readable as it is", () => {
    expect(palette(colour("#2457c5"), "light").accent).toBe("#2457c5");
    expect(palette(colour("#2457c5"), "dark").accent).not.toBe("#2457c5");
  });
});
