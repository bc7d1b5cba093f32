import { describe, expect, it } from "vitest";
import { useTexts } from "$lib/texts.ts";
import { fileText, overallShare, overallText, update, type UploadedFile } from "./uploads.ts";

const file = (state: UploadedFile["state"], rest: Partial<UploadedFile> = {}): UploadedFile => ({
  name: "a.md",
  state,
  passages: 0,
  stored: 0,
  message: null,
  ...rest,
});

describe("uploads", () => {
  useTexts("en", {});

  it("says in words where a file is", () => {
    expect(fileText(file("queued"))).toBe("Waiting to be uploaded");
    expect(fileText(file("storing", { passages: 8, stored: 2 }))).toBe("Indexing 25%");
    expect(fileText(file("done", { passages: 12 }))).toBe("Ready · 12 passages");
    expect(fileText(file("failed", { message: "The file is empty." }))).toBe("The file is empty.");
  });

  it("estimates what is left of a long file", () => {
    const long = file("reading");
    const known = (stored: number) => ({ state: "storing", passages: 8_000, stored, message: null }) as never;
    update(long, known(2_000), 0);
    expect(fileText(long, 1_000)).toBe("Indexing 25% · 6,000 passages left");
    update(long, known(4_000), 60_000);
    expect(fileText(long, 60_000)).toBe("Indexing 50% · 4,000 passages left · about 2 min");
  });

  it("counts files of a batch and says how it ended", () => {
    expect(overallText([file("done"), file("reading")])).toBe("1 of 2 files ready");
    expect(overallText([file("done"), file("done")])).toBe("2 files ready");
    expect(overallText([file("done"), file("failed")])).toBe("1 of 2 files ready, 1 failed");
    expect(overallText([file("done"), file("cancelled")])).toBe("Cancelled: 1 of 2 files ready");
  });

  it("grows from nothing to one", () => {
    expect(overallShare([])).toBe(0);
    expect(overallShare([file("queued"), file("queued")])).toBe(0);
    expect(overallShare([file("done"), file("failed")])).toBe(1);
    const half = overallShare([file("storing", { passages: 4, stored: 1 })]);
    expect(half).toBeGreaterThan(overallShare([file("waiting")]));
    expect(half).toBeLessThan(1);
  });

  it("tells once that a file became ready", () => {
    const shown = file("storing");
    const known = { state: "done", passages: 3, stored: 3, message: null } as never;
    expect(update(shown, known)).toBe(true);
    expect(update(shown, known)).toBe(false);
  });
});
