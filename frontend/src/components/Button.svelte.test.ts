import { flushSync, mount } from "svelte";
import { describe, expect, it, vi } from "vitest";
import Button from "./Button.svelte";

describe("the button", () => {
  it("passes attributes and handlers on, and follows their changes", () => {
    const first = vi.fn();
    const second = vi.fn();
    const props = $state<Record<string, unknown>>({
      label: "열기",
      "aria-expanded": false,
      form: "edit",
      onclick: first,
    });
    mount(Button, { target: document.body, props });
    flushSync();
    const button = document.querySelector("button");
    expect(button?.getAttribute("aria-expanded")).toBe("false");
    expect(button?.getAttribute("form")).toBe("edit");
    button?.click();
    props["aria-expanded"] = true;
    props.onclick = second;
    props.form = undefined;
    flushSync();
    button?.click();
    expect(button?.getAttribute("aria-expanded")).toBe("true");
    expect(button?.hasAttribute("form")).toBe(false);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });
});
