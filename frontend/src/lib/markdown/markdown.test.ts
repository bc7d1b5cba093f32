import { describe, expect, it } from "vitest";
import { BlockReader, marked } from "./blocks.ts";
import { markCitations, markersIn, splitMarkers } from "./markers.ts";
import { clearlyMaths } from "./maths.ts";

const ANSWER = `# Plans

First paragraph with **bold** text [1].

1. one

2. two

| a | b |
| --- | ---: |
| 1 | 2 |

\`\`\`python
print("a")

print("b")
\`\`\`

Last.`;

describe("BlockReader", () => {
  it("reads the same blocks however the text arrives", () => {
    const whole = new BlockReader().read(ANSWER).map((block) => block.raw);
    expect(whole.join("")).toBe(ANSWER);
    for (const step of [1, 3, 7, 50]) {
      const reader = new BlockReader();
      let last: string[] = [];
      for (let end = step; end < ANSWER.length + step; end += step)
        last = reader.read(ANSWER.slice(0, end)).map((block) => block.raw);
      expect(last).toEqual(whole);
    }
  });

  it("gives tokens for what changed only", () => {
    const reader = new BlockReader();
    reader.read("One.\n\nTwo.\n\nThree");
    const blocks = reader.read("One.\n\nTwo.\n\nThree grows");
    expect(blocks.map((block) => block.tokens !== undefined)).toEqual([false, false, true]);
  });

  it("starts again with another text", () => {
    const reader = new BlockReader();
    reader.read("One.\n\nTwo.");
    expect(reader.read("Other.").map((block) => block.tokens !== undefined)).toEqual([true]);
  });
});

describe("maths", () => {
  it("tells formulas from prices", () => {
    for (const text of ["x^2", "a_1", "\\frac{1}{2}", "n", "y = ax + b", "f(x)"])
      expect(clearlyMaths(text), text).toBe(true);
    for (const text of ["5 and ", "10", "5 for Team plus", "가격 = 3", "HOME/bin"])
      expect(clearlyMaths(text), text).toBe(false);
  });

  it("leaves prices as they are", () => {
    const html = (text: string) => marked.parse(text) as string;
    expect(html("It costs $5 now and $10 later.")).not.toContain("maths");
    expect(html("Area $\\pi r^2$ and \\(x\\).").match(/class="maths"/g)).toHaveLength(2);
    expect(html("지출 $s$가 한도 $l$을 넘을 때").match(/class="maths"/g)).toHaveLength(2);
    expect(html("$$\n\\sum_{i=1}^n i\n$$")).toContain('<div class="maths">');
    expect(html("`$x^2$`")).not.toContain("maths");
  });
});

describe("markers", () => {
  it("keeps a marker with the punctuation after it", () => {
    expect(splitMarkers("Yes [1]. No [2]", (marker) => marker === "1")).toEqual([
      "Yes ",
      { marker: "1", after: "." },
      " No [2]",
    ]);
    expect(markersIn("[1][M2] [1] [x]")).toEqual(["1", "M2"]);
  });

  it("makes buttons of known markers outside code", () => {
    const root = document.createElement("div");
    root.innerHTML = "<p>See [1] and <code>a[1]</code> and [3].</p>";
    markCitations(root, new Map([["1", "Source 1"]]));
    expect(root.querySelectorAll("button.cite")).toHaveLength(1);
    expect(root.textContent).toBe("See 1 and a[1] and [3].");
  });
});
