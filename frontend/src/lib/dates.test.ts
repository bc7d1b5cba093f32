import { describe, expect, it } from "vitest";
import { ago, bytes, dateGroup, dollars } from "./dates.ts";
import { useTexts } from "./texts.ts";

const now = new Date(2026, 10, 17, 12, 0);

describe("dates", () => {
  useTexts("en", {});

  it("groups by day, week, month and then by the name of the month", () => {
    const group = (...at: [number, number, number]) => dateGroup(new Date(...at), now);
    expect(group(2026, 10, 17)).toBe("Today");
    expect(group(2026, 10, 16)).toBe("Yesterday");
    expect(group(2026, 10, 11)).toBe("Last 7 days");
    expect(group(2026, 10, 1)).toBe("Last 30 days");
    expect(group(2026, 7, 1)).toBe("August 2026");
  });

  it("says how long ago something was", () => {
    expect(ago(new Date(2026, 10, 17, 11, 57), now)).toBe("3 minutes ago");
    expect(ago(new Date(2026, 10, 16, 12, 0), now)).toBe("yesterday");
    expect(ago(new Date(2026, 9, 1), now)).toBe("Oct 1");
  });

  it("shows no price as a dash and small prices with digits", () => {
    expect(dollars(null)).toBe("–");
    expect(dollars(0.00012)).toBe("$0.00012");
    expect(bytes(1_240_000)).toBe("1.2 MB");
  });
});
