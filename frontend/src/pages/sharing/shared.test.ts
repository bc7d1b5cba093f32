import { expect, test } from "vitest";
import { sourceOf } from "./shared.ts";

test("a source that may not be read has a name and nothing to open", () => {
  const hidden = { marker: "1", readable: false, id: "", title: "" } as const;
  expect(sourceOf({ ...hidden, kind: "passage" })).toEqual({
    marker: "1",
    kind: "passage",
    id: "",
    title: "A document that you may not open",
  });
  expect(sourceOf({ ...hidden, kind: "memory" }).text).toBe("A memory of the person who shared this");
});

test("a source that may be read stays as it is", () => {
  const source = { marker: "1", kind: "passage", id: "p", title: "EC2", readable: true } as const;
  expect(sourceOf(source)).toEqual({ marker: "1", kind: "passage", id: "p", title: "EC2" });
});
