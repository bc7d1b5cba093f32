import { describe, expect, it, vi } from "vitest";
import { EnterKey } from "./enter.ts";

const press = (more: object = {}) => ({
  key: "Enter",
  code: "Enter",
  shiftKey: false,
  isComposing: false,
  keyCode: 13,
  preventDefault: vi.fn(),
  ...more,
});

describe("EnterKey", () => {
  it("sends once, and not with Shift", () => {
    const send = vi.fn();
    const enter = new EnterKey(send);
    enter.pressed(press({ shiftKey: true }));
    expect(send).not.toHaveBeenCalled();
    enter.pressed(press());
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("waits for the end of a Hangul syllable, and then sends once", async () => {
    const send = vi.fn();
    const enter = new EnterKey(send);
    enter.pressed(press({ isComposing: true, keyCode: 229 }));
    expect(send).not.toHaveBeenCalled();
    enter.composed({ data: "요" });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("takes a candidate of another script without sending", async () => {
    const send = vi.fn();
    const enter = new EnterKey(send);
    enter.pressed(press({ key: "Process", isComposing: true, keyCode: 229 }));
    enter.composed({ data: "日本" });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(send).not.toHaveBeenCalled();
  });

  it("breaks the line on a touch keyboard", () => {
    const send = vi.fn();
    const event = press();
    new EnterKey(send, () => false).pressed(event);
    expect(send).not.toHaveBeenCalled();
    expect(event.preventDefault).not.toHaveBeenCalled();
  });
});
