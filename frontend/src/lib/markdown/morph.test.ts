import { describe, expect, it } from "vitest";
import { BlockReader } from "./blocks.ts";
import { morph } from "./morph.ts";
import { renderBlock } from "./render.ts";

/** Show a text in a place, as it grows. */
function show(place: HTMLElement, text: string): void {
  const tokens = new BlockReader().read(text).flatMap((block) => block.tokens ?? []);
  morph(place, [...place.childNodes], [...renderBlock(tokens).childNodes], null);
}

const GROWING = [
  "1. **one** and `code`\n\n2. tw",
  "| a | b |\n| --- | ---: |\n| x y | 1,000 |\n| z | 2",
  "- [x] done\n- [ ] open\n  - inner\n- la",
  "> quoted *text* with [a link](https://a.example)\n> mor",
];

describe("morph", () => {
  it.each(GROWING)("shows what a text rendered at once shows: %s", (text) => {
    const place = document.createElement("div");
    for (let end = 1; end <= text.length; end += 1) {
      show(place, text.slice(0, end));
      const whole = document.createElement("div");
      show(whole, text.slice(0, end));
      expect(place.innerHTML).toBe(whole.innerHTML);
    }
  });

  it("keeps the texts that stand already", () => {
    const place = document.createElement("div");
    show(place, "- first item\n- sec");
    const first = place.querySelector("li")?.querySelector("p")?.firstChild;
    const second = place.querySelectorAll("li")[1]?.querySelector("p")?.firstChild;
    show(place, "- first item\n- second item\n\n- third");
    expect(place.querySelector("li p")?.firstChild).toBe(first);
    expect(place.querySelectorAll("li p")[1]?.firstChild).toBe(second);
    expect(place.querySelectorAll("li")).toHaveLength(3);
  });
});
