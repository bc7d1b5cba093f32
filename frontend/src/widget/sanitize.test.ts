import { describe, expect, it } from "vitest";
import sanitizer from "./sanitize.ts";

const CONFIG = {
  ALLOWED_TAGS: ["p", "a", "b", "code", "table", "td", "tr", "tbody"],
  ALLOWED_ATTR: ["href", "class"],
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
};

function cleaned(html: string): string {
  const place = document.createElement("div");
  place.append(sanitizer.sanitize(html, CONFIG));
  return place.innerHTML;
}

describe("the sanitizer of the widget", () => {
  it("keeps listed tags and attributes", () => {
    expect(cleaned('<p class="x">a <b>b</b> <a href="https://a.example">c</a></p>')).toBe(
      '<p class="x">a <b>b</b> <a href="https://a.example">c</a></p>',
    );
  });

  it("keeps the text of other tags, but not what scripts and styles contain", () => {
    expect(cleaned("<article>a<script>b()</script><style>c{}</style><em>d</em></article>")).toBe("ad");
  });

  it.each([
    '<a href="javascript:x()">a</a>',
    '<a href=" java\nscript:x()">a</a>',
    '<a href="data:text/html,x">a</a>',
    '<a onclick="x()" style="position:fixed" id="y">a</a>',
  ])("drops addresses that run and handlers: %s", (html) => {
    expect(cleaned(html)).toBe("<a>a</a>");
  });

  it.each([
    "<svg><a href='javascript:x()'><b>z</b></a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=x()></style></mglyph></table></mtext></math>",
    "<noscript><p title='</noscript><img src=x onerror=x()>'></noscript>",
    "<img src=x onerror=x()><object data='x'>y</object>",
    "<form action='//evil.example'><input autofocus onfocus=x()></form>",
    "<form><input name=childNodes><input name=localName><input name=attributes></form>",
    "<template><img src=x onerror=x()></template>",
  ])("makes nothing that runs or loads of %s", (html) => {
    expect(cleaned(html)).not.toMatch(/<(?!p>|\/p>|table>|\/table>)|onerror|javascript/);
  });
});
