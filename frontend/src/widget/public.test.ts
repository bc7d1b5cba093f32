import { describe, expect, it, vi } from "vitest";
import { Bridge } from "./public.ts";

const actions = () => ({ open: vi.fn(), close: vi.fn(), ask: vi.fn(), newChat: vi.fn() });

describe("window.Saegim", () => {
  it("runs calls that were made before the start, in order", () => {
    const bridge = new Bridge();
    const said: string[] = [];
    bridge.replay([["open"], ["ask", "얼마예요?"], ["unknown"], "nonsense", ["push", ["open"]]]);
    bridge.connect({
      ...actions(),
      open: () => void said.push("open"),
      ask: (text) => void said.push(text),
    });
    expect(said).toEqual(["open", "얼마예요?"]);
  });

  it("tells listeners until they leave, whatever another one throws", () => {
    const bridge = new Bridge();
    const heard = vi.fn();
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    bridge.api.on("open", () => {
      throw new Error("of the host");
    });
    const leave = bridge.api.on("open", heard);
    bridge.tell("open");
    leave();
    bridge.tell("open");
    expect(heard).toHaveBeenCalledTimes(1);
  });
});
