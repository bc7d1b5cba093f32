import { beforeEach, describe, expect, it } from "vitest";
import { KeptConversation } from "./memory.ts";

describe("the kept conversation", () => {
  beforeEach(() => localStorage.clear());

  it("belongs to one user of one server", () => {
    new KeptConversation("https://a.example", "mina").write("s1");
    expect(new KeptConversation("https://a.example", "mina").read()).toBe("s1");
    expect(new KeptConversation("https://a.example", "jun").read()).toBeUndefined();
    expect(new KeptConversation("https://b.example", "mina").read()).toBeUndefined();
  });

  it("is forgotten after a day, and by a new chat", () => {
    const kept = new KeptConversation("https://a.example", "mina");
    kept.write("s1", 0);
    expect(kept.read(23 * 3_600_000)).toBe("s1");
    expect(kept.read(25 * 3_600_000)).toBeUndefined();
    kept.write("s2");
    kept.write(undefined);
    expect(kept.read()).toBeUndefined();
  });

  it("survives a broken entry", () => {
    localStorage.setItem("saegim-widget:https://a.example:mina", "{");
    expect(new KeptConversation("https://a.example", "mina").read()).toBeUndefined();
  });
});
