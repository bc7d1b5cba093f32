import { afterEach, expect, test, vi } from "vitest";
import { call, whenChanged } from "./api.ts";
import { boot, refreshBoot } from "./boot.svelte.ts";

const page = (data: object) =>
  new Response(`<script id="boot" type="application/json">${JSON.stringify(data)}</script>`);

afterEach(() => vi.unstubAllGlobals());

test("the data of the start is read again from the page", async () => {
  vi.stubGlobal("fetch", async () => page({ csrf: "new", model_connected: true }));
  await refreshBoot();
  expect(boot()).toEqual({ csrf: "new", model_connected: true });
});

test("of two refreshes the later one counts, and a page without the data none", async () => {
  const waiting: ((page: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise<Response>((done) => waiting.push(done)));
  const both = [refreshBoot(), refreshBoot()];
  waiting[1]?.(page({ name: "later" }));
  waiting[0]?.(page({ name: "earlier" }));
  await Promise.all(both);
  expect(boot().name).toBe("later");
  vi.stubGlobal("fetch", async () => new Response("<h1>Sign in</h1>"));
  await refreshBoot();
  expect(boot().name).toBe("later");
});

test("requests that change something are told, others are not", async () => {
  const changed = vi.fn();
  whenChanged(changed);
  vi.stubGlobal("fetch", async () => Response.json({}));
  await call("GET /v1/me");
  expect(changed).not.toHaveBeenCalled();
  await call("POST /v1/assistants", { body: { name: "새 이름", persona: "" } });
  expect(changed).toHaveBeenCalledOnce();
});
