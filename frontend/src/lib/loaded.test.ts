import { expect, test } from "vitest";
import { SaegimProblem } from "./api.ts";
import { Loaded } from "./loaded.svelte.ts";

test("a failure keeps the old value, and the next success clears it", async () => {
  let fails = false;
  const loaded = new Loaded(async () => {
    if (fails) throw new SaegimProblem({ code: "x", title: "No." });
    return 1;
  });
  await loaded.reload();
  fails = true;
  await loaded.reload();
  expect([loaded.value, loaded.failure]).toEqual([1, "No."]);
  fails = false;
  await loaded.reload();
  expect(loaded.failure).toBe("");
});

test("of two calls the later one counts, in whatever order they end", async () => {
  const waiting: ((value: number) => void)[] = [];
  const loaded = new Loaded(() => new Promise<number>((done) => waiting.push(done)));
  const second = loaded.reload();
  waiting[1]?.(2);
  await second;
  waiting[0]?.(1);
  await Promise.resolve();
  expect(loaded.value).toBe(2);
});
