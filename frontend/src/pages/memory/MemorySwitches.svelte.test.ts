import { mount, unmount } from "svelte";
import { afterEach, expect, it, vi } from "vitest";
import MemorySwitches from "./MemorySwitches.svelte";

afterEach(() => void vi.unstubAllGlobals());

it("keeps a second switch as it was turned while the first is being saved", async () => {
  const sent: { body: string; answer: () => void }[] = [];
  vi.stubGlobal("fetch", (_url: string, { method, body = "" }: { method: string; body?: string }) => {
    const json = { headers: { "content-type": "application/json" } };
    if (method === "GET") return Promise.resolve(new Response('{"learning":true,"using":true}', json));
    return new Promise((done) => sent.push({ body, answer: () => done(new Response(body, json)) }));
  });
  const switches = mount(MemorySwitches, { target: document.body });
  const [learning, using] = [...document.querySelectorAll("input")] as [HTMLInputElement, HTMLInputElement];
  await vi.waitFor(() => expect(learning.disabled).toBe(false));

  learning.click();
  await vi.waitFor(() => expect(sent.length).toBe(1));
  using.click();
  const states: boolean[] = [];
  for (const number of [0, 1]) {
    await vi.waitFor(() => expect(sent.length).toBe(number + 1));
    sent[number]?.answer();
    await new Promise((done) => setTimeout(done));
    states.push(learning.checked, using.checked);
  }

  expect(states).toEqual([false, false, false, false]);
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
    { learning: false, using: true },
    { learning: false, using: false },
  ]);
  await unmount(switches);
});
