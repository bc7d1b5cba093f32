import { expect, test } from "vitest";
import type { KeyView } from "$lib/api.ts";
import { embedCode, tokenKeys } from "./channels.ts";

test("the code of the widget names this server", () => {
  expect(embedCode("https://saegim.example.com")).toBe(
    '<script src="https://saegim.example.com/widget.js" data-token-url="/saegim-token" defer></script>',
  );
});

test("only valid keys that issue tokens count for the widget", () => {
  const key = (role: string, used_at: string | null, revoked_at: string | null = null) =>
    ({ role, used_at, revoked_at, expires_at: null }) as KeyView;
  const keys = [
    key("minter", "2026-11-01T00:00:00Z"),
    key("minter", "2026-11-05T00:00:00Z"),
    key("minter", "2026-11-09T00:00:00Z", "2026-11-10T00:00:00Z"),
    key("admin", "2026-11-12T00:00:00Z"),
  ];
  expect(tokenKeys(keys)).toEqual({ count: 2, used: "2026-11-05T00:00:00Z" });
});
