import { expect, test } from "vitest";
import { askNext, takeQuestion } from "./draft.ts";

test("a question of another page is sent once", () => {
  askNext("첫 질문");
  expect([takeQuestion(), takeQuestion()]).toEqual(["첫 질문", ""]);
});
