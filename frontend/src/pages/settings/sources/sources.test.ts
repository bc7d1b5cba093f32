import { expect, test } from "vitest";
import type { SourceView } from "$lib/api.ts";
import { emptyForm, missing, sourceBody, sourceState } from "./sources.ts";

test("the form says what is missing", () => {
  const form = { ...emptyForm(), collection: "default" };
  expect(missing(form)).toContain("sitemap");
  expect(missing({ ...form, url: "https://docs.example.com/sitemap.xml" })).toBe("");
  expect(missing({ ...form, kind: "urls", urls: "https://a.example\nnot-one" })).toBe(
    "“not-one” is not an address.",
  );
  expect(missing({ ...form, url: "https://a.example/s.xml", collection: " " })).toBe("Choose a collection.");
});

test("addresses may be separated by lines or spaces", () => {
  const form = {
    ...emptyForm(),
    kind: "urls" as const,
    urls: "https://a.example\n https://b.example ",
    collection: "c",
  };
  expect(sourceBody(form).source).toEqual({ kind: "urls", urls: ["https://a.example", "https://b.example"] });
});

test("a source says what it does, and its failures before its success", () => {
  const source = {
    running: false,
    error: null,
    synced_at: "2026-11-17T00:00:00Z",
    failed: 2,
    changed: 0,
    unchanged: 0,
    listed: 2,
  } as SourceView;
  expect(sourceState(source).kind).toBe("error");
  expect(sourceState({ ...source, failed: 0 }).text).toBe("Up to date");
  expect(sourceState({ ...source, running: true }).text).toBe("Reading: 2 of 2");
});
