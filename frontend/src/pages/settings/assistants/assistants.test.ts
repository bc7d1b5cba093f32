import { expect, test } from "vitest";
import type { AssistantVersionView, ContentBody } from "$lib/api.ts";
import { contentOf, current, formOf } from "./assistants.ts";

const content: ContentBody = {
  name: "Help",
  persona: "Kind.",
  policy: "",
  locale: "en",
  collections: ["c1"],
  config: { strict: true, thresholds: { overall: 0.5 }, offered_to: [] },
};

test("what the form does not show stays as it was", () => {
  expect(contentOf(formOf(content), content)).toEqual(content);
});

test("fields that are emptied return to the server's defaults", () => {
  const form = { ...formOf(content), strict: false, offeredTo: null, starters: [" ", ""] };
  expect(contentOf(form, content).config).toEqual({ thresholds: { overall: 0.5 } });
});

test("a model without a name is the usual one", () => {
  const chosen = (model: string) => ({ ...formOf(content), model: { connection_id: "m1", model } });
  expect(contentOf(chosen(" large "), content).config?.model).toEqual({
    connection_id: "m1",
    model: "large",
  });
  expect(contentOf(chosen(" "), content).config).not.toHaveProperty("model");
});

test("a link without a label is named by its address", () => {
  const form = { ...formOf(content), links: [{ label: " ", url: " https://a.example " }] };
  expect(contentOf(form, content).config?.menu_links).toEqual([
    { label: "https://a.example", url: "https://a.example" },
  ]);
});

test("the draft is what is edited, the published version what answers", () => {
  const version = (number: number, state: AssistantVersionView["state"]) =>
    ({ version: number, state, content }) as AssistantVersionView;
  const found = current([version(3, "draft"), version(2, "published"), version(1, "retired")]);
  expect([found.draft?.version, found.published?.version]).toEqual([3, 2]);
  expect(current([version(1, "published")]).draft).toBeUndefined();
});
