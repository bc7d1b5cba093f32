import { beforeAll, describe, expect, it } from "vitest";
import { useTexts } from "$lib/texts.ts";
import { answeredBy, costOf, summary, wasUsed, type Trace } from "./trace.ts";

const item = (kind: string, fate: string) => ({ kind, id: "1", title: "a", fate, tokens: 1, signals: {} });
const call = (model: string, more: object = {}) => ({
  step: "answer",
  role: "lite",
  source: "model",
  model,
  input_tokens: 1,
  output_tokens: 1,
  seconds: 1,
  ...more,
});

describe("summary", () => {
  beforeAll(() => useTexts("en", {}));

  it("says what was read, who answered, how long it took and what it cost", () => {
    const trace: Trace = {
      items: [item("passage", "taken"), item("passage", "dropped"), item("memory", "injected")],
      calls: [call("gpt-small")],
      spans: [{ name: "answer", began_ms: 600, took_ms: 2000 }],
      cost_usd: "0.0004",
    };
    expect(summary(trace, 1)).toBe(
      "I read 2 passages and 1 memory, and cite 1. I answered with gpt-small in 2.6 s for $0.0004.",
    );
    expect(wasUsed(item("passage", "dropped"))).toBe(false);
  });

  it("names no price that is not known, and no model that did not answer", () => {
    expect(costOf({ calls: [call("m")], cost_usd: 0 })).toBeNull();
    const trace: Trace = { calls: [call("", { source: "fallback" })], spans: [] };
    expect(answeredBy(trace)).toBeUndefined();
    expect(summary(trace, 0)).toBe("I searched nothing for this. I answered without a model, in 0.0 s.");
  });
});
